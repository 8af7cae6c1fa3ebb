"""The form of a line: its text around the numbers, which says what each of them is.

A log prints few forms again and again. What the numbers of a form are is worked out once, from the
text between them and from which of them are whole; a line of a known form is only cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sixdim.parsers.grammar.names import (
    DEVICE,
    EVALUATED,
    TIMES,
    Named,
    is_unit,
    meaning,
    rate_unit,
    words_of,
)
from sixdim.parsers.text.patterns import pattern

BAR = "bar"
"""Name of the steps that a progress bar counts."""
_NUMBER = (
    r"[-+]?(?:\d{1,3}(?:,\d{3})++(?![\d,])(?:\.\d++)?|\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
)
_CUT = pattern(rf"( *+(?<![\w.%@-]){_NUMBER})")
"""A number with the blanks in front of it."""
_CUT_ODD = pattern(rf"( *+(?<![\w.%@-])(?:{_NUMBER}|[-+]?(?i:nan|inf)(?![\w.])))")
"""The same, and what is no number."""
_ODD = ("nan", "inf", "NaN", "Inf")
_BAR = "%|"
_STEPS = pattern(r"\| {0,8}+\d{1,12}+/\d")
_UNIT = pattern(
    r" ?([kKM]? ?[A-Za-z]{1,12} ?/ ?[A-Za-z]{1,9})(?:(" + DEVICE + r")(?!\w)|(?![\w/]))"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|ms|s|secs?|seconds?|mins?|minutes|fps)(?![\w/])"
)
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6}
_CUTS = pattern(r"[,;|()\[\]{}<>]|\s-\s|:\s|\t|\s{2,}")
# Without one of these no number in a line has a meaning; it rules most lines out at once.
_HINT = pattern(
    r"(?i)loss|acc|top|prec|epoch|\bep\b|step|iter|batch|update|fps|tps|wps|ips|throughput"
    r"|/ ?s|per[ _]?sec|iou|\bap\b|map|auc|f1|bleu|psnr|ssim|dice|mcc|wer|fid|ppl|perplex|\bit\b"
)
_LONGEST = 4_000
_LONGEST_NUMBER = 40
_LONGEST_COUNT = 12
_ALL_OF = {"epoch": "epochs", "step": "steps", "part": "parts"}
_LABELS = frozenset({"epoch", "epochs", "step", "steps", "part", "parts"})
_OPEN = ("[", "][", "(", "],[", "|[")
_TAKES = frozenset({"is", "took", "takes", "finished", "completed", "done", "in", "time", "taken"})


class Hole(NamedTuple):
    """A number of a form that has a meaning.

    Attributes:
        at: Which number of the line it is.
        named: What it is; its value is not set.
        of_all: Which number it is divided by, for a share in percent; -1 for none.
        counts: Whether it is a whole number.
    """

    at: int
    named: Named
    of_all: int = -1
    counts: bool = False


class Form(NamedTuple):
    """What the numbers of a line with this text are.

    Attributes:
        holes: Those with a meaning, in the line's order.
        counts: Further numbers that must be whole.
        others: Those that must not be.
        words: The words up to the first figure.
        evaluates: Whether any word of the line is one of an evaluation.
        bar: The words in front of a progress bar; None in a line without one.
    """

    holes: tuple[Hole, ...] = ()
    counts: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    evaluates: bool = False
    bar: tuple[str, ...] | None = None


def cut(text: str) -> list[str]:
    """A line as its text and its numbers in turn, from text to text; drawn bars are left out."""
    text = text[:_LONGEST]
    if _BAR in text:
        begin, end = _drawn(text)
        text = text[:begin] + text[end:]
    for odd in _ODD:
        if odd in text:
            return _CUT_ODD.split(text)
    return _CUT.split(text)


def _drawn(text: str) -> tuple[int, int]:
    """Where the drawing of a progress bar begins and ends: `50%|████    | 10/20`."""
    begin = text.index(_BAR) + len(_BAR)
    end = text.find("|", begin)
    return (begin, end) if end >= 0 and _STEPS.match(text, end) else (begin, begin)


def named_numbers(text: str) -> list[Named]:
    """The numbers of a line to which the field's names or units give a meaning."""
    parts = cut(text)
    numbers = parts[1::2]
    begin, end = _drawn(text) if _BAR in text else (0, 0)
    places, at = [], 0
    for part in parts:
        at += len(part)
        places.append(at + (end - begin if at > begin else 0))
    form = form_of(tuple(parts[::2]), numbers)
    out = []
    for hole, value in zip(form.holes, values(form, numbers) or (), strict=True):
        if value is not None:
            begins = places[2 * hole.at + 1] - len(numbers[hole.at].lstrip(" "))
            out.append(hole.named._replace(value=value, at=begins))
    return out


def values(form: Form, numbers: Sequence[str]) -> list[float | None] | None:
    """The value of each hole, None for one that cannot be; None for a line of another form."""
    for at in form.counts:
        if _count(numbers[at]) is None:
            return None
    for at in form.others:
        if _count(numbers[at]) is not None:
            return None
    out: list[float | None] = []
    for at, named, of_all, counts in form.holes:
        raw = numbers[at]
        if counts:
            value: float | None = _count(raw)
            if value is None:
                return None
        elif of_all >= 0:
            part, whole = float(raw), float(numbers[of_all])
            value = 100 * part / whole if part <= whole and whole else None
        elif len(raw) > _LONGEST_NUMBER:
            value = None
        else:
            try:
                value = float(raw) * named.scale
            except ValueError:
                value = float(raw.replace(",", "")) * named.scale
            if not value and named.role == "rate":
                value = None
        out.append(value)
    return out


