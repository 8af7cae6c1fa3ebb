"""Speed: the per-epoch throughput of the stable window, trimmed and averaged.

Source: DeepSpark `six_dimension_howto.md`: five epochs of stable training, without the
highest and the lowest, mean of the other three.
"""

import math
import re
from collections.abc import Iterable, Sequence

from sixdim.metrics.dimensions.speed.epoch_figures import (
    evaluation_share,
    is_coarse,
    iteration_seconds,
    whole_seconds,
)
from sixdim.metrics.dimensions.speed.speed_window import Window, by_label, planned_end, speed_window
from sixdim.metrics.fold.checks.interleaving import INTERLEAVED
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.utilisation import utilisation
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State
from sixdim.metrics.values.protocol import DEEPSPARK, EXAMPLE, reduce_window
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Scope

_CLOSING_RATE = re.compile(r"(?!\w*(?:val|steps))[\w.]{0,40}(?:per_second|ips|throughput)")

_MIXED = (
    "the steps begin again, no line names an epoch, and the speeds or the totals differ: "
    "they may be of several trainings, or of evaluations"
)


def speed(run: Run, settings: Settings, facts: Facts) -> Dimension:
    """Returns the speed dimension."""
    if not by_label(settings):
        from sixdim.metrics.dimensions.speed.record_speed import record_speed

        figure = record_speed(run, settings, facts)
        return _with_utilisation(figure, run.epochs.values(), settings, facts)
    window = speed_window(run, settings)
    if (whole := _of_the_run(run, settings, window)) is not None:
        return whole
    end, named = planned_end(run, facts), settings.window is not None
    state, reason = _state(run, window, end, named=named)
    coarse = [*filter(window.method.coarse, window.epochs)]
    if coarse:
        state = State.SHORT if state is State.FINAL else state
        reason = "; ".join(filter(None, (reason, _uncertainty(coarse))))
    method, labels = window.method, window.labels()
    details: dict[str, Json] = {
        "protocol": settings.protocol.name,
        "scope": str(_scope(run, window)),
        "window": [] if run.stepwise else labels,
        "values": list(window.values),
        "dropped": window.dropped(),
    }
    if run.stepwise:
        details["window_iterations"] = run.windows.size
    elif not window.full:
        details["wanted"] = [window.wanted[0], window.wanted[-1]]
    unit = run.unit
    if window.epochs and not method.printed:
        of_means = not method.since_start and window.epochs[0].means is not None
        details["derived"] = method.how + (", of means since the start" if of_means else "")
        unit = method.unit or run.unit
    if window.reduced is None:
        return Dimension(None, unit, state, reason, details)
    details.update(_further_figures(run, settings, facts, window))
    lines = tuple(line for epoch in window.epochs for line in method.lines(epoch))
    figure = Dimension(window.reduced.value, unit, state, reason, details, Evidence(lines))
    return _with_utilisation(figure, window.epochs, settings, facts)


def stated_by_closing_line(run: Run, window: Window) -> bool:
    """Returns whether the speed is the rate of the whole run that the closing line states.

    It is not if epochs have a better rate. Iterations per second, all that a bar gives, are none.
    """
    stated = run.end is not None and run.end.throughput is not None
    known = window.reduced is not None and window.method.unit != "it/s"
    return stated and not known and not run.frozen


def _of_the_run(run: Run, settings: Settings, window: Window) -> Dimension | None:
    """Returns the rate of the whole run that the closing line states, if that is the speed."""
    end = run.end
    if end is None or not stated_by_closing_line(run, window):
        return None
    details: dict[str, Json] = {
        "protocol": settings.protocol.name,
        "scope": str(end.scope),
        "window": [],
        "values": [],
        "dropped": [],
        "stated": "closing line",
    }
    reason = "of the whole run, evaluations included"
    line = Evidence((end.at.line,))
    return Dimension(end.throughput, end.unit, State.SHORT, reason, details, line)


def _with_utilisation(
    figure: Dimension, epochs: Iterable[Epoch], settings: Settings, facts: Facts
) -> Dimension:
    """Returns the speed with the model FLOPs utilisation beside it."""
    scope = Scope(figure.details["scope"])
    printed = [epoch.utilisation for epoch in epochs if epoch.utilisation is not None]
    found = utilisation(printed, settings, figure.value, scope, facts.count("devices"))
    return figure._replace(details={**figure.details, **found}) if found else figure


def _scope(run: Run, window: Window) -> Scope:
    """Returns the scope of the speed; one derived from the samples of an epoch is the job's."""
    return Scope.JOB if window.epochs and window.method.unit else run.scope


def _state(run: Run, window: Window, end: float, *, named: bool) -> tuple[State, str]:
    over = run.is_final
    label = f"{window.wanted[0]} to {window.wanted[-1]}"
    if window.reduced is None:
        reason = _why_none(run, window, label, end, named=named)
        return (State.UNKNOWN if over else State.WAITING), reason
    if window.full and not run.stepwise:
        return State.FINAL, ""
    if run.stepwise:
        reason = f"the log has no epochs: over {_of_steps(run, window)}"
        return (State.SHORT if over else State.RUNNING), reason
    labels = window.labels()
    have = f"{'epoch' if len(labels) == 1 else 'epochs'} {_labels(labels)}"
    if not run.completed(frozen=True):
        return State.SHORT, f"no epoch was completed: over the progress lines of {have}"
    if window.fallback:
        return State.SHORT, f"{_lacking(run, window, label)}: over {have}"
    if run.frozen and window.wanted[-1] > run.freeze.over_to:
        return State.SHORT, f"{_lacking(run, window, label)}: over {have}"
    if over:
        return State.SHORT, f"the run ended before epochs {label} were full: over {have}"
    return State.RUNNING, f"over {have} of {label}"


