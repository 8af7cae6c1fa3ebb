"""`--nnodes` of a launcher's command, in any format's log."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

ITERATIONS = "".join(f"iter {n}: loss 4.2, time 100.00ms, mfu 12.34%\n" for n in range(5))


@pytest.mark.parametrize(
    ("command", "nodes", "devices"),
    [
        ("torchrun --nnodes=4 --nproc_per_node=8 train.py", 4, 32),
        ("+ torchrun --nproc-per-node 8 --nnodes 2 train.py --lr 0.1", 2, 16),
        ("+ LAUNCHER='python -m torch.distributed.launch --nnodes 8 --master_port 6000'", 8, None),
        ("torchrun --nnodes=3:3 train.py", 3, None),
        ("torchrun --nnodes=1:4 --nproc_per_node=8 train.py", None, None),
        ("torchrun --nnodes=$NODES --nproc_per_node=8 train.py", None, None),
        ("torchrun --nproc_per_node=8 train.py", None, None),
        ("torchrun --nnodes=2 --nproc_per_node=gpu train.py", 2, None),
        ("torchrun --nnodes=0 train.py", None, None),
    ],
)
def test_nodes_of_a_command(command: str, nodes: int | None, devices: int | None) -> None:
    run = scored(command + "\n" + ITERATIONS)["run"]
    assert (run.get("nodes"), run["devices"]) == (nodes, devices)
    assert run["format"] == "nanogpt"


def test_a_command_alone_is_no_log() -> None:
    assert detected("torchrun --nnodes=4 --nproc_per_node=8 train.py\n") == ""
