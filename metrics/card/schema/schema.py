"""The JSON Schema of a card: what its readers may rely on."""

from sixdim.metrics.card.schema.figure_schema import figure
from sixdim.metrics.card.schema.property import (
    METRIC_UNIT,
    Schema,
    by_name,
    flag,
    label,
    line,
    listed,
    number,
    or_null,
    record,
    text,
    whole,
)
from sixdim.metrics.values.card import DIMENSIONS, SCHEMA, Status

ID = f"urn:{SCHEMA.replace('/', ':')}"
"""The schema's name. It is no address: nothing is fetched from it."""
POLICY = (
    "One run in six dimensions. Within this version, later releases only add: new properties, new "
    "kinds of warnings. A reader ignores the properties that it does not know. A property that is "
    "removed, renamed, given another meaning, unit or type, and a new word among those of an enum, "
    "raise the number at the end of `schema`. Older versions stay readable by sixdim. Numbers are "
    "exact; `x-unit` is their unit. Unknown is null with a reason, never 0."
)
_CONFIDENCE = number("How sure that is.", "1", minimum=0, maximum=1)
_FOUND: dict[str, Schema] = {
    "confidence": _CONFIDENCE,
    "reasons": listed("The kinds of lines that it recognised.", text("Number and kind of lines.")),
    "lines": whole("Lines that the format knows, among those looked at."),
    "first_line": whole("First of those lines.", "line"),
}
_DETECTION = record(
    "How the format was found.",
    "forced",
    forced=flag("Whether it was named by a person instead."),
    provisional=flag("Present and true while another format may still turn out to be the log's."),
    **_FOUND,
    looked=whole("Lines that the format does not know and that were tried as other formats."),
    beside=listed(
        "Other formats with lines in the same log, whose figures are left out.",
        record("One of them.", "format", *_FOUND, format=text("Its name."), **_FOUND),
    ),
)
_EPOCHS = or_null(
    whole("Epochs that are over; null for a run counted in steps, or where labels are missing.")
)
_RUN = record(
    "What was trained, and how.",
    *("format", "unit", "scope", "devices", "epochs", "sources"),
    format=text("Name of the log's format (`sixdim formats`); empty where none is known."),
    detection=or_null(_DETECTION),
    unit=text("Unit of the throughputs that the log prints; may be empty.", examples=["img/s"]),
    scope={
        "enum": ["job", "per device", "unknown"],
        "description": "Whose throughput the log prints.",
    },
    devices=or_null(whole("Devices of the job.", minimum=1)),
    epochs=_EPOCHS,
    samples_per_epoch=or_null(whole("Samples of an epoch.", "samples", minimum=1)),
    framework=text("The framework.", examples=["PyTorch"]),
    model=text("The model, as the log or its name says.", examples=["resnet50"]),
    precision=text("The arithmetic.", examples=["fp16"]),
    nodes=whole("Nodes of the job.", minimum=1),
    batch_per_device=number("Batch size of one device.", "samples"),
    global_batch=number("Batch size of the job.", "samples"),
    epochs_planned=number("Epochs that the run means to train.", "1"),
    steps_planned=number("Steps that the run means to train.", "1"),
    sources=by_name(
        "Where each of these facts is from.",
        text("`flag`, `log line N` or `name` (of the file or folder)."),
    ),
)
_TARGET = record(
    "The target; null where there is none. Once it is met, when and with which value.",
    *("condition", "source"),
    condition=text("The condition.", examples=["acc1>75.9"]),
    source=text("`log`, or the flag that gave it."),
    epoch=or_null(label("Epoch of the evaluation that met it; null for a run in steps.")),
    value=or_null(number("Value that met it.", METRIC_UNIT)),
    values=by_name(
        "Value of each metric, where the condition names several.",
        or_null(number("Of one metric.", METRIC_UNIT)),
    ),
    time_to_train_s=or_null(number("Time until then; null where the log carries no time.", "s")),
    clock=text("Where that time is from.", examples=["log timestamps"]),
    start=text("Where it begins.", examples=["the first iteration"]),
    line=line("Line of that evaluation."),
)
_RUN_END = record(
    "What was known when the log ended; null before.",
    *("run_time_s", "clock", "epochs", "last", "best"),
    run_time_s=or_null(number("Time of the whole training.", "s")),
    clock=text("Where that time is from, or why there is none."),
    start=text("Where it begins."),
    epochs=_EPOCHS,
    last=or_null(number("Last value of the accuracy metric.", METRIC_UNIT)),
    best=or_null(number("Its best value.", METRIC_UNIT)),
    summary=by_name(
        "Figures that the log computed about itself, under its own names.",
        or_null(number("As printed.", "as printed")),
    ),
    after_training=listed(
        "Evaluations after the training was over: they decide nothing.",
        record(
            "One of them.",
            model=text("`raw`, `averaged`, …."),
            metric=text("Name of the metric."),
            value=or_null(number("Its value.", METRIC_UNIT)),
            line=line("Its line."),
        ),
    ),
)
_LINES = listed(
    "Line numbers, or the first and last of many; then `count` is larger.", line("A line number.")
)
_EVIDENCE = record(
    "The lines of one figure.",
    "lines",
    lines=_LINES,
    count=whole("How many lines there are in all, where not all are listed."),
)
_WARNING = record(
    "Something that looks wrong: stated, never silently corrected.",
    *("kind", "text", "lines"),
    kind=text("Identifier.", examples=["nan_loss"]),
    text=text("One sentence."),
    lines=_LINES,
    count=whole("How many lines there are in all, where not all are listed."),
)
_PROVENANCE = record(
    "Which bytes the card was computed from, and by which version.",
    sixdim=text("Version of sixdim.", examples=["0.1.0"]),
    log=text("Base name of the log."),
    sha256=text("Hash of exactly the bytes that were read.", pattern="^[0-9a-f]{64}$"),
    bytes=whole("How many bytes.", "B"),
    ended=flag("Whether the log was read to its end."),
)


def card_schema() -> Schema:
    """Returns the schema of one card (several cards are an array of them)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "sixdim scorecard",
        **record(
            POLICY,
            *("schema", "status", "run", "target", "dimensions", "end_to_end", "run_end"),
            *("evidence", "warnings", "provenance"),
            schema={"const": SCHEMA, "description": "Name and version of this schema."},
            status={
                "enum": [str(status) for status in Status],
                "description": "Where the run stands. `converged`: it met its target, and its "
                "figures are frozen. `finished`: its closing line was read. `incomplete`: the log "
                "ended, and nothing in it says that the run did.",
            },
            run=_RUN,
            target=or_null(_TARGET),
            dimensions=record(
                "The six figures.",
                **{name: figure(name) for name in DIMENSIONS},
            ),
            end_to_end=figure("end_to_end"),
            run_end=or_null(_RUN_END),
            evidence=by_name("The lines that each figure rests on.", _EVIDENCE),
            warnings=listed("What looks wrong, with lines.", _WARNING),
            provenance=_PROVENANCE,
        ),
    }
