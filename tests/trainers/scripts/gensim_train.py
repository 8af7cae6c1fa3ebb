"""Word2Vec of gensim, which logs running rates and then a line an epoch."""

import logging

import gensim
import numpy as np
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from timers import Timers


class Watch(CallbackAny2Vec):
    def on_epoch_begin(self, model):
        timers.begin()

    def on_epoch_end(self, model):
        timers.end()


logging.basicConfig(format="%(asctime)s : %(levelname)s : %(message)s", level=logging.INFO)
random = np.random.default_rng(7)
sentences = [[f"w{i}" for i in random.integers(0, 2000, 20)] for _ in range(40_000)]
timers = Timers(f"gensim {gensim.__version__}", samples=800_000, epochs=8)
Word2Vec(sentences, vector_size=100, epochs=8, workers=1, min_count=1, callbacks=[Watch()])
timers.write()
