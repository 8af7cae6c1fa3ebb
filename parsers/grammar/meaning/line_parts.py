"""Parts of lines: headings, the name in front of a number, rows of pycocotools' table."""

from collections.abc import Collection, Mapping, Sequence

from sixdim.parsers.grammar.meaning.form import Form, Hole
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED, meaning
from sixdim.parsers.grammar.vocabulary.units import SECONDS_PER, TIMES, is_unit, rate_unit
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

CUTS = pattern(r"[,;|()\[\]{}<>]|\s-\s|:\s|\t|\s{2,}|\"\s")
"""The text that ends a name."""
_FIGURES = frozenset({"loss", "quality", "series", "epoch"})
_HEADINGS = EVALUATED | TRAINED | {"set", "phase", "results", "metrics"}
ORDINAL = pattern(r"(?:st|nd|rd|th)[ _-]epoch\b(?!s)|-epoch(?= ?[(\[:])")
"""The text after an epoch's label: `29th epoch finished`, `0-epoch (99/44660)`."""
_AMOUNT = pattern(r"\s(?:batches|steps|iterations|samples|images|examples|tokens)\b")
"""The text after a number that is an amount (`330 batches`), not a label."""
_LISTS_SETTINGS = pattern(
    r"(?i)(?<![a-z])(?:config(?:uration)?s?|arg(?:ument)?s|hparams|hyper-?parameters|options|namespace)"
    r"[\s:=]{0,4}[({]"
)
"""The text in front of a list of settings: `start training with config: {'fps': 25, …}`."""
ARRAY = r"(?:tensor|DeviceArray|Array|np\.float\d\d)\("
"""The text in front of a number that was printed as an array."""
_WRAPPER = pattern(rf"\b{ARRAY}$")
_OF_ELAPSED = words("elapsed used spent passed so far time total")
_SAYS_ELAPSED = ({"elapsed"}, {"total", "used"}, {"total", "spent"}, {"so", "far"}, {"passed"})
_OF_A_WALL_CLOCK = _OF_ELAPSED | words("wall clock walltime")
_SAYS_IN_SECONDS = (*_SAYS_ELAPSED, {"wall", "time"}, {"wall", "clock"}, {"walltime"})
"""Of a name that ends with its unit: without one, a wall time may be a moment."""
_OF_A_TIME = words(
    "time times took takes speed pace dt cost duration avg average mean elapsed batch step iter "
    "iteration per in at train training"
)
_PASSED = pattern(
    r":0:(?=0(?![\w:]))|(?: ?(?:h|hrs?|hours?)0)?+(?: ?(?:m|mins?|minutes?)0)?+"
    r" ?(?:\(s\)|(?:s|secs?|seconds?)(?![\w/]))"
)
"""The text after the first number of a time, with 0 for the others: `m 0s` of `83m 6s`."""
_CLOCK = (3600.0, 60.0, 1.0)
_LONGEST_NAME = 40
_NAME_IN_BRACKETS = pattern(r"(?:^|\s)\[([A-Za-z][A-Za-z_ ]{0,30})\]$")
"""A name alone in brackets: `[Epoch] 001 [Loss] 0.5`."""
_AROUND = " \t\"':=-*."
_POSITIONS = (
    (("[", ",", "]"), ("epoch", "step")),
    (("[", "/", "][", "/", "]"), ("epoch", "epochs", "step", "steps")),
    (("[", "/", ",", "/", "]"), ("epoch", "epochs", "step", "steps")),
)
"""Text around the counts at the beginning of a line with a loss: `[1,  2000] loss: 2.2`.

Words of the training may stand in front of it: `Train: [0/300][10/625] loss 6.9`.
"""
_LOGGED = pattern(r"\] (?:collection=[\w/.-]{1,60}+ )?+[\w/.-]{1,60}+=")
"""The text after the step of clu's metric writers: `[100] learning_rate=0.1, train_loss=2.5`."""
_STEPS_PER_SECOND = pattern(r"steps_per_sec(?:ond)?=")
_KERAS_BAR = pattern(r"\[=++[]>]|[\u2500-\u257f]{8}")
_COUNTED = pattern(r" ?([kKM]?)(it|its|iters?|steps?)?(?![\w.])")
_SCALED = pattern(r"\d\.00|\d\d\.0")
"""A count below 100 as `tqdm(unit_scale=True)` and tqdm's Keras callback print it."""
_THOUSANDS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6}
_FORMATTED = pattern(r"\{[^{}:]{0,60}+:[<>^+=,_]{0,3}+\Z")
_INDEXED = pattern(r"\w\[\Z")
_TYPED = pattern(r"[defgEFG]\}")
# Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.756
_COCO = pattern(r"\s*+Average (Precision|Recall) {1,8}+\(A[PR]\) @\[ IoU=")


