"""The closing report of Hugging Face's Trainer: its rate, its epochs, and whose it is."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from sixdim.metrics.card.schema.card_json import card_from_json
from sixdim.metrics.values.card import dumps
from sixdim.tui.export.printed import printed
from sixdim.tui.session.reading import read_whole
from tests.support.inputs.huggingface_logs import console
from tests.support.logs import scored
from tests.support.processes.live import REQUEST


def test_the_closing_rate_is_the_speed_where_bars_give_iterations_alone() -> None:
    found = scored(console())
    speed, end = found["dimensions"]["speed"], found["end_to_end"]
    assert (speed["value"], speed["unit"], speed["state"]) == (114.7, "samples/s", "short")
    assert (end["value"], end["unit"], end["state"]) == (114.7, "samples/s", "final")
    assert found["run"]["epochs"] == 2
    assert found["dimensions"]["accuracy"]["epoch"] == 2
    assert found["dimensions"]["accuracy"]["value"] == 0.08


def test_the_closing_rate_in_print_and_back_from_json() -> None:
    card = read_whole(REQUEST.session("train.log"), BytesIO(console().encode())).card()
    text = printed(card)
    assert "114.7 samples/s     short     by the log's own closing line" in text
    assert "2 epochs in 0:00:40 (printed total); by the log's own closing line" in text
    assert "2 of 2 epochs" in text
    assert card_from_json(json.loads(dumps(card))) == card
    closing = "{'train_runtime': 11.2, 'train_samples_per_second': 0.713, 'epoch': 1.0}\n"
    text = printed(read_whole(REQUEST.session("train.log"), BytesIO(closing.encode())).card())
    assert "final     0:00:11 (printed total); by the log's own closing line" in text


def _closing(seconds: float, rate: float, loss: float) -> str:
    return (
        f"{{'train_runtime': {seconds}, 'train_samples_per_second': {rate}, "
        f"'train_steps_per_second': 3.1, 'train_loss': {loss}, 'epoch': 3.0}}\n"
    )


EVALUATED = "{'eval_loss': 0.41, 'eval_accuracy': 0.81, 'eval_runtime': 2.1, 'epoch': 3.0}\n"


def test_each_training_that_prints_its_closing_report_alone_is_a_run() -> None:
    folds = [_closing(100.5, 50.2, 0.51), _closing(102.5, 49.2, 0.55), _closing(90.5, 55.8, 0.49)]
    card = scored(EVALUATED.join(folds) + EVALUATED)
    assert card["dimensions"]["speed"]["value"] == 55.8
    assert card["run_end"]["run_time_s"] == 90.5
    assert [w["text"] for w in card["warnings"]] == ["the log holds 3 runs; this is run 3"]


@pytest.mark.parametrize(
    ("seconds", "loss", "runs"),
    [(102.0, 0.5, 1), (102.1, 0.5, 2), (100.0, 0.5025, 1), (100.0, 0.5026, 2)],
)
def test_the_closing_report_of_another_rank_is_of_the_same_training(
    seconds: float, loss: float, runs: int
) -> None:
    card = scored(_closing(100.0, 50.0, 0.5) + _closing(seconds, 49.0, loss) + EVALUATED)
    assert card["dimensions"]["speed"]["value"] == (50.0 if runs == 1 else 49.0)


def test_reports_of_few_epochs_do_not_count_the_others_out() -> None:
    reports = [f"{{'loss': 0.5, 'learning_rate': 1e-05, 'epoch': {n}}}" for n in (2.2, 4.4, 8.9)]
    closing = "{'train_runtime': 300.0, 'train_samples_per_second': 50.0, 'epoch': 10.0}"
    card = scored("\n".join([*reports, closing, ""]))
    assert card["end_to_end"]["epochs"] == 10
    stopped = closing.replace("10.0", "8.9")
    assert scored("\n".join([*reports, stopped, ""]))["end_to_end"]["epochs"] != 10


def test_the_closing_report_says_how_many_epochs_were_trained() -> None:
    """A run that neither reports nor evaluates (`logging_strategy="no"`) names no other."""
    text = console(epochs=5, each=2, every=99)
    quiet = "".join(one for one in text.splitlines(keepends=True) if "eval_" not in one)
    assert scored(quiet)["run"]["epochs"] == 5
    assert scored(quiet.replace("'epoch': '5'", "'epoch': '4.6'"))["run"]["epochs"] is None


@pytest.mark.parametrize(
    ("epoch", "planned", "a_second", "rate"),
    [
        (10, 10, 40.0, 640.0),
        (9.6, 10, 40.0, 640.0),
        (9, 10, 40.0, 576.0),
        (5, 10, 40.0, 320.0),
        (5, 10, 20.0, 640.0),
        (5, None, 40.0, 640.0),
    ],
)
def test_the_closing_rate_is_of_the_steps_that_were_done(
    epoch: float, planned: int | None, a_second: float, rate: float
) -> None:
    """Early stopping ends the training after 5 of 10 epochs of 40 steps, in 10 seconds.

    Transformers 4 divides all 400 planned steps by them, transformers 5 those that were done.
    """
    header = f"***** Running training *****\n  Num Epochs = {planned}\n" if planned else ""
    header += "  Total optimization steps = 400\n" if planned else ""
    closing = "{'train_runtime': 10.0, 'train_samples_per_second': 640.0, "
    text = f"{header}{closing}'train_steps_per_second': {a_second}, 'epoch': {epoch}}}\n"
    assert scored(text)["dimensions"]["speed"]["value"] == rate


def test_the_state_of_a_stopped_training_has_the_rate_of_its_own_steps() -> None:
    entry = (
        '{"epoch": 5.0, "step": 200, "train_loss": 0.5, "train_runtime": 10.0, '
        '"train_samples_per_second": 640.0, "train_steps_per_second": 40.0}'
    )
    text = f'{{"global_step": 200, "log_history": [{entry}], "max_steps": 400}}'
    assert scored(text)["dimensions"]["speed"]["value"] == 320


@pytest.mark.parametrize(("steps", "rate"), [(2376, 4.0), (2374, 4.0 * 2374 / 3000)])
def test_a_rate_of_steps_that_is_rounded_shows_no_early_stop(steps: int, rate: float) -> None:
    """0.003 steps a second in 1,000,000 s may be 2,500 steps: 5 % fewer are near, more are not."""
    entry = (
        f'{{"epoch": 1.0, "step": {steps}, "train_loss": 0.5, "train_runtime": 1000000.0, '
        '"train_samples_per_second": 4.0, "train_steps_per_second": 0.003}'
    )
    text = f'{{"global_step": {steps}, "log_history": [{entry}], "max_steps": {steps}}}'
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(rate)


@pytest.mark.parametrize(
    ("epoch", "epochs"),
    [
        (3.0, 3),  # the report at 2.5 is the only one
        (2.96, 3),  # steps are whole
        (2.5, 0),  # the steps end within the third epoch, the only one with a report
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_the_state_says_how_many_epochs_were_trained(
    epoch: float, epochs: int, together: bool
) -> None:
    """Reports every ten steps name one epoch of three."""
    report = '{"epoch": 2.5, "loss": 0.5, "step": 10}'
    text = (
        f'{{"epoch": {epoch}, "global_step": 12, "log_history": [{report}], "max_steps": 12, '
        '"num_train_epochs": 3}'
    )
    if not together:
        text = json.dumps(json.loads(text), indent=2) + "\n"
    card = scored(text)
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", epochs)


def test_the_closing_report_counts_epochs_without_a_report() -> None:
    """One report every two epochs: labels 2, 4 and 6 of six epochs."""
    reports = (f"{{'loss': 0.5, 'learning_rate': 1e-05, 'epoch': {n}.0}}\n" for n in (2, 4, 6))
    closing = (
        "{'train_runtime': 100.0, 'train_samples_per_second': 6.0, "
        "'train_steps_per_second': 0.6, 'train_loss': 0.5, 'epoch': 6.0}\n"
    )
    assert scored("".join(reports) + closing)["run_end"]["epochs"] == 6


def test_the_evaluation_after_a_training_without_others_is_its_accuracy() -> None:
    report = "{'loss': 0.5, 'learning_rate': 1e-06, 'epoch': 2.0}\n"
    closing = "{'train_runtime': 13.2, 'train_samples_per_second': 578.8, 'epoch': 2.0}\n"
    block = "***** %s metrics *****\n  epoch = 2.0\n  %s_accuracy = %s\n"
    log = report + closing + block % ("eval", "eval", 0.5781) + block % ("test", "test", 0.625)
    assert scored(log)["dimensions"]["accuracy"]["value"] == 0.5781


@pytest.mark.parametrize(
    ("rates", "speed"),
    [
        ("'train_samples_per_second': 2.5, ", 20.0),  # before 4.7: 375 steps in 150 s
        ("'train_samples_per_second': 2.524, ", 20.0),  # rounded, as the time is
        ("'train_samples_per_second': 2.53, ", 2.53),  # neither of them: as it is printed
        ("'train_samples_per_second': 20.0, ", 20.0),
        ("'train_samples_per_second': 2.5, 'train_steps_per_second': 2.5, ", 2.5),
    ],
)
def test_the_closing_rate_of_versions_that_divide_the_steps(rates: str, speed: float) -> None:
    """1,000 examples, three epochs of 125 steps of 8 in 150 s: 20 samples/s."""
    log = (
        "***** Running training *****\n  Num examples = 1000\n  Num Epochs = 3\n"
        "  Instantaneous batch size per device = 8\n  Total train batch size (w. parallel, "
        "distributed & accumulation) = 8\n  Total optimization steps = 375\n"
        "{'loss': 2.5, 'learning_rate': 1e-05, 'epoch': 1.6}\n"
        f"{{'train_runtime': 150.0, {rates}'epoch': 3.0}}\n"
    )
    found = scored(log)["dimensions"]["speed"]
    assert (found["value"], found["unit"]) == (pytest.approx(speed), "samples/s")
