"""fairseq: simple, JSON and tqdm lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    RunEnd,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import facts, iterations, scored, scores_by_epoch


def test_fairseq_simple() -> None:
    inner = (
        "epoch 001:     50 / 1637 loss=7.500, nll_loss=6.250, ppl=76.5, wps=320047, ups=4.1, "
        "wpb=74822, bsz=2574, num_updates=50, lr=0.0005, gnorm=1.945, clip=36%, wall=25"
    )
    valid = "epoch 001 | valid on 'valid' subset | loss 4.500 | ppl 22.6 | num_updates 1632"
    whole = "epoch 001 | loss 6.623 | nll_loss 5.500 | ppl 45.25 | wps 320028 | ups 4.2"
    log_prefix = "2030-01-02 03:04:05 | INFO | {} | "
    new = text(
        log_prefix.format("fairseq_cli.train") + "training on 16 devices (GPUs/TPUs)",
        log_prefix.format("train_inner") + inner,
        log_prefix.format("valid") + valid,
        log_prefix.format("train") + whole,
        log_prefix.format("fairseq_cli.train") + "done training in 3600.5 seconds",
    )
    old = text(
        "| training on 16 GPUs",
        "| " + inner,
        "| " + whole,
        "| " + valid,
        "| done training in 3600.5 seconds",
    )
    for name, events in (new, old):
        assert name == "fairseq"
        assert facts(events) == {"devices": 16}
        (one,) = iterations(events)
        assert (one.epoch, one.step, one.steps, one.loss) == (1, 50, 1637, 7.5)
        assert (one.throughput, one.unit, one.scope) == (320047.0, "tokens/s", Scope.JOB)
        assert scores_by_epoch(events) == [(1, {"loss": (4.5, ""), "perplexity": (22.6, "")})]
        rate = None if (name, events) == new else 320028.0  # that has the evaluation in it
        assert [(e.epoch, e.throughput) for e in ends(events)] == [(1, rate)]
        assert [e.duration for e in events if isinstance(e, RunEnd)] == [3600.5]


@pytest.mark.parametrize(
    "prefix",
    ["[2030-01-02 03:04:05,678][{}][INFO] - ", "2030-01-02 03:04:05.678 | INFO | {} | "],
)
def test_fairseq_json_has_its_numbers_in_strings(prefix: str) -> None:
    name, events = text(
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.25, "loss": "3.5", "ppl": "11.31",'
        ' "wps": "361972", "num_updates": "10800", "lr": "0.0009", "gb_free": "20.1"}',
        prefix.format("valid") + '{"epoch": 2, "valid_loss": "2.5", "valid_ppl": "5.66", '
        '"valid_wps": "1.6e+06", "valid_num_updates": "50000"}',
        prefix.format("train") + '{"epoch": 2, "train_loss": "3.25", "train_wps": "362334"}',
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.5, "loss": "3.5", "num_upd',
    )
    assert name == "fairseq"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.loss, one.throughput) == (2, 10800, 3.5, 361972.0)
    assert one.at.time_us == 1_893_553_445_678_000
    assert scores_by_epoch(events) == [(2, {"loss": (2.5, ""), "perplexity": (5.66, "")})]
    assert [(e.epoch, e.throughput) for e in ends(events)] == [(2, None)]


def test_fairseq_corpus() -> None:
    name, events = read(log("corpus/fairseq/adan_bert_pretrain_adan_hydra.log").read_bytes())
    epoch, metrics = scores_by_epoch(events)[-1]
    assert (name, epoch, metrics["loss"], metrics["perplexity"]) == (
        "fairseq",
        16,
        (1.903, ""),
        (3.74, ""),
    )


INNER = (
    "| epoch 002: {:>6} / 900 loss=6.500, nll_loss=5.250, ppl=38.05, wps={}, ups=4.0, wpb={}, "
    "bsz=100, num_updates={}, lr=0.0002, gnorm=1.250, clip=0%, oom=0, wall=500, train_wall=450\n"
)


def test_speed_of_the_bars_is_a_mean_since_the_epoch_began() -> None:
    lines = (INNER.format(n, wps, 2500, 900 + n) for n, wps in ((100, 9000), (200, 12000)))
    speed = scored("".join(lines))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (12000, "tokens/s")


def test_updates_of_few_tokens_weigh_as_much_time_as_they_took() -> None:
    shape = "2030-01-02 03:04:05 | INFO | train_inner | " + INNER.removeprefix("| ")
    lines = (shape.format(n, w, 10 * w, n) for n, w in ((100, 60), (200, 60), (300, 15)))
    assert scored("".join(lines))["dimensions"]["speed"]["value"] == 45


def test_evaluations_inside_an_epoch_do_not_end_it() -> None:
    valid = (
        "| epoch 002 | valid on 'valid' subset | valid_loss 6.25 | valid_nll_loss 5.0 | "
        "valid_ppl 32.0 | num_updates {} | best 6.0\n"
    )
    train = "| epoch 002 | loss 6.400 | nll_loss 5.0 | ppl 32.00 | wps 9500 | num_updates 1800\n"
    steps = [INNER.format(n, 9000, 2500, 900 + n) for n in range(100, 900, 100)]
    half = "".join(steps[:4]) + valid.format(1300)
    card = scored(half + "".join(steps[4:5]))
    assert (card["run"]["epochs"], card["run_end"]["last"]) == (0, 6.25)
    assert card["dimensions"]["accuracy"]["metric"] == "loss"
    card = scored(half + "".join(steps[4:]) + train + valid.format(1800))
    # Not the 9500 of the epoch: they are a mean over a time in which the first evaluation is.
    assert (card["run"]["epochs"], card["dimensions"]["speed"]["value"]) == (1, 9000)
    assert [warning["kind"] for warning in card["warnings"]] == ["incomplete"]


MEANS = '"wps": "{}", "wpb": "2500.000", "num_updates": "{}", "wall": "500", "train_wall": "450"}}'


@pytest.mark.parametrize("evaluates", [False, True])
def test_speed_in_the_json_of_version_0_9_is_a_mean_since_the_epoch_began(
    evaluates: bool,
) -> None:
    """It is 9000 in the first half of the epoch, and falls to 6000; the evaluation comes there."""
    epoch = '{{"epoch": {}, "update": {}, "loss": "6.5", '
    valid = '{{"epoch": {}, "valid_loss": "6.2", "valid_num_updates": "{}"}}\n'
    text = "| training on 16 GPUs\n"
    for number in range(1, 13):
        before = number - 1
        done = 400 * before
        text += epoch.format(number, before + 0.25) + MEANS.format(9000, done + 101) + "\n"
        text += epoch.format(number, before + 0.5) + MEANS.format(9000, done + 201) + "\n"
        text += valid.format(number, done + 250) * evaluates
        text += epoch.format(number, before + 0.75) + MEANS.format(6000, done + 301) + "\n"
        text += f'{{"epoch": {number}, "train_loss": "6.4", "train_wps": "6000", '
        text += f'"train_num_updates": "{done + 400}", "train_wall": "500", '
        text += '"train_train_wall": "450"}\n' + valid.format(number, done + 400)
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (9000 if evaluates else 6000, "tokens/s")


def test_the_first_versions() -> None:
    name, events = text(
        "| epoch 003    500 / 1200 loss=1.75 (1.50), wps=900, wpb=908, bsz=32, lr=0.1, clip=100%",
        "| epoch 003 | train loss 1.50 | train ppl 2.83 | s/checkpoint    1250 | words/s    906 | "
        "words/batch    944 | bsz    32 | lr 0.100000 | clip 100% | gnorm 2.0",
        "| epoch 003 | valid on 'valid' subset  100 / 150 loss=1.25",
        "| epoch 003 | valid on 'valid' subset | valid loss 2.25 | valid ppl 4.76",
    )
    assert name == "fairseq"
    assert [(i.step, i.steps, i.loss) for i in iterations(events)] == [(500, 1200, 1.75)]
    assert [(e.epoch, e.throughput, e.train_time) for e in ends(events)] == [(3, 906, 1250)]
    assert scores_by_epoch(events) == [(3, {"loss": (2.25, ""), "perplexity": (4.76, "")})]


LOGGED = "2030-01-02 03:04:05 | INFO | "
LOGGED_VALID = (
    LOGGED + "{0} | epoch {1:03d} | valid on '{0}' subset | loss {2} | ppl 8.0 | wps 9000 | "
    "wpb 200 | bsz 9 | num_updates {3}\n"
)
LOGGED_TRAIN = (
    LOGGED + "train | epoch {:03d} | loss 5.5 | ppl 8.0 | wps {} | ups 1 | wpb 1000 | bsz 9 | "
    "num_updates {} | lr 0.1 | train_wall 40 | wall 50\n"
)


def _logged_step(epoch: int, step: int, wps: float, updates: int) -> str:
    pairs = f"loss=6.5, ppl=8.0, wps={wps}, ups=4, wpb=1000, bsz=9, num_updates={updates}"
    return f"{LOGGED}train_inner | epoch {epoch:03d}: {step:6} / 300 {pairs}, lr=0.1, wall=10\n"


def test_a_speed_with_an_evaluation_in_it_is_not_that_of_the_training() -> None:
    # 1000 words in 0.1 s; an evaluation of 15 s is in the first line after it and in the epoch's.
    def epoch(number: int, first: float) -> str:
        before = 300 * (number - 1)
        steps = ((100, first), (200, 10000), (300, 10000))
        lines = (_logged_step(number, step, wps, before + step) for step, wps in steps)
        valid = LOGGED_VALID.format("valid", number, 5.0, before + 300)
        return "".join(lines) + valid + LOGGED_TRAIN.format(number, 6666.7, before + 300)

    speed = scored(epoch(1, 10000) + epoch(2, 4000) + epoch(3, 4000))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (10000, "tokens/s")


def test_the_speed_of_an_epoch_without_progress_lines_says_that_evaluations_are_in_it() -> None:
    parts = (
        LOGGED_VALID.format("valid", number, 5.0, 50 * number)
        + LOGGED_TRAIN.format(number, 2000, 50 * number)
        for number in (1, 2)
    )
    speed = scored("".join(parts))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2, "it/s")  # 1000 words an update
    assert "evaluation included" in speed["derived"]
    stated = "".join(LOGGED_TRAIN.format(number, 2000, 50 * number) for number in (1, 2))
    speed = scored(stated)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2000, "tokens/s")


def test_the_first_of_several_subsets_decides() -> None:
    lines = _logged_step(1, 100, 10000, 100), _logged_step(1, 300, 10000, 300)
    tested = LOGGED_VALID.format("dev_other", 1, 5.0, 300) + LOGGED_VALID.format(
        "rare", 1, 7.0, 300
    )
    accuracy = scored("".join(lines) + tested)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["metric"]) == (5.0, "loss")
    as_json = "".join(
        f'{LOGGED}{name} | {{"epoch": 1, "{name}_loss": "{loss}", "{name}_num_updates": "300"}}\n'
        for name, loss in (("dev_other", 5.0), ("rare", 7.0))
    )
    step = (
        '{"epoch": 1, "update": 0.5, "loss": "6.5", "wps": "9000", "wpb": "1000", '
        '"num_updates": "150"}'
    )
    accuracy = scored(f"{LOGGED}train_inner | {step}\n{as_json}")["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["metric"]) == (5.0, "loss")


def test_lines_without_speed_after_evaluations_are_no_exceptions_to_warn_of() -> None:
    steps = [_logged_step(1, step, 10000, step) for step in range(1, 80)]
    valid = LOGGED_VALID.format("valid", 1, 5.0, 40)
    card = scored("".join((*steps[:40], valid, *steps[40:])))
    assert [warning["kind"] for warning in card["warnings"]] == ["incomplete"]
