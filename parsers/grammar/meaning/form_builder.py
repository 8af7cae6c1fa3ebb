"""Finds the meaning of each number of a line from the text around it, from left to right."""

from collections.abc import Collection, Sequence

from sixdim.parsers.grammar.meaning.around_number import names_by_split, unit_after
from sixdim.parsers.grammar.meaning.bar_parts import BAR, counts_epochs, of_epochs, times_of_bar
from sixdim.parsers.grammar.meaning.form import OF_DATA, Form, Hole
from sixdim.parsers.grammar.meaning.form_figures import FigureRules
from sixdim.parsers.grammar.meaning.form_state import NumberInText
from sixdim.parsers.grammar.meaning.heads import of_several_heads
from sixdim.parsers.grammar.meaning.line_parts import (
    ORDINAL,
    counted,
    elapsed,
    heading,
    is_source,
    lists_settings,
    of_coco,
    shows_no_figure,
    timed_by_meters,
)
from sixdim.parsers.grammar.meaning.losses import with_one_loss
from sixdim.parsers.grammar.vocabulary.hints import has_hint
from sixdim.parsers.grammar.vocabulary.languages import english, is_translated
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, INFERRED, TRAINED, meaning
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

_ALL_OF = {"epoch": "epochs", "step": "steps", "part": "parts"}
_DESCRIBED_BAR = pattern(r"\A[^━A-Za-z]*+[A-Za-z][^━]*+━.*━")
"""A bar drawn by Rich, and its description, which is no name of the count after the bar."""
_BARE_BAR = pattern(r"\|?[█▉▊▋▌▍▎▏]{1,400}+ *+\| ?")
"""A bar without a percentage in front of it, as where its beginning was not copied."""
_BY_HAND = pattern(r"\[[=>#.*o■█░-]{0,100}+\]")
"""A bar that a loop draws itself, without its blanks: `Epoch 1/8 [====>....] 12/40 loss: 0.5`."""
_AFTER_EPOCHS = pattern(r"[:,|-]?[|\[]?[━╸╺─█▉▊▋▌▍▎▏░▒▓#=>-]{0,400}+[|\]]?")
"""What may stand between the epoch and its step, without blanks: perhaps a bar."""
_DRAWN = pattern(r"[|\[]?[━╸╺─█▉▊▋▌▍▎▏░▒▓#=>-]{2,400}+[|\]]?")
"""A bar without its blanks, between the epoch and the percentage: `Epoch 1/8 ━━━━ 30% 12/40`."""
_AFTER_A_PERCENTAGE = pattern(r"%(?: {1,8}+[•|])?+ {0,8}+")
_SECOND_COUNT = 2
"""Index of the first number after a count and its total at the beginning of a line."""
_LONGEST_BEFORE_A_BAR = 60
"""So many characters in front of a bar say what it draws; in front of them, only the first word."""
_OF_CORRECT = EVALUATED | TRAINED | words("got set")
_AROUND_A_NAME = " \t:=,|"
_CRITERION = pattern(r"Eval(?=[A-Z]\w{0,40}Err)")
"""`EvalClassificationError`: CNTK's name of a criterion, of which a training has one, too."""
_SAID = pattern(r'"(?:event|message|msg|phase|split|mode|stage)" ?: ?"([^"]{1,40})"')
"""What an object says that it is about, wherever it stands among the figures."""
_OPEN = ("[", "][", "](", "(", "],[", "|[", "|")


