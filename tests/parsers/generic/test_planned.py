"""The number of planned epochs, by the numbers after labels that begin with 0 or have no name."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import RunInfo
from tests.support.logs import only, scored
from tests.support.loops import events_of

NAMED = "Epoch {n}/{all}: train loss {loss}, val acc {acc}\n"
UNNAMED = "[{n}/{all}] train loss {loss} | val acc {acc}\n"


def _log(form: str, labels: range, total: int) -> str:
    return "".join(
        form.format(n=n, all=total, loss=round(2 / (n + 2), 4), acc=round(0.9 - 0.4 / (n + 2), 4))
        for n in labels
    )


@pytest.mark.parametrize("form", [NAMED, UNNAMED])
@pytest.mark.parametrize(
    ("labels", "total", "planned", "status"),
    [
        (range(3), 20, 20, "incomplete"),
        (range(19), 20, 20, "incomplete"),
        (range(20), 20, 20, "incomplete"),  # a run of 21 epochs prints the same until then
        (range(21), 20, 21, "finished"),  # the last label is the number after it
        (range(3), 24, None, "incomplete"),  # of 24 or of 25 epochs
        (range(24), 24, None, "incomplete"),
        (range(25), 24, 25, "finished"),
        (range(1, 4), 24, 24, "incomplete"),  # labels from 1 leave no doubt
        (range(3), 5, 5, "incomplete"),
        (range(3), 4, None, "incomplete"),
        (range(3), 6, None, "incomplete"),
    ],
)
def test_a_round_number_after_labels_from_0_is_that_of_the_epochs(
    form: str, labels: range, total: int, planned: int | None, status: str
) -> None:
    card = scored(_log(form, labels, total), "generic")
    assert card["run"]["epochs"] == len(labels)
    assert (card["run"].get("epochs_planned"), card["status"]) == (planned, status)


@pytest.mark.parametrize(
    ("set_to", "planned", "status"),
    [(20, 20, "finished"), (21, 21, "incomplete"), (22, 20, "incomplete")],
)
def test_an_assumed_number_shows_the_end_if_the_settings_ask_for_it(
    set_to: int, planned: int, status: str
) -> None:
    """If they ask for one more, that is the number: the labels begin with 0."""
    settings = f"Namespace(batch_size=64, epochs={set_to}, lr=0.1)\n"
    card = scored(settings + _log(NAMED, range(20), 20), "generic")
    assert (card["run"]["epochs_planned"], card["status"]) == (planned, status)


@pytest.mark.parametrize(
    ("line", "epochs"),
    [
        ("[{e:>3}/40] iter {s:>4}/1251  loss 2.{e}{s}  img/s 2412.5\n", (3, 40)),
        ("Train {e}/8: step {s}/1251 loss 2.{e}{s}\n", (3, 8)),
        ("Stage {e}/8: step {s}/1251 loss 2.{e}{s}\n", (None, None)),
    ],
)
def test_a_count_without_a_name_in_front_of_the_steps_counts_epochs(
    line: str, epochs: tuple[int | None, int | None]
) -> None:
    """It stays the same while the steps rise; `[3/40] * val` then names the same epoch."""
    text = "".join(
        "".join(line.format(e=e, s=s) for s in (0, 500, 1000, 1251))
        + (f"[{e:>3}/40] * val loss 2.5  top-1 3{e}.25\n" if epochs[1] == 40 else "")
        for e in (1, 2, 3)
    )
    run = scored(text, "generic")["run"]
    assert (run["epochs"], run.get("epochs_planned")) == epochs


def test_ranks_in_front_of_the_steps_are_no_epochs() -> None:
    text = "".join(
        f"[{rank}/4] iter {s}/1000 loss 2.{s}{rank}\n"
        for s in range(0, 200, 20)
        for rank in range(4)
    )
    run = scored(text, "generic")["run"]
    assert (run["epochs"], run.get("epochs_planned")) == (None, None)


@pytest.mark.parametrize("heading", ["Total Epoch:12 Size:(64, 64)", "Total epoch: 12"])
def test_the_total_epoch_is_no_label(heading: str) -> None:
    lines = [f"[train] epoch:{n} loss:0.5{n}\n[val] epoch:{n} miou:0.7{n}\n" for n in range(4)]
    run = scored("".join([heading + "\n", *lines]))["run"]
    assert (run["epochs"], run["epochs_planned"]) == (4, 12)


def test_an_epoch_in_a_printed_dictionary_of_settings_is_no_label() -> None:
    """Steps come before the first epoch is named; the settings have the number of epochs."""
    text = "".join(
        [
            "{'model': 't5', 'epoch': 15, 'batch': 8, 'lr': 0.0001}\n * epoch: 15\n * fp16: False\n",
            *(f"step {s}: loss: 0.{900 - s}\n" for s in (50, 100, 150, 200)),
            "[epoch 0/15] average loss: 1.145\n",
        ]
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (1, 15)
    assert card["status"] == "incomplete"


@pytest.mark.parametrize(("said", "planned"), [("round 77/72", None), ("round 72/72", 72)])
def test_a_label_beyond_its_total_does_not_count_epochs(said: str, planned: int | None) -> None:
    lines = [f"loss: 0.{9 - n}1, accuracy: 0.7{n}" for n in range(1, 6)]
    card = scored("\n".join([*lines, f"5. Please {said} to 6 decimals", *lines]) + "\n", "generic")
    assert card["run"].get("epochs_planned") == planned


@pytest.mark.parametrize(
    ("form", "times", "known"),
    [
        ("epoch {n}/9 | loss 0.{n} | {t}s", (12.5, 12.25, 13, 12), True),
        ("epoch {n}/9 | loss 0.{n} | {t}s (1/6)", (12.5, 12.5, 12.5, 12.5), True),
        ("epoch {n}/9 | loss 0.{n} | {t}s | lr 0.1", (12.5, 12.5, 12.5, 12.5), True),
        ("epoch {n}/9, loss 0.{n}, {t} s", (12.5, 12.5, 12.5, 12.5), True),
        ("epoch {n}/9, loss 0.{n}, {t} s", (12.5, 25, 37.5, 50), False),  # since the start
        ("epoch {n}/9 loss 0.{n} {t}s", (12.5, 12.5, 12.5, 12.5), False),  # of what is unknown
        ("epoch {n}/9 | loss 0.{n} | {t}ms", (12.5, 12.5, 12.5, 12.5), False),  # mostly of a step
        ("epoch {n}/9 | loss 0.{n} | 2m {t}s", (12.5, 12.5, 12.5, 12.5), True),
        ("epoch {n}/9 - {t}s - loss: 0.{n}", (12.5, 12.25, 13, 12), True),
        ("epoch {n}/9 - {t}s - loss: 0.{n}", (12.5, 25, 37.5, 50), False),
        ("epoch {n}/9 - {t}s left - loss: 0.{n}", (12.5, 12.25, 13, 12), False),
    ],
)
def test_a_time_between_separators_is_that_of_its_epoch(
    form: str, times: tuple[float, ...], known: bool
) -> None:
    """A time that only grows from epoch to epoch may count from the start."""
    text = "".join(form.format(n=n, t=t) + "\n" for n, t in enumerate(times, 1))
    reason = scored(text, "generic")["dimensions"]["speed"]["reason"]
    assert ("only its time" in reason) == known


@pytest.mark.parametrize("name", ["EVAL_EPOCH", "TEST_EPOCH", "val_epoch"])
def test_a_setting_of_evaluations_names_no_epoch(name: str) -> None:
    """A program prints its settings again when it is started again, after lines of training."""
    settings = f"{name}: 2\nLOG_STEP: 10\nSAVE_EPOCH: 6\n"
    lines = "".join(f"iter: {n}0, lr: 0.01, total_loss: 0.{99 - n}\n" for n in range(1, 9))
    card = scored(2 * (settings + "Start training ...\n" + lines))
    assert (card["run"]["epochs"], card["run_end"]["epochs"]) == (None, None)


@pytest.mark.parametrize(
    ("sentence", "planned"),
    [
        ("Beginning Training with 3 epochs.", 3),
        ("Starting training for 3 epochs", 3),
        ("Starting validation with 3 workers, epochs", None),
    ],
)
def test_a_sentence_that_says_for_how_many_epochs_a_training_begins(
    sentence: str, planned: int | None
) -> None:
    lines = [f"Epoch: {e}, Batch: {b}, Loss: 0.{b}" for e in range(3) for b in range(10, 40)]
    card = scored("".join(f"{line}\n" for line in (sentence, *lines)))
    assert card["run"].get("epochs_planned") == planned


@pytest.mark.parametrize(("last", "status"), [(100, "finished"), (90, "incomplete")])
def test_all_steps_are_done_if_the_rate_stands_below_the_last_step(last: int, status: str) -> None:
    text = "".join(
        f"iter: {step} / 100, total loss: 0.{200 - step}\nspeed: 0.500s / iter\n"
        for step in range(10, last + 1, 10)
    )
    card = scored(text)
    assert (card["status"], card["dimensions"]["speed"]["value"]) == (status, 2.0)


@pytest.mark.parametrize(("first", "epochs", "status"), [(0, 3, "finished"), (1, 2, "incomplete")])
def test_the_last_of_the_steps_that_count_on_from_0(first: int, epochs: int, status: str) -> None:
    """Step 23 of 24 is the last of those that begin with 0; of others one is left."""
    log = "".join(
        f"2021-09-12 10:00:{step:02d} [train] epoch:{(step - first) // 8} step:{step}/24 "
        f"loss:{2 / (step + 1):.4f}\n"
        for step in range(first, 24)
    )
    card = scored(log, "generic")
    assert (card["status"], card["run"]["epochs"]) == (status, epochs)


def test_epochs_that_count_from_0_say_how_many_they_are_only_with_the_last() -> None:
    def planned(last: int) -> list[object]:
        events = events_of(f"Epoch {n}/9 loss 0.5" for n in range(last + 1))
        return [e.value for e in only(events, RunInfo)]

    assert planned(8) == []  # of 9 epochs, or of 10
    assert planned(9) == [10]


def _solver(epochs: int, each: int, every: int) -> str:
    """The lines of CS231n's solver, which evaluates once after its first step, as epoch 0."""
    lines, steps = [], epochs * each
    for step in range(1, steps + 1):
        if step % every == 1:
            lines.append(f"(Iteration {step} / {steps}) loss: {2 - step / steps:f}")
        if step == 1 or step % each == 0:
            epoch = step // each
            accuracy = 0.5 + epoch / 100
            lines.append(f"(Epoch {epoch} / {epochs}) train acc: 0.9{epoch}; val_acc: {accuracy:f}")
    return "\n".join([*lines, ""])


