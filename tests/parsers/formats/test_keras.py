"""Keras: bars of each version, `verbose=2`, TimeHistory, validations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Problem, Scope
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import facts, iterations, scored, scores_by_epoch


def test_keras_bar_that_redraws_itself_with_backspaces() -> None:
    drawn = [
        "  32/7352 [..............................] - ETA: 53s - loss: 1.8157 - acc: 0.1875",
        "3712/7352 [==============>...............] - ETA: 1s - loss: 0.6500 - acc: 0.7200",
        "7352/7352 [==============================] - ETA: 0s - loss: 0.4700 - acc: 0.8000",
        "7352/7352 [==============================] - 3s 500us/sample - loss: 0.4642 - acc: 0.8089",
    ]
    bar = ("\b" * 80 + "\r").join(drawn)
    name, events = text("Epoch 1/10", bar, "Epoch 2/10", bar)
    assert name == "keras"
    assert facts(events) == {"epochs_planned": 10}
    assert [(e.epoch, e.step, e.loss) for e in iterations(events)[:3]] == [
        (1, 32, 1.8157),
        (1, 3712, 0.65),
        (1, 7352, 0.47),
    ]
    assert [(e.epoch, e.throughput, e.unit, e.scope, e.train_time) for e in ends(events)] == [
        (1, 2000.0, "samples/s", Scope.JOB, 3.0),
        (2, 2000.0, "samples/s", Scope.JOB, 3.0),
    ]


def test_keras_2_and_its_validation() -> None:
    _, events = text(
        "Epoch 1/2",
        "469/469 [==============================] - 5s 9ms/step - loss: 0.25 - accuracy: 0.92 "
        "- val_loss: 0.125 - val_accuracy: 0.9625 - val_top_k_categorical_accuracy: 0.99",
        "Epoch 2/2",
        "469/469 - 4s - loss: 0.125 - accuracy: 0.95 - val_loss: 0.0625 - val_accuracy: 0.975 "
        "- 4s/epoch - 9ms/step",
    )
    assert scores_by_epoch(events) == [
        (1, {"loss": (0.125, ""), "acc1": (0.9625, "fraction"), "acc5": (0.99, "fraction")}),
        (2, {"loss": (0.0625, ""), "acc1": (0.975, "fraction")}),
    ]
    assert [(e.epoch, e.epoch_time, e.train_time) for e in ends(events)] == [
        (1, 5.0, None),
        (2, 4.0, None),
    ]


def test_keras_3_bar_in_colour() -> None:
    def bar(step: int, clock: str, tail: str) -> str:
        return (
            f"\x1b[1m{step:3}/938\x1b[0m \x1b[32m━━━━\x1b[0m\x1b[37m━━━━\x1b[0m "
            f"\x1b[1m{clock}\x1b[0m 5ms/step - {tail}"
        )

    _, events = text(
        "Epoch 1/5",
        bar(12, "4s", "accuracy: 0.1 - loss: 2.5")
        + "\r"
        + bar(938, "0s", "accuracy: 0.9 - loss: 0.5")
        + "\r"
        + bar(938, "7s", "accuracy: 0.9 - loss: 0.5 - val_accuracy: 0.95 - val_loss: 0.25"),
    )
    assert [(e.step, e.loss, e.duration) for e in iterations(events)] == [
        (12, 2.5, None),
        (938, 0.5, pytest.approx(7 / 938)),
    ]
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(1, 7.0)]
    assert scores_by_epoch(events) == [(1, {"acc1": (0.95, "fraction"), "loss": (0.25, "")})]


def test_bars_of_a_train_step_that_names_no_loss() -> None:
    """A GAN has two losses; 40 steps of 0.2 s, and the last drawing has the epoch's 8 s."""
    card = scored(
        "".join(
            f"Epoch {n}/2\n\r 1/40 ━━━━ 7s 200ms/step - d_loss: 0.7 - g_loss: 0.{n}"
            f"\r20/40 ━━━━ 4s 200ms/step - d_loss: 0.7 - g_loss: 0.{n}"
            f"\r40/40 ━━━━ 0s 200ms/step - d_loss: 0.6 - g_loss: 0.{n}"
            f"\r40/40 ━━━━ 8s 200ms/step - d_loss: 0.6 - g_loss: 0.{n}\n"
            for n in (1, 2)
        )
    )
    assert (card["run"]["format"], card["run"]["epochs"]) == ("keras", 2)
    assert (card["status"], card["dimensions"]["speed"]["value"]) == ("finished", 5.0)


