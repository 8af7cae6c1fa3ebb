"""Counts of iterations under the names that a loop's own variables have."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.corpus import text
from tests.support.inputs.generated import read as generated
from tests.support.logs import only, read, scored
from tests.support.loops import figures

NAMES = ("i", "batch_idx", "batch_i", "step")


def _log(name: str, last: int) -> str:
    """One epoch of three iterations, and another up to one of them."""
    at = [(0, step) for step in range(3)] + [(1, step) for step in range(last + 1)]
    return "".join(f"epoch={epoch} {name}={step}/3 loss=3.{9 - step}\n" for epoch, step in at)


@pytest.mark.parametrize("name", NAMES)
def test_an_epoch_that_was_left_is_not_over(name: str) -> None:
    assert scored(_log(name, 0))["run"]["epochs"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_epoch_with_its_last_iteration_is_over(name: str) -> None:
    assert scored(_log(name, 2))["run"]["epochs"] == 2


@pytest.mark.parametrize("name", ["i_max", "idx", "gpu_i", "roi"])
def test_other_names_count_nothing(name: str) -> None:
    log = "".join(f"epoch={n} {name}={n}/3 train_loss=3.{9 - n}\n" for n in range(3))
    assert scored(log)["run"]["epochs"] == 3


@pytest.mark.parametrize(("last", "epochs"), [(5, 0), (6, 0), (7, 1), (8, 1)])
def test_an_evaluation_after_each_iteration_does_not_end_the_epoch(last: int, epochs: int) -> None:
    """Steps may count from 0 or from 1."""
    log = "".join(
        f"epoch : 0 [{step}/8] Train loss: 8.{9 - step}, Valid loss: 7.{9 - step}, lr : 1\n"
        for step in range(last + 1)
    )
    card = scored(log)
    assert card["run_end"]["epochs"] == epochs
    assert card["run_end"]["last"] == float(f"7.{9 - last}")


def test_the_index_of_a_batch_is_its_step() -> None:
    lines = [f"[{at}.00%] batch_index={64 * at} loss={5 / at:.4f}" for at in (1, 2, 3)]
    assert figures(lines)["steps"] == [(64, None), (128, None), (192, None)]


def test_the_cost_after_an_update_is_a_loss_and_an_evaluation_inside_an_epoch_ends_none() -> None:
    """Theano's tutorials print so; each epoch has six updates and an evaluation after its fourth,
    and the log ends in the second one."""
    lines = []
    for update in range(1, 12):
        epoch = (update - 1) // 6
        lines.append(f"Epoch {epoch} Update {update} Cost {90 / update} Time {update * 0.5}")
        if update % 6 == 4:
            lines.append(f"Epoch {epoch} Update {update} Training Cost 9.5 Validation hit@10 25.5%")
    assert scored("".join(f"{line}\n" for line in lines))["run_end"]["epochs"] == 1
    assert figures(lines)["losses"][:2] == [90.0, 45.0]
    assert "losses" not in figures([line.replace(" Time", " s Time") for line in lines])


def test_the_cost_of_an_epoch_is_a_loss_where_it_is_assigned() -> None:
    """Without `=` it may be a time."""
    costs = ["2.31", "1.25", "0.97"]
    for said in ("Epoch: {:04} cost = {}", "Epoch: {:04} avg_cost= {}"):
        lines = [said.format(n, cost) for n, cost in enumerate(costs, 1)]
        assert figures(lines)["losses"] == [float(cost) for cost in costs]
    for said in ("Epoch: {:04} cost {}", "Epoch: {:04} cost = {} s"):
        lines = [said.format(n, cost) for n, cost in enumerate(costs, 1)]
        assert "losses" not in figures(lines)


@pytest.mark.parametrize("counted", ["iteration", "epoch", "step"])
def test_the_cost_after_an_iteration_is_a_loss(counted: str) -> None:
    """That of or for an epoch may be a time."""
    said = [(100 * n, cost) for n, cost in enumerate(("0.69", "0.42", "0.31"), 1)]
    for place, is_loss in (("after", True), ("at", True), ("for", False), ("of", False)):
        lines = [f"Cost {place} {counted} {n}: {cost}" for n, cost in said]
        assert figures(lines).get("losses", []) == ([0.69, 0.42, 0.31] if is_loss else [])
    assert "losses" not in figures([f"Cost after {counted} {n}: {cost} s" for n, cost in said])


@pytest.mark.parametrize(("batches", "epochs"), [([0], 0), ([0, 50], 1)])
def test_an_evaluation_after_the_first_batch_of_all_ends_no_epoch(
    batches: list[int], epochs: int
) -> None:
    """icefall validates before it trains, to test the program; no line says how long an epoch is."""
    lines = [f"Epoch 1, batch {batch}, train loss 7.3, lr 0.03" for batch in batches]
    lines.append("Epoch 1, validation loss: 6.9")
    data = "".join(f"{line}\n" for line in lines).encode()
    card = generated(data, name="generic").card()
    assert (card.run["epochs"], card.dimensions["accuracy"].value) == (epochs, 6.9)


@pytest.mark.parametrize(("last", "epochs"), [([0], 1), ([0, 50], 1), ([0, 50, 100], 2)])
def test_an_evaluation_after_the_first_batch_ends_no_epoch_that_may_go_on(
    last: list[int], epochs: int
) -> None:
    """icefall validates every so many batches of an epoch, the first one included."""
    lines = []
    for epoch, batches in ((1, [0, 50, 100]), (2, last)):
        for batch in batches:
            lines.append(f"Epoch {epoch}, batch {batch}, train loss 7.3, lr 0.03")
            if batch == 0:
                lines.append(f"Epoch {epoch}, validation loss: 6.{epoch}")
    assert scored("".join(f"{line}\n" for line in lines))["run"]["epochs"] == epochs


def _clocked(minute: int, steps: range) -> list[str]:
    return [
        f"[2026-03-30 06:{minute + at:02}:00] iteration: {step}, loss: {9 / (step + 1):.3f}"
        for at, step in enumerate(steps)
    ]


def test_the_clock_is_that_of_no_iterations_where_the_steps_of_an_epoch_fall_back() -> None:
    first = ["[2026-03-30 06:00:00] epoch 0, lr=[0.0001]", *_clocked(0, range(0, 900, 100))]
    again = ["[2026-03-30 06:13:00] epoch 0, lr=[0.0001]", *_clocked(13, range(0, 900, 100))]
    assert scored("\n".join([*first, ""]))["dimensions"]["speed"]["value"] == pytest.approx(
        100 / 60
    )
    assert scored("\n".join([*first, *again, ""]))["dimensions"]["speed"]["value"] is None


def test_a_batch_whose_first_number_is_the_epoch() -> None:
    """WeNet: 400 batches in an epoch of 160 s, and its cross-validation."""
    lines = [
        line
        for epoch, begin in ((n, f"2024-05-01 10:{n}") for n in range(3))
        for line in (
            f"{begin}0:00,000 INFO Epoch {epoch} TRAIN info lr 8e-08",
            *(
                f"{begin}{at // 3}:{at % 3 * 20:02},000 DEBUG TRAIN "
                f"Batch {epoch}/{50 * at} loss {9 - epoch}.{at} loss_att 3.5 lr 0.001 rank 0"
                for at in range(9)
            ),
            f"{begin}5:00,000 DEBUG CV Batch {epoch}/0 loss 9.75 rank 0",
            f"{begin}6:00,000 DEBUG CV Batch {epoch}/9 loss 5.25 rank 0",
            f"{begin}7:00,000 INFO Epoch {epoch} CV info cv_loss 6.{epoch}",
        )
    ]
    text = "\n".join([*lines, ""])
    iterations = only(read(text, "generic"), Iteration)
    steps = [(one.epoch, one.step, one.steps) for one in iterations if one.loss is not None]
    assert steps == [(epoch, 50 * at, None) for epoch in range(3) for at in range(9)]
    card = scored(text)
    assert card["run"]["epochs"] == 3
    assert card["dimensions"]["speed"]["value"] == 2.5
    assert (card["dimensions"]["accuracy"]["value"], card["dimensions"]["accuracy"]["best"]) == (
        6.2,
        6.0,
    )


def test_the_steps_of_the_whole_run_beside_those_of_the_epoch_count_nothing() -> None:
    lines = [
        f"2024-05-01 10:0{epoch}:{40 * step // 324:02d},000 | INFO | {said}"
        for epoch in range(1, 9)
        for step, said in (
            (0, f"Epoch {epoch}/8 starting..."),
            *(
                (step, said)
                for step in range(81, 325, 81)
                for said in (
                    f"Epoch {epoch}/8 (step {step}/324)",
                    f"Epoch {epoch} | step {324 * (epoch - 1) + step}/2592 | loss=0.{step}",
                )
            ),
            (324, f"Epoch {epoch} completed | train_loss=0.5 | global_step={324 * epoch}"),
        )
    ]
    card = scored("\n".join(lines) + "\n")
    assert card["run"]["epochs"] == 8
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(324 / 40, rel=0.05), "it/s")


@pytest.mark.parametrize(
    ("said", "speed"),
    [
        ("global_step={all} train_loss=2.5 val_loss=2.75 epoch_time=26.5s tp=4800 tok/s", 4800.0),
        ("total_steps={all} val_loss=2.75 train_loss=2.5 tp=4800 tok/s epoch_time=26.5s", 4800.0),
        # without a time of the epoch the line may be one more progress line
        ("global_step={all} train_loss=2.5 val_loss=2.75 tp=4900 tok/s", 4900.0),
    ],
)
def test_the_step_of_the_run_on_the_line_of_an_epoch_makes_it_no_progress_line(
    said: str, speed: float
) -> None:
    lines = [
        line
        for epoch in range(1, 11)
        for line in (
            f"[Epoch {epoch}][Step 10/20] global_step={20 * epoch - 10} loss=3.5 tp=4900 tok/s",
            f"[Epoch {epoch}][Step 20/20] global_step={20 * epoch} loss=3.25 tp=4900 tok/s",
            f"[Epoch {epoch}] " + said.format(all=20 * epoch),
        )
    ]
    found = scored("\n".join(lines) + "\n")
    assert found["dimensions"]["speed"]["value"] == speed
    assert found["run_end"]["epochs"] == 10


def test_a_training_with_another_total_begins_at_its_first_steps() -> None:
    def steps(total: int) -> list[str]:
        return [f"epoch 0 step {step}/{total} loss 0.{total}" for step in range(1, 4)]

    found = figures([*steps(71), *steps(62)])["steps"]
    assert found == [(step, total) for total in (71, 62) for step in (1, 2, 3)]


def test_steps_after_the_end_of_an_epoch_are_of_other_work() -> None:
    lines = [
        line
        for epoch in (1, 2)
        for line in (
            f"Training Epoch: {epoch}/2, step 309/310 completed (loss: 2.0{epoch})",
            f"Epoch {epoch}: train_epoch_loss=1.7{epoch}, epoch time 51.5s",
        )
    ]
    lines += [f"Step: {step} / 14042" for step in range(0, 500, 100)]
    card = scored("\n".join(lines) + "\n")
    assert (card["run"]["epochs"], card["run_end"]["run_time_s"]) == (2, 103.0)


@pytest.mark.parametrize("counter", ["batch", "iter", "step", "Batch"])
def test_a_counter_glued_to_its_number_is_read(counter: str) -> None:
    lines = [f"epoch0; {counter}{step}; loss: 2.{step}" for step in (10, 20, 30)]
    found = figures(lines)
    assert [step for step, _ in found["steps"]] == [10, 20, 30]
    assert scored("\n".join(lines) + "\n")["run"]["epochs"] == 0


@pytest.mark.parametrize("name", ["batch64_lr0.1", "my_iter5", "minibatch5", "step-5"])
def test_a_digit_in_a_name_is_no_counter(name: str) -> None:
    assert "steps" not in figures([f"{name} epoch {n} loss 0.{9 - n}" for n in (1, 2, 3)])


def test_a_step_that_is_rounded_to_thousands_is_none() -> None:
    lines = [f"step:{n} loss:0.5 12 img/s\n" for n in ("800", "900", "1K", "1K", "2K")]
    steps = [e.step for e in only(read("".join(lines), "generic"), Iteration)]
    assert steps == [800, 900, None, None, None]


def test_a_letter_that_begins_a_word_scales_no_epoch() -> None:
    text = "".join(f"Epoch {n} K-means: NMI = 0.39 ACC = 0.3{n}\n" for n in range(10, 20))
    assert [e.epoch for e in only(read(text, "generic"), Evaluation)] == [*range(10, 20)]


def test_a_count_of_epochs_and_iterations_together_is_neither() -> None:
    text = "".join(f"epoch/iter: {n}/{200 * n + 199} loss: 0.{n + 1}\n" for n in range(8))
    assert {e.step for e in only(read(text, "generic"), Iteration)} == {None}


def test_a_loss_is_known_by_its_name_after_a_capital() -> None:
    """As TabDDPM: the losses of two parts, and no epochs."""
    lines = [f"Step {n}00/900 MLoss: 0.0 GLoss: 0.2{9 - n}1 Sum: 0.2{9 - n}1" for n in range(1, 10)]
    assert scored("\n".join(lines) + "\n")["status"] == "finished"


def test_the_last_step_of_an_epoch_may_be_a_remainder() -> None:
    """PaddleGAN prints `iter: 0/30` for the 30th iteration; a restart prints 0 as the first one."""

    def log(first: int) -> str:
        steps = [(epoch, step) for epoch in (1, 2) for step in (*range(first, 30, 10), 0)]
        return "".join(
            f"Epoch: {e}/2, iter: {s}/30 lr: 0.1 loss: 0.5 ips: 9.5 images/s\n" for e, s in steps
        )

    counted = [(one.epoch, one.step) for one in only(read(log(10), "generic"), Iteration)]
    assert counted == [(1, 10), (1, 20), (1, 30), (2, 10), (2, 20), (2, 30)]
    again = [one.step for one in only(read(log(0), "generic"), Iteration)]
    assert again == [0, 10, 20, 0, 0, 10, 20, 0]
    unlabelled = log(10).replace("Epoch: 1/2, ", "").replace("Epoch: 2/2, ", "")
    passes = [one.step for one in only(read(unlabelled, "generic"), Iteration)]
    assert passes == [10, 20, 0, 10, 20, 0], "0 may begin the next pass over the data"


def test_paddlegans_metric_is_its_evaluation() -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (f"Iter: {n}0/30 lr: 0.1 loss: 0.5 ips: 9.5 images/s", f"Metric psnr: 2{n}.5")
    ]
    accuracy = scored("".join(f"{line}\n" for line in lines))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("psnr", 23.5)


def test_the_score_of_an_iteration_is_its_loss() -> None:
    """DL4J's listener; 10 iterations in 2 s."""
    lines = (
        f"2026-03-01 10:{n * 2 // 60:02}:{n * 2 % 60:02}.000 [main] INFO o.d.ScoreIterationListener"
        f" - Score at iteration {10 * n} is {2 / (n + 1):.6f}\n"
        for n in range(600)
    )
    speed = scored("".join(lines))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (5.0, "it/s")


