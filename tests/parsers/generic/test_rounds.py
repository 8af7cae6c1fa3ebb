"""Logs that number rounds, such as those of federated learning, and epochs inside of them."""

from __future__ import annotations

from sixdim.metrics.values.card import Card
from tests.support.inputs.generated import read
from tests.support.logs import scored


def _card(text: str) -> Card:
    return read(text.encode(), name="generic").card()


def test_a_line_that_only_numbers_a_round_begins_it() -> None:
    text = "".join(f"Round {n}\nserver: [accuracy: 6{n}.25\n" for n in (0, 1, 2))
    card = _card(text)
    assert card.run["epochs"] == 3
    assert (card.dimensions["accuracy"].value, card.dimensions["accuracy"].details["epoch"]) == (
        62.25,
        2,
    )


def test_epochs_on_lines_of_their_own_inside_a_round_are_not_counted() -> None:
    local = "client 1 epoch 0: loss 0.5\nclient 1 epoch 1: loss 0.4\n"
    text = "".join(f"Round {n}/4\n{local}test accuracy: 6{n}.25%\n" for n in (1, 2, 3))
    card = _card(text)
    assert (card.run["epochs"], card.run["epochs_planned"]) == (3, 4)
    assert not [one for one in card.warnings if one.kind == "resume"]


def test_rounds_of_a_log_whose_epochs_came_first_are_not_counted() -> None:
    epochs = "".join(f"Epoch {n}, train loss: 0.{9 - n}\n" for n in range(5))
    rounds = "".join(f"Round {n}\nEpoch 0, train loss: 0.{9 - n}5\n" for n in range(7))
    assert _card(epochs + rounds).run["epochs"] == 1


def test_rounds_that_begin_again_are_another_run_with_its_own_time() -> None:
    clock = "2024-05-0{day} 10:00:{s:02d},000 | INFO | "
    lines = [
        clock.format(day=day, s=10 * n + s) + said
        for day in (1, 2)
        for n in (1, 2, 3)
        for s, said in ((0, f"Round {n}/3"), (9, f"Round {n} global test accuracy: {day}{n}.5%"))
    ]
    card = _card("\n".join(lines) + "\n")
    assert card.run_end is not None
    assert (card.run_end["epochs"], card.run_end["run_time_s"]) == (3, 29.0)
    assert card.dimensions["accuracy"].details["best"] == 23.5


def test_the_time_of_an_epoch_inside_a_round_is_not_the_rounds() -> None:
    local = "".join(f"Epoch {n}/5 | loss 0.{n} | epoch time: {10 + n}.5s\n" for n in range(1, 6))
    text = "".join(f"Round {n}\n{local}test accuracy: 6{n}.25%\n" for n in (1, 2, 3))
    end = _card(text).run_end
    assert end is not None
    assert (end["epochs"], end["run_time_s"]) == (3, None)
    timed = "".join(f"Round {n}: loss 0.{9 - n} | epoch time: 4{n}.5s\n" for n in (1, 2, 3))
    whole = _card(timed).run_end
    assert whole is not None
    assert whole["run_time_s"] == 41.5 + 42.5 + 43.5


def test_the_steps_of_an_epoch_inside_a_round_begin_no_round_again() -> None:
    lines = [
        f"2024-05-01 10:{n:02d}:{20 * e + step:02d},000 INFO {said}"
        for n in range(1, 9)
        for e, step, said in (
            (0, 0, f"Round {n}/8"),
            *((e, s, f"Epoch {e}/2 [{s}/12] loss 0.{n}") for e in (1, 2) for s in (4, 8, 12)),
            (2, 19, f"Round {n} test acc 0.5{n}"),
        )
    ]
    card = _card("\n".join(lines) + "\n")
    assert card.run_end is not None
    assert (card.run_end["epochs"], card.run_end["run_time_s"]) == (8, 7 * 60 + 59.0)
    assert not card.warnings


def _own_epochs(first: str) -> int:
    epochs = "".join(f"Epoch {n}: train loss 0.{9 - n}, val acc 0.5{n}\n" for n in range(1, 6))
    count: int = _card(f"{first}\n{epochs}").run["epochs"]
    return count


def test_a_setting_named_round_is_no_round() -> None:
    assert _own_epochs("round: 4") == 5
    assert _own_epochs("python3 run.py --nodes 1 --round 1") == 5
    assert _own_epochs("round: 1") != 5
    assert _own_epochs("Round 4/9") != 5


def test_the_number_of_a_round_may_be_called_so() -> None:
    """As PFLlib prints it, with its spelling of the accuracy, and the deviation over clients."""
    lines = [
        line
        for n in range(5)
        for line in (
            f"-------------Round number: {n}-------------",
            f"Averaged Train Loss: 0.{9 - n}",
            f"Averaged Test Accurancy: 0.8{n}",
            f"Std Test Accurancy: 0.0{n}",
        )
    ]
    card = scored("".join(f"{line}\n" for line in lines))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], accuracy["metric"], accuracy["value"]) == (5, "acc1", 0.84)


def test_short_words_for_an_epoch() -> None:
    for word in ("Ep", "Epo", "Epoche", "EPOCH"):
        log = "".join(f"{word} {n}: Loss={2 / n} | Acc=2{n}.5%\n" for n in (1, 2, 3, 4))
        assert scored(log)["run"]["epochs"] == 4, word


def test_a_round_of_federated_training_is_an_epoch() -> None:
    text = "".join(
        f"Round {n}/3: train loss={1 / n:.3f}, test accuracy=7{n}.5%\n" for n in (1, 2, 3)
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)


def test_epochs_inside_a_round_are_not_how_many_rounds_are_planned() -> None:
    text = "".join(
        f"Round {n} | local epoch 1/2 | loss 0.{9 - n}\nRound {n} | local epoch 2/2 | loss 0.{8 - n}\n"
        f"Round {n}: test accuracy=7{n}.5%\n"
        for n in (1, 2, 3, 4)
    )
    card = scored(text)
    assert (card["status"], card["run"].get("epochs_planned")) == ("incomplete", None)
    assert card["dimensions"]["accuracy"]["value"] == 74.5


def test_epochs_and_evaluations_of_clients_are_none_of_the_federation() -> None:
    text = "".join(
        "".join(
            f"Client{c} Train => Local Epoch: 0 \tAcc: 6{c}.5 \tLoss: 1.2\n"
            f"Client{c} Test => \tLoss: 1.7 \tAcc: {30 + 20 * n + c}.0\n"
            for c in (1, 4, 2, 3)
        )
        + f"Train: Round {n}, Avg Accuracy 7{n}.1 | Avg Loss 0.49\n"
        f"Test:  Round {n}, Avg Accuracy 6{n}.6 | Avg Loss 0.68\n"
        for n in (0, 1, 2)
    )
    card = scored(text + "Training and Evaluation completed!\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    assert (accuracy["value"], accuracy["best"]) == (62.6, 62.6)
