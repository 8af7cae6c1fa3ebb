"""A loop over Flax and Optax that logs through absl, as Flax's examples do."""

import time

import flax
import jax
import jax.numpy as jnp
import optax
from absl import logging
from flax import linen
from timers import Timers, data

logging.set_verbosity(logging.INFO)
x, y = data()
model = linen.Sequential([linen.Dense(32), linen.relu, linen.Dense(2)])
params = model.init(jax.random.key(0), x[:1])
tx = optax.sgd(0.1, 0.9)
state = tx.init(params)


def loss_of(params, x, y):
    logits = model.apply(params, x)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    return loss, (logits.argmax(-1) == y).mean()


@jax.jit
def step(params, state, x, y):
    (loss, accuracy), grads = jax.value_and_grad(loss_of, has_aux=True)(params, x, y)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss, accuracy


timers = Timers(f"flax {flax.__version__}", steps=40, samples=640, epochs=10)
for epoch in range(1, 11):
    found = []
    with timers.epoch():
        for i in range(40):
            params, state, *one = step(
                params, state, x[i * 16 : i * 16 + 16], y[i * 16 : i * 16 + 16]
            )
            found.append(one)
            time.sleep(0.02)
    loss, accuracy = jnp.array(found).mean(0)
    test_loss, test = loss_of(params, x[640:], y[640:])
    timers.score("accuracy", test * 100)
    logging.info(
        "epoch:% 3d, train_loss: %.4f, train_accuracy: %.2f, test_loss: %.4f, test_accuracy: %.2f",
        *(epoch, loss, accuracy * 100, test_loss, test * 100),
    )
timers.write()