def test_batches_between_bars_are_steps_and_ms_a_batch_is_their_time() -> None:
    found = figures(
        [
            "| epoch   1 |   200/ 2983 batches | lr 20.00 | ms/batch  9.50 | loss  5.48 | ppl   240.1",
            "| epoch   1 |   400/ 2983 batches | lr 20.00 | ms/batch  9.25 | loss  5.31 | ppl   202.3",
            "| end of epoch   1 | time: 30.12s | valid loss  5.10 | valid ppl   164.02",
        ]
    )
    assert found["steps"] == [(200, 2983), (400, 2983)]
    assert found["seconds"] == [0.0095, 0.00925]
    assert found["losses"] == [5.48, 5.31]
    assert found["epoch times"] == [30.12]
    assert found["tested"] == [(1, {"loss": 5.10, "perplexity": 164.02})]


def steps_of(named: str, epochs: int, *, header: bool = False) -> list[tuple[int | None, int]]:
    """Epoch and step of the progress lines of a log that names each epoch after its steps."""
    lines = []
    for epoch in range(1, epochs + 1):
        lines += [f"Epoch {epoch}"] * header
        lines += [f"it {step}/300 | loss 0.{step}5" for step in (100, 200, 300)]
        lines.append(named.format(epoch=epoch))
    _, events = text(*lines)
    return [(e.epoch, e.step) for e in only(events, Iteration) if e.step is not None]


