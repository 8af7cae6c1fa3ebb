"""The vocabulary of a run: what a log line turns into.

Every value type here is frozen and slotted, so an event can be shared between threads and
never changes after it was read. Units are part of each field's description: seconds for
durations, microseconds for the log's own clock (integers, so that differences are exact).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

Fact: TypeAlias = str | int | float


class Scope(StrEnum):
    """Whose throughput a figure is."""

    JOB = "job"
    """All devices of the run together."""
    DEVICE = "per device"
    """One device; multiply by the device count for the job, explicitly."""
    UNKNOWN = "unknown"
    """The format does not say."""


class Origin(NamedTuple):
    """Where an event was read, so that every figure can name its evidence.

    Attributes:
        line: Line number in the input, counted from 1.
        offset: Byte offset of the line's first byte.
        time_us: The log's own clock for this line in microseconds since 1970 (read as UTC,
            because logs print no zone), or None where the line carries no time.
        rank: Rank or process index that wrote the line, where a launcher's prefix says so.
        host: Host that wrote the line, where the line says so.
        file: Index of the input file when several make one run.
    """

    line: int
    offset: int
    time_us: int | None = None
    rank: int | None = None
    host: str | None = None
    file: int = 0


class Metric(NamedTuple):
    """One named figure.

    Attributes:
        name: Canonical name (`acc1`, `loss`, `box`), or the log's own where there is none.
        value: The number as printed; may be nan or infinite.
        unit: `%`, `fraction`, `s`, … or empty where the figure has none.
        higher_is_better: False for errors and losses.
    """

    name: str
    value: float
    unit: str = ""
    higher_is_better: bool = True


class RunStart(NamedTuple):
    """A header that only the beginning of a training prints (or the first of two of them).

    Attributes:
        at: Where it was read.
        timed: The log's own rules start the clock here (MLPerf's `run_start`), instead of at
            the first iteration.
        same_program: Whether the program that trained before begins another training, as for the
            next fold of a cross-validation: the facts that it stated still hold.
    """

    at: Origin
    timed: bool = False
    same_program: bool = False


class ClockStart(NamedTuple):
    """The line with which a person says that the clock starts."""

    at: Origin


class RunInfo(NamedTuple):
    """One fact about the run.

    Attributes:
        at: Where it was read.
        name: `framework`, `model`, `precision`, `devices`, `nodes`, `batch_per_device`,
            `global_batch`, `samples_per_epoch`, `epochs_planned`, `steps_planned` (for a run
            that is counted in steps), `epochs_set` (epochs that the program's settings ask for;
            0 where they contradict one another), `epochs_assumed` (the planned epochs, if the log
            leaves open whether one more follows), `training_starts` (1 on the line that says
            so), `target`, `steps_not_iterations` (1 where lines count episodes, or what may be
            samples as well as iterations), `times_have_fractions` (1 where a whole number of
            seconds is printed with decimals), `rated_batch` (samples of an iteration as the lines'
            rates count them, where these leave out a part of its time), or `means_since` (step
            from which the own means of lines without an epoch count, because they are those since
            the program began; -1 for the step of the next line).
        value: The fact; for `target` a condition such as `acc1>75.9`.
    """

    at: Origin
    name: str
    value: Fact


class Iteration(NamedTuple):
    """A progress line of training: one record, which may stand for several iterations.

    Attributes:
        at: Where it was read.
        epoch: The label the log gives the epoch, or None for a run counted in steps alone.
        step: Step as the log counts it (within the epoch, or global where `epoch` is None).
        steps: Steps in an epoch (or in the run), where the line says so.
        throughput: Samples (or tokens, …) per second, in `unit` and `scope`.
        unit: `img/s`, `samples/s`, `tokens/s`, … of `throughput`. With a unit alone, no
            part of the line is missing: its time is rounded too much, or includes other work.
        scope: Whether `throughput` is one device's or the job's.
        loss: Training loss as printed; may be nan.
        duration: Seconds of one iteration, where printed.
        values: Further figures of the line under the log's own names.
        mean_throughput: The log's own mean of `throughput` since the epoch began, or since the
            step that the fact `means_since` names.
        mean_duration: The same of `duration`: a running mean, or a progress bar's time over its
            count.
    """

    at: Origin
    epoch: int | None
    step: int | None
    steps: int | None = None
    throughput: float | None = None
    unit: str = ""
    scope: Scope = Scope.UNKNOWN
    loss: float | None = None
    duration: float | None = None
    values: tuple[Metric, ...] = ()
    mean_throughput: float | None = None
    mean_duration: float | None = None


class EpochEnd(NamedTuple):
    """What a log says when an epoch is over; several lines may each bring a part of it.

    Attributes:
        at: Where it was read.
        epoch: The epoch's label, or None for "the epoch just trained".
        throughput: The throughput the log states for the epoch.
        unit: Unit of `throughput`.
        scope: Scope of `throughput`.
        train_time: Seconds of the training pass alone.
        epoch_time: Seconds of the whole epoch, evaluation included.
        iteration_time: Mean seconds of one of its iterations, which takes the place of what
            progress lines say. Where `epoch_time` stands beside it and `train_time` does not, it
            has the evaluation in it, too.
        values: Further figures under the log's own names.
    """

    at: Origin
    epoch: int | None
    throughput: float | None = None
    unit: str = ""
    scope: Scope = Scope.UNKNOWN
    train_time: float | None = None
    epoch_time: float | None = None
    values: tuple[Metric, ...] = ()
    iteration_time: float | None = None


class EpochTime(NamedTuple):
    """The time of an earlier epoch: its own line left open whether it counts from the run's start.

    Attributes:
        at: The line that shows that it does not.
        epoch: The epoch's label.
        epoch_time: Seconds of the whole epoch.
    """

    at: Origin
    epoch: int
    epoch_time: float


BY_NAME = "by name"
"""The `Evaluation.model` of a line that the log's own format does not know."""


