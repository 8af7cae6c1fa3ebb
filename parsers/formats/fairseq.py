"""fairseq: `simple` and `json` logs, the bars of early versions, and derived programs.

`wps`, words (tokens) per second, counts all devices. Up to version 0.9 it is the mean since the
epoch began, later the mean since the line before. Batches differ in size, so the time of an update
is `wpb` (words per batch) / `wps`. The first versions write `train loss`, `valid loss`, `words/s`,
and the seconds of the epoch's training as `s/checkpoint`.

Since version 0.10 the clock of `wps` runs on during an evaluation. So the first line after one has
no speed, and neither has the line of the epoch, which follows the epoch's evaluation. Up to version
0.9 the line of the epoch comes before that: only an evaluation inside the epoch is in its means.
The first subset that is evaluated decides, as it does for the best checkpoint.
"""

from collections.abc import Mapping

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, fact, ignored, line
from sixdim.parsers.text.patterns import pattern

_NAMES = {"ppl": ("perplexity", "")}
_NOT_SCORES = ("wps", "ups", "wpb", "bsz", "num_updates", "epoch", "wall", "best")
_NOT_VALUES = ("words/s", "s/checkpoint", "wps")
_VALID = pattern(r"^valid[ _]")
_SUBSET = pattern(r"([\w.-]{1,64}?)_num_updates")
_USED = ("loss", "wps", "epoch", "num_updates")
_BARS = ("", "| ")
"""The text in front of a line: empty today, a bar in early versions."""
_FIRST_VERSIONS = {"throughput": "words/s", "train_time": "s/checkpoint"}
_STEP = NamedRecord(unit="tokens/s", scope=Scope.JOB, further=further(*_USED))
_MEANS = _STEP._replace(mean_throughput="throughput")


def _pairs(head: str, *required: str, **numbers: str) -> KeyValues:
    delimiter, separator = ("|", " ") if head.endswith("|") else (",", "=")
    updates = {} if "{step" in head else {"step": "num_updates"}
    return KeyValues(
        head,
        delimiter=delimiter,
        separator=separator,
        numbers={"loss": "loss", "throughput": "wps", **updates, **numbers},
        whole=("step",),
        required=required,
    )


