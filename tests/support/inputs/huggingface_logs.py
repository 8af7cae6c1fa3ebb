"""What Hugging Face's Trainer prints on a console, and the state that it saves."""

from __future__ import annotations

BAR = " 12%|█▎        | {step}/{steps} [00:0{step}<00:40,  2.00it/s]\r"


def console(epochs: int = 2, each: int = 4, stop: int = 0, every: int = 2) -> str:
    """A run without its header: bars, a quoted report every `every` steps, evaluated each epoch."""
    steps = stop or epochs * each
    out = BAR.format(step=0, steps=steps)
    for step in range(1, steps + 1):
        bar = BAR.format(step=step, steps=steps)
        out += bar
        if step % every == 0:
            out += (
                f"\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{step / each:.4g}'}}\n{bar}"
            )
        if step % each == 0:
            out += (
                "\n 50%|█████     | 1/2 [00:00<00:00, 20.0it/s]\r"
                f"\n{{'eval_loss': '0.5', 'eval_accuracy': '0.{step:02}', 'eval_runtime': '0.1', "
                f"'epoch': '{step / each:.4g}'}}\n{bar}"
            )
    return out + (
        "\n{'train_runtime': '40', 'train_samples_per_second': '114.7', "
        f"'train_steps_per_second': '7.1', 'train_loss': '0.5', 'epoch': '{steps / each:.4g}'}}\n"
    )


STATE = {
    "best_metric": None,
    "best_model_checkpoint": None,
    "epoch": 1.0,
    "global_step": 20,
    "is_hyper_param_search": False,
    "is_local_process_zero": True,
    "is_world_process_zero": True,
    "log_history": [
        {"epoch": 0.5, "learning_rate": 0.1, "loss": 2.5, "step": 10},
        {"epoch": 1.0, "eval_accuracy": 0.75, "eval_loss": 1.5, "eval_runtime": 3.0, "step": 20},
        {"epoch": 1.0, "step": 20, "train_loss": 2.0, "train_runtime": 84.1},
    ],
    "max_steps": 20,
    "num_train_epochs": 1,
    "train_batch_size": 8,
}
