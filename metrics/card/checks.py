"""Sanity checks: figures that contradict each other give a warning with their lines.

Nothing is corrected.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from sixdim.metrics.card.contradictions import COUNTED, SAMPLES, far_from_clock
from sixdim.metrics.dimensions.accuracy import history, relevant
from sixdim.metrics.dimensions.accuracy_metric import accuracy_metric
from sixdim.metrics.dimensions.speed.epoch_speed import PER_DURATION
from sixdim.metrics.fold.checks.checks_state import above_whole
from sixdim.metrics.fold.checks.interleaving import INTERLEAVED
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.protocols.scale import fact
from sixdim.metrics.values.card import MOST_LINES, Caution, Dimension
from sixdim.metrics.values.settings import Reference
from sixdim.parsers.events import Scope

_SECOND_US = 1_000_000
_NEAR = 0.1
_STEADY = 0.1
_PAIRS = 8
_FAR = 2.0
_RATE = re.compile(
    r"(?:train[._])?(?:total_)?ips|train_throughput|throughput_train|throughput"
    r"|training_sequences_per_second|avg_ips"
)


def cautions(
    run: Run, facts: Facts, runs: int, dimensions: Mapping[str, Dimension]
) -> tuple[Caution, ...]:
    """Returns every warning of a card, in a fixed order."""
    return (
        *_several_runs(run.number, runs),
        *_problems(run),
        *_interleaved(run),
        *_exceptions(run),
        *_accuracy(run),
        *_claim(run),
        *_late_evaluations(run),
        *_status(run),
        *_summary(run, facts),
        *_computed_speed(run, facts, dimensions["speed"]),
        *far_from_clock(run, dimensions["speed"]),
        *_batch(run, facts),
        *_linearity(dimensions["linearity"]),
        *_devices(dimensions["power"], dimensions["memory"]),
    )


def _several_runs(number: int, runs: int) -> Iterator[Caution]:
    if runs > 1:
        yield Caution("several_runs", f"the log holds {runs} runs; this is run {number}")


def _problems(run: Run) -> Iterator[Caution]:
    for kind in sorted(run.problems.counts):
        same = [p for p in run.problems.stored if p.kind == kind]
        text, lines = same[0].text if same else kind, [p.at.line for p in same]
        yield Caution.of_lines(kind, text, lines, run.problems.counts[kind])


def _interleaved(run: Run) -> Iterator[Caution]:
    if run.interleaved is not None:
        yield Caution("interleaved", INTERLEAVED, run.interleaved)


def _exceptions(run: Run) -> Iterator[Caution]:
    """Warns of lines without a throughput, or with a repeated step, if they are exceptions."""
    rated, without, again = run.checks.rated, run.checks.without_rate, run.checks.rated_again
    if without.are_exception_among(rated):
        text = "progress lines without the throughput that the others have: cut short?"
        yield Caution.of_lines("no_throughput", text, without.lines, without.count)
    if again.are_exception_among(rated) and "steps_again" not in run.problems.counts:
        text = "steps that were there before come again, and count twice: resumed?"
        yield Caution.of_lines("steps_again", text, again.lines, again.count)


def _accuracy(run: Run) -> Iterator[Caution]:
    name = accuracy_metric(run)
    above = [
        e.line
        for e in (relevant(run, name) if run.checks.any_above_whole else ())
        for metric in e.metrics
        if above_whole(metric)
    ]
    if above:
        text = "an accuracy above 100 %"
        yield Caution.of_lines("impossible_accuracy", text, above)
    found = history(run, name) if run.target is not None else None
    if run.target is not None and found is not None:
        unit = found.last.metric(name).unit
        value = run.target.conditions[0].value
        if (unit == "%" and 0 < value <= 1) or (unit == "fraction" and value > 1):
            yield Caution(
                "target_unit",
                f"target {run.target} looks like the other unit: the log prints {unit}",
                (found.last.line,),
            )


def _claim(run: Run) -> Iterator[Caution]:
    if run.claim is not None and not run.frozen and run.target is not None:
        yield Caution(
            "claim",
            f"the log claims its target is reached; no evaluation meets {run.target}",
            (run.claim.at.line,),
        )


def _late_evaluations(run: Run) -> Iterator[Caution]:
    """Warns of evaluations after the log's own line that its target is reached."""
    claim = run.claim
    if claim is None:
        return
    stated = run.summary.get("target_quality_time")
    moment = None
    if stated is not None and run.clock.header_us is not None and math.isfinite(stated[0].value):
        moment = run.clock.header_us + stated[0].value * 1e6 + _SECOND_US
    late = [
        line
        for line, time_us in zip(
            run.evaluations.column("at.line"), run.evaluations.column("at.time_us"), strict=True
        )
        if line > claim.at.line or (moment is not None and time_us is not None and time_us > moment)
    ]
    if late:
        text = "evaluations come after the moment at which the log says its target was reached"
        yield Caution.of_lines("late_evaluation", text, late)


def _status(run: Run) -> Iterator[Caution]:
    """Warns of a run whose closing line reports a failure."""
    if run.end is not None and run.end.status != "finished":
        how = "was aborted" if run.end.status == "aborted" else "failed"
        text = f"the log's closing line says that the run {how}"
        yield Caution("run_status", text, (run.end.at.line,))