class Fairseq(Reader):
    name = "fairseq"
    title = "fairseq (simple and json logs)"
    example = (
        "epoch 001:     50 / 1637 loss=7.581, ppl=191.5, wps=320047, ups=4.1, wpb=74822, "
        "bsz=2574, num_updates=50, lr=0.00197"
    )
    unread = (
        "the model's and the task's description, the pace of tqdm bars, checkpoints, BLEU that "
        "generate prints"
    )

    _epoch = 0
    _step = _left = _gap = 0.0
    """The epoch's latest step, the steps that are left of it, and those between two lines; in JSON,
    parts of the epoch."""
    _subset: str | None = None
    """The subset that decides."""
    _paused = _mixed = _rated = False
    """Whether there was an evaluation since the last progress line, or since the last line of an
    epoch, and whether any progress line had a speed of training alone."""
    _done: int | None = 0
    """Updates until the last line of an epoch, if known."""
    _ended: int | None = None
    """The epoch of the last line of an epoch."""
    _means_in_json = False

    @line(_pairs("epoch {epoch:int}: {step:int} / {steps:int} ", "loss", "wps"), 0.9, "iteration")
    def _updates(self, line: Line, f: Fields) -> Events:
        self._follow(f["epoch"], f["step"], f["steps"])
        for event in _STEP.read(self, line, f):
            yield self._timed(event, f["pairs"])

    @line(
        tuple(
            _pairs(f"| epoch {{epoch:int}}{colon} {{step:int}} / {{steps:int}} ", "loss", "wps")
            for colon in (":", "")
        ),
        0.9,
        "iteration",
    )
    def _means(self, line: Line, f: Fields) -> Events:
        self._follow(f["epoch"], f["step"], f["steps"])
        events = _MEANS.read(self, line, f)
        yield from map(_without_speed, events) if self._mixed else events

    halfway = ignored(
        tuple(
            f"{bar}epoch {{:int}} | valid on {{}} subset{colon} {{:int}} / {{:int}} {{}}"
            for bar in _BARS
            for colon in (":", "")
        ),
        0.3,
        "evaluation",
    )

    @line(
        tuple(
            _pairs(bar + "epoch {epoch:int} | valid on '{subset:until}' subset |", loss)
            for bar in _BARS
            for loss in ("loss", "valid_loss", "valid loss")
        ),
        0.9,
        "evaluation",
    )
    def _valid_line(self, line: Line, f: Fields) -> Events:
        self._pause(f["epoch"], means=line.text.startswith("|"))
        yield self._evaluation(line, f["epoch"], f["subset"], f["pairs"])

    @line(
        (
            _pairs("| epoch {epoch:int} |", "train loss", "words/s", **_FIRST_VERSIONS),
            _pairs("| epoch {epoch:int} |", "loss", "wps"),
        ),
        0.9,
        "epoch",
    )
    def _epoch_of_bars(self, line: Line, f: Fields) -> Events:
        mixed, self._mixed, self._ended = self._mixed, False, f["epoch"]
        rate = None if mixed else f.get("throughput")
        speed, values = (rate, "tokens/s", Scope.JOB), figures(f["pairs"], _NOT_VALUES)
        yield EpochEnd(line.origin(), f["epoch"], *speed, f.get("train_time"), None, values)

    @line(_pairs("epoch {epoch:int} |", "loss", "wps"), 0.9, "epoch")
    def _epoch_line(self, line: Line, f: Fields) -> Events:
        yield self._end(line, f["epoch"], f["pairs"])

    @line(JsonRecord(required=("train_wps", "train_loss")), 0.9, "epoch")
    def _epoch_json(self, line: Line, f: Fields) -> Events:
        pairs = {key.removeprefix("train_"): value for key, value in f.items()}
        self._means_in_json = _are_means(pairs)
        yield self._end(line, as_whole(f.get("epoch")), pairs)

    @line(JsonRecord(required=("epoch", "update", "num_updates")), 0.9, "iteration")
    def _step_json(self, line: Line, f: Fields) -> Events:
        epoch, update = as_whole(f["epoch"]), as_number(f["update"])
        if epoch is not None and update is not None:
            self._follow(epoch, update - epoch + 1, 1)
        place = epoch, as_whole(f["num_updates"]), None
        wps, loss = as_number(f.get("wps")), as_number(f.get("loss"))
        values = figures(self.wanted(f), _USED)
        event = Iteration(line.origin(), *place, wps, "tokens/s", Scope.JOB, loss, None, values)
        self._means_in_json = _are_means(f)
        if not self._means_in_json:
            yield self._timed(event, f)
        elif self._mixed:
            yield _without_speed(event)
        else:
            self._rated = True
            yield event._replace(mean_throughput=wps)

    @line(JsonRecord(required=("epoch", "valid_loss")), 0.3, "evaluation")
    @line(JsonRecord(required=("epoch",)), 0.0, "evaluation")
    def _valid_json(self, line: Line, f: Fields) -> Events | None:
        named = "valid" if "valid_loss" in f else None
        subset = next((found[1] for key in f if (found := _SUBSET.fullmatch(key))), named)
        if subset is None:
            return None
        self._pause(as_whole(f["epoch"]), means=self._means_in_json)
        head = subset + "_"
        scores = {key.removeprefix(head): f[key] for key in f if key.startswith(head)}
        return (self._evaluation(line, as_whole(f["epoch"]), subset, scores),)

    devices = fact(
        ("training on {devices:int} devices {}...", "| training on {devices:int} GPUs"),
        0.3,
        always=True,
    )
    end_of_training = (
        ends("done training in {duration:float} seconds", 0.3),
        ends("| done training in {duration:float} seconds", 0.2),
    )

    def _follow(self, epoch: int, step: float, steps: float) -> None:
        """Stores the latest step of the epoch, and the steps between two lines."""
        before = self._step if epoch == self._epoch else 0
        self._epoch, self._step = epoch, step
        self._gap, self._left = step - before, steps - step

    def _pause(self, epoch: int | None, *, means: bool) -> None:
        """Notes an evaluation, which the speeds after it include.

        Where these are `means` since the epoch began, that is so only inside the epoch: one that
        follows the line of its epoch is in no mean.
        """
        if not means:
            self._paused = self._mixed = True
        elif epoch != self._ended:
            self._mixed = True

    def _timed(self, event: Iteration, pairs: Mapping[str, object]) -> Iteration:
        """Returns the event with its duration, or without speed if that has an evaluation in it."""
        paused, self._paused = self._paused, False
        if paused:
            return _without_speed(event)
        self._rated = True
        return event._replace(duration=_seconds(pairs))

    def _end(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> EpochEnd:
        """Returns the end of an epoch. Its mean speed may have the evaluation in it.

        Then the progress lines tell the speed; if they do not, the time of an update is marked.
        """
        mixed, self._mixed, self._ended = self._mixed, False, epoch
        before, self._done = self._done, as_whole(pairs.get("num_updates"))
        values = figures(pairs, ("wps", "epoch"))
        if not mixed:
            rate = as_number(pairs.get("wps"))
            return EpochEnd(line.origin(), epoch, rate, "tokens/s", Scope.JOB, values=values)
        each = None if self._rated else _seconds(pairs)
        first = epoch == 1 or before
        done = self._done - (before or 0) if self._done and first else 0
        whole = each * done if each and done > 0 else None
        mean = each if whole else None
        return EpochEnd(line.origin(), epoch, epoch_time=whole, values=values, iteration_time=mean)

    def _evaluation(
        self, line: Line, epoch: int | None, subset: str, pairs: Mapping[str, object]
    ) -> Evaluation:
        self._subset = self._subset or subset
        head = "" if subset == self._subset else f"{subset}/"
        metrics = tuple(
            one._replace(name=head + one.name)
            for one in figures(
                {_VALID.sub("", key): value for key, value in pairs.items()},
                _NOT_SCORES,
                names=_NAMES,
            )
            if not one.name.startswith("best_")
        )
        midway = epoch == self._epoch and self._left > self._gap
        step = as_whole(pairs.get("num_updates") or pairs.get("valid_num_updates"))
        return Evaluation(line.origin(), metrics, epoch, step, midway=midway)


def _seconds(pairs: Mapping[str, object]) -> float | None:
    """Returns the seconds of one update; None if they are unknown."""
    words, speed = as_number(pairs.get("wpb")), as_number(pairs.get("wps"))
    return words / speed if words and speed else None


def _are_means(pairs: Mapping[str, object]) -> bool:
    """Returns whether the speed of a JSON line is a mean.

    It is where `wall` stands before `train_wall`.
    """
    names = [*pairs]
    last = names.index("train_wall") if "train_wall" in pairs else len(names)
    return "wall" in names[:last]


def _without_speed(event: Iteration) -> Iteration:
    return event._replace(throughput=None, unit="", scope=Scope.UNKNOWN, mean_throughput=None)
