"""Keras `fit` on the JAX backend; `bars` or `lines` (verbose=2) on the command line."""

import os
import sys
import time

os.environ["KERAS_BACKEND"] = "jax"
import keras
from timers import Timers, data

x, y = data()
model = keras.Sequential(
    [keras.Input((32,)), keras.layers.Dense(32, "relu"), keras.layers.Dense(2)]
)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("adam", loss, metrics=["accuracy"])


class Watch(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        timers.begin()

    def on_train_batch_end(self, batch, logs=None):
        time.sleep(0.02)
        if batch == 39:
            timers.end()

    def on_epoch_end(self, epoch, logs=None):
        timers.score("accuracy", logs["val_accuracy"])


timers = Timers(f"keras {keras.__version__}", steps=40, samples=640, epochs=10)
model.fit(
    x[:640],
    y[:640],
    batch_size=16,
    epochs=10,
    validation_data=(x[640:], y[640:]),
    callbacks=[Watch()],
    verbose=2 if "lines" in sys.argv[2:] else 1,
)
timers.write()
