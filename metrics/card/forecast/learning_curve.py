"""Learning curves fitted to a run's evaluations, and when they meet a goal.

Two families, as in Domhan, Springenberg and Hutter, "Speeding up automatic hyperparameter
optimization of deep neural networks by extrapolation of learning curves" (IJCAI 2015): the power
law a - b n^-c and the exponential a - b exp(-c n). For each c of a grid, a and b are a weighted
least-squares fit, so a fit has no starting values and no iterations that may not converge, and the
same evaluations always give the same answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_POWERS = np.geomspace(0.08, 3.0, 18)
_TIME_CONSTANTS = np.geomspace(0.3, 4.0, 14)
"""Of the exponentials, in multiples of the evaluations so far; the longest are all but straight."""
_MEMORY = 0.3
"""The weight of an evaluation falls to 1/e over this share of the curve, as early epochs follow
another law than late ones."""
_ROUNDS = 4
"""Number of times that evaluations are reweighted, by Student's t with four degrees of freedom: one
bad evaluation counts for little."""
_DRAWS = 48
_LIKELY = 0.999
"""The most likely curves are used, up to this share of the likelihood."""
_HORIZON = 10
"""How far ahead the forecast looks, as a multiple of the evaluations so far."""
_MOMENTS = 240


class Curves(NamedTuple):
    """Fits of one run, one for each exponent: scale * shape(n) + level.

    Attributes:
        power: Whether each is a power law; else an exponential.
        rate: The c of each.
        level: Weighted mean of the values.
        centre: Weighted mean of each shape.
        scale: The b of each.
        level_error: Standard error of the level.
        scale_error: Standard error of the scale.
        noise: Standard deviation of the evaluations around each curve.
        likelihood: Of each curve, in all 1.
    """

    power: NDArray[np.bool_]
    rate: Floats
    level: Floats
    centre: Floats
    scale: Floats
    level_error: Floats
    scale_error: Floats
    noise: Floats
    likelihood: Floats

    def shapes(self, places: Floats) -> Floats:
        """Returns the rising shape of each curve at places counted from 1."""
        return _shapes(self.power, self.rate, places)


class Crossing(NamedTuple):
    """When a goal is met.

    Attributes:
        counts: Evaluations from the last one on, rising.
        chance: Probability that one of them up to each has met the goal.
        mean_above: Probability that the curve itself, without the noise, is above the goal there.
    """

    counts: Floats
    chance: Floats
    mean_above: Floats


def fit(places: Floats, values: Floats) -> Curves | None:
    """Fits both families to rising values at places counted from 1; None where no curve rises."""
    size = len(places)
    power = np.arange(len(_POWERS) + len(_TIME_CONSTANTS)) < len(_POWERS)
    rate = np.concatenate([_POWERS, 1.0 / (_TIME_CONSTANTS * size)])
    shapes = _shapes(power, rate, places)
    recent = np.exp((places - places[-1]) / (_MEMORY * (places[-1] - places[0])))
    weights = np.broadcast_to(recent, shapes.shape)
    for _ in range(_ROUNDS):
        total = weights.sum(1)
        centre = (weights * shapes).sum(1) / total
        level = (weights * values).sum(1) / total
        offset = shapes - centre[:, None]
        spread = (weights * offset**2).sum(1)
        scale = (weights * offset * (values - level[:, None])).sum(1) / spread
        residual = values - level[:, None] - scale[:, None] * offset
        width = 1.4826 * _weighted_medians(np.abs(residual), recent) + 1e-12
        used, weights = weights, recent * 5.0 / (4.0 + (residual / width[:, None]) ** 2)
    if not (scale > 0).any():
        return None
    effective = float(recent.sum())
    squares = (used * residual**2).sum(1) / total * effective
    noise = np.sqrt(squares / max(effective - 3.0, 1.0))
    log = np.where(scale > 0, -0.5 * effective * np.log(squares + 1e-18), -np.inf)
    likelihood = np.exp(log - log.max())
    return Curves(
        *(power, rate, level, centre, scale),
        level_error=noise / np.sqrt(total),
        scale_error=noise / np.sqrt(spread),
        noise=noise,
        likelihood=likelihood / likelihood.sum(),
    )


def crossing(curves: Curves, size: int, last: float, discrepancy: float) -> Crossing:
    """Returns when the first evaluation after the last of `size`, at place `last`, is 0 or above.

    `discrepancy` is the standard deviation of the logarithm of the further gain divided by that of
    a curve, because training does not follow one law to its end.
    """
    counts = np.unique(np.round(np.geomspace(1, _HORIZON * size, _MOMENTS)))
    steps = np.diff(counts, prepend=0.0)
    gain = curves.shapes(last + counts) - curves.shapes(np.array([last]))
    now = curves.shapes(np.array([last]))[:, 0] - curves.centre
    normal = _normal_points()
    order = np.argsort(-curves.likelihood, kind="stable")
    before = np.cumsum(curves.likelihood[order]) - curves.likelihood[order]
    chance, above, share = np.zeros(len(counts)), np.zeros(len(counts)), 0.0
    for one in order[before < _LIKELY]:
        scale = np.maximum(curves.scale[one] + curves.scale_error[one] * normal[0], 0.0)
        level = curves.level[one] + curves.level_error[one] * normal[1]
        further = scale * np.exp(discrepancy * normal[2])
        mean = (level + scale * now[one])[:, None] + further[:, None] * gain[one]
        distance = mean / (curves.noise[one] + 1e-12)
        missed = np.cumsum(steps * np.log(1.0 - _normal_chance(distance)), axis=1)
        chance += curves.likelihood[one] * (1.0 - np.exp(missed)).mean(0)
        above += curves.likelihood[one] * (distance >= 0).mean(0)
        share += float(curves.likelihood[one])
    return Crossing(counts, chance / share, above / share)


def _shapes(power: NDArray[np.bool_], rate: Floats, places: Floats) -> Floats:
    powers = -np.power(places[None, :], -rate[power, None])
    exponentials = -np.exp(-rate[~power, None] * (places[None, :] - 1.0))
    return np.concatenate([powers, exponentials])


def _weighted_medians(rows: Floats, weights: Floats) -> Floats:
    order = np.argsort(rows, axis=1, kind="stable")
    sums = np.cumsum(weights[order], axis=1)
    middle = (sums < sums[:, -1:] / 2).sum(1)
    column = np.take_along_axis(order, middle[:, None], axis=1)
    return np.take_along_axis(rows, column, axis=1)[:, 0]


def _normal_chance(distance: Floats) -> Floats:
    """Returns the normal distribution, by a logistic one that differs from it by 0.01 at most."""
    return np.clip(1.0 / (1.0 + np.exp(-1.702 * np.clip(distance, -40.0, 40.0))), 0.0, 1 - 1e-12)


@lru_cache(maxsize=1)
def _normal_points() -> Floats:
    """Returns points that evenly cover a normal distribution in three dimensions.

    An additive recurrence with the powers of the root of x^4 = x + 1 (Roberts, "The unreasonable
    effectiveness of quasirandom sequences", 2018).
    """
    from statistics import NormalDist  # loading takes 10 ms

    root, inverse = 1.2207440846057596, NormalDist().inv_cdf
    return np.array(
        [
            [inverse((0.5 + k / root**axis) % 1.0) for k in range(1, _DRAWS + 1)]
            for axis in (1, 2, 3)
        ]
    )
