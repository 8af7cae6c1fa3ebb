"""Paddle's `Model.fit`; `lines` for lines instead of a bar."""

import sys
import time

import paddle
from timers import Timers, data

x, y = data()


class Points(paddle.io.Dataset):
    def __init__(self, begin, end):
        self.rows = range(begin, end)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return x[self.rows[at]], y[self.rows[at] : self.rows[at] + 1]


class Watch(paddle.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        timers.begin()

    def on_train_batch_end(self, step, logs=None):
        time.sleep(0.02)

    def on_epoch_end(self, epoch, logs=None):
        timers.end()

    def on_eval_end(self, logs=None):
        timers.score("accuracy", logs["acc"])


net = paddle.nn.Sequential(
    paddle.nn.Linear(32, 32), paddle.nn.ReLU(), paddle.nn.Linear(32, 2)
)  # fmt: skip
model = paddle.Model(net)
model.prepare(
    paddle.optimizer.Adam(1e-3, parameters=net.parameters()),
    paddle.nn.CrossEntropyLoss(),
    paddle.metric.Accuracy(),
)
timers = Timers(f"paddlepaddle {paddle.__version__}", steps=40, samples=640, epochs=8)
model.fit(
    Points(0, 640), Points(640, 800), batch_size=16, epochs=8, log_freq=10,
    verbose=2 if "lines" in sys.argv[2:] else 1, callbacks=[Watch()],
)  # fmt: skip
timers.write()
