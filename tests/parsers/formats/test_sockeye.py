"""Sockeye: speeds between checkpoints, and the metrics of a checkpoint."""

from __future__ import annotations

from tests.support.logs import detected, scored

AT = "[2024-05-01:10:00:00:INFO:sockeye.training:__call__] "
LINE = AT + "E={} B={}\ts/sec=640.00 tok/sec={:.2f} u/sec=10.00\tppl=25.000000 \n"
CHECKPOINT = (
    AT + "Checkpoint [{0}]\tUpdates=1 Epoch=0 Samples=640 Time-cost=50.000 Updates/sec=10.000\n"
    "" + AT + "Checkpoint [{0}]\tTrain-ppl=25.000000\n"
    "" + AT + "Checkpoint [{0}]\tValidation-ppl=20.000000\tValidation-bleu={1:f}\n"
)


def test_a_speed_with_a_checkpoint_in_it_is_not_that_of_the_training() -> None:
    # 50 batches of 2000 tokens take 5 s, a checkpoint 3 s.
    parts = [LINE.format(0, batch, 20000) for batch in (50, 100, 150, 200)]
    parts += [CHECKPOINT.format(1, 0.25), LINE.format(0, 250, 12500), LINE.format(0, 300, 20000)]
    parts += [LINE.format(1, 350, 20000), LINE.format(1, 400, 20000)]
    parts += [CHECKPOINT.format(2, 0.5), LINE.format(1, 450, 12500), LINE.format(1, 500, 20000)]
    log = "".join(parts)
    assert detected(log) == "sockeye"
    card = scored(log)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (20000, "tokens/s", "unknown")
    assert (accuracy["value"], accuracy["metric"], accuracy["unit"]) == (0.5, "bleu", "fraction")
    assert card["status"] == "incomplete"
    for more in ("", ", can be continued later"):
        end = f"{AT}Training finished{more}. Best checkpoint: 2. Best validation ppl: 20.000000\n"
        assert scored(log + end)["status"] == "finished"