def test_a_warning_glued_to_a_bar_is_no_broken_number() -> None:
    full = "8/8 ━━━━━━━━━━━━━━━━━━━━ 2s 50ms/step - accuracy: 0.5 - loss: "
    warning = "/opt/lib/callbacks/saving.py:32: UserWarning: no val_accuracy available."
    name, events = text("Epoch 1/2", f"{full}0.75{warning}", "  self._warn(", f"{full}0.75")
    assert name == "keras"
    assert [e.loss for e in iterations(events)] == [0.75]
    assert not [e for e in events if isinstance(e, Problem)]
    _, events = text("Epoch 1/2", f"{full}0.7/5", "Epoch 2/2", f"{full}0.5")
    assert [e.kind for e in events if isinstance(e, Problem)] == ["broken_number"]


def test_keras_verbose_2() -> None:
    _, events = text(
        "Epoch 1/3",
        " - 12s - loss: 0.7500 - acc: 0.6500 - val_loss: 0.5000 - val_acc: 0.7000",
        "Epoch 2/3",
        " - 11s - loss: 0.5000 - acc: 0.7500 - val_loss: 0.2500 - val_acc: 0.8000",
        " - 1s - loss: 0.5000 - acc: broken",
    )
    assert [(e.epoch, e.epoch_time) for e in ends(events)[:2]] == [(1, 12.0), (2, 11.0)]
    assert scores_by_epoch(events)[1] == (2, {"loss": (0.25, ""), "acc1": (0.8, "fraction")})


def test_keras_1_verbose_2() -> None:
    name, events = text(
        "Train on 4000 samples, validate on 1000 samples",
        "Epoch 1/3",
        "12s - loss: 0.7500 - acc: 0.6500 - val_loss: 0.5000 - val_acc: 0.7000",
        "Epoch 2/3",
        "11s - loss: 0.5000 - acc: 0.7500 - val_loss: 0.2500 - val_acc: 0.8000",
    )
    assert name == "keras"
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(1, 12.0), (2, 11.0)]
    assert scores_by_epoch(events)[1] == (2, {"loss": (0.25, ""), "acc1": (0.8, "fraction")})


def test_keras_1_says_that_it_stops_in_front_of_the_last_epoch() -> None:
    lines = ["Train on 4000 samples, validate on 1000 samples"]
    for epoch in (1, 2, 3):
        lines += [f"Epoch {epoch}/9", *(["Epoch 00002: early stopping"] if epoch == 3 else [])]
        lines.append(f"12s - loss: 0.75 - acc: 0.65 - val_loss: 0.5 - val_acc: 0.7{epoch}")
    card = scored("".join(f"{line}\n" for line in lines))
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    cut = scored("".join(f"{line}\n" for line in lines[:-1]))
    assert (cut["status"], cut["run"]["epochs"]) == ("finished", 2)


def test_keras_time_history() -> None:
    _, events = text(
        "I0102 03:04:05.678901 140000000000000 keras_utils.py:145] TimeHistory: 12.50 seconds, "
        "2048.50 examples/second between steps 100 and 200"
    )
    (one,) = iterations(events)
    assert (one.step, one.throughput, one.unit, one.scope) == (200, 2048.5, "samples/s", Scope.JOB)
    assert one.duration == 0.125


