"""Rows of a format's class body whose lines have figures: of an evaluation, an epoch, a run."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric, Scope, Summary
from sixdim.parsers.grammar.shapes.figures import as_whole, figures
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.rows import Rows, Shapes, row
from sixdim.parsers.text.lines import Line, label

Names: TypeAlias = Mapping[str, tuple[str, str]]
"""The log's names of figures, and for each the canonical name and the unit."""
_PLACE = ("epoch", "step", "epochs")
_PASS = ("throughput", "train_time", "epoch_time")


def evaluation(
    shapes: Shapes,
    weight: float,
    what: str = "evaluation",
    *,
    unit: str = "",
    names: Names | None = None,
    skip: Collection[str] = (),
    strip: str = "",
    lower: Collection[str] = (),
    timed: bool = False,
    **parts: Any,
) -> Rows:
    """States a line with the figures of an evaluation: its fields, or its pairs if it has pairs.

    The evaluation belongs to the epoch and the step in the fields `epoch` and `step`, else to
    those of the last progress line. A line without figures has no event. A field `figure` has the
    name of the figure whose number is the field `value`, a field `data` the evaluated data. The
    field `epochs`, here and in `epoch_end`, is the number of planned epochs.

    Args:
        shapes: How the line looks.
        weight: See `Statement`.
        what: What the line is.
        unit: Unit of all figures that have none of their own, except a loss.
        names: As for `figures`, like `skip` and `strip`.
        skip: Names that are no figures.
        strip: Prefix removed from names without a canonical one.
        lower: Names of figures of which less is better, besides losses and errors.
        timed: Whether the next progress line's time includes it: see `EvaluatedBetween`.
        parts: Further parts of the `Evaluation`.
    """
    figures_of = _figures(unit, names, (*_PLACE, "data", *skip), strip, lower)

    def evaluated(reader: Any, line: Line, fields: Fields) -> Events:
        metrics = figures_of(fields)
        if metrics:
            epoch, step = as_whole(fields.get("epoch")), as_whole(fields.get("step"))
            if epoch is None and step is None:
                epoch, step = reader.epoch, reader.step if reader.epoch is None else None
            if timed:
                reader.evaluated()
            over = Evaluation(line.origin(), metrics, epoch, step, **parts)
            if "data" in fields:
                over = over._replace(data=label(fields["data"], 40))
            return (*_planned(reader, line, fields), over)
        return ()

    return row(shapes, evaluated, weight, what)


def epoch_end(
    shapes: Shapes,
    weight: float,
    what: str = "epoch",
    *,
    unit: str = "",
    scope: Scope = Scope.UNKNOWN,
    names: Names | None = None,
    skip: Collection[str] = (),
    lower: Collection[str] = (),
) -> Rows:
    """States a line that ends an epoch; without a label it is the one just trained.

    The fields `throughput`, `train_time` and `epoch_time` are parts of the `EpochEnd`. `unit` and
    `scope` belong to the throughput, the others are as for `evaluation`.
    """
    figures_of = _figures("", names, (*_PLACE, *_PASS, *skip), lower=lower)

    def ended(reader: Any, line: Line, fields: Fields) -> Events:
        rated = "throughput" in fields
        over = EpochEnd(
            line.origin(),
            as_whole(fields.get("epoch")),
            fields.get("throughput"),
            unit if rated else "",
            scope if rated else Scope.UNKNOWN,
            fields.get("train_time"),
            fields.get("epoch_time"),
            figures_of(fields),
        )
        return (*_planned(reader, line, fields), over)

    return row(shapes, ended, weight, what)


def summary(
    shapes: Shapes,
    weight: float,
    what: str = "summary",
    *,
    unit: str = "",
    names: Names | None = None,
    skip: Collection[str] = (),
) -> Rows:
    """States a line of figures that the log computed about itself, as for `evaluation`."""
    figures_of = _figures(unit, names, (*_PLACE, *skip))

    def summarised(_reader: Any, line: Line, fields: Fields) -> Events:
        return (Summary(line.origin(), figures_of(fields)),)

    return row(shapes, summarised, weight, what)


def _figures(
    unit: str,
    names: Names | None,
    skip: Collection[str],
    strip: str = "",
    lower: Collection[str] = (),
) -> Callable[[Fields], tuple[Metric, ...]]:
    """Returns a function that finds the figures among a line's fields."""
    skip = frozenset(skip)

    def figures_of(fields: Fields) -> tuple[Metric, ...]:
        if skip.issuperset(fields):
            return ()
        values: Mapping[str, object] = fields.get("pairs", fields)
        if "figure" in fields:
            values = {fields["figure"]: fields["value"]}
        metrics = figures(values, skip, names=names, strip=strip)
        if lower:
            metrics = tuple([Metric(n, v, of, up and n not in lower) for n, v, of, up in metrics])
        if not unit:
            return metrics
        return tuple([m if m.unit or m.name == "loss" else m._replace(unit=unit) for m in metrics])

    return figures_of


def _planned(reader: Any, line: Line, fields: Fields) -> Events:
    if "epochs" not in fields:
        return ()
    return tuple(reader.report(line.origin(), "epochs_planned", fields["epochs"]))
