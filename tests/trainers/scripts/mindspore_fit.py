"""MindSpore's `Model.train`; `fit` for one that evaluates after each epoch."""

import sys
import time

import mindspore
import numpy as np
from mindspore import nn
from mindspore.train import Accuracy, Callback, LossMonitor, Model, TimeMonitor
from timers import Timers, data

x, y = data()


class Points:
    def __init__(self, begin, end):
        self.rows = range(begin, end)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return x[self.rows[int(at)]], np.array(y[self.rows[int(at)]], "int32")


def points(begin, end):
    made = mindspore.dataset.GeneratorDataset(Points(begin, end), ["x", "y"], shuffle=False)
    return made.batch(16)


class Watch(Callback):
    def on_train_epoch_begin(self, context):
        timers.begin()

    def on_train_step_end(self, context):
        time.sleep(0.02)

    def on_train_epoch_end(self, context):
        timers.end()

    def on_eval_end(self, context):
        timers.score("accuracy", context.original_args().metrics["accuracy"])


mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
net = nn.SequentialCell(nn.Dense(32, 32), nn.ReLU(), nn.Dense(32, 2))
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = Model(net, loss, nn.Adam(net.trainable_params()), metrics={"accuracy": Accuracy()})
timers = Timers(f"mindspore {mindspore.__version__}", steps=40, samples=640, epochs=5)
callbacks = [LossMonitor(10), TimeMonitor(), Watch()]
if "fit" in sys.argv[2:]:
    model.fit(5, points(0, 640), points(640, 800), callbacks=callbacks, dataset_sink_mode=False)
else:
    model.train(5, points(0, 640), callbacks=callbacks, dataset_sink_mode=False)
found = model.eval(points(640, 800), callbacks=[Watch()], dataset_sink_mode=False)
print("eval result:", found)
timers.write()