def _summary(run: Run, facts: Facts) -> Iterator[Caution]:
    """Warns of a closing throughput that is far from those of all progress lines."""
    slowest, fastest = run.checks.slowest, run.checks.fastest
    devices = facts.count("devices") if run.checks.scope is Scope.DEVICE else 1
    if slowest is None or fastest is None or devices is None:
        return
    low, high = slowest[0] * devices, fastest[0] * devices
    for name, (metric, line) in sorted(run.summary.items()):
        if not _RATE.fullmatch(name) or not math.isfinite(metric.value):
            continue
        if not low * (1 - _NEAR) <= metric.value <= high * (1 + _NEAR):
            yield Caution(
                "summary_disagrees",
                f"the log's closing {name} is {metric.value:g}, and its progress lines say "
                f"{low:g} to {high:g}",
                (line, slowest[1], fastest[1]),
            )


def _computed_speed(run: Run, facts: Facts, speed: Dimension) -> Iterator[Caution]:
    """Warns of a speed computed from samples and times that is far from all printed rates."""
    by_rule = "records" in speed.details
    if speed.value is None or speed.unit not in SAMPLES:
        return
    if not by_rule and speed.details.get("derived") != PER_DURATION:
        return
    for source, low, high, lines in _printed_rates(run, facts, speed):
        if low / _FAR <= speed.value <= high * _FAR:
            continue
        what, suspect = ("the rule", "batch") if by_rule else (PER_DURATION, "samples of an epoch")
        text = (
            f"{what} gives {speed.value:g} {speed.unit}, and {source} of the log {low:g} to "
            f"{high:g}: {suspect} not what they are said to be, or time that these leave out"
        )
        yield Caution("rates_disagree", text, lines)
        return


def _printed_rates(
    run: Run, facts: Facts, speed: Dimension
) -> Iterator[tuple[str, float, float, tuple[int, ...]]]:
    """Yields (which lines, lowest, highest, line numbers) of the rates that the log prints."""
    seen = run.checks
    if seen.slowest is not None and seen.fastest is not None and seen.unit in SAMPLES:
        of_job = seen.scope is Scope.DEVICE and speed.details["scope"] == Scope.JOB
        devices = facts.count("devices") if of_job else 1
        if devices is not None and seen.scope is not Scope.UNKNOWN:
            low, high = seen.slowest[0] * devices, seen.fastest[0] * devices
            yield "the progress lines", low, high, (seen.slowest[1], seen.fastest[1])
    stated = run.summary.get("throughput")
    if stated is not None and stated[0].unit in SAMPLES and math.isfinite(stated[0].value):
        yield "the closing line", stated[0].value, stated[0].value, (stated[1],)


def _batch(run: Run, facts: Facts) -> Iterator[Caution]:
    """Warns of a batch that differs from throughput x time between lines / iterations there."""
    seen = run.checks
    scope = seen.scope if seen.scope is not Scope.UNKNOWN else run.scope
    known = fact("batch" if scope is Scope.DEVICE else "global_batch", facts)
    if (
        scope is Scope.UNKNOWN
        or known is None
        or seen.pairs.lines is None
        or len(seen.pairs.samples) < _PAIRS
    ):
        return
    if seen.unit not in COUNTED:  # a batch of sentences has many tokens, or is accumulated
        return
    ordered = sorted(seen.pairs.samples)
    count = len(ordered)
    middle, low, high = ordered[count // 2], ordered[count // 4], ordered[3 * count // 4]
    steady = high - low <= _STEADY * middle
    counts_samples = abs(middle - 1) <= _NEAR
    if steady and not counts_samples and abs(middle / known - 1) > _NEAR:
        whose = "a device" if scope is Scope.DEVICE else "the job"
        yield Caution(
            "batch_disagrees",
            f"throughput x time between lines gives {middle:.0f} samples an iteration, and the "
            f"batch of {whose} is {known}: devices or batch are not what they are said to be",
            seen.pairs.lines,
            count,
        )


def same_bytes(runs: Sequence[Reference]) -> Iterator[Caution]:
    """Yields a warning for runs that should be independent and are the same run of the same log."""
    named: dict[tuple[object, ...], list[str]] = {}
    for run in runs:
        if (same := run.same_run()) is not None:
            named.setdefault(same, []).append(run.name)
    for names in named.values():
        if len(names) > 1:
            text = f"byte-identical logs count as one run: {', '.join(names[:MOST_LINES])}"
            yield Caution("identical_runs", text)


def _linearity(figure: Dimension) -> Iterator[Caution]:
    if figure.value is not None and figure.value > 1:
        yield Caution(
            "super_linear",
            "a scaling efficiency above 1: compare batch sizes, precision and warm-up of both runs",
        )


def _devices(power: Dimension, memory: Dimension) -> Iterator[Caution]:
    """Warns of devices that other runs use, too, and of devices whose clocks a fault held down."""
    if shared := memory.details.get("shared"):
        gpus = ", ".join(map(str, shared))
        text = f"other processes compute on GPU {gpus}, too: its power and memory include theirs"
        yield Caution("shared_device", text)
    for fault in power.details.get("faults", ()):
        often = f"{fault['count']} of {fault['readings']} readings"
        text = f"GPU {fault['device']} was held down in {often}: {fault['reason']}"
        yield Caution("device_fault", text)
