"""Speed by a protocol that reads records, as the speed dimension of a card."""

from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import method_of
from sixdim.metrics.dimensions.times import run_time
from sixdim.metrics.fold.checks.interleaving import INTERLEAVED
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.protocols.scale import fact, scale_of
from sixdim.metrics.protocols.window_result import WindowResult, of_epochs, take, whole_run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State, finite, unknown
from sixdim.metrics.values.print_rule import as_printed
from sixdim.metrics.values.protocol import Protocol, Records, Reduce
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Scope


def record_speed(run: Run, settings: Settings, facts: Facts) -> Dimension:
    """Returns the speed dimension, computed from the records of the run."""
    protocol = settings.protocol
    name, result, unit, scope = _result(run, protocol, facts)
    scale = scale_of(protocol, facts)
    details: dict[str, Json] = {
        "protocol": protocol.name,
        "scope": _scope(protocol, scope),
        "window": [],
        "dropped": [],
        "source": protocol.source,
        "rule": protocol.sentence(),
        "metric": name,
        "records": result.found,
        "skipped": result.skipped,
        "kept": result.used,
        "trimmed": result.trimmed,
    }
    if result.nonfinite:
        details["nonfinite"] = result.nonfinite
    if scale.text:
        details["scale"] = scale.text
    unit = protocol.unit or unit or "samples/s"
    over = run.is_final
    if result.value is None:
        return unknown(result.reason, unit, details, over=over)
    if scale.factor is None:
        details["unscaled"] = finite(result.value)
        return unknown(scale.reason, unit, details)
    value = finite(result.value * scale.factor)
    if value is None:
        return unknown("the records give no finite figure", unit, details)
    details["printed"] = as_printed(value, protocol.prints)
    devices = facts.count("devices")
    if details["scope"] == Scope.DEVICE and devices:
        details["job"] = value * devices
    fixed = result.full and (over or _fixed(protocol))
    state = State.FINAL if fixed else State.SHORT if over else State.RUNNING
    lines = tuple(dict.fromkeys(result.lines))
    evidence = Evidence(lines, result.used if lines and result.used > len(lines) else 0)
    return Dimension(value, unit, state, result.reason, details, evidence)


def _result(run: Run, protocol: Protocol, facts: Facts) -> tuple[str, WindowResult, str, str]:
    """Returns (metric, result, unit, scope) of the run's records."""
    if run.interleaved is not None and protocol.records is not Records.SUMMARY:
        refused = WindowResult(None, 0, reason=INTERLEAVED)
        return protocol.metrics()[0], refused, protocol.unit, ""
    if protocol.records is Records.RUN:
        if run.end is not None and run.end.status != "finished":
            line = run.end.at.line
            aborted = WindowResult(
                None, 0, lines=(line,), reason=f"line {line}: the run {run.end.status}"
            )
            return "run_time", aborted, "s", "job"
        return "run_time", whole_run(run_time(run).seconds, _time_lines(run)), "s", "job"
    if protocol.records is Records.EPOCH and protocol.metric == "throughput":
        sizes = Sizes.of(facts)
        method = method_of(run, sizes)
        speeds = method.throughputs(run.rated(), sizes)
        values = [(value, epoch.label, method.lines(epoch)[-1]) for epoch, value in speeds]
        return "throughput", of_epochs(values, protocol), run.unit, str(run.scope)
    several = (facts.count("devices") or 1) > 1
    name, track = run.records.chosen(protocol.job_metric if several else "")
    scope = track.scope
    if name == "throughput" and scope == Scope.UNKNOWN:
        scope = str(run.scope)  # as the log's other lines have it
    until, met = None, run.freeze.met
    if met is not None and protocol.records is not Records.SUMMARY:
        until = track.until(met.line)
    devices = 1
    if protocol.per_rank:
        known = fact("devices", facts)
        if known is None:
            reason = "how many devices print a line each is unknown: --devices N"
            return name, WindowResult(None, len(track), reason=reason), track.unit, scope
        devices = known
    return name, take(track, protocol, until, devices), track.unit, scope


def _time_lines(run: Run) -> tuple[int, ...]:
    """Returns the evidence of a run's time: its closing line, else its first and last line."""
    if run.end is not None:
        return (run.end.at.line,)
    if run.current is None:
        return ()
    ends = run.epochs.among({next(iter(run.epochs)), run.current})
    return (ends[0].first_line, ends[-1].last_line)


def _scope(protocol: Protocol, scope: str) -> str:
    """Returns the scope of the scaled figure."""
    if protocol.is_time:
        return str(Scope.JOB)
    if protocol.scale and any(isinstance(part, str) for part in protocol.scale):
        return str(Scope.JOB)
    return scope or str(Scope.UNKNOWN)


def _fixed(protocol: Protocol) -> bool:
    """Returns whether further records leave a full window as it is."""
    counted = protocol.take is not None and protocol.take_end is None and not protocol.skip_end
    return counted and protocol.records is not Records.RUN and protocol.reduce is not Reduce.LAST