class _FormBuilder(FigureRules):
    """Builds the form of a line, number by number."""

    def number(self, at: int) -> None:
        """Adds the next number, if it has a meaning: the first rule that applies decides."""
        gap, after = self._gap, self._between[at + 1]
        self._part = heading(gap) or self._part
        self._named_part = "" if "|" in gap else self._named_part
        last = self.holes[-1] if self.holes else None
        named = None if last is None else last.named
        one = NumberInText(at, self._numbers[at].lstrip(" "), gap, after, named, self._named_before)
        self._gap, self._named_before = after, False
        if last is not None and last.at == at:
            return  # read with the number before
        known = (
            self._in_thousands(one)
            or self._by_position(one)
            or self._shares_name(at)
            or self._by_ordinal(one)
            or self._by_letter(one)
            or self._of_all(one)
            or self._correct(one)
            or self._begins_bar(one)
            or self._printed_share(one)
            or self._step_of_epoch(one)
            or self._batch_of_test(one)
            or self._step_after_percentage(one)
            or self._running_mean(one)
            or self._cost(one)
            or self._by_name(one)
        )
        if not known and "|" in gap:
            first = words_of(gap.rpartition("|")[2])[:1]
            self._named_part = "" if EVALUATED.isdisjoint(first) else "eval"

    def _in_thousands(self, one: NumberInText) -> bool:
        """Reads counts that are printed in thousands: `12.8kit/200kit`."""
        thousands = counted(self._between, one.at, one.text)
        if thousands is None:
            return False
        bar = self._in_bar(one)
        if bar:
            self.bar = self._words_of_bar(one.at)
        for place, scale in enumerate(thousands):
            role, name = ("step", "steps")[place], BAR if bar else ""
            self._add(one.at + place, Named(role, name, unit="it", scale=scale))
        return True

    def _by_position(self, one: NumberInText) -> bool:
        """Reads the unnamed counts with which some lines of training begin."""
        if one.at >= len(self._positions):
            return False
        if self._count(one.at):
            self._add(one.at, Named(self._positions[one.at], ""))
        return True

    def _shares_name(self, at: int) -> bool:
        """Reads figures that share one name: `Train / Test accuracy: 0.89 / 0.78`."""
        if at not in self._by_split:
            self._by_split |= enumerate(names_by_split(self._between, at), at)
        unit, scale, _, end = unit_after("", self._between[at + 1], False)
        found = meaning(self._by_split.get(at, ""), unit, True)
        if found is None or found.role not in OF_DATA:
            return False
        self._gap = self._between[at + 1][end:]
        self._add(at, found._replace(scale=found.scale * scale))
        return True

    def _by_ordinal(self, one: NumberInText) -> bool:
        """Reads an epoch that is an ordinal: `3rd epoch`."""
        ordinal = ORDINAL.match(one.after)
        if ordinal is None or "epoch" in self.roles() or not self._count(one.at):
            return False
        self._add(one.at, Named("epoch", "epoch"))
        self._gap = one.after[ordinal.end() :]
        return True

    def _by_letter(self, one: NumberInText) -> bool:
        """Reads the epoch with which a line begins: `E3/10 loss 0.5`, `e=3 | loss 0.5`."""
        if one.at or one.gap.rstrip(" =:").lower() != "e" or not self._count(0):
            return False
        self._add(0, Named("epoch", "e"))
        return True

    def _of_all(self, one: NumberInText) -> bool:
        """Reads a total, as in `Epoch 3/90` and `step 4 of 9`, or a share: `9832/10000 (98%)`."""
        if one.last is None or one.gap.strip() not in ("/", "of", "out of"):
            return False
        is_bare_quality = one.last.role == "quality" and not one.last.unit
        of = _ALL_OF.get(one.last.role) if one.follows_figure else None
        if of and self._count(one.at):
            self._add(one.at, Named(of, one.last.name))
            if one.last.name == BAR:
                self._of_bar(one.at + 1)
        elif one.follows_figure and is_bare_quality:
            counts = one.gap.strip() == "/" and self._count(one.at) and self._count(one.at - 1)
            if one.gap == "/" or counts:
                self._share(one.at)
        return True

    def _correct(self, one: NumberInText) -> bool:
        """Reads the accuracy of `Got 812 / 1000 correct` and `Test: 812/1000 correct`."""
        said = words_of(one.gap)
        counts = one.after.strip() == "/" and self._counts_correct(one) and self._count(one.at)
        if not counts or not said or not _OF_CORRECT.issuperset(said):
            return False
        split = "eval" if EVALUATED & {*said} else "train" if TRAINED & {*said} else ""
        self._add(one.at, Named("quality", "correct", "acc1", split=split))
        return True

    def _begins_bar(self, one: NumberInText) -> bool:
        """Reads a bar's count; one without a total (`12it [`) only after `:` or at the start."""
        endless = one.after == "it [" and (one.gap.endswith(":") or not one.gap)
        if not (endless or self._in_bar(one)):
            return False
        if not self._count(one.at):
            self._counts_parts = True
            return False
        self.bar = self._words_of_bar(one.at)
        self._add(one.at, Named("step", BAR))
        return True

    def _in_bar(self, one: NumberInText) -> bool:
        """Returns whether a number is the count of a bar, drawn or not.

        An example is `100% 30/30 [00:04<00:00, …`.
        """
        after = self._between[one.at + 2 :]
        if not (after and one.after.endswith("/")):  # the `/` may be the end of an address
            return False
        if one.at == 0 and after[0] == " [" and _BARE_BAR.fullmatch(one.gap):
            return True
        return one.gap == "||" or (self._between[one.at] == "%" and after[0].endswith(" ["))

    def _printed_share(self, one: NumberInText) -> bool:
        """Reads the percentage after a share, of which `sixdim teach` makes a pattern."""
        if one.last is None or self.holes[-1].of_all != one.at - 1 or not one.after.startswith("%"):
            return False
        self.holes.append(Hole(one.at, one.last))
        return True

    def _step_of_epoch(self, one: NumberInText) -> bool:
        """Reads the step in `Epoch: [3][100/334]`, or after a bar: `Epoch 3/9 loss=0.5 ━━ 7/80`.

        A split may stand in between: `Epoch [3/9] Training [7/80]`, `Epoch: 3, Train: [7/80]`.
        """
        tight = "".join(one.gap.split())
        split = tight.strip("])[,;:|-") if tight.endswith("[") else ""
        if tight == "(" and self._names_epochs(one):
            self._add(one.at + 1, Named("epochs", "epoch"))
            return True
        bar = _BY_HAND.fullmatch(tight) or _AFTER_EPOCHS.fullmatch(tight)
        drawn = tight.removeprefix(":") in _OPEN or bar is not None
        if _DRAWN.fullmatch(tight) and one.after == "/" and not one.follows_epoch():
            counts = {"epoch", "step"} & self.roles() == {"epoch"} and self._count(one.at)
            if counts:
                self._add(one.at, Named("step", ""))
            return counts
        counts = drawn and one.after.strip() == "/" and not self._counts_correct(one)
        opens = tight == "][" or split.lower() in TRAINED | EVALUATED or counts
        if one.last is None or not (one.follows_epoch() and opens and self._count(one.at)):
            return False
        self._add(one.at, Named("step", split or one.last.name))
        return True

    def _batch_of_test(self, one: NumberInText) -> bool:
        """Reads the batch of an evaluation that an epoch without a name has: `Val 3/90 2/6 acc`."""
        after_parts = one.at == _SECOND_COUNT and one.last is not None and one.last.role == "parts"
        if not after_parts or one.gap.strip() or one.after != "/" or not self._count(one.at):
            return False
        if EVALUATED.isdisjoint(words_of(self._between[0])):
            return False
        self._add(one.at, Named("step", ""))
        return True

    def _step_after_percentage(self, one: NumberInText) -> bool:
        """Reads the step of a bar that prints a percentage first: `Epoch 1/8 ━━━━ 30% 12/40`."""
        if one.after != "/" or not _AFTER_A_PERCENTAGE.fullmatch(self._between[one.at]):
            return False
        follows_epoch = one.last is not None and one.last.role in ("epoch", "epochs")
        if not follows_epoch or self.holes[-1].at != one.at - 2 or not self._count(one.at):
            return False
        if _DRAWN.fullmatch("".join(self._between[one.at - 1].split())) is None:
            return False
        self._add(one.at, Named("step", ""))
        return True

    def _counts_correct(self, one: NumberInText) -> bool:
        """Returns whether a number begins `812/1000 correct`."""
        return any(text.lstrip().startswith("correct") for text in self._between[one.at + 2 :][:1])

    def _names_epochs(self, one: NumberInText) -> bool:
        """Returns whether a heading counts its epochs a second time: `Epoch 3 (3/200):`."""
        after = self._between[one.at + 2 :]
        alone = len(after) == 1 and after[0].strip() in (")", "):")
        return alone and one.follows_epoch() and self._numbers[one.at - 1].strip() == one.text

    def _running_mean(self, one: NumberInText) -> bool:
        """Reads the mean in brackets: `Acc@1 84.4 (72.7)`."""
        if not (one.follows_figure and one.gap.strip() == "(" and one.after.startswith(")")):
            return False
        self.means[one.at - 1] = one.at
        return True

    def _cost(self, one: NumberInText) -> bool:
        """Reads a loss that is called cost: `Epoch 0 Update 5 Cost 173.9`, `Epoch: 1 cost = 2.3`.

        `cost 2.1 s` is a time, and `Epoch 3 cost 2.1` may be one.
        """
        last, said = one.last if one.follows_figure else None, one.gap.strip(_AROUND_A_NAME)
        unit, *_ = unit_after("", one.after, False)
        if last is None or unit or said.lower() not in ("cost", "avg_cost"):
            return False
        assigned = one.gap.rstrip().endswith("=") and last.role in ("epoch", "epochs")
        if not assigned and (last.role, last.name.lower()) != ("step", "update"):
            return False
        self._add(one.at, Named("loss", "Cost", "loss"))
        return True

    def _words_of_bar(self, at: int) -> tuple[str, ...]:
        """Returns the words in front of the bar whose count is number `at`."""
        before = " 0 ".join(self._between[:at])
        if len(before) <= _LONGEST_BEFORE_A_BAR:
            return tuple(words_of(before))
        first = words_of(before[:_LONGEST_BEFORE_A_BAR])[:1]
        return (*first, *words_of(before[-_LONGEST_BEFORE_A_BAR:]))

    def _of_bar(self, at: int) -> None:
        """Adds the numbers that stand after the count of a bar."""
        if counts_epochs(self._between, at):
            self.holes[-2:] = of_epochs(self.holes[-2:])
        else:
            self._times = times_of_bar(self._between, at)

    def _share(self, at: int) -> None:
        """Replaces the first number of `9832/10000` by the share in percent."""
        part = self.holes[-1]
        if self._count(part.at) and self._count(at):
            self.holes[-1] = part._replace(named=part.named._replace(unit="%"), of_all=at)
        else:
            self.holes.pop()


