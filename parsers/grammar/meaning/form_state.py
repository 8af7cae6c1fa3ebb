"""The state while the numbers of a line are read, one after the other."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sixdim.parsers.grammar.meaning.about import BEGINNING
from sixdim.parsers.grammar.meaning.bar_parts import is_cut
from sixdim.parsers.grammar.meaning.form import COUNTS, OF_DATA, Hole
from sixdim.parsers.grammar.meaning.line_parts import positions, with_means
from sixdim.parsers.grammar.vocabulary.forms import is_count
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_EPOCHS = ("epoch", "epochs")
_KEY = pattern(r"\w{1,40}=\Z")


class NumberInText(NamedTuple):
    """A number of a line and the text around it.

    Attributes:
        at: Its index among the numbers of the line.
        text: The number.
        gap: The text in front of it, without the unit of the number before.
        after: The text between it and the next number.
        last: The last number in front of it that has a meaning; None for none.
        follows_figure: Whether `last` is the number directly in front of it.
    """

    at: int
    text: str
    gap: str
    after: str
    last: Named | None
    follows_figure: bool

    def follows_epoch(self) -> bool:
        """Returns whether the number in front of it is an epoch or the number of epochs."""
        return self.follows_figure and self.last is not None and self.last.role in _EPOCHS


class FormState:
    """The numbers of a line that have a meaning so far.

    Attributes:
        holes: See `Form`.
        means: Index of a number to the index of its running mean: `Acc@1 84.4 (72.7)`.
        whole: Index of a number to whether it is whole, where the meaning depends on that.
        bar: See `Form`.
    """

    def __init__(self, between: tuple[str, ...], numbers: Sequence[str]) -> None:
        self._between = between
        self._numbers = numbers
        self._gap = between[0]
        self._named_before = False  # the number just before has a meaning
        self._since = 0  # index of the text after the last figure
        self._positions = positions(between)
        # Split by the first name since a `|`, if it means nothing else: `| dev P 71 R 69 F1 70`.
        self._named_part = ""
        self._part = ""  # split by the last heading: `train: loss 2.5 acc 31 | val: loss …`
        self._parts: dict[int, str] = {}
        self._times: list[Hole] = []  # of the bar
        self._counts_parts = False  # the bar, as in `0.52/6 [00:03<00:31, 5.1s/it]`
        self._by_split: dict[int, str] = {}  # full names of the figures that share a name
        self.holes: list[Hole] = []
        self.means: dict[int, int] = {}
        self.whole: dict[int, bool] = {}
        self.bar: tuple[str, ...] | None = None

    def roles(self) -> set[str]:
        """Returns the roles of the numbers read so far."""
        return {hole.named.role for hole in self.holes}

    def beginning(self) -> str:
        """Returns the text up to the first figure."""
        first = next((h.at for h in self.holes if h.named.role not in COUNTS), None)
        text = self._between if first is None else self._between[: first + 1]
        known = {hole.at for hole in self.holes}
        return " 0 ".join(
            _KEY.sub("", t) if t.endswith("=") and at not in known else t
            for at, t in enumerate(text)
        )

    def of_whole(self, averaged: Collection[str]) -> None:
        """Replaces figures of single batches by running means; see `line_parts.with_means`."""
        counts = not self.roles().isdisjoint(("steps", "part"))
        tests = not EVALUATED.isdisjoint(words_of(self.beginning()[:60])[:BEGINNING])
        running = self._running()
        of_batches = [
            hole.at
            for hole in self.holes
            if (tests and (counts or ("step" in self.roles() and hole.at in running)))
            or ((tests or hole.named.split == "eval") and hole.named.canonical in averaged)
        ]
        self.holes = with_means(self.holes, self.means, running, of_batches)

    def count_episodes(self) -> None:
        """Reads `Ep 3, reward 21.0`: `Ep` is an episode there, as an epoch has no reward."""
        if not any(hole.named.canonical in ("reward", "return") for hole in self.holes):
            return
        for at, hole in enumerate(self.holes):
            if hole.named.role in _EPOCHS and words_of(hole.named.name) == ["ep"]:
                role = hole.named.role.replace("epoch", "step")
                self.holes[at] = hole._replace(named=hole.named._replace(role=role, name="episode"))

    def _running(self) -> set[int]:
        """Indices of the figures that are equal to the number in brackets after them.

        This line is the first one of its form, so these numbers are running means.
        """
        value = [float(number.replace(",", "")) for number in self._numbers]
        return {at for at, mean in self.means.items() if value[at] == value[mean]}

    def by_part(self) -> tuple[Hole, ...]:
        """Returns the holes, with splits if the line has a training part and an evaluation part."""
        if self.bar is not None and self.holes and is_cut(self._between):
            self.holes = [hole for hole in self.holes if hole.at < len(self._numbers) - 1]
        named = {hole.named.split for hole in self.holes if hole.named.role in OF_DATA}
        if not named.union(self._parts.values()) >= {"train", "eval"}:
            return (*self.holes, *self._times)
        by_part = (
            hole._replace(named=hole.named._replace(split=self._parts[hole.at]))
            if hole.at in self._parts
            else hole
            for hole in self.holes
        )
        return (*by_part, *self._times)

    def _add(self, at: int, named: Named) -> None:
        if named.role == "epoch" and "," in self._numbers[at]:
            return  # `Epoch 3,100`: an epoch and its step
        if named.role in OF_DATA and not named.split and (self._named_part or self._part):
            self._parts[at] = self._named_part or self._part
        if named.role not in COUNTS:
            self._since = at + 1
        self.holes.append(Hole(at, named, counts=named.role in COUNTS))
        self._named_before = True

    def _count(self, at: int) -> bool:
        """Returns whether a number is whole; the form then fits only lines with the same answer."""
        self.whole[at] = is_count(self._numbers[at])
        return self.whole[at]