@pytest.mark.parametrize(
    "named",
    ["epoch {epoch} done, test acc 0.8{epoch}", "== epoch {epoch}: train acc 0.8{epoch}"],
)
def test_steps_that_begin_again_after_an_epochs_figures_are_those_of_the_next(named: str) -> None:
    found = steps_of(named, 3)
    assert found == [(e, s) for e in (None, 2, 3) for s in (100, 200, 300)]
    assert steps_of(named, 3, header=True) == [(e, s) for e in (1, 2, 3) for s in (100, 200, 300)]


def test_steps_that_go_on_are_of_the_next_epoch_unless_the_name_comes_again() -> None:
    lines = [f"it {step} loss 0.{step}" for step in (10, 20)]
    lines += ["epoch 1 test acc 0.81", "it 30 loss 0.30", "it 40 loss 0.31"]
    lines += ["epoch 1 test acc 0.82", "it 50 loss 0.29", "it 50 loss 0.28"]
    _name, events = text(*lines)
    labels = [e.epoch for e in only(events, Iteration) if e.step is not None]
    assert labels == [None, None, 2, 2, 1, 2]


@pytest.mark.parametrize("form", ["step {:,}/3,000", "iter {:,} of 3,000", "Step: {:,}"])
def test_a_count_may_have_its_digits_in_groups(form: str) -> None:
    """Lines at 900, 1,000, …, 2,900 of 3,000 iterations."""
    steps = range(900, 3_000, 100)
    lines = [f"{form.format(n)} | loss 0.5 | 45,678 tok/s" for n in steps]
    found = only(read("\n".join([*lines, ""]), "generic"), Iteration)
    assert [(e.step, e.throughput) for e in found] == [(n, 45678.0) for n in steps]
    assert {e.steps for e in found} == {3_000 if "3" in form else None}


