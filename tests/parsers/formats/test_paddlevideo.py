"""PaddleVideo, whose lines are PaddleClas's but for brackets and the names of means."""

from __future__ import annotations

from sixdim.parsers.events import Iteration
from tests.support.logs import detected, facts, only, read, scored


def test_paddlevideos_lines() -> None:
    text = "".join(
        f"[12/25 14:{e:02d}:00] epoch:[ {e:2d}/25 ] train step:{s}    loss: 2.5 lr: 0.01 top1: 0.25 "
        f"top5: 0.5 batch_cost: 0.64 sec, reader_cost: 0.01 sec, ips: 100.0 instance/sec.\n"
        + (
            f"[12/25 14:{e:02d}:30] END epoch:{e}   train loss_avg: 2.5  top1_avg: 0.3 "
            f"avg_batch_cost: 0.7 sec, batch_cost_sum: 64.0 sec, avg_ips: {90 + e}.0 instance/sec.\n"
            f"[12/25 14:{e:02d}:40] epoch:[ {e:2d}/25 ] val step:0    loss: 2.5 top1: 0.99 ips: 9.0\n"
            f"[12/25 14:{e:02d}:50] END epoch:{e}   val loss_avg: 2.25 top1_avg: 0.5{e:02d} "
            f"top5_avg: 0.75 avg_batch_cost: 0.03 sec, avg_ips: 80.0 instance/sec.\n"
            if s
            else ""
        )
        for e in range(1, 13)
        for s in (0, 100)
    )
    assert detected(text) == "paddleclas"
    events = read(text, "paddleclas")
    assert [i.epoch for i in only(events, Iteration)][:3] == [1, 1, 2]
    assert facts(events)["epochs_planned"] == 25
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (98.0, "instance/s")
    assert card["accuracy"]["value"] == 0.512
    assert card["accuracy"]["metric"] == "acc1"
