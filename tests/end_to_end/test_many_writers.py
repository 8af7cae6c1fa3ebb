"""Ranks, hosts and containers that write the same lines into one log: the first of them counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

import pytest

from sixdim.metrics.fold.runs.writers import Writers
from sixdim.parsers.events import Evaluation, Iteration, Metric, Origin
from tests.support.inputs.bare_logs import bare, differences, figures
from tests.support.inputs.generated import assert_same

LABELS = {
    "srun": "{rank}: ",
    "mpirun": "[1,{rank}]<stdout>:",
    "torchrun": "[default{rank}]:",
    "rank": "[rank{rank}]: ",
    "mpirun -l": "[{rank}] ",
    "ray": "(RayTrainWorker pid=10{rank}, ip=10.0.0.1) ",
    "pdsh": "node-{rank}: ",
    "kubectl": "[pod/train-{rank}/pytorch] ",
    "own": "<worker {rank}> ",
}
NUMBER = re.compile(r"\d+\.\d+")


def others_figures(text: str, rank: int) -> str:
    """The line as another rank prints it: other rates, losses and accuracies."""
    return NUMBER.sub(lambda found: f"{float(found[0]) * (1 - 0.1 * rank):.4f}", text)


def ranked(lines: Iterable[str], label: str, order: Random | None) -> list[str]:
    """Each line as four ranks write it, in order or mixed."""
    out = []
    for text in lines:
        ranks = [0, 1, 2, 3]
        if order is not None:
            order.shuffle(ranks)
        out += [label.format(rank=r) + (others_figures(text, r) if r else text) for r in ranks]
    return out


@pytest.mark.parametrize("name", ["torchvision", "timm", "mmcv", "nanogpt"])
@pytest.mark.parametrize("label", LABELS)
def test_only_the_first_rank_counts(label: str, name: str) -> None:
    lines, expected = bare(name)
    found = figures(ranked(lines, LABELS[label], None))
    assert not differences(expected, found)
    # Where another rank's line comes first, one record may be that one's.
    mixed = figures(ranked(lines, LABELS[label], Random(4)))
    assert mixed["epochs"] == expected["epochs"]
    assert mixed["warnings"] == expected["warnings"]


def at(line: int, rank: int) -> Origin:
    return Origin(line, line, None, rank, None)


def test_a_rank_with_records_of_its_own_counts() -> None:
    """Megatron: the last rank trains, the first one evaluates."""
    writers = Writers()
    for step in range(5):
        assert not writers.repeats(Iteration(at(step, 7), epoch=None, step=step, loss=1.0))
        loss = Metric("loss", 1.0, "", higher_is_better=False)
        assert not writers.repeats(Evaluation(at(step, 0), (loss,)))


def test_a_rank_that_repeats_the_steps_of_another_does_not() -> None:
    writers = Writers()
    for step in range(5):
        for rank in (1, 0, 2):
            found = writers.repeats(Iteration(at(step, rank), epoch=0, step=step, loss=1.0))
            assert found == (rank != (1 if step == 0 else 0))


def test_a_rank_far_behind_is_no_repetition() -> None:
    """After more records than ranks are apart, the same step is another attempt's."""
    writers = Writers()
    for step in range(10):
        assert not writers.repeats(Iteration(at(step, 0), epoch=0, step=step))
    assert not writers.repeats(Iteration(at(20, 1), epoch=0, step=0))


@pytest.mark.parametrize("name", ["torchvision", "timm", "mmcv", "nanogpt"])
def test_a_program_of_several_ranks_that_begins_again_is_read_alike_in_any_pieces(
    name: str,
) -> None:
    """The first progress line after the header may be another rank's."""
    lines = ["Namespace(model='resnet50', world_size=4)", *bare(name)[0][:300]] * 2
    data = "".join(f"{line}\n" for line in ranked(lines, LABELS["mpirun"], Random(4)))
    assert_same(data.encode(), 700)
