"""rsl_rl: a block of centred lines an iteration, in its old and its new words."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration, Scope
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.logs import detected, only, read, scored

OLD = """\
################################################################################
                       Learning iteration {i}/1500

                       Computation: {r} steps/s (collection: 0.800s, learning 0.200s)
               Value function loss: 0.0167
                       Mean reward: 12.5
--------------------------------------------------------------------------------
                   Total timesteps: 98304
                    Iteration time: 2.00s
                        Total time: 4.00s
                               ETA: 1499.0s
"""
NEW = """\
                            Learning iteration {i}/1500

                            Total steps: 256
                       Steps per second: {r}
                        Collection time: 0.102s
                          Learning time: 0.060s
                            Mean reward: 12.5
--------------------------------------------------------------------------------
                         Iteration time: 2.00s
                           Time elapsed: 00:00:01
"""


@pytest.mark.parametrize("block", [OLD, NEW])
def test_steps_of_the_environments_are_no_iterations(block: str) -> None:
    text = "".join(block.format(i=i, r=1000 + 100 * i) for i in range(3))
    assert detected(text) == "rsl-rl"
    found = only(read(text, "rsl-rl"), Iteration)
    assert [(i.step, i.steps, i.throughput) for i in found] == [
        (i, 1500, 1000 + 100 * i) for i in range(3)
    ]
    assert {(i.unit, i.scope, i.duration) for i in found} == {("steps/s", Scope.JOB, 2.0)}
    assert {i.values[0] for i in found} == {("mean_reward", 12.5, "", True)}
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(1150)  # without the first


@pytest.mark.parametrize("block", [OLD, NEW])
def test_the_iterations_left_take_their_mean_time(block: str) -> None:
    """Of 1,500 iterations of 2 s, those from 0 to 99 are done; the number of the last is 99."""
    session = Session("train.log", Settings(), formats())
    session.feed("".join(block.format(i=i, r=1000) for i in range(100)).encode())
    assert session.snapshot().progress.remaining.seconds == pytest.approx(1401 * 2.0)


@pytest.mark.parametrize(("last", "status"), [(1499, "finished"), (1498, "incomplete")])
def test_the_last_iteration_is_the_one_before_their_number(last: int, status: str) -> None:
    text = "".join(OLD.format(i=i, r=1000) for i in range(last - 3, last + 1))
    assert scored(text)["status"] == status