@pytest.mark.parametrize(("epochs", "each", "every"), [(6, 49, 10), (10, 38, 100), (3, 20, 5)])
def test_figures_after_the_first_step_of_the_run_are_those_of_no_epoch(
    epochs: int, each: int, every: int
) -> None:
    card = scored(_solver(epochs, each, every), "generic")
    run, accuracy = card["run"], card["dimensions"]["accuracy"]
    assert (run["epochs"], run["epochs_planned"], card["status"]) == (epochs, epochs, "finished")
    assert (accuracy["value"], accuracy["epoch"]) == (0.5 + epochs / 100, epochs)


@pytest.mark.parametrize("heads", [False, True])
def test_an_evaluation_before_the_training_is_no_epoch(heads: bool) -> None:
    lines = ["Epoch 0/6 | val loss 2.30 | val acc 0.10"]
    for n in range(1, 7):
        lines += [f"Epoch {n}/6"] * heads
        lines.append(f"Epoch {n}/6 | train loss 0.{9 - n} | val loss 0.5{n} | val acc 0.7{n}")
    card = scored("\n".join([*lines, ""]), "generic")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (6, 6)
    assert card["status"] == "finished"


def test_evaluations_alone_may_count_from_0() -> None:
    text = "".join(f"Epoch {n}/6 | val loss 0.5{n} | val acc 0.7{n}\n" for n in range(7))
    assert scored(text, "generic")["run"]["epochs_planned"] == 7
    assert scored(text[: text.index("Epoch 6")], "generic")["run"].get("epochs_planned") is None


