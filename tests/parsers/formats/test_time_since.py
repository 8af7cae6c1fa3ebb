"""Loops with `timeSince` of PyTorch's tutorials."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored


def _line(form: str, step: int, total: int, a_second: int) -> str:
    passed, left = step // a_second, (total - step) // a_second
    return form.format(
        since=f"{passed // 60}m {passed % 60}s",
        left=f"{left // 60}m {left % 60}s",
        step=step,
        share=100 * step // total,
        loss=9 - 8 * step / total,
    )


FORMS = (
    "{since} (- {left}) ({step} {share}%) {loss:.4f}",
    "{since} ({step} {share}%) {loss:.4f}",
    "{step} {share}% ({since}) {loss:.4f} Satoshi / Greek ✗ (Japanese)",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("last", "status"), [(7000, "incomplete"), (7500, "finished")])
def test_the_speed_is_by_the_time_since_the_start(form: str, last: int, status: str) -> None:
    """500 iterations in 25 seconds each."""
    lines = [_line(form, step, 7500, 20) for step in range(500, last + 1, 500)]
    text = "Reading lines...\n" + "".join(f"{line}\n" for line in lines)
    assert detected(text) == "time-since"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], card["status"]) == (20.0, "steps/s", status)


def test_times_of_few_seconds_give_no_speed() -> None:
    lines = [_line(FORMS[0], step, 40, 1) for step in range(5, 16, 5)]
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["dimensions"]["speed"]["value"] is None
