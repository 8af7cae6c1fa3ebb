"""d3rlpy's DQN on transitions drawn at random: a bar an epoch, and a dict of figures."""

import d3rlpy
import numpy as np
from timers import Timers

random, count = np.random.default_rng(7), 2000
ends = np.zeros(count)
ends[49::50] = 1
transitions = d3rlpy.dataset.MDPDataset(
    random.normal(size=(count, 4)).astype("float32"),
    random.integers(0, 2, (count, 1)),
    random.normal(size=(count, 1)).astype("float32"),
    ends,
    action_space=d3rlpy.ActionSpace.DISCRETE,
    action_size=2,
)
timers = Timers(f"d3rlpy {d3rlpy.__version__}", steps=200, samples=6400, epochs=4)


def epoch(algorithm, epoch, step):
    timers.end()
    timers.begin()


timers.begin()
agent = d3rlpy.algos.DQNConfig(batch_size=32).create(device="cpu:0")
agent.fit(transitions, n_steps=800, n_steps_per_epoch=200, epoch_callback=epoch)
timers.write()