def _count(number: str) -> int | None:
    """A whole number that an epoch or a step may have; None for another."""
    digits = number.lstrip(" ")
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_COUNT else None


def form_of(between: tuple[str, ...], numbers: Sequence[str]) -> Form:
    """What the numbers of a line are, by the text between them and by which are whole."""
    text = " 0 ".join(between)
    if _HINT.search(text) is None:
        return Form()
    made = _Making(between, numbers)
    for at in range(len(numbers)):
        made.number(at)
    counted = {hole.at for hole in made.holes if hole.counts}
    return Form(
        tuple(made.holes),
        tuple(at for at, whole in made.whole.items() if whole and at not in counted),
        tuple(at for at, whole in made.whole.items() if not whole),
        tuple(words_of(made.beginning()[:60])),
        not EVALUATED.isdisjoint(words_of(text)),
        made.bar,
    )


class _Making:
    """Goes through the numbers of a line in their order.

    Attributes:
        holes: See `Form`.
        whole: Whether a number is whole, where that matters.
        bar: See `Form`.
    """

    def __init__(self, between: tuple[str, ...], numbers: Sequence[str]) -> None:
        self._between = between
        self._numbers = numbers
        self._gap = between[0]
        self._named_before = False  # the number just before has a meaning
        self.holes: list[Hole] = []
        self.whole: dict[int, bool] = {}
        self.bar: tuple[str, ...] | None = None

    def number(self, at: int) -> None:
        """Notes what the next number is."""
        gap, after = self._gap, self._between[at + 1]
        number = self._numbers[at].lstrip(" ")
        before = self._named_before
        self._gap, self._named_before = after, False
        last = self.holes[-1].named if self.holes else None
        if gap.strip() in ("/", "of") and last is not None:
            of = _ALL_OF.get(last.role) if before else None
            if of and self._count(at):
                self._add(at, Named(of, last.name))
            elif before and gap == "/" and last.role == "quality" and not last.unit:
                self._share(at)
            return
        if gap == "||" and after == "/" and self._count(at):
            self.bar = tuple(words_of(" 0 ".join(self._between[:at])[-60:]))
            self._add(at, Named("step", BAR))
            return
        if last is not None and self.holes[-1].of_all == at - 1 and after.startswith("%"):
            self.holes.append(Hole(at, last))  # the share as it is printed
            return
        if last is not None and last.role in ("epoch", "epochs") and before:
            tight = "".join(gap.split())
            if (tight == "][" or (tight in _OPEN and after == "/")) and self._count(at):
                self._add(at, Named("step", last.name))
                return
        unit, scale, per_device, end = self._unit(at, gap)
        if number[-1].isdigit() and after[end : end + 1].isalpha() and not unit:
            return  # glued to a word
        self._gap = after[end:]
        if last is not None and last.role in ("epoch", "epochs") and before and unit in TIMES:
            words = words_of(gap)
            if words and _TAKES.issuperset(words):
                self._add(at, Named("epoch time", last.name, scale=TIMES[unit]))
                return
        name = _name(gap)
        found = meaning(name, unit, True) if name or unit else None
        if found is None and after == "/" and self._only_labels() and self._count(at):
            found = Named("part", "")
        if found is not None and found.role in ("epoch", "step") and not self._count(at):
            return
        if found is not None:
            device = per_device or found.per_device
            self._add(at, found._replace(scale=found.scale * scale, per_device=device))

    def beginning(self) -> str:
        """The text up to the first figure's number."""
        first = next((h.at for h in self.holes if h.named.role not in _LABELS), None)
        return " 0 ".join(self._between if first is None else self._between[: first + 1])

    def _only_labels(self) -> bool:
        return all(hole.named.role in _LABELS for hole in self.holes)

    def _add(self, at: int, named: Named) -> None:
        self.holes.append(Hole(at, named, counts=named.role in _LABELS))
        self._named_before = True

    def _share(self, at: int) -> None:
        """`9832/10000 (98%)`: the share of all in percent, in place of the first number."""
        part = self.holes[-1]
        if self._count(part.at) and self._count(at):
            self.holes[-1] = part._replace(named=part.named._replace(unit="%"), of_all=at)
        else:
            self.holes.pop()

    def _count(self, at: int) -> bool:
        """Whether a number is whole; what follows holds for lines in which it is the same."""
        self.whole[at] = _count(self._numbers[at]) is not None
        return self.whole[at]

    def _unit(self, at: int, gap: str) -> tuple[str, float, bool, int]:
        """The unit behind a number, its thousands, whether it is a device's, where it ends."""
        after = self._between[at + 1]
        found = _UNIT.match(after)
        if found is None:
            return "", 1.0, False, 0
        if not found[1]:
            return (found[3] or found[4]).lower(), 1.0, False, found.end()
        unit, scale = found[1].replace(" ", ""), 1.0
        if not is_unit(unit.lower()) and unit[0] in _THOUSANDS:
            unit, scale = unit[1:], _THOUSANDS[unit[0]]
        unit = unit.lower()
        if not is_unit(unit):
            return "", 1.0, False, 0
        if rate_unit(unit) and not found[2] and after[found.end() :].strip(" \t") in ("", ":", "="):
            own = meaning(_name(gap), "", True) if at + 1 < len(self._numbers) else None
            if own is not None and own.role != "rate":
                return "", 1.0, False, 0  # `loss 1.5 tok/s 250`: the name of the next
        return unit, scale, found[2] is not None, found.end()


def _name(gap: str) -> str:
    """The name in front of a number: the last words before it, to the nearest separator."""
    body = gap.rstrip(" \t:=~\"'([{#>-")
    return _CUTS.split(body)[-1].strip(" \t\"':=-*.")[-60:]