def test_a_comma_between_epoch_and_step_groups_no_digits() -> None:
    lines = [f"Epoch {epoch},{step} loss 0.5" for epoch in (1, 2) for step in (100, 200, 300)]
    assert {e.epoch for e in only(read("\n".join([*lines, ""]), "generic"), Iteration)} == {None}


def test_blanks_may_stand_around_the_slash_of_a_count() -> None:
    lines = [f"Ep: {epoch} | {n} / 3 | 4.0 it/s | Loss: 0.5" for epoch in (1, 2) for n in (1, 2, 3)]
    found = only(read("\n".join([*lines, ""]), "generic"), Iteration)
    counts = [(e.epoch, e.step, e.steps, e.duration) for e in found]
    assert counts == [(epoch, n, 3, 0.25) for epoch in (1, 2) for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "form",
    [
        "Epoch [{e}/2] {split} [{n}/{all}] Loss: {loss}",
        "Epoch {e} | {split}: [{n}/{all}] loss: {loss}",
        "Epoch: {e}, {split} [{n}/{all}], Loss={loss}",
    ],
)
@pytest.mark.parametrize("tests", ["Validation", "Test"])
def test_the_name_of_a_split_may_stand_between_epoch_and_step(form: str, tests: str) -> None:
    lines = [
        form.format(e=e, split=split, n=n, all=last, loss=f"1.{e}{n}")
        for e in (1, 2)
        for split, last in (("Training", 4), (tests, 3))
        for n in range(1, last + 1)
    ]
    _name, events = text(*lines)
    steps = [(e.epoch, e.step, e.steps) for e in only(events, Iteration)]
    assert steps == [(e, n, 4) for e in (1, 2) for n in (1, 2, 3, 4)]
    assert [(e.epoch, e.metrics[0].value) for e in only(events, Evaluation)] == [
        (1, 1.13),
        (2, 1.23),
    ]
