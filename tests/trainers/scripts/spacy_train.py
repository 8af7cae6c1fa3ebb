"""spaCy's `train` of a small text classifier: a table, a row an evaluation."""

import random

import spacy
from spacy.cli.init_config import init_config
from spacy.cli.train import train
from spacy.tokens import DocBin
from timers import Timers

GOOD, BAD = ("good", "nice", "fine", "happy"), ("bad", "awful", "poor", "sad")
blank = spacy.blank("en")


def write(count, path):
    chosen, docs = random.Random(count), DocBin()
    for _ in range(count):
        text = chosen.choices([*GOOD, *BAD, "the", "it", "is", "one"], k=12)
        doc = blank(" ".join(text))
        good = sum(w in GOOD for w in text) > sum(w in BAD for w in text)
        doc.cats = {"GOOD": float(good), "BAD": float(not good)}
        docs.add(doc)
    docs.to_disk(path)


@spacy.registry.loggers("timed_console.v1")
def timed_console(progress_bar):
    from spacy.training.loggers import console_logger

    def setup(nlp, stdout, stderr):
        log, finish = console_logger(progress_bar=progress_bar)(nlp, stdout, stderr)

        def timed(info):
            if info is not None:  # the table rounds to two digits
                timers.score("score", round(info["score"], 2))
            log(info)

        return timed, finish

    return setup


write(600, "train.spacy")
write(100, "dev.spacy")
init_config(lang="en", pipeline=["textcat"], optimize="efficiency").to_disk("spacy.cfg")
timers = Timers(f"spacy {spacy.__version__}")
train(
    "spacy.cfg", "spacy_out",
    overrides={
        "paths.train": "train.spacy", "paths.dev": "dev.spacy", "training.max_epochs": 6,
        "training.eval_frequency": 10, "training.logger.@loggers": "timed_console.v1",
    },
)  # fmt: skip
timers.write()