def form_of(
    between: tuple[str, ...], numbers: Sequence[str], averaged: Collection[str] = ()
) -> Form:
    """Finds the meaning of the numbers of a line.

    Args:
        between: The text between the numbers.
        numbers: The numbers; the form holds only for lines whose counts are whole like these.
        averaged: Metrics that the log's lines of training print with their running mean.
    """
    said = "\0".join(between)
    if not said.isascii() or is_translated(said):
        between = tuple(english(said).split("\0"))
        between = tuple(_DESCRIBED_BAR.sub("━", part) for part in between)
    between = tuple(_CRITERION.sub("", part) for part in between)
    if (table := of_coco(between)) is not None:
        return table
    text = " 0 ".join(between)
    if not has_hint(text) or is_source(between, numbers) or lists_settings(text):
        return Form()
    builder = _FormBuilder(between, numbers)
    for at in range(len(numbers)):
        builder.number(at)
    builder.count_episodes()
    builder.of_whole(averaged)
    builder.holes += timed_by_meters(between) if "steps" in builder.roles() else ()
    builder.holes += elapsed(between) if "step" in builder.roles() else ()
    if several := of_several_heads(between):
        builder.holes = [hole for hole in builder.holes if hole.at not in several]
    builder.holes = with_one_loss(builder.holes)
    if shows_no_figure(text, builder.holes):
        return Form()
    counted_by = {"epoch", "step"} & builder.roles()
    beginning = builder.beginning()
    if text.startswith("{") and (about := _SAID.search(text, len(beginning))):
        beginning = f"{about[1]} {beginning}"
    return Form(
        builder.by_part(),
        tuple(at for at, whole in builder.whole.items() if whole),
        tuple(at for at, whole in builder.whole.items() if not whole),
        tuple(words_of(beginning[:60])),
        not (EVALUATED if counted_by else INFERRED).isdisjoint(words_of(text)),
        builder.bar,
    )