def test_keras_corpus() -> None:
    name, events = read(log("corpus/keras/imirzadeh_keras_nohup.log").read_bytes())
    last = {m.name: m.value for m in ends(events)[-1].values}
    assert (name, ends(events)[-1].epoch, last) == ("keras", 10, {"loss": 0.0824, "acc": 0.9635})


def test_keras_that_only_failed_has_problems_and_no_figures() -> None:
    name, events = read(log("corpus/keras/chikako_openpose_keras_nohup.log").read_bytes())
    assert name == "keras"
    assert not iterations(events)
    assert not ends(events)


@pytest.mark.parametrize(
    ("echo", "exception"), [("", "ValueError: bad batch"), ("^C", "KeyboardInterrupt")]
)
def test_a_run_that_failed_in_the_middle_of_a_bar(echo: str, exception: str) -> None:
    """A bar ends its line when its epoch is over: the traceback follows it on the same line."""
    text = "".join(
        f"Epoch {epoch}/5\n\r10/20 ━━━━ 1s 50ms/step - accuracy: 0.5 - loss: 0.{9 - epoch}"
        f"\r20/20 ━━━━ 1s 50ms/step - accuracy: 0.5 - loss: 0.7 - val_accuracy: 0.{5 + epoch}\n"
        for epoch in (1, 2)
    )
    text += "Epoch 3/5\n\r10/20 ━━━━ 0s 50ms/step - accuracy: 0.5 - loss: 0.6" + echo
    text += f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n{exception}\n'
    card = scored(text)
    assert (card["status"], card["run"]["epochs"]) == ("failed", 2)
    assert card["dimensions"]["accuracy"]["value"] == 0.7
    assert {one["text"] for one in card["warnings"]} == {
        exception,
        "Traceback (most recent call last):",
    }


def test_a_first_epoch_whose_number_of_steps_is_unknown() -> None:
    def drawn(step: int, clock: str) -> str:
        return f"{step:7d}/Unknown {clock} 30ms/step - loss: 0.5 - accuracy: 0.7\b\r"

    for clock, last_too in (("- 2s", True), ("\x1b[1m2s\x1b[0m", False)):
        first = "".join(drawn(step, clock) for step in (1, 20, 40))
        last = "40/40 [======================] - 2s 31ms/step - loss: 0.5 - accuracy: 0.7"
        name, events = text("Epoch 1/2", first + last, "Epoch 2/2", last)
        assert name == "keras"
        assert [(e.epoch, e.step, e.steps) for e in iterations(events)] == [
            *((1, 1, None), (1, 20, None), (1, 40, None)),
            *(((1, 40, 40),) if last_too else ()),
            (2, 40, 40),
        ]
        assert [(e.epoch, e.train_time) for e in ends(events)] == [(1, 2.0), (2, 2.0)]
        assert [e.iteration_time for e in ends(events)] == [0.031 if last_too else None, 0.031]
        assert not [event for event in events if isinstance(event, Problem)]


def test_a_loop_that_draws_the_bars_itself_announces_its_epochs() -> None:
    bar = "12/21 ━━━━━━━━━━━━━━━━━━━━ 1s 40ms/step - loss: 0.5{n} - acc: 0.7{n}\r"
    bar += "21/21 ━━━━━━━━━━━━━━━━━━━━ 1s 40ms/step - loss: 0.5{n} - acc: 0.7{n}\n"
    for head in ("Start of epoch {n}/3\n", "epoch {n}/3\n", "Start of epoch {n}\n"):
        text = "".join(
            head.format(n=n) + bar.format(n=n) + f"Validation acc: 0.6{n}\n" for n in (1, 2, 3)
        )
        card = scored(text)
        assert card["run"]["format"] == "keras"
        assert (card["run"]["epochs"], card["dimensions"]["accuracy"]["epoch"]) == (3, 3)
        assert card["run"].get("epochs_planned") == (3 if "/" in head else None)