def heading(gap: str) -> str:
    """Returns the split that a heading between two numbers names (`| val: loss=`); else empty."""
    if not any(sign in gap for sign in ":[({"):
        return ""
    for one in reversed(CUTS.split(gap)[:-1]):
        said = frozenset(words_of(one))
        if said and said <= _HEADINGS:
            return "eval" if said & EVALUATED else "train" if said & TRAINED else ""
    return ""


def is_source(between: Sequence[str], numbers: Sequence[str]) -> bool:
    """Whether a line is source code, such as `f"loss:{loss:.4f}"` or `recall = tps / tps[-1]`."""
    for before, number, after in zip(between[:-1], numbers, between[1:], strict=True):
        typed = _TYPED.match(after) or (number[0] == "." and after.startswith("%}"))
        if typed and _FORMATTED.search(before):
            return True
        if number[0] == "-" and after.startswith("]") and _INDEXED.search(before):
            return True
    return False


def lists_settings(text: str) -> bool:
    """Returns whether a line lists settings."""
    return ("(" in text or "{" in text) and _LISTS_SETTINGS.search(text) is not None


def counts_others(after: Sequence[str]) -> bool:
    """Returns whether the text after a number makes it an amount: `1 epoch = 330 batches`.

    Args:
        after: The texts between the numbers, from the one after this number on.
    """
    counted = _AMOUNT.match(after[0])
    if counted is None or len(after) == 1:
        return counted is not None
    return counted.string[counted.end() :].strip(" :=") != ""  # else the name of the next


def of_coco(between: tuple[str, ...]) -> Form | None:
    """Reads a line of pycocotools' table: mean precision over all IoUs and areas is a figure."""
    table = _COCO.match(between[0])
    if table is None:
        return None
    if (
        table[1] != "Precision"
        or len(between) != 5
        or between[1] != ":"
        or " all " not in between[2]
    ):
        return Form()
    return Form((Hole(3, Named("quality", "AP", "box", "fraction", "eval")),))


def timed_by_meters(between: Sequence[str]) -> Sequence[Hole]:
    """Reads seconds/iteration and their running mean: `time 0.24 (0.34) data 0.00 (0.11)`.

    Also `Batch time 0.24 (0.34)`: PyTorch's example and its descendants print seconds.
    """
    for at in range(len(between) - 2):
        if between[at + 1].strip() == "(" and between[at + 2].startswith(")"):
            of, beside = words_of(between[at]), words_of(between[at + 2])
            of_data = of[-1:] == ["time"] and beside in (["data"], ["data", "time"])
            if of_data or of[-2:] == ["batch", "time"]:
                return Hole(at, Named("duration", "time")), Hole(at + 1, Named("mean time", "time"))
    return ()


def elapsed(between: Sequence[str]) -> Sequence[Hole]:
    """Reads the time since the epoch or the run began: `elapsed=71s`, `Elapsed 83m 6s`, `0:01:23`.

    Others call it `total used time 71.5 (s)`, or `time so far`. The unit may be part of the name:
    `"elapsed_sec": 71.5`, `"wall_time_s": 71.5`.

    A time without a unit may be in minutes, and one in minutes is not exact: neither is read.
    """
    for at, gap in enumerate(between[:-1]):
        said = words_of(name_before(gap))
        rest = [word for word in said if TIMES.get(word) != 1]
        in_seconds = len(rest) < len(said) and _OF_A_WALL_CLOCK.issuperset(rest)
        if in_seconds and any(one.issubset(rest) for one in _SAYS_IN_SECONDS):
            return [Hole(at, Named("elapsed", gap))]
        if _OF_ELAPSED.issuperset(said) and any(one.issubset(said) for one in _SAYS_ELAPSED):
            found = _PASSED.match("0".join(between[at + 1 : at + 5]))
            units = [] if found is None else found[0].split("0")
            scales = _CLOCK if ":" in units else [TIMES[unit.strip(" ()")] for unit in units]
            return [Hole(at + i, Named("elapsed", gap, scale=one)) for i, one in enumerate(scales)]
    return ()