def _why_none(run: Run, window: Window, label: str, end: float, *, named: bool) -> str:
    """Returns why the window gives no speed, or what it waits for."""
    if run.is_final and named and run.epochs:
        return _lacking(run, window, label) + _existing(run)
    if run.interleaved is not None:
        return INTERLEAVED
    if window.mixed:
        return _MIXED
    if window.elsewhere:
        return f"epochs {label} have no throughput, others have: --window A:B"
    if run.is_final:
        return "the log gives no throughput for any whole epoch" + _hint(run)
    return _waiting(run, window, label, end)


def _of_steps(run: Run, window: Window) -> str:
    """Returns what the speed of a run without epochs is that of."""
    first, size = window.epochs[0], run.windows.size
    passed = first.means.passed() if window.method.since_start and first.means is not None else None
    if passed is not None and len(window.epochs) == 1:
        begin = f"lines {passed.first_line} and" if passed.first_line else "line"
        return (
            f"{passed.iterations} iterations, by the means on {begin} {passed.last_line}, "
            f"exact to {100 * passed.uncertain:.2g} %"
        )
    if len(window.epochs) == 1:
        return f"{first.records} of its progress lines"
    return f"{len(window.epochs)} windows of {size} progress lines"


def _uncertainty(coarse: Sequence[Epoch]) -> str:
    """Returns how uncertain a speed is that was computed from epochs of few whole seconds."""
    least = min(filter(None, map(whole_seconds, coarse)))
    return (
        f"the log gives the times of epochs in whole seconds, {least:.0f} s and more: "
        f"the speed is uncertain by {100 / least:.0f} %"
    )


def _waiting(run: Run, window: Window, label: str, end: float) -> str:
    """Returns what an empty window waits for, or why it stays empty."""
    if run.stepwise:
        return "no progress line has given a rate or a time yet"
    over = run.completed()
    if over and over[-1] >= window.wanted[-1]:
        if any(epoch in run.epochs for epoch in window.wanted):
            return f"no throughput was read from epochs {label}"
        return _lacking(run, window, label)
    if end <= window.wanted[0]:
        return f"none of epochs {label} is planned: at the end all epochs count"
    return f"waits for epochs {label}"


def _lacking(run: Run, window: Window, label: str) -> str:
    """Returns why the window is empty, or not full."""
    if run.frozen and window.wanted[-1] > run.freeze.over_to:
        return f"the log meets its target before epochs {label} are over"
    if any(epoch in run.epochs for epoch in window.wanted):
        return f"epochs {label} have no throughput"
    return f"no epoch of {label} in the log"


def _existing(run: Run) -> str:
    """Returns which epochs the log has up to the freeze, as the end of a sentence."""
    labels = [label for label in run.epochs if label <= run.freeze.over_to]
    until = " until then" if run.frozen else ""
    return f"; it has {_labels(labels)}{until}" if labels else ""


def _labels(labels: Sequence[int]) -> str:
    """Returns `0 to 64`, or the first few of labels with gaps."""
    first, last = min(labels), max(labels)
    if last - first + 1 == len(labels) > 2:
        return f"{first} to {last}"
    return ", ".join(map(str, labels[:8])) + (", …" if len(labels) > 8 else "")


def _hint(run: Run) -> str:
    """Returns how to get a throughput: from the log's closing rate, or its epochs' times."""
    name = next((name for name in sorted(run.summary) if _CLOSING_RATE.fullmatch(name)), None)
    if name:
        return f"; its closing line has one: --records summary --metric {name}"
    timed = any(epoch.train_time or epoch.epoch_time for epoch in run.epochs.timed())
    if timed:
        return ", only its time: --samples-per-epoch N"
    clocked = filter(None, (epoch.clocked() for epoch in run.epochs.timed()))
    coarse = any(is_coarse(seconds) for seconds, _ in clocked)
    return ": its clock has whole seconds, too few in such short epochs" if coarse else ""


def _further_figures(run: Run, settings: Settings, facts: Facts, window: Window) -> dict[str, Json]:
    """Returns the figures that belong beside the speed, each under its own name."""
    out: dict[str, Json] = {}
    devices = facts.count("devices")
    reduced = window.reduced
    if reduced is not None and _scope(run, window) is Scope.DEVICE and devices:
        out["job"] = reduced.value * devices
    if settings.protocol == DEEPSPARK and window.full and window.method.printed:
        example = reduce_window(window.values, EXAMPLE)
        if example is not None:
            out["example_arithmetic"] = example.value
    samples = facts.count("samples_per_epoch")
    seconds = [epoch.train_time for epoch in window.epochs if epoch.train_time]
    fractional = "train_time" in run.fractional_times
    exact = len(seconds) == len(window.epochs) and (fractional or not any(map(is_coarse, seconds)))
    if samples and seconds and exact:
        out["wall_clock"] = samples * len(seconds) / math.fsum(seconds)
    left_out = reduced.dropped if reduced is not None else ()
    passed = [
        one
        for i, epoch in enumerate(window.epochs)
        if not window.method.printed and i not in left_out
        if (one := iteration_seconds(epoch)) is not None
    ]
    if passed:
        out["iteration_s"] = math.fsum(passed) / len(passed)
    # Means since the start leave evaluations out.
    share = None if window.method.since_start else evaluation_share(window.epochs)
    if reduced is not None and share is not None:
        out["with_evaluations"] = reduced.value * share
    return out
