"""The time that the log's clock shows between the steps of one epoch."""

from __future__ import annotations

YEARLESS_US = 10 * 365 * 86_400 * 1_000_000
"""Clocks without a year are read as of 1970."""
_PAUSES = 2.0
"""Factor to the usual time of iterations above which more than training took the time."""


def of_one_kind(one_us: int, other_us: int) -> bool:
    """Returns whether two clocks can be compared: both have a year, or neither has one."""
    return (one_us < YEARLESS_US) is (other_us < YEARLESS_US)


class StepClock:
    """What an epoch knows of the log's clock at its lines.

    Attributes:
        start_us: Log clock at the first progress line.
        end_us: Log clock at the last line that has one.
        step: Last step.
        clock_us: Log clock at the first line since the last evaluation.
        clock_step: Step of that line.
        clocked_us: Microseconds between lines before it, without those across an evaluation.
        clocked_steps: Iterations in that time.
        paused: Log clock and step of the last line that has both, where others followed it.
        is_left: Whether no time is taken from the clock until the next evaluation.
    """

    start_us: int | None = None
    end_us: int | None = None
    step: int | None = None
    clock_us: int | None = None
    clock_step: int | None = None
    clocked_us: int = 0
    clocked_steps: int = 0
    paused: tuple[int, int] | None = None
    is_left: bool = False

    def clocked(self) -> tuple[float, int] | None:
        """Returns seconds of the log's clock between progress lines, and the iterations in them.

        The time between two lines with an evaluation between them does not count.

        Returns:
            None where the lines carry no clock or no steps.
        """
        us, steps = self._since_evaluation()
        us, steps = self.clocked_us + us, self.clocked_steps + steps
        return (us / 1e6, steps) if us > 0 and steps > 0 else None

    @property
    def span_s(self) -> float | None:
        """Seconds from the first line to the last by the log's clock; None if no time passes."""
        begin_us, end_us = self.start_us, self.end_us
        if begin_us is None or end_us is None or end_us <= begin_us:
            return None
        return (end_us - begin_us) / 1e6

    @property
    def is_stopped(self) -> bool:
        """Whether an evaluation follows its lines, none of which comes before another one."""
        return self.clock_us is None and self.start_us is not None and not self.clocked_us

    def start_clock(self, time_us: int, step: int | None) -> None:
        """Counts the time from a line on, if that has a step."""
        if self.start_us is None:
            self.start_us = time_us
        if not self.is_left:
            self.clock_us, self.clock_step = time_us, step

    def stop_clock(self) -> None:
        """Adds the time since the last evaluation to the sums."""
        us, steps = self._since_evaluation()
        self.clocked_us += us
        self.clocked_steps += steps
        self.clock_us = self.clock_step = self.paused = None
        self.is_left = False

    def _since_evaluation(self) -> tuple[int, int]:
        """Returns microseconds and iterations since the last evaluation, where they are known."""
        begin_us, begin_step = self.clock_us, self.clock_step
        if begin_us is None or begin_step is None:
            return 0, 0
        end_us, step = self._last_clocked()
        return (end_us - begin_us, step - begin_step) if of_one_kind(begin_us, end_us) else (0, 0)

    def _last_clocked(self) -> tuple[int, int]:
        """Returns log clock and step of the last line that has both."""
        return self.paused or (self.end_us or 0, self.step or 0)

    def _pause_clock(self) -> None:
        """Notes the last line with a step and a clock, as one without either follows it."""
        if self.paused is None and self.clock_step is not None and self.step is not None:
            self.paused = self.end_us or 0, self.step

    def resume_clock(self, time_us: int, step: int) -> None:
        """Leaves out the time since the clock paused, where it is that of more than training.

        It is if it is more than twice that of as many iterations before.
        """
        before = self.clocked()
        pause_us, pause_step = self._last_clocked()
        if before is not None:
            usual_us = 1e6 * before[0] / before[1] * (step - pause_step)
            if time_us - pause_us > _PAUSES * usual_us:
                self.stop_clock()
                self.start_clock(time_us, step)
        self.paused = None

    def forget_clock(self) -> None:
        """Removes the time by the log's clock: steps fell back, so it is not that of all steps."""
        self.clock_us, self.clock_step, self.paused = self.end_us, None, None
        self.clocked_us = self.clocked_steps = 0
        self.is_left = True

    def absorb_clock(self, later: StepClock) -> None:
        """Adds the time of the window that follows this one; its last lines may have no step."""
        pause = self._last_clocked() if later.step is None and self.step is not None else None
        if self.clock_step is not None and later.is_stopped and later.step is not None:
            self.end_us, self.step = later.end_us, later.step
            self.stop_clock()
        elif later.clocked_us or self.clock_step is None:
            self.stop_clock()
            self.clock_us, self.clock_step = later.clock_us, later.clock_step
        self.clocked_us += later.clocked_us
        self.clocked_steps += later.clocked_steps
        self.paused = later.paused or pause
