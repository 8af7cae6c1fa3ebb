"""ssd.pytorch, and RefineDet.PyTorch, which is made from it."""

from __future__ import annotations

from tests.support.logs import detected, scored


def test_amdegroots_prints_the_time_of_one_iteration() -> None:
    text = "".join(f"iter {n} || Loss: 3.6395 || timer: 0.2500 sec.\n" for n in range(0, 2000, 10))
    assert detected(text) == "ssd"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")


def test_warnings_between_the_loss_and_its_time_leave_the_time_of_the_iteration() -> None:
    lines = ["timer: 16.0 sec."]  # of the first, whose line comes next
    for n in range(0, 600, 10):
        cut = n % 20 == 0  # a worker warned before the next iteration was printed
        head = f"iter {n} || Loss: 3.6395 ||"
        if cut:
            warned = [f"{head} /lib/aug.py:238: Warning: ragged", "  mode = choice()"]
            lines += [*warned, "timer: 0.7500 sec."]
        else:
            lines.append(f"{head} timer: 0.2500 sec.")
    speed = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.0, "it/s")


_LOSSES = "ARM_L Loss: 0.6394 ARM_C Loss: 1.2500 ODM_L Loss: 0.7106 ODM_C Loss: 2.1000 ||"


def test_refinedet_prints_the_time_behind_the_losses_of_the_iteration_before() -> None:
    lines = ["timer: 16.0000 sec."]
    for n in range(0, 2000, 10):
        saved = n % 1000 == 0  # the line of a checkpoint has no time
        lines.append(
            f"iter {n} || {_LOSSES} " + ("Saving state, iter" if saved else "timer: 0.2500 sec.")
        )
        lines += ["timer: 0.2500 sec."] * saved
    assert detected("\n".join(lines)) == "ssd"
    speed = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")


def test_forks_of_refinedet_print_the_time_in_front_of_the_iteration() -> None:
    lines = [
        line
        for n in range(0, 2000, 10)
        for line in (
            f"timer: 0.{5 if n % 20 else 3}000 sec.",
            f"iter {n} || {_LOSSES}",
            "all:2.20 lr:0.00028",
        )
    ]
    speed = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.5, "it/s")
