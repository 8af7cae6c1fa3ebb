"""Computes the scorecard: six dimensions of one run, from the state of the folds.

A card depends on the log's bytes, the telemetry, the settings and whether the input has ended, and
on no clock or machine. Before the freeze it is provisional, as the state of each dimension says.
"""

from collections.abc import Mapping
from typing import Any

from sixdim.metrics.card.checks import cautions, same_bytes
from sixdim.metrics.card.contradictions import beyond_plan, faster_end_to_end, met_after_the_end
from sixdim.metrics.card.detection import detection_json, lines_left_out
from sixdim.metrics.card.status import status, unfinished
from sixdim.metrics.dimensions.accuracy import accuracy, history
from sixdim.metrics.dimensions.accuracy_metric import accuracy_metric
from sixdim.metrics.dimensions.clock_coverage import evenly_apart, gapless
from sixdim.metrics.dimensions.end_to_end import end_to_end
from sixdim.metrics.dimensions.linearity import linearity
from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.dimensions.stability import stability
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry, telemetry_figures
from sixdim.metrics.dimensions.times import TIMESTAMPS, Time, run_time, time_to_train
from sixdim.metrics.fold.runs.endings import plan_done
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Card, Caution, Dimension, Json, State, finite
from sixdim.metrics.values.settings import Reference, Settings
from sixdim.parsers.detection import Detection

_MOST_LISTED = 8


def score(
    fold: LogFold,
    run: Run,
    settings: Settings,
    telemetry: Telemetry,
    detection: Detection | None,
    provenance: Mapping[str, Any],
) -> Card:
    """Computes the card of one of the fold's runs as of now.

    The detection is None before a format is chosen; see `Card.provenance` for the last argument.
    """
    facts = Facts(run, settings)
    time = run_time(run)
    good = accuracy(run)
    card = Card(
        status=status(run, facts),
        run=_run(run, facts, detection),
        target=_target(run),
        dimensions={"speed": speed(run, settings, facts), "accuracy": good},
        end_to_end=end_to_end(run, facts, time),
        run_end=_run_end(run, facts, good, time),
        warnings=(),
        provenance=provenance,
    )
    this = Reference.of(provenance["log"], card)  # as others are compared with it
    figures = {
        **card.dimensions,
        "linearity": linearity(settings.scaled or this, settings.baseline, settings.by_node),
        **telemetry_figures(telemetry, run, settings, facts),
        "stability": stability((this, *settings.repeats), run.target is not None),
    }
    whole = card.end_to_end
    beyond = beyond_plan(facts, _trained(run, facts))
    impossible = beyond or faster_end_to_end(run, facts, figures["speed"], whole)
    if impossible is not None:
        whole = whole._replace(value=None, state=State.UNKNOWN, reason=impossible.text)
    if beyond is not None:
        whole = whole._replace(details={**whole.details, "epochs": None})
    contradicting = (impossible, met_after_the_end(run))
    warnings = (
        *lines_left_out(detection),
        *unfinished(run, card.status),
        *cautions(run, facts, fold.count, figures),
        *filter(None, contradicting),
        *_unstarted(run, settings),
        *(Caution("recording", note) for note in telemetry.notes),
        *same_bytes((this, *settings.repeats)),
    )
    return card._replace(dimensions=figures, end_to_end=whole, warnings=warnings)


def _unstarted(run: Run, settings: Settings) -> tuple[Caution, ...]:
    """Warns that no line, or none with a time, is the one that `--start` names."""
    if not settings.start_line or not run.is_over:
        return ()
    begin = f"times begin at {run.clock.start.what}"
    if run.clock.line is None:
        return (Caution("no_start", f"no line of the run holds {settings.start_line!r}: {begin}"),)
    if run.clock.line.time_us is None:
        text = f"the line that starts the clock has no time: {begin}"
        return (Caution("no_start", text, (run.clock.line.line,), 1),)
    return ()


def _run(run: Run, facts: Facts, detection: Detection | None) -> dict[str, Json]:
    values, sources = facts.known()
    out: dict[str, Json] = {
        "format": detection.name if detection else "",
        "detection": detection_json(detection),
        "unit": run.unit,
        "scope": str(run.scope),
        "devices": values.pop("devices", None),
        "epochs": _epochs(run, facts, frozen=True),
        "samples_per_epoch": values.pop("samples_per_epoch", None),
    }
    out.update(values)
    out["sources"] = dict(sources)
    return out


def _epochs(run: Run, facts: Facts, *, frozen: bool = False) -> int | None:
    """Returns how many epochs are over, as `_trained`; None where the plan has fewer."""
    count = _trained(run, facts, frozen=frozen)
    return None if beyond_plan(facts, count) else count


def _trained(run: Run, facts: Facts, *, frozen: bool = False) -> int | None:
    """Returns how many epochs are over; None where the log names none, or some are missing.

    Where no line of training names an epoch, or not all of them, the closing line may say how many
    there were. In a log without lines of training its evaluations give it, unless they count
    steps, too.
    """
    stated = run.end.epochs if run.end is not None else None
    if not run.has_epochs and stated is not None and stated.is_integer():
        return int(stated)
    evaluated = run.evaluated(run.freeze.size if frozen else None)
    if evaluated is not None or not run.epochs:
        return evaluated
    over = [label for label in run.completed(frozen) if label or run.names_zero]
    if stated is not None and stated.is_integer() and not run.frozen and len(over) < stated:
        return int(stated)
    if not run.has_epochs:
        return None
    named = over
    if over and not run.frozen:
        named = [label for label in run.epochs if label >= over[0]]
    if over and not gapless(named):
        planned = facts.count("epochs_planned")
        return planned if evenly_apart(over) and plan_done(run, facts) else None
    return len(over) if stated is None else min(len(over), int(stated))


def _target(run: Run) -> dict[str, Json] | None:
    if run.target is None:
        return None
    out: dict[str, Json] = {"condition": str(run.target), "source": run.target.source}
    met = run.freeze.met
    if met is not None:
        time = time_to_train(run)
        out["epoch"] = run.epoch_of(met)
        out["value"] = finite(met.value(run.target.metric))
        out["time_to_train_s"] = None if met_after_the_end(run) else finite(time.seconds)
        out["clock"] = time.clock
        if time.clock == TIMESTAMPS:
            out["start"] = run.clock.start.what
        if len(run.target.conditions) > 1:
            out["values"] = {c.metric: finite(met.value(c.metric)) for c in run.target.conditions}
        out["line"] = met.line
    return out


def _run_end(run: Run, facts: Facts, accuracy: Dimension, time: Time) -> dict[str, Json] | None:
    if not run.is_over:
        return None
    metric = accuracy_metric(run)
    last, best = accuracy.value, accuracy.details.get("best")
    if run.frozen:  # the accuracy is of an evaluation before the last
        seen = history(run, metric, frozen=False)
        assert seen is not None
        last, best = finite(seen.last.value(metric)), finite(seen.best)
    out: dict[str, Json] = {
        "run_time_s": finite(time.seconds),
        "clock": time.clock,
        **({"start": run.clock.start.what} if time.clock == TIMESTAMPS else {}),
        "epochs": _epochs(run, facts),
        "last": last,
        "best": best,
    }
    if run.summary:
        out["summary"] = {
            name: finite(metric.value) for name, (metric, _line) in sorted(run.summary.items())
        }
    after = [
        {"model": e.model, "metric": metric, "value": finite(e.value(metric)), "line": e.line}
        for e in run.after[-_MOST_LISTED:]
        if metric in e.places
    ]
    if after:
        out["after_training"] = list(after)
    return out