class Evaluation(NamedTuple):
    """A whole evaluation (partial lines inside one are not events).

    Attributes:
        at: Where it was read.
        metrics: The figures, in the log's order; empty where nothing shows which are the result.
        epoch: Label of the epoch it belongs to; None for "the epoch just trained".
        step: Step it was made at, for runs counted in steps.
        model: `raw`, `averaged` (EMA, SWA), `teacher` or `student`; `BY_NAME` where the log's own
            format does not know the line: it counts as long as that format reads none.
        after_training: True once the log said that training is over: such an evaluation is
            reported, and decides nothing.
        midway: True where it was made in the middle of an epoch, which goes on after it.
        data: Which data it was made on (`val`, `test`, `cifar100`); empty where not said.
    """

    at: Origin
    metrics: tuple[Metric, ...]
    epoch: int | None = None
    step: int | None = None
    model: str = "raw"
    after_training: bool = False
    midway: bool = False
    data: str = ""


class TargetReached(NamedTuple):
    """The log's own claim that its target is met.

    Attributes:
        at: Where it was read.
        condition: The condition the log names, e.g. `acc1>75.9`; None where it names none.
        epoch: The epoch the log names.
    """

    at: Origin
    condition: str | None = None
    epoch: int | None = None


class Summary(NamedTuple):
    """Figures that the log computed about itself, under the log's own names."""

    at: Origin
    metrics: tuple[Metric, ...]


class RunEnd(NamedTuple):
    """The closing line of a training.

    Attributes:
        at: Where it was read.
        duration: Total training time in seconds as printed, or None.
        status: `finished`, `aborted` or `failed`, as the line says.
        epochs: Epochs that were trained, where the log says so.
        samples: Samples that were trained on in all, where the log counts them.
        throughput: The throughput of the whole training, evaluations included, as printed.
        unit: Unit of `throughput`.
        scope: Scope of `throughput`.
        midway: True where training may have stopped in the middle of an epoch.
        sentence: True for a sentence that is no line of the log's own format: it ends a run that
            trained and has no closing line yet.
        word: True for a mere `Done!`: something is over. It ends a run if the input ends, and
            nothing was trained after it.
    """

    at: Origin
    duration: float | None = None
    status: str = "finished"
    epochs: float | None = None
    samples: int | None = None
    throughput: float | None = None
    unit: str = ""
    scope: Scope = Scope.UNKNOWN
    midway: bool = False
    sentence: bool = False
    word: bool = False


class EndOfInput(NamedTuple):
    """No more bytes will come: what lets an unterminated last line count."""

    at: Origin


class Problem(NamedTuple):
    """Something a person should look at.

    Attributes:
        at: Where it was read.
        kind: `nan_loss`, `out_of_memory`, `traceback`, `launcher`, `broken_number`, ….
        text: One sanitised sentence.
        fatal: True where the run cannot have gone on after it.
    """

    at: Origin
    kind: str
    text: str
    fatal: bool = False


Event: TypeAlias = (
    RunStart
    | ClockStart
    | RunInfo
    | Iteration
    | EpochEnd
    | EpochTime
    | Evaluation
    | TargetReached
    | Summary
    | RunEnd
    | EndOfInput
    | Problem
)
"""Everything that is read from the lines of a log."""
Events: TypeAlias = Iterable[Event]
"""What a line says."""
