"""A loop over Haiku and Optax that prints what Haiku's MNIST example does."""

import time

import haiku
import jax
import optax
from timers import Timers, data

x, y = data()
net = haiku.without_apply_rng(haiku.transform(lambda a: haiku.nets.MLP([32, 2])(a)))
params = net.init(jax.random.PRNGKey(0), x[:1])
tx = optax.adam(1e-2)
state = tx.init(params)


def loss_of(params, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(net.apply(params, x), y).mean()


@jax.jit
def step_of(params, state, x, y):
    updates, state = tx.update(jax.grad(loss_of)(params, x, y), state)
    return optax.apply_updates(params, updates), state


def accuracy_of(part):
    return float((net.apply(params, x[part]).argmax(-1) == y[part]).mean())


timers = Timers(f"haiku {haiku.__version__}", rounds=601)
for step in range(601):
    if step % 100 == 0:
        train, test = accuracy_of(slice(640)), accuracy_of(slice(640, None))
        timers.score("accuracy", test)
        print(f"[Step {step}] Train / Test accuracy: {train:.4f} / {test:.4f}.")
    part = slice(step % 40 * 16, step % 40 * 16 + 16)
    params, state = step_of(params, state, x[part], y[part])
    time.sleep(0.01)
timers.write()
