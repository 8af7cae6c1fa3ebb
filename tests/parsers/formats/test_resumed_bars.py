"""A training that is resumed into the same log: its new bar counts what was done before."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.support.logs import iterations, read, scored

TOTAL, EACH = 400, 0.5  # steps, seconds of one


class Bar:
    """tqdm's bar: it smooths its pace over what each drawing added."""

    def __init__(self) -> None:
        self.step = self.seconds = self.added = self.took = self.weight = 0.0

    def at(self, step: int, took: float | None = None) -> str:
        new = step - self.step
        took = took or (EACH if new > 50 else EACH * new)
        self.step, self.seconds = step, self.seconds + took
        self.added = 0.3 * new + 0.7 * self.added
        self.took = 0.3 * took + 0.7 * self.took
        pace = self.added / self.took
        rate = f"{pace:.2f}it/s" if pace >= 1 else f"{1 / pace:.2f}s/it"
        share, whole = 100 * step // TOTAL, int(self.seconds)
        clock = f"{whole // 60:02}:{whole % 60:02}"
        return f"{share:3d}%|█▎        | {step}/{TOTAL} [{clock}<03:20, {rate}]"


def part(first: int, last: int, *, quoted: bool, glued: bool) -> str:
    """The bar and the reports of one part: drawn each second step, a report each tenth."""
    quote = "'" if quoted else ""
    bar, out = Bar(), [f"  0%|          | 0/{TOTAL} [00:00<?, ?it/s]"]
    for step in range(first + 2, last + 1, 2):
        drawn = bar.at(step)
        if step % 10:
            out.append(drawn)
            continue
        report = (
            f"{{'loss': {quote}3.{999 - step}{quote}, 'learning_rate': {quote}1e-05{quote}, "
            f"'epoch': {quote}{step / 100}{quote}}}"
        )
        out += [drawn + report] if glued else [report, drawn]
    return "".join(f"\r{line}\n" if line.startswith("{") else f"\r{line}" for line in out) + "\n"


@pytest.mark.parametrize(("quoted", "glued"), [(True, False), (False, True)])
def test_the_speed_after_a_resume_is_that_of_its_own_steps(quoted: bool, glued: bool) -> None:
    """Killed at step 236, resumed from step 200: two steps a second, before and after."""
    text = part(0, 236, quoted=quoted, glued=glued) + part(200, 400, quoted=quoted, glued=glued)
    found = iterations(read(text, "huggingface"))
    assert max(1 / one.duration for one in found if one.duration) < 2.5
    drawn = [((one.epoch or 1) - 1) * 100 + (one.step or 0) for one in found if one.loss is None]
    assert all(one != before for before, one in pairwise(drawn))  # each once in its part
    assert (min(drawn[-20:]), max(drawn)) == (drawn[-20], 400 if not glued else 398)
    figure = scored(text)["dimensions"]["speed"]
    assert figure["value"] == 2.0
    assert max(figure["values"]) < 2.5


def test_a_resume_after_few_steps_is_known_by_the_header() -> None:
    """12 steps of an earlier run: the first pace is that of 14 steps in 1 s instead of two."""
    header = (
        f"***** Running training *****\n  Total optimization steps = {TOTAL}\n"
        "  Continuing training from global step 12\n"
    )
    bar = Bar()
    drawn = [bar.at(14, took=2 * EACH), *(bar.at(step) for step in range(16, 31, 2))]
    assert [line[-11:] for line in drawn[:2]] == [" 14.00it/s]", ", 6.94it/s]"]
    report = "{'loss': 3.5, 'grad_norm': 1.2, 'learning_rate': 1e-05, 'epoch': 0.3}\n"
    text = header + "".join(f"\r{line}" for line in drawn) + "\n" + report
    durations = [one.duration for one in iterations(read(text, "huggingface")) if one.duration]
    assert durations == [pytest.approx(EACH, rel=0.03)] * 8
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(1 / EACH, rel=0.03)


def test_an_evaluation_bar_between_makes_no_resume() -> None:
    """A bar goes on after one of other steps, as it was."""
    bar, lines = Bar(), [f"  0%|          | 0/{TOTAL} [00:00<?, ?it/s]"]
    for step in range(1, 101):
        lines.append(bar.at(step))
        if step % 20 == 0:
            lines.append(f"{{'loss': 3.{999 - step}, 'epoch': {step / 100}}}\n")
            lines += [
                "  0%|          | 0/8 [00:00<?, ?it/s]",
                " 50%|#    | 4/8 [00:00<00:00, 90it/s]",
            ]
    text = "".join(f"\r{line}" for line in lines) + "\n"
    found = [one.duration for one in iterations(read(text, "huggingface")) if one.duration]
    assert found
    assert set(found) == {0.5}


def test_the_rate_of_a_resumed_runs_closing_report_is_not_the_runs() -> None:
    """Some versions count all samples over the last part's time."""
    text = part(0, 236, quoted=True, glued=False) + part(200, 400, quoted=True, glued=False)
    text += "{'train_runtime': 100.0, 'train_samples_per_second': 64.0, 'epoch': 4.0}\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", 2.0)


def test_each_drawing_after_a_resume_but_the_first_has_the_time_of_its_steps() -> None:
    """The first one adds 202 steps at once; the next 19 add two of 0.5 s each."""
    text = part(0, 236, quoted=True, glued=False) + part(200, 240, quoted=True, glued=False)
    after = [one for one in iterations(read(text, "huggingface")) if one.at.line > 24]
    drawn = [one.duration for one in after if one.loss is None and (one.step or 0) <= 40]
    timed = [seconds for seconds in drawn if seconds is not None]
    assert len(timed) >= len(drawn) - 1
    assert timed == pytest.approx([EACH] * len(timed), rel=0.1)