@pytest.mark.parametrize(
    "line",
    [
        "Época {n} de 3 - perda treino: 0.{l} - acurácia validação: 0.7{n}",
        "Epoche {n} von 3: Verlust 0.{l}, Val-Genauigkeit 0.7{n}",
        "Époque {n} sur 3 : perte 0.{l}, exactitude val 0.7{n}",
    ],
)
def test_the_number_of_epochs_in_other_languages(line: str) -> None:
    card = scored("".join(line.format(n=n, l=9 - n) + "\n" for n in (1, 2, 3)), "generic")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    assert (card["dimensions"]["accuracy"]["value"], card["status"]) == (0.73, "finished")


@pytest.mark.parametrize(("first", "others"), [((3, 6, 50), (3, 6, 50)), ((1, 50), (50,))])
@pytest.mark.parametrize("planned", ["/5", ""])
def test_bars_in_front_of_the_line_of_their_epoch_count_batches(
    first: tuple[int, ...], others: tuple[int, ...], planned: str
) -> None:
    """The count 3 is near the number of the epoch before; a short epoch may be drawn but once."""
    text = ""
    for n in range(1, 6):
        text += "Training:   0%|  | 0/50 [00:00<?, ?it/s]\n"
        for count in first if n == 1 else others:
            time = f"00:{count // 5:02}<00:09, 5.00it/s, loss=0.5"
            text += f"Training: {2 * count:3}%|##| {count}/50 [{time}]\n"
        text += f"Epoch {n}{planned} val loss 0.5{n} val acc 0.7{n}\n"
    assert scored(text)["run"]["epochs"] == 5


@pytest.mark.parametrize(
    ("first", "status"), [("", "finished"), ("Starting training for 9 epochs", "incomplete")]
)
def test_steps_before_the_first_of_several_planned_epochs_are_not_all(
    first: str, status: str
) -> None:
    lines = [
        first,
        *(f"Pre-training iteration {n}/100, Loss: {9 - n / 20}" for n in range(10, 101, 10)),
    ]
    assert scored("\n".join([*lines, ""]))["status"] == status
