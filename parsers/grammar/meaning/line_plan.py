"""Decides which figures of a line are of the training, of an evaluation, or not read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.meaning.about import (
    BEGINNING,
    is_a_loss,
    of_a_tracker,
    of_other_things,
    of_other_work,
    of_training,
    of_training_data,
    of_work_beside,
    trains,
)
from sixdim.parsers.grammar.meaning.bar_parts import BAR, BAR_PACE, BAR_RATE, BAR_TIME, DONE
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.vocabulary.closing import OVER
from sixdim.parsers.grammar.vocabulary.names import (
    ERRORS,
    EVALUATED,
    TRAINED,
    Named,
    words_of,
)
from sixdim.parsers.grammar.vocabulary.names import words as words_in
from sixdim.parsers.grammar.vocabulary.splits import data_set_of, split_of

FIGURES = frozenset({"loss", "quality", "rate", "duration", "epoch time"})
"""Roles of which a line has one, if it is read at all."""
_OF_DATA = frozenset({"loss", "quality", "series"})
_OF_PROGRESS = frozenset({"epoch", "step", "part", "loss"})
_ALSO_OF_OTHERS = frozenset({"frames/s", ""})
"""Units of rates that videos, cameras and inference have, too; a bare throughput has none."""
_BEGINS = frozenset({"starting", "beginning", "running", "training", "finetuning", "pretraining"})
_OF_EPOCHS = frozenset({"epoch", "epoch time"})
LABELS = frozenset({"epoch", "epochs", "step", "steps"})
_OF_STEPS = words_in("step steps iter iteration of")
_OF_LABELS = _BEGINS | _OF_STEPS | words_in("epoch ep epochs start begin train going into")
_OF_AN_END = OVER | TRAINED | words_in("epoch ep of the")
_MEANS = frozenset({"avg", "average", "mean"})


ABSENT = -1
"""Place of what a line does not have: the last value, which is None."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which number of a line is which figure; `ABSENT` for those that it does not have.

    Attributes:
        epoch, epochs, step, steps, loss, duration, epoch_time, train_time, time, mean_time: Places
            of numbers; the last is that of the running mean of `duration`.
        elapsed: Places of a progress bar's time; they are added up.
        pace, bar_rate: Places of its seconds of an iteration, or of its iterations in a second.
        done: Place of the number of epochs that are over, by a progress bar of `epochs`.
        naming: The text in front of the epoch's number, and whether the number of epochs follows.
        part, parts: Places of a count and its total that do not say what they count: `[10/98]`.
        rates: Place, unit and scope of each rate, the job's before a device's.
        timer: Name of the time of an iteration, or of the iterations in a second.
        values: Place and metric of further figures of the training.
        tested: Place and metric of figures of an evaluation.
        names: The names of these.
        data, data_set: The split (`val`, `test`) and the data set that they are said to be of.
        says_split: Whether the line itself says that they are of an evaluation.
        partial: Whether the evaluation is over only when its step is the last.
        begins: Whether the line only names an epoch or a step.
        ends: Whether it only says that an epoch is over.
        closes: Whether its words may be those of a closing line.
        whole: Whether its figures of the training are of a whole epoch.
        of_epoch: Whether its rate is the epoch's.
        bar: Whether its steps are a progress bar's.
        rounded: Whether its steps are printed in thousands.
        bare: Whether its step is a count behind the epoch that does not say what it counts.
        trains: Whether it has figures of the training.
        empty: Whether nothing of the line is read.
    """

    epoch: int = ABSENT
    epochs: int = ABSENT
    step: int = ABSENT
    steps: int = ABSENT
    loss: int = ABSENT
    duration: int = ABSENT
    epoch_time: int = ABSENT
    train_time: int = ABSENT
    time: int = ABSENT
    mean_time: int = ABSENT
    elapsed: tuple[int, ...] = ()
    pace: int = ABSENT
    bar_rate: int = ABSENT
    done: int = ABSENT
    naming: tuple[str, bool] = ("", False)
    part: int = ABSENT
    parts: int = ABSENT
    rates: tuple[tuple[int, str, Scope], ...] = ()
    timer: str = ""
    values: tuple[tuple[int, Metric], ...] = ()
    tested: tuple[tuple[int, Metric], ...] = ()
    names: frozenset[str] = frozenset()
    data: str = ""
    data_set: str = ""
    says_split: bool = False
    partial: bool = False
    begins: bool = False
    ends: bool = False
    closes: bool = False
    whole: bool = False
    of_epoch: bool = False
    bar: bool = False
    rounded: bool = False
    bare: bool = False
    trains: bool = False
    empty: bool = False


NOTHING = Plan(empty=True)
ITERATIONS = "it/s"
"""Unit of a rate that is one over the time of an iteration."""


def plan(
    named: Sequence[Named],
    words: Sequence[str] = (),
    bar: Sequence[str] | None = None,
    *,
    evaluates: bool = False,
    of_epoch: bool = False,
) -> Plan:
    """Decides what is read of a line.

    Args:
        named: Its numbers that have a meaning.
        words: The words with which it begins, up to its first figure.
        evaluates: Whether any of its words is one of an evaluation.
        bar: The words in front of its progress bar, if it has one.
        of_epoch: Whether it is about a whole epoch.
    """
    at: dict[str, int] = {}
    for place, one in enumerate(named):
        at.setdefault(one.role, place)

    if {"step", "steps"} <= at.keys() and at["step"] < at["steps"] - 1 and "epoch" not in at:
        del at["step"], at["steps"]  # `iteration: 7 step: 30/652`: either may be an epoch

    def where(role: str) -> int:
        return at.get(role, ABSENT)

    if of_other_things(words) or at.keys().isdisjoint(FIGURES | {"epoch", "step", DONE}):
        return NOTHING
    label = Plan(where("epoch"), where("epochs"), done=ABSENT if "epoch" in at else where(DONE))
    if "epoch" in at:
        label = replace(label, naming=(named[at["epoch"]].name, "epochs" in at))
    usual = _OF_LABELS if "epoch" in at else _OF_STEPS
    if at.keys() <= LABELS and bar is None and usual.issuperset(words):
        return replace(label, step=where("step"), steps=where("steps"), begins=True)
    over = not OVER.isdisjoint(words) and _OF_AN_END.issuperset(words)
    if over and bar is None and "epoch" in at and at.keys() <= LABELS:
        return replace(label, ends=True)
    if at.keys().isdisjoint(FIGURES | {"epoch", DONE}) and not any(map(is_a_loss, named)):
        return NOTHING
    losses = [one for one in named if is_a_loss(one)]
    if DONE in at and not EVALUATED.isdisjoint(bar or ()):
        return NOTHING
    if bar is not None and DONE not in at and not trains(bar, "epoch" in at, losses):
        return _evaluating_bar(named, bar, at)
    # What a rate alone is of, any word of its line may say.
    evaluates = evaluates and not losses and "quality" not in at
    evaluates = evaluates or not EVALUATED.isdisjoint(words[:BEGINNING])
    if of_other_work(words) and not losses:
        return label if words[0] in _BEGINS and "epoch" in at else NOTHING
    evaluates = evaluates and not of_training_data(words)
    # `test acc: 76.8 %, loss: 0.68`: the first one says of what all are.
    first = next((one.split for one in named if one.role in _OF_DATA), "")
    all_tested = first == "eval" and all(one.split != "train" for one in named)
    # `train_loss … valid_loss … accuracy`: only what trains is named as such.
    by_name = any(one.split == "eval" for one in named) and all(one.split for one in losses)
    # `Train epoch 2, total time 18.9, accuracy: 12.6`
    trained_on = not first and of_training(words)
    alone = by_name or "eval time" in at
    alone = alone or not (losses or trained_on or {"rate", "step"} & at.keys())

    said_of_tests = {one.canonical for one in named if one.split == "eval"}

    def is_tested(one: Named) -> bool:
        if one.split:
            return one.split == "eval"
        by_itself = alone and one.role == "quality" and one.canonical not in said_of_tests
        return evaluates or all_tested or by_itself  # `acc 0.9 val_acc 0.8`: the first trains

    # `accuracy: 0.5 (0.5)` is of a batch that an earlier line counts.
    of_batches = alone and not evaluates and "epoch" not in at
    figures = [
        (place, one)
        for place, one in enumerate(named)
        if one.role in _OF_DATA and (one.split or not (one.running and of_batches))
    ]
    tested = [(p, one) for p, one in figures if is_tested(one)]
    trained = [(p, one) for p, one in figures if not is_tested(one)]
    if "fold" in words[:1] and not trained and at.keys().isdisjoint({"epoch", "step"}):
        return NOTHING  # of one fold, at its end
    known = any(one.role != "series" or one.canonical in ERRORS for _, one in tested)
    of_tests = _unique(tested) if known else ()
    whole = "step" not in at and (
        of_epoch
        or DONE in at
        or not at.keys().isdisjoint(_OF_EPOCHS)
        or (bool(trained) and all(t.split == "train" for _, t in trained))
    )
    only_tests = (evaluates or bool(tested)) and not trained
    said = not TRAINED.isdisjoint(words)
    beside = of_work_beside(words)
    rates = tuple(
        (place, one.unit, Scope.DEVICE if one.per_device else Scope.UNKNOWN)
        for place, one in sorted(enumerate(named), key=lambda pair: pair[1].per_device)
        if one.role == "rate"
        and one.split != "eval"
        and not only_tests
        and (said or at.keys() & _OF_PROGRESS or not (one.unit in _ALSO_OF_OTHERS or beside))
    )
    is_bar = bar is not None and "step" in at and named[at["step"]].name == BAR
    loss = next((p for p, one in trained if one.role == "loss"), ABSENT)
    return replace(
        label,
        step=where("step"),
        steps=where("steps"),
        loss=loss,
        duration=ABSENT if only_tests else where("duration"),
        epoch_time=at.get("epoch time", where("in") if whole else ABSENT),
        train_time=where("train time") if whole and "epoch" in at else ABSENT,
        part=where("part") if evaluates or said else ABSENT,
        parts=where("parts"),
        time=where("time") if not only_tests else ABSENT,
        mean_time=where("mean time") if not only_tests else ABSENT,
        rates=rates,
        timer=_timer(named, where("duration"), rates),
        values=tuple((p, _metric(one)) for p, one in trained if p != loss),
        tested=of_tests,
        names=_names(of_tests),
        data=_split(tested, words),
        data_set=data_set_of(words),
        says_split=evaluates or any(one.split for _, one in tested),
        partial=evaluates and "steps" in at and not any(one.split for _, one in tested),
        closes=not (OVER | {"total"}).isdisjoint(words),
        whole=whole,
        of_epoch=of_epoch or "epoch time" in at or _is_mean(named, where("rate")),
        bar=is_bar,
        elapsed=tuple(p for p, one in enumerate(named) if is_bar and one.role == BAR_TIME),
        pace=where(BAR_PACE) if is_bar else ABSENT,
        bar_rate=where(BAR_RATE) if is_bar else ABSENT,
        bare="epoch" in at and "step" in at and named[at["step"]].name == named[at["epoch"]].name,
        rounded="step" in at and named[at["step"]].scale > 1,
        trains=(not only_tests or "epoch time" in at) and not of_a_tracker(words),
    )


def _evaluating_bar(named: Sequence[Named], bar: Sequence[str], at: dict[str, int]) -> Plan:
    """The plan of a bar of an evaluation: the figures whose names say so, once it is full."""
    figures = [
        (place, one)
        for place, one in enumerate(named)
        if one.split == "eval" and one.role in ("loss", "quality")
    ]
    if EVALUATED.isdisjoint(bar) or not figures or not {"step", "steps"} <= at.keys():
        return NOTHING
    tested = _unique(figures)
    label = Plan(step=at["step"], steps=at["steps"], says_split=True, partial=True)
    return replace(label, tested=tested, names=_names(tested))


def _names(tested: Iterable[tuple[int, Metric]]) -> frozenset[str]:
    return frozenset(metric.name for _place, metric in tested)


def _split(tested: Sequence[tuple[int, Named]], words: Sequence[str]) -> str:
    """The split of a line's figures of an evaluation: by the first one's name, else the line's."""
    named = words_of(tested[0][1].name) if tested else ()
    return split_of(named) or split_of(words[:BEGINNING])


def _is_mean(named: Sequence[Named], place: int) -> bool:
    return place != ABSENT and not _MEANS.isdisjoint(words_of(named[place].name))


def _timer(named: Sequence[Named], duration: int, rates: Sequence[tuple[int, str, Scope]]) -> str:
    of_rates = (place for place, unit, _scope in rates if unit == ITERATIONS)
    place = next(of_rates, ABSENT) if duration == ABSENT else duration
    return "" if place == ABSENT else named[place].name


def _metric(one: Named) -> Metric:
    return Metric(one.canonical, 0.0, one.unit, not lower_is_better(one.canonical))


def _unique(figures: Sequence[tuple[int, Named]]) -> tuple[tuple[int, Metric], ...]:
    first: dict[str, tuple[int, Metric]] = {}
    for place, one in figures:
        first.setdefault(one.canonical, (place, _metric(one)))
    return tuple(first.values())