def with_means(
    holes: Sequence[Hole],
    means: Mapping[int, int],
    running: Collection[int],
    of_batches: Collection[int],
) -> list[Hole]:
    """Returns a line's figures, some of which have a number in brackets: `Acc@1 84.4 (72.7)`.

    After a figure of the last batch of an evaluation, that number is the mean and replaces the
    figure. In other lines it may be a deviation; it is a mean if both numbers are equal at first.

    Args:
        holes: The figures.
        means: Index of a number to the index of the number in brackets after it.
        running: Indices of the numbers that are equal to it.
        of_batches: Indices of the figures that an evaluation has of one batch.
    """
    if of_batches:
        holes = [h._replace(at=means.get(h.at, h.at)) if h.at in of_batches else h for h in holes]
    return [
        hole._replace(named=hole.named._replace(running=True)) if hole.at in running else hole
        for hole in holes
    ]


def name_before(gap: str) -> str:
    """Returns the name in front of a number; words in brackets come first (`accuracy (top-1)`)."""
    body = (_WRAPPER.sub("", gap) if gap.endswith("(") else gap).rstrip(" \t:=~\"'([{#>-")
    before, bracket, beside = body.rpartition("(")
    if bracket and beside.endswith(")"):
        name, beside = CUTS.split(before)[-1], beside[:-1]
        parts = (name, beside) if is_unit(beside.lower()) else (beside, name)
        return " ".join(parts).strip(_AROUND)[-60:]  # `Speed (samples/sec)`
    if alone := _NAME_IN_BRACKETS.search(body):
        return alone[1]
    name = CUTS.split(body)[-1].strip(_AROUND)
    if len(name) > _LONGEST_NAME:
        name = name.rpartition(" is ")[2]  # `the result of the model is test acc`
    return name[-60:]


def names_the_next(name: str, unit: str) -> bool:
    """Returns whether a unit after a number is the name of the next number: `loss 1.5 tok/s 250`.

    Args:
        name: The number's own name.
        unit: The unit, in lower case.
    """
    own, said = meaning(name, "", True), words_of(name)
    if meaning(name, unit, True) is None:
        return True
    if own is None and said and unit in SECONDS_PER:
        return _OF_A_TIME.isdisjoint(said)  # `grad_norm 4.04 ms/batch 445.3`
    return own is not None and (own.role != "rate" or own.unit not in ("", rate_unit(unit)))


def shows_no_figure(text: str, holes: Sequence[Hole]) -> bool:
    """Whether a line is a Keras bar without a figure, such as that of a download or prediction."""
    if any(hole.named.role in _FIGURES for hole in holes):
        return False
    return _KERAS_BAR.search(text) is not None


def positions(between: Sequence[str]) -> Sequence[str]:
    """Returns the roles of the unnamed counts with which a line of training begins."""
    opening, said = between[0], words_of(between[0])
    trains = bool(said) and opening.endswith("[") and TRAINED.issuperset(said)
    for around, roles in _POSITIONS:
        begins = ["[" if trains else opening, *between[1 : len(around)]]
        if len(begins) < len(around) or not begins[-1].startswith("]"):
            continue
        tight = (*("".join(one.split()) for one in begins[:-1]), "]")
        figures = "".join(between) if trains else begins[-1]
        if tight == around and "loss" in figures.lower():
            return roles
    begins = [one.strip() for one in between[:3]]
    if begins == ["", "/", "(epoch"] and "loss" in "".join(between[3:4]):
        return "step", "steps"  # `67/446 (epoch 0), train_loss = 2.91`
    if between[0] == "[" and len(between) > 1 and _LOGGED.match(between[1]) is not None:
        rated = any(_STEPS_PER_SECOND.search(gap) is not None for gap in between)
        return ("step",) if rated else ()  # else the label may be an epoch's
    return ()


def counted(between: Sequence[str], at: int, number: str) -> tuple[float, float] | None:
    """Returns the factors of two counts of iterations that are scaled: `12.8kit/200kit`.

    Args:
        between: The text between the numbers of the line.
        at: Index of the first count.
        number: The first count as text.

    Returns:
        None for other numbers. In a progress bar they need no unit: `| 12.8k/200k`, `| 98.0/171`.
    """
    if at + 3 > len(between) or not between[at + 1].endswith("/"):
        return None
    done, of = _COUNTED.fullmatch(between[at + 1][:-1]), _COUNTED.match(between[at + 2])
    if done is None or of is None:
        return None
    in_bar = between[at].endswith(("|", "%")) and (done[1] or _SCALED.fullmatch(number))
    if not (done[2] or in_bar):
        return None
    return _THOUSANDS[done[1]], _THOUSANDS[of[1]]


def is_split(gap: str) -> bool:
    """Returns whether a text names a split and nothing else, like `Train` in `Train 3, loss`."""
    said = words_of(gap)
    return len(said) == 1 and said[0] in EVALUATED | TRAINED and gap.strip()[-1:] != ":"
