"""The number of epochs and the precision among the settings that a program prints."""

from __future__ import annotations

import pytest

from tests.support.logs import scored


def _epochs(count: int, first: int = 0) -> str:
    return "".join(
        f"epoch {epoch} it {step}/300 loss 0.{epoch + 3} 980 img/s\n"
        + ("" if step < 300 else f"val: top1 {40 + epoch}.5\n")
        for epoch in range(first, first + count)
        for step in (100, 200, 300)
    )


def _planned(header: str, body: str) -> int | None:
    planned: int | None = scored(header + "\n" + body)["run"].get("epochs_planned")
    return planned


@pytest.mark.parametrize(
    "header",
    [
        "Namespace(lr=0.1, batch_size=64, epochs=5, wd=5e-4)",
        "Config(lr=0.1, epochs=5, batch_size=64)",
        "{'lr': 0.1, 'batch_size': 64, 'epochs': 5}",
        '    "num_epochs": 5,',
        "epochs: 5",
        "lr=0.1 epochs=5 bs=64",
        "Number of epochs: 5",
        "  max_epochs ............ 5",
        "| epochs | 5 |",
        "TRAIN.MAX_EPOCHS: 5",
        "cfg.training.epochs                  : 5",
        "python train.py --lr 0.1 --epochs 5 --warmup-epochs 1",
        "Start training for 5 epochs",
        "Namespace(batchSize=64, nEpochs=5, lr=0.01)",
    ],
)
def test_a_setting_says_how_many_epochs_are_planned(header: str) -> None:
    assert _planned(header, _epochs(3)) == 5


@pytest.mark.parametrize(
    "header",
    [
        "warmup_epochs: 5",
        "Warmup epochs: 5",
        "early-stop epochs 5",
        "n_epochs: 5",
        "epochs: 5.5",
        "epochs: 50%",
        "{'train': {'sampling': {'enabled': False, 'num_epochs': 5}}}",
        "No improvement for 5 epochs",
        "epochs: 5\nmax_epochs: 20",
        "epochs: 0",
    ],
)
def test_what_is_no_setting_of_the_training_plans_nothing(header: str) -> None:
    assert _planned(header, _epochs(3)) is None


@pytest.mark.parametrize(
    ("first", "count", "planned", "status"),
    [
        (0, 4, 5, "incomplete"),
        (0, 5, 5, "finished"),
        (0, 6, None, "incomplete"),
        (1, 4, 5, "incomplete"),
        (1, 5, 5, "finished"),
        (1, 6, None, "incomplete"),
    ],
)
def test_a_run_that_goes_beyond_its_setting_follows_another_one(
    first: int, count: int, planned: int | None, status: str
) -> None:
    card = scored("epochs: 5\n" + _epochs(count, first))
    assert (card["run"].get("epochs_planned"), card["status"]) == (planned, status)


def test_what_the_formats_own_lines_plan_counts_before_it() -> None:
    lines = "".join(
        f"Epoch [{epoch}/8], Step [{step}/300], Loss: 0.5\n"
        for epoch in (1, 2)
        for step in (100, 200, 300)
    )
    assert _planned("epochs: 5", lines) == 8


def test_the_settings_of_an_attempt_that_never_trains_take_no_time() -> None:
    lines = "".join(
        f"2026-03-01 10:0{minute}:00 epoch {epoch} step {step}/2 loss 0.5 acc 0.{epoch}\n"
        for minute, epoch, step in ((0, 1, 1), (1, 1, 2), (2, 2, 1), (3, 2, 2))
    )
    again = "2026-03-01 12:00:00 epochs: 5\n"
    assert scored(again + lines + again)["run_end"]["run_time_s"] == 180


@pytest.mark.parametrize(
    ("number", "epochs"), [("1,000", 1000), ("1,000,000", 1_000_000), ("5,10", 5), ("1000", 1000)]
)
def test_the_digits_of_a_number_of_epochs_may_be_in_groups(number: str, epochs: int) -> None:
    assert _planned(f"  Num Epochs = {number}", _epochs(3)) == epochs


@pytest.mark.parametrize(
    ("header", "precision"),
    [
        ("Namespace(lr=0.1, epochs=5, fp16=True)", "fp16"),
        ("{'common': {'fp16': True, 'bf16': False, 'memory_efficient_bf16': True}}", "fp16"),
        ("bf16: true", "bf16"),
        ("  bf16 ............ True", "bf16"),
        ("| fp16 | True |", "fp16"),
        ("fp16: false", None),
        ("memory_efficient_fp16: True", None),
        ("args.fp16 = True", None),  # source code
        ("{'fp16': True, 'bf16': True}", None),
        ("fp16_opt_level: True", None),
    ],
)
def test_a_setting_says_the_precision(header: str, precision: str | None) -> None:
    run = scored(header + "\n" + _epochs(3))["run"]
    assert run.get("precision") == precision
    assert run.get("epochs_planned") == (5 if "epochs=5" in header else None)


@pytest.mark.parametrize(("last", "status"), [(39, "incomplete"), (40, "finished")])
def test_the_steps_that_a_program_announces_are_those_of_the_run(last: int, status: str) -> None:
    header = "10 iterations per epoch. 40 max iterations\n"
    lines = "".join(f"iteration {n} : loss : 0.5, loss_ce: 0.2{n}\n" for n in range(1, last + 1))
    assert scored(header + lines)["status"] == status
