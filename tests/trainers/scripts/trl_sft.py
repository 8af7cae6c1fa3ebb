"""TRL's SFTTrainer over a small Llama of random weights (nothing is downloaded)."""

import time

import trl
from datasets import Dataset
from timers import Timers
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, TrainerCallback

words = "<pad> <eos> the cat dog bird saw ate stderr a fish worm and then".split()  # noqa: SIM905 - a list of words reads worse
tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, "<pad>"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
fast = PreTrainedTokenizerFast(
    tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<pad>"
)
shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
model = LlamaForCausalLM(LlamaConfig(vocab_size=len(words), num_attention_heads=2, **shape))
texts = [
    f"the {words[3 + i % 3]} {words[6 + i % 2]} a {words[10 + i % 2]} and then" for i in range(200)
]


class Watch(TrainerCallback):
    def on_epoch_begin(self, *args, **kwargs):
        timers.begin()

    def on_step_end(self, *args, **kwargs):
        time.sleep(0.05)

    def on_epoch_end(self, *args, **kwargs):
        timers.end()

    def on_evaluate(self, args, state, control, metrics, **kwargs):
        timers.score("accuracy", metrics["eval_mean_token_accuracy"])


arguments = trl.SFTConfig(
    "sft", per_device_train_batch_size=8, num_train_epochs=6, eval_strategy="epoch",
    save_strategy="no", logging_steps=5, report_to="none", use_cpu=True, bf16=False,
    max_length=32, learning_rate=0.01,
)  # fmt: skip
timers = Timers(f"trl {trl.__version__}", steps=20, samples=160, epochs=6)
trainer = trl.SFTTrainer(
    model, arguments, train_dataset=Dataset.from_dict({"text": texts[:160]}),
    eval_dataset=Dataset.from_dict({"text": texts[160:]}), processing_class=fast,
    callbacks=[Watch()],
)  # fmt: skip
timers.found["stated"] = trainer.train().metrics["train_samples_per_second"]
timers.write()
