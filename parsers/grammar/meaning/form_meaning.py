"""Finds out what the numbers of a form of lines are, by the text between them."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.about import BEGINNING
from sixdim.parsers.grammar.meaning.bar_parts import (
    BAR,
    counts_epochs,
    is_cut,
    of_epochs,
    times_of_bar,
)
from sixdim.parsers.grammar.meaning.line_parts import (
    ORDINAL,
    counted,
    counts_others,
    heading,
    is_source,
    is_split,
    lists_settings,
    name_before,
    of_coco,
    positions,
    shows_no_figure,
    timed_by_meters,
    with_means,
)
from sixdim.parsers.grammar.meaning.split_names import names_by_split
from sixdim.parsers.grammar.meaning.unit_behind import UNIT, unit_behind
from sixdim.parsers.grammar.vocabulary.chinese import english
from sixdim.parsers.grammar.vocabulary.forms import Form, Hole, is_count
from sixdim.parsers.grammar.vocabulary.hints import has_hint
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED, Named, meaning, words_of
from sixdim.parsers.grammar.vocabulary.prose import named_in
from sixdim.parsers.grammar.vocabulary.rates import TIMES, is_unit
from sixdim.parsers.text.patterns import pattern

_ALL_OF = {"epoch": "epochs", "step": "steps", "part": "parts"}
_LABELS = frozenset({"epoch", "epochs", "step", "steps", "part", "parts"})
_OF_A_PART = frozenset({"loss", "quality", "series"})
_OPEN = ("[", "][", "(", "],[", "|[", "|")
_QUALIFIED = pattern(r"[^()]{0,40}+\)\s{0,4}+[:=]")
_KEY = pattern(r"\w{1,40}=\Z")
_SAYS = pattern(r"(?:[:=]|\b(?:is|was|are))\s*+$")
_TAKES = frozenset({"is", "took", "takes", "finished", "completed", "done", "in", "time", "taken"})


def form_of(between: tuple[str, ...], numbers: Sequence[str]) -> Form:
    """Finds out what the numbers of a line are.

    Args:
        between: The text between the numbers.
        numbers: The numbers; of some it matters whether they are whole.
    """
    if not "".join(between).isascii():
        between = tuple(english("\0".join(between)).split("\0"))
    if (table := of_coco(between)) is not None:
        return table
    text = " 0 ".join(between)
    if not has_hint(text) or is_source(between, numbers) or lists_settings(text):
        return Form()
    builder = _FormBuilder(between, numbers)
    for at in range(len(numbers)):
        builder.number(at)
    builder.of_whole()
    builder.holes += timed_by_meters(between) if "steps" in builder.roles() else ()
    if shows_no_figure(text, builder.holes):
        return Form()
    return Form(
        builder.by_part(),
        tuple(at for at, whole in builder.whole.items() if whole),
        tuple(at for at, whole in builder.whole.items() if not whole),
        tuple(words_of(builder.beginning()[:60])),
        not EVALUATED.isdisjoint(words_of(text)),
        builder.bar,
    )


class _FormBuilder:
    """Builds a form, number by number.

    Attributes:
        holes: See `Form`.
        means: Number to its running mean, by place: `Acc@1 84.4 (72.7)`.
        whole: Whether a number is whole, where that matters.
        bar: See `Form`.
    """

    def __init__(self, between: tuple[str, ...], numbers: Sequence[str]) -> None:
        self._between = between
        self._numbers = numbers
        self._gap = between[0]
        self._named_before = False  # the number just before has a meaning
        self._since = 0  # text behind the last figure
        self._positions = positions(between)
        self._part = ""  # of the line, by its heading: `train: loss 2.5 acc 31 | val: loss …`
        self._parts: dict[int, str] = {}
        self._times: list[Hole] = []  # of the bar
        self._by_split: dict[int, str] = {}  # names of figures that share one
        self.holes: list[Hole] = []
        self.means: dict[int, int] = {}
        self.whole: dict[int, bool] = {}
        self.bar: tuple[str, ...] | None = None

    def number(self, at: int) -> None:
        """Adds the next number, if it has a meaning."""
        gap, after = self._gap, self._between[at + 1]
        self._part = heading(gap) or self._part
        number = self._numbers[at].lstrip(" ")
        before = self._named_before
        self._gap, self._named_before = after, False
        last = self.holes[-1].named if self.holes else None
        if self.holes and self.holes[-1].at == at:
            return  # read with the number before
        if (thousands := counted(self._between, at, number)) is not None:
            if gap == "||":
                self.bar = tuple(words_of(" 0 ".join(self._between[:at])[-60:]))
            for place, scale in enumerate(thousands):
                role, name = ("step", "steps")[place], BAR if gap == "||" else ""
                self._add(at + place, Named(role, name, unit="it", scale=scale))
            return
        if at < len(self._positions):
            if self._count(at):
                self._add(at, Named(self._positions[at], ""))
            return
        if self._shares_name(at):
            return
        ordinal = ORDINAL.match(after)
        if ordinal is not None and "epoch" not in self.roles() and self._count(at):
            self._add(at, Named("epoch", "epoch"))
            self._gap = after[ordinal.end() :]
            return
        if gap.strip() in ("/", "of", "out of") and last is not None:
            of = _ALL_OF.get(last.role) if before else None
            if of and self._count(at):
                self._add(at, Named(of, last.name))
                if last.name == BAR:
                    self._of_bar(at + 1)
            elif before and gap == "/" and last.role == "quality" and not last.unit:
                self._share(at)
            return
        # A bar without a total; only with a word in front of it is it known what it counts.
        endless = after == "it [" and (gap.endswith(":") or not gap)
        if (endless or (gap == "||" and after == "/")) and self._count(at):
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
        if before and gap.strip() == "(" and after.startswith(")"):
            self.means[at - 1] = at
            return
        unit, scale, per_device, end = unit_behind(gap, after, at + 1 == len(self._numbers))
        if number[-1].isdigit() and after[end : end + 1].isalpha() and not unit:
            return  # glued to a word
        self._gap = after[end:]
        if last is not None and last.role in ("epoch", "epochs") and before and unit in TIMES:
            words = words_of(gap)
            if words and _TAKES.issuperset(words):
                self._add(at, Named("epoch time", last.name, scale=TIMES[unit]))
                return
        name = name_before(gap)
        alone = unit in TIMES and gap.strip() in ("[", "(") and after[end : end + 1] in ("]", ")")
        if alone and before and last is not None and last.role in ("epoch", "epochs"):
            self._add(at, Named("time", "", scale=TIMES[unit]))  # `Epoch 3/100 [38.7s]`
            return
        found = meaning(name, unit, True) if name or unit else None
        if found is None:
            found = self._of_split(name, gap, last if before else None)
        if found is None or found.role in ("epoch", "step"):
            said = self._in_sentence(at, unit)
            if said is not None and found is not None and self._count(at):
                return  # `accuracy at epoch: 3`
            found = said or found
        if found is not None and found.role in ("loss", "quality") and self._is_key(at, end, name):
            return
        if found is None and after == "/" and words_of(name) == ["epochs"]:
            found = Named("epoch", name)  # `Epochs: 3/200`; without a share, it is how many
        counts = after == "/" or (at == 0 and after[:1] in (",", ":", "|") and is_split(gap))
        if found is None and counts and self.roles() <= _LABELS and self._count(at):
            dated = "/" in (gap, *self._between[at + 2 : at + 3])  # 13/09/24
            found = None if dated else Named("part", "")
        if found is not None and found.role == "rate" and unit and not is_unit(unit):
            return  # `throughput: 30x`
        whole = found is not None and found.canonical == "error" and not unit and self._count(at)
        if whole or (found is not None and found.role == "quality" and self._lists(at)):
            return  # `validation error: 3 fields`
        if found is not None and (
            found.role not in ("epoch", "step")
            or (self._count(at) and not counts_others(self._between[at + 1 :]))
        ):
            device = per_device or found.per_device
            self._add(at, found._replace(scale=found.scale * scale, per_device=device))

    def roles(self) -> set[str]:
        """The roles of the line's figures."""
        return {hole.named.role for hole in self.holes}

    def beginning(self) -> str:
        """The text up to the first figure's number."""
        first = next((h.at for h in self.holes if h.named.role not in _LABELS), None)
        text = self._between if first is None else self._between[: first + 1]
        known = {hole.at for hole in self.holes}
        return " 0 ".join(_KEY.sub("", t) if at not in known else t for at, t in enumerate(text))

    def _is_key(self, at: int, end: int, name: str) -> bool:
        """Whether a number is part of a name: `accuracy of 3: 98 %`, `mAP (0.5): 0.71`."""
        follows = self._between[at + 1][end:].strip()
        if at + 1 < len(self._numbers) and follows in (":", "=", "->", "-->", "=>"):
            return not self._between[at + 2].startswith("%|")  # `loss 0.42: 12%|█▏ |`: of a bar
        if self._between[at].endswith("(") and _QUALIFIED.match(follows):
            return True
        return name.endswith((" of", " at", " for")) and follows[:1].isalpha()

    def _of_split(self, name: str, gap: str, last: Named | None) -> Named | None:
        """A figure whose split is its name: `acc: train 91.5, val 88.2`."""
        said = frozenset(words_of(name))
        split = "eval" if said <= EVALUATED else "train" if said <= TRAINED else ""
        if not said or not split:
            return None
        if last is None or last.role in _LABELS:
            last = meaning(name_before(gap.rpartition(": ")[0]), "", False)
        elif not last.split:
            return None
        if last is None or last.role not in ("loss", "quality"):
            return None
        return last._replace(name=name, split=split)

    def _in_sentence(self, at: int, unit: str) -> Named | None:
        """The figure that the text since the last one names: `accuracy at step 5: 0.75`."""
        if unit != "%" and not _SAYS.search(self._between[at]):
            return None
        return named_in(self._between[self._since : at + 1], unit)

    def of_whole(self) -> None:
        """Puts running means in place of the figures of batches; see `line_parts.with_means`."""
        counts = not self.roles().isdisjoint(("steps", "part"))
        tests = counts and not EVALUATED.isdisjoint(words_of(self.beginning()[:60])[:BEGINNING])
        self.holes = with_means(self.holes, self.means, self._numbers, tests=tests)

    def by_part(self) -> tuple[Hole, ...]:
        """The holes, with their split where a line has a part of training and one of evaluation."""
        if self.bar is not None and self.holes and is_cut(self._between):
            self.holes = [hole for hole in self.holes if hole.at < len(self._numbers) - 1]
        if set(self._parts.values()) != {"train", "eval"}:
            return (*self.holes, *self._times)
        by_part = (
            hole._replace(named=hole.named._replace(split=self._parts[hole.at]))
            if hole.at in self._parts
            else hole
            for hole in self.holes
        )
        return (*by_part, *self._times)

    def _add(self, at: int, named: Named) -> None:
        if named.role in _OF_A_PART and not named.split and self._part:
            self._parts[at] = self._part
        if named.role not in _LABELS:
            self._since = at + 1
        self.holes.append(Hole(at, named, counts=named.role in _LABELS))
        self._named_before = True

    def _of_bar(self, at: int) -> None:
        """Adds the numbers of a bar behind its count."""
        if counts_epochs(self._between, at):
            self.holes[-2:] = of_epochs(self.holes[-2:])
        else:
            self._times = times_of_bar(self._between, at)

    def _shares_name(self, at: int) -> bool:
        """Adds a number that shares its name with one of another split; returns whether it does."""
        if at not in self._by_split:
            self._by_split |= enumerate(names_by_split(self._between, at), at)
        unit, scale, _, end = unit_behind("", self._between[at + 1], False)
        found = meaning(self._by_split.get(at, ""), unit, True)
        if found is None or found.role not in _OF_A_PART:
            return False
        self._gap = self._between[at + 1][end:]
        self._add(at, found._replace(scale=found.scale * scale))
        return True

    def _share(self, at: int) -> None:
        """`9832/10000 (98%)`: replaces the first number by the share in percent."""
        part = self.holes[-1]
        if self._count(part.at) and self._count(at):
            self.holes[-1] = part._replace(named=part.named._replace(unit="%"), of_all=at)
        else:
            self.holes.pop()

    def _lists(self, at: int) -> bool:
        """Whether further numbers without names follow: `AP: 89.1, 78.2, 77.3` is of several."""
        listed = self._between[at + 1].strip() == "," and at + 1 < len(self._numbers)
        return listed and UNIT.match(self._between[at + 2]) is None

    def _count(self, at: int) -> bool:
        """Whether a number is whole; the form is one of lines in which the answer is the same."""
        self.whole[at] = is_count(self._numbers[at])
        return self.whole[at]