@pytest.mark.parametrize(
    "bar",
    [
        "313/313 ━━━━━━━━━━━━━━━━━━━━ 20s 64ms/step - accuracy: 0.9712 - loss: 0.0812\n",
        "313/313 [====================] - 20s 64ms/step - loss: 0.0812 - accuracy: 0.9712\n",
        "313/313 - 20s - 64ms/step - accuracy: 0.9712 - loss: 0.0812\n",
    ],
)
def test_bars_of_evaluations_alone_are_no_training(bar: str) -> None:
    """`fit` names the epoch in front of its bars, `evaluate` does not."""
    drawn = bar.replace("313/", "120/").replace("/120", "/313")
    for alone in (3 * bar, drawn + bar):
        _, events = read(alone.encode())
        assert not iterations(events)
        assert not ends(events)
    for head in ("Epoch {}/8\n", "Epoch {}\n", "Epoch: {}\n", "Epoch {} of 8\n"):
        trained = "".join(head.format(e) + bar for e in range(1, 9))
        assert scored(trained)["dimensions"]["speed"]["value"] == pytest.approx(1 / 0.064)


def test_each_trial_of_keras_tuner_is_a_run_of_its_own() -> None:
    line = (
        "8/8 ━━━━━━━━━━━━━━━━━━━━ 2s 250ms/step - accuracy: 0.5 - loss: 0.7 "
        "- val_accuracy: 0.{score} - val_loss: 0.6\n"
    )
    ends = (
        "Trial {n} Complete [00h 00m 04s]\nval_accuracy: 0.{best}\n\nBest val_accuracy So Far: 0.75"
    )
    log = "".join(
        f"Search: Running Trial #{n}\n\nEpoch 1/2\n{line.format(score=scores[0])}"
        f"Epoch 2/2\n{line.format(score=scores[1])}\n"
        f"{ends.format(n=n, best=max(scores))}\nTotal elapsed time: 00h 00m 0{4 * n}s\n\n"
        for n, scores in ((1, ("70", "75")), (2, ("55", "50")))
    )
    card = scored(log)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], card["run"]["epochs"]) == (0.50, 0.55, 2)
    assert [warning["kind"] for warning in card["warnings"]] == ["several_runs"]


def test_a_figure_that_a_callback_names_as_validated_behind_its_name() -> None:
    """Such a callback adds it to the epoch's figures; `improved` lines repeat it."""
    lines = []
    for epoch, f1 in ((1, 0.7665), (2, 0.9026), (3, 0.8995)):
        lines += [
            f"Epoch {epoch}/3",
            f"66/66 [==============================] - ETA: 0s - loss: 5.7053 - F1_val: {f1}",
            f"66/66 [==============================] - 30s 459ms/step - loss: 5.7 - F1_val: {f1}",
        ]
    card = scored("\n".join(lines) + "\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("f1", 0.8995, 0.9026)
    assert card["run"]["epochs"] == 3


@pytest.mark.parametrize(("tested", "status"), [(1, "finished"), (0, "incomplete")])
def test_an_evaluation_shows_that_a_fit_which_stopped_early_is_over(
    tested: int, status: str
) -> None:
    fit = [
        f"Epoch {n}/20\n100/100 [==========] - 9s 90ms/step - loss: 0.{9 - n} - val_loss: 0.{n}3"
        for n in (1, 2, 3)
    ]
    evaluate = tested * ["25/25 [==========] - 1s 27ms/step - loss: 0.1300"]
    card = scored("\n".join([*fit, *evaluate, "Restored the best weights", ""]))
    assert (card["status"], card["run"]["epochs"]) == (status, 3)


def test_a_fit_after_an_evaluation_goes_on() -> None:
    lines = [
        f"Epoch {n}/9\n100/100 [==========] - 9s 90ms/step - loss: 0.{9 - n}\n"
        f"25/25 [==========] - 1s 27ms/step - loss: 0.{9 - n}5"
        for n in (1, 2, 3)
    ]
    card = scored("\n".join([*lines, "Epoch 4/9", "10/100 [=>.....] - ETA: 8s - loss: 0.5", ""]))
    assert (card["status"], card["run"]["epochs"]) == ("incomplete", 3)
