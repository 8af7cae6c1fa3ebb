"""What each figure of a card may have beside its value, unit, state and reason."""

from collections.abc import Mapping

from sixdim.metrics.card.schema.property import (
    FIGURE_UNIT,
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
from sixdim.metrics.values.card import Json, State

_SPEED: dict[str, Schema] = {
    "protocol": text("The throughput protocol (`sixdim protocols`).", examples=["deepspark"]),
    "scope": text("Whose throughput it is: `job`, `per device` or `unknown`.", examples=["job"]),
    "window": listed("Labels of the epochs it is over.", label("An epoch's label.")),
    "values": listed(
        "Throughput of each epoch of the window; null while it is waited for.",
        or_null(number("Of one epoch.", FIGURE_UNIT)),
    ),
    "dropped": listed("Labels of the epochs that trimming leaves out.", label("An epoch's label.")),
    "wanted": listed(
        "First and last label of the window that the protocol asks for, where it is not full.",
        label("An epoch's label."),
    ),
    "derived": text("How it was computed where the log prints no throughput for its epochs."),
    "stated": text("Where the log itself states it, e.g. `closing line`."),
    "window_iterations": whole(
        "Progress lines in one window of a run without epochs.", examples=[1024]
    ),
    "example_arithmetic": number(
        "By the arithmetic of DeepSpark's example: each epoch cut to an integer first.",
        FIGURE_UNIT,
    ),
    "wall_clock": number("Samples / printed seconds of the epochs' training passes.", FIGURE_UNIT),
    "iteration_s": number("Mean seconds of an iteration, where the speed rests on it.", "s"),
    "with_evaluations": number("The speed with the time of evaluations included.", FIGURE_UNIT),
    "job": number("A per-device speed x the number of devices.", FIGURE_UNIT),
    "mfu": number("Model FLOPs utilisation.", "%"),
    "mfu_how": text("How `mfu` was found, e.g. `printed`."),
    "tflops": number("Printed TFLOP/s of one device.", "TFLOP/s"),
    "source": text("Where the protocol's rule is written."),
    "rule": text("The protocol's rule as a sentence."),
    "metric": text("The log's name of the records that the protocol reads."),
    "records": whole("Records found."),
    "skipped": whole("Records skipped at the ends."),
    "kept": whole("Records that count."),
    "trimmed": whole("Records that trimming leaves out."),
    "nonfinite": whole("Records left out because they are nan or infinite."),
    "scale": text("What the reduced figure is multiplied by, in words."),
    "unscaled": number("The figure before scaling, where the factor is unknown.", "as printed"),
    "printed": text("The figure as the protocol prints it."),
}
_ACCURACY: dict[str, Schema] = {
    "metric": text("Name of the metric.", examples=["acc1"]),
    "epoch": or_null(label("Epoch of the evaluation; null for a run counted in steps.")),
    "best": or_null(number("Best value so far; null where it cannot be known.", METRIC_UNIT)),
    "lower_is_better": flag("Present and true for errors and losses."),
    "data": text("The data of the evaluation, and of `best`, where the log names several."),
    "model": text("Which model was evaluated where there are several: `raw`, `averaged`, …."),
    "other_models": by_name(
        "The other models' evaluations, by model.",
        record(
            "One model.",
            last=or_null(number("Its last value.", METRIC_UNIT)),
            best=or_null(number("Its best value.", METRIC_UNIT)),
            line=line("Line of its last evaluation."),
        ),
    ),
}


def _compared(description: str) -> Schema:
    return record(
        description,
        *("speed", "count"),
        log=text("Base name of its log."),
        speed=number("Throughput of its whole job.", "unit of the speed"),
        count=whole("Its devices or nodes."),
        lines=listed("Lines of its speed.", line("A line number.")),
    )


_LINEARITY: dict[str, Schema] = {
    "by": text("What is counted: `card` or `node`."),
    "scaled": _compared("The run on many devices."),
    "baseline": _compared("The run it is divided by."),
}
_DEVICE: Schema = {
    "type": ["integer", "string"],
    "description": "Index of a device, or its host and index.",
    "x-unit": "1",
}


def _readings(unit: str, **of_device: Schema) -> dict[str, Schema]:
    each = record(
        "One device.",
        *("device", "value"),
        device=_DEVICE,
        value=or_null(number("Mean of its readings.", unit)),
        readings=whole("Its readings."),
        peak=or_null(number("Its highest reading.", unit)),
        time_weighted=or_null(number("Its mean by the trapezoid rule.", unit)),
        **of_device,
    )
    return {
        "devices": listed("Devices that were read.", _DEVICE),
        "readings": whole("Readings that count, of all devices."),
        "coverage": or_null(
            number("Part of the readings' own span that they cover without gaps.", "1")
        ),
        "coverage_reason": text("Why `coverage` is null."),
        "window": text("What the readings are of.", examples=["epochs 6-10", "whole recording"]),
        "window_s": number("Length of the window by the log's clock.", "s"),
        "window_coverage": or_null(number("Part of the window that the readings cover.", "1")),
        "scope": text("What the value is of.", examples=["mean per device", "mean per board"]),
        "method": text("How it was computed.", examples=["mean of readings"]),
        "sources": listed("Sources of the readings.", text("E.g. `nvml`, `ixsmi`.")),
        "interval_s": number("Median interval of two readings.", "s"),
        "gaps": whole("Intervals that were too long to count."),
        "gap_s": number("Seconds of those gaps.", "s"),
        "time_weighted": or_null(number("Mean by the trapezoid rule, gaps left out.", unit)),
        "devices_in_job": whole("Devices of the job."),
        "job_total": or_null(number("The value x the devices, or boards, of the job.", unit)),
        "per_device": listed("Each device.", each),
        "missing": listed(
            "What could not be read.",
            record(
                "A field of one device.",
                device=_DEVICE,
                field=text("Name of the field."),
                reason=text("Why."),
                count=whole("How often."),
            ),
        ),
    }


_POWER: dict[str, Schema] = {
    **_readings(
        "W",
        energy_j=or_null(number("Joules inside the window.", "J")),
        energy_method=or_null(text("`counter` or `integral`.")),
    ),
    "energy_j": or_null(number("Joules of the devices listed, inside the window.", "J")),
    "energy_method": text("`counter`, `integral`, or both."),
    "energy_scope": text("Whose joules they are."),
    "energy_reason": text("Why the integral stands where a device has a counter."),
    "counter_resets": whole("How often an energy counter began again."),
    "clock_jumps": whole("How often the readings' clock jumped."),
    "faults": listed(
        "Faults that held the clocks of a device down.",
        record(
            "A fault of one device.",
            device=_DEVICE,
            reason=text("What it is.", examples=["thermal (hardware)"]),
            count=whole("How many of the device's readings have it."),
            readings=whole("The device's readings."),
        ),
    ),
    "job_energy_j": or_null(number("Joules of all devices of the job, inside the window.", "J")),
    "job_energy_basis": text("How `job_energy_j` follows from the devices that were read."),
    "joules_per_epoch": or_null(number("`job_energy_j` / the window's epochs.", "J")),
    "joules_per_sample": or_null(number("`joules_per_epoch` / samples of an epoch.", "J")),
    "samples_per_joule": or_null(number("The inverse of it.", "samples/J")),
    "wh_to_target": or_null(number("Energy of the job until the target was met.", "Wh")),
    "energy_per_epoch_reason": text("Why there is no `joules_per_epoch`."),
    "joules_per_sample_reason": text("Why there is no `joules_per_sample`."),
    "wh_to_target_reason": text("Why there is no `wh_to_target`."),
}
_MEMORY: dict[str, Schema] = {
    **_readings("MiB"),
    "peak": or_null(number("Highest reading of any device.", "MiB")),
    "process_mean": number("Mean held by processes, per device.", "MiB"),
    "process_peak": or_null(number("Highest of it on any device.", "MiB")),
    "process_scope": text("Whose processes."),
    "shared": listed("Devices that processes of other runs use, too.", _DEVICE),
    "process_devices": listed("Devices that say it.", _DEVICE),
    "process_reason": text("Why there is no `process_mean`."),
}
_STABILITY: dict[str, Schema] = {
    "runs": whole("Runs that reach the target."),
    "base": or_null(number("Median of their accuracies.", METRIC_UNIT)),
    "deviations": {
        "type": ["object", "array"],
        "description": "Each run's distance from `base` / `base`, by the name of its log.",
        "additionalProperties": number("Of one run.", "1"),
        "items": number("Of one run.", "1"),
    },
    "not_counted": listed(
        "Runs that do not reach the target, or are named twice.", text("Base name of a log.")
    ),
    "outside": whole("Runs that are more than 1 % off."),
}
_END_TO_END: dict[str, Schema] = {
    "epochs": or_null(number("Epochs trained; a fraction where the last was cut.", "1")),
    "samples": whole("Samples that the log counts in all."),
    "seconds": or_null(number("Total training time.", "s")),
    "clock": text("Where `seconds` is from.", examples=["log timestamps"]),
    "stated": text("Where the log itself states the figure."),
    "example_count": number(
        "By DeepSpark's example, which counts the last label instead of the epochs.", FIGURE_UNIT
    ),
}
DETAILS: Mapping[str, Mapping[str, Schema]] = {
    "speed": _SPEED,
    "accuracy": _ACCURACY,
    "linearity": _LINEARITY,
    "power": _POWER,
    "memory": _MEMORY,
    "stability": _STABILITY,
    "end_to_end": _END_TO_END,
}
"""The properties of each figure besides value, unit, state and reason."""
NEEDED: Mapping[str, tuple[str, ...]] = {
    "speed": ("protocol", "scope", "window", "dropped"),
    "accuracy": ("metric", "epoch", "best"),
    "linearity": ("by", "scaled", "baseline"),
    "power": ("devices", "readings"),
    "memory": ("devices", "readings"),
    "stability": ("runs", "base"),
    "end_to_end": ("epochs", "seconds", "clock"),
}
"""Those that a figure with a value must have."""
_ALWAYS = {"speed": ("protocol", "window", "dropped"), "end_to_end": ("epochs",)}
_WHAT = {
    "speed": ("Throughput of stable training.", "the figure's `unit`: img/s, tokens/s, …"),
    "accuracy": ("The metric at the evaluation that ends the run.", "the figure's `unit`, or none"),
    "linearity": ("Scaling efficiency: speed on N devices / N / speed on one.", "1"),
    "power": ("Mean power of a device during stable training.", "W"),
    "memory": ("Mean memory used on a device during stable training.", "MiB"),
    "stability": ("How far runs that reach the target agree: 1 at best, 0 at worst.", "1"),
    "end_to_end": ("Samples trained / total training time.", "the figure's `unit`: samples/s, …"),
}


def figure(name: str) -> Schema:
    """Returns the schema of one figure: value, unit, state, reason and its own details."""
    what, unit = _WHAT[name]
    properties: Schema = {
        "value": or_null(number("The figure, exact; null where it is unknown.", unit)),
        "unit": text("Its unit; absent for a ratio.", examples=["img/s"]),
        **DETAILS[name],
        "state": {
            "enum": [str(state) for state in State],
            "description": "How far to trust it: `waiting` for its first measurement, `running` "
            "while more of its window is to come, `short` where it is over less than the method "
            "asks for, `final`, `unknown` where it cannot be computed.",
        },
        "reason": text("Why it is not final."),
    }
    required: list[Json] = ["value", "state", *_ALWAYS.get(name, ())]
    return {
        "type": "object",
        "description": what,
        "required": required,
        "properties": properties,
        # Unknown is a value with a reason: null without a reason is not allowed.
        "if": {"properties": {"value": {"type": "null"}}},
        "then": {"required": ["reason"]},
        "else": {"required": list(NEEDED[name])},
    }
