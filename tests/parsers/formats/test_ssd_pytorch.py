"""ssd.pytorch."""

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
