"""OLMo: a step and its figures below it."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Iteration, Scope
from tests.support.logs import detected, only, read, scored

STEP = """\
[step={n}/10000,epoch=0]
    optim/total_grad_norm=1.608
    train/CrossEntropyLoss=9.064
    train/Perplexity=8,641
    throughput/total_tokens=5,242,880
    throughput/device/tokens_per_second={rate:,}
    throughput/device/batches_per_second=0.2012
"""


def test_steps() -> None:
    text = "Pre-train system metrics\n    System/Peak GPU Memory (MB)=1,218\n"
    text += "".join(STEP.format(n=10 * n, rate=105_000 + n) for n in range(1, 5))
    assert detected(text) == "olmo"
    records = only(read(text, "olmo"), Iteration)
    assert [(i.step, i.throughput, i.loss) for i in records[:2]] == [
        (10, 105_001, 9.064),
        (20, 105_002, 9.064),
    ]
    assert (records[0].scope, records[0].unit) == (Scope.DEVICE, "tokens/s")
    assert records[0].at.line == 3
    assert scored(text)["run"]["epochs"] == 0  # the first is not over


def test_an_evaluation_does_not_end_the_epoch() -> None:
    text = STEP.format(n=10, rate=5)
    text += "[step=10/10000,epoch=0]\n    eval/downstream/piqa_len_norm=0.5341\nname=value\n"
    (evaluation,) = only(read(text, "olmo"), Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("downstream/piqa_len_norm", 0.5341)]
    assert (evaluation.step, evaluation.midway) == (10, True)
    assert scored(text)["run"]["epochs"] == 0


def test_the_last_step_of_a_run_ends_no_epoch() -> None:
    """The number after the step is that of the whole run, which may end within an epoch."""
    text = "".join(STEP.format(n=n, rate=100) for n in (9990, 10000, 10010))
    assert scored(text)["run"]["epochs"] == 0


def test_the_closing_line_after_the_logger_s_host_and_rank() -> None:
    """The planned steps are done; whether the epoch is, the log does not say."""
    text = "".join(STEP.format(n=n, rate=100) for n in (9990, 10000, 10010))
    text += "2025-12-07 23:15:04.702\tred-rain-01:0\ttrain:377\tINFO\tTraining complete\n"
    card = scored(text)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 0)


CORE = """\
[step={n}/60,epoch=1,eta=1h2m]
    train/CE loss=9.064
    throughput/device/TPS={rate:,}
    throughput/device/TPS (actual avg)=9,000
    throughput/total tokens=1.049B
    throughput/device/MFU=43.25
"""


def test_olmo_core() -> None:
    text = CORE.format(n=10, rate=10_240) + CORE.replace("/60", "/???").format(n=20, rate=10_250)
    text += "Running downstream evals...\n[eval=downstream,step=2/2]\n"
    text += "Finished downstream evals in 2.0 seconds. Metrics:\n    piqa (accuracy)=0.5341\n"
    text += CORE.replace(",eta=1h2m", "").format(n=30, rate=10_260) + "Training complete\n"
    assert detected(text) == "olmo"
    events = read(text, "olmo")
    records = only(events, Iteration)
    assert [(i.epoch, i.step, i.throughput, i.loss) for i in records] == [
        (1, 10, 10_240, 9.064),
        (1, 20, 10_250, 9.064),
        (1, 30, 10_260, 9.064),
    ]
    assert (records[0].scope, records[0].unit) == (Scope.DEVICE, "tokens/s")
    (evaluation,) = only(events, Evaluation)
    assert (evaluation.metrics[0].value, evaluation.step, evaluation.midway) == (0.5341, 20, True)
    assert scored(text)["dimensions"]["speed"]["mfu"] == 43.25
