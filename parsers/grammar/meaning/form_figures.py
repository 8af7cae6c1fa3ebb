"""Numbers of a line with a name in front of them or a unit after them."""

from sixdim.parsers.grammar.meaning.around_number import (
    UNIT,
    is_group,
    is_piece,
    named_in,
    unit_after,
)
from sixdim.parsers.grammar.meaning.form import COUNTS
from sixdim.parsers.grammar.meaning.form_state import FormState, NumberInText
from sixdim.parsers.grammar.meaning.line_parts import counts_others, is_split, name_before
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED, meaning
from sixdim.parsers.grammar.vocabulary.units import TIMES, is_unit
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_NAME_AFTER = pattern(
    r"(?i)\s{0,2}+((?:(?:train|training|val|validation|test)\s)?(?:accuracy|acc))\s{0,2}+(?:[,.;)|]|$)"
)
_QUALIFIED = pattern(r"[^()]{0,40}+\)\s{0,4}+[:=]")
_SAYS = pattern(r"(?:[:=]|\b(?:is|was|are))\s*+$")
_LONGEST_SAYS = 4  # `are`, and the character in front of it
_OF_A_NAME = pattern(r"(?:[a-z]{1,3}(?=\]))?+[\])]\s?[:=]\s*+")
"""The text after a number that is part of another one's name.

As in `accuracy (IoU=0.7): 0.31`, and `bleu[13a]: 20.5`, where the number names a tokenizer.
"""
_DEVIATES = pattern(r"\s*+%?\s*+(?:±|\+/?-)")
"""The text between a figure and its deviation: `average accuracy: 0.88 ± 0.05`."""
_CHECKPOINT = pattern(
    r"[\w.=@+-]{0,80}?\.(?:ckpt|pth?|pt\.tar|h5|hdf5|keras|pkl|bin|safetensors|pdparams|onnx)\b"
)
_AXES = ("┤", "┼")
"""What follows the number beside the axis of a plot that is drawn with characters: `98.5 ┤ ╭──`."""
_OPTION = pattern(r"(?:\S|\A)\s--[a-z][\w-]{0,40}[ =]?\Z")
"""The text in front of a number that is an option of a command: `train.py --round 1`."""
_ASSIGNED = pattern(r"\s*+\w{1,60} =0")
"""A line that is an assignment, with 0 for its number and the blank in front of it."""
_REST_OF_A_LIST = pattern(r"\s{0,8},[\s,]{0,200}[\])][\s,;.]{0,8}")
_TIMED = pattern(r"[\[(|,] ?0 ?(?:s|secs?|seconds?|m|mins?|minutes?)(?=[\])| ,]|$)")
_PARTS = 2
"""So many times without a name are those of parts: `train loss 0.5 (70s) val loss 0.6 (9s)`."""
_SEPARATED = pattern(r"[|,;]|\s-|\s\s")
_SEPARATOR = pattern(r"\s?(?:[|,;(*]|-\s)|\s\s")
_OF_SEVERAL = frozenset({"average", "avg", "mean", "overall"})
_OF_A_SCORE = _OF_SEVERAL | {"score", "total", "episode"}
_EPISODES = frozenset({"reward", "return"})
_TAKES = frozenset({"is", "took", "takes", "finished", "completed", "done", "in", "time", "taken"})
_IN_PARTS = ("", " ", ", ", " and ")
"""The text after the minutes of a time whose seconds follow: `cost: 1m 11s` is no minute."""
_OF_THE_BEST = pattern(r"\s{0,2}+\(?(?:@|at |in |from )?epoch\s?[:=#]?\s?")
"""The text between the best figure so far and its epoch: `acc 0.7 (best 0.8 at epoch 3)`."""
_TIME_FOR = frozenset({"time", "taken", "elapsed", "the", "for", "of", "epoch"})


class FigureRules(FormState):
    """Reads numbers by their name or unit."""

    def _by_name(self, one: NumberInText) -> bool:
        """Reads a number with a name in front of it or a unit after it."""
        last_one = one.at + 1 == len(self._numbers)
        unit, scale, per_device, end = unit_after(one.gap, one.after, last_one)
        follows = one.after[end:].removeprefix("*")
        if one.text[-1].isdigit() and follows[:1].isalpha() and not unit:
            return False  # glued to a word, or a factor in source code: `acc=100*correct`
        if (
            self._in_file_name(one.at)
            or (TIMES.get(unit, 0) > 1 and not last_one and one.after[end:] in _IN_PARTS)
            or is_piece(self._between, self._numbers, one.at)
            or _OPTION.search(self._between[one.at])
            or one.after.lstrip().startswith(_AXES)
        ):
            return False
        self._gap = one.after[end:]
        found = self._time_of_epoch(one, unit, end)
        if found is None:
            found = self._figure(one, unit, end)
            if found is None or (scale != 1 and found.role in COUNTS):
                return False  # `step:12K`: many steps are rounded to the same count
            device = per_device or found.per_device
            found = found._replace(scale=found.scale * scale, per_device=device)
            if found.role == "epoch" and one.gap.rstrip().endswith('":'):
                found = found._replace(name=f'"{found.name}"')  # an object may count otherwise
        self._add(one.at, found)
        return True

    def _in_file_name(self, at: int) -> bool:
        """Returns whether a number is part of a checkpoint's name.

        An example is `epoch=10-val_score=0.97.ckpt`.
        """
        after = "0".join(self._between[at + 1 :])
        return _CHECKPOINT.match(after) is not None

    def _time_of_epoch(self, one: NumberInText, unit: str, end: int) -> Named | None:
        """Reads `Epoch 3 took 8.7s`, `Epoch 3/9 [8.7s]`, `Epoch 3 - 8.7s - loss 0.5 (8.7s)`.

        Also `Time taken for epoch 3: 8.7s`.
        """
        if one.last is None or unit not in TIMES:
            return None
        around = one.gap.lstrip(" %|,;-"), one.after[end:]
        alone = unit != "ms" and not around[0] and self._stands_alone(one, around[1])
        if alone or not one.follows_epoch():
            known = alone or around in (("(", ")"), ("[", "]"))
            known = known and not self.roles().isdisjoint(("epoch", "part"))
            known = known and len(_TIMED.findall("0".join(self._between))) < _PARTS
            return Named("time", "", scale=TIMES[unit]) if known else None
        words = words_of(one.gap)
        if words and _TAKES.issuperset(words):
            return Named("epoch time", one.last.name, scale=TIMES[unit])
        named = words_of(one.last.name)
        if one.gap.strip() in (":", "=") and "time" in named and _TIME_FOR.issuperset(named):
            return Named("epoch time", one.last.name, scale=TIMES[unit])
        if one.gap.strip() in ("[", "(") and one.after[end : end + 1] in ("]", ")"):
            return Named("time", "", scale=TIMES[unit])
        return None

    def _stands_alone(self, one: NumberInText, after: str) -> bool:
        """Returns whether separators, or the line's end, are around a number and its unit.

        An example is `| 38.7s |`.
        """
        if _SEPARATED.search(one.gap) is None:
            return False
        ends = not after.strip() and one.at + 1 == len(self._numbers)
        return ends or _SEPARATOR.match(after) is not None

    def _figure(self, one: NumberInText, unit: str, end: int) -> Named | None:
        """Returns the meaning of a number by its name or unit, or by the sentence around it."""
        name = name_before(one.gap)
        found = meaning(name, unit, True) if name or unit else None
        if found is None:
            found = self._score(name, unit) or self._of_split(name, one, unit)
        if found is None or found.role in ("epoch", "step"):
            said = self._in_sentence(one.at, unit)
            if said is not None and found is not None and self._count(one.at):
                return None  # `accuracy at epoch: 3`
            found = said or found
        if found is None and unit == "%" and (after := _NAME_AFTER.match(one.after, end)):
            found = meaning(after[1], unit, True)  # `94.28% accuracy, 0.31 loss`
        if found is None:
            return self._label(one, name)
        return None if self._is_another(found, one, unit, end, name) else found

    def _label(self, one: NumberInText, name: str) -> Named | None:
        """Reads the epoch of `Epochs: 3/200` (`Epochs: 3` is the total), or a part: `Train 3/9`."""
        counts = one.after == "/" or (
            one.at == 0 and one.after[:1] in (",", ":", "|") and is_split(one.gap)
        )
        if one.after == "/" and words_of(name) == ["epochs"]:
            whole = self._count(one.at) and not counts_others(self._between[one.at + 1 :])
            return Named("epoch", name) if whole else None
        if not counts or not self.roles() <= COUNTS or not self._count(one.at):
            return None
        follows = self._between[one.at + 2 : one.at + 3]
        dated = "/" in (one.gap, *follows)  # 13/09/24
        return None if dated else Named("part", name or "".join(follows).strip(" :"))

    def _is_another(self, found: Named, one: NumberInText, unit: str, end: int, name: str) -> bool:
        """Returns whether a number is something else than the name in front of it says."""
        if found.role not in COUNTS and (
            is_group(self._between, self._numbers, one.at)
            or _OF_A_NAME.fullmatch(one.after) is not None
        ):
            return True
        if found.role in ("loss", "quality") and self._is_key(one.at, end, name):
            return True
        if found.role == "loss" and _ASSIGNED.fullmatch("0".join(self._between)) is not None:
            return self._count(one.at)  # `val_loss = 0`: source code, as no loss is whole
        if self._counts_parts and found.role in ("rate", "duration"):
            return True  # of what the bar counts, which is no iteration
        if found.role == "rate":
            return bool(unit) and not is_unit(unit)  # `throughput: 30x`
        if found.canonical == "error" and not unit and self._count(one.at):
            return True  # `validation error: 3 fields`
        if found.role == "loss" and one.gap.endswith("[") and self._lists(one.at):
            return True  # `'val_loss': [0.8, 0.6]`: those of all epochs, or of several parts
        if found.role == "quality":
            is_change = unit == "%" and one.text.startswith("+")  # `Accuracy: +20.19%`
            return is_change or self._lists(one.at) or self._of_trainings(found, one)
        if found.role == "best":  # of a figure before it on the line
            return all(hole.named.canonical != found.canonical for hole in self.holes)
        if found.role not in ("epoch", "step"):
            return False
        if one.after == ":" == "".join(self._between[one.at + 2 : one.at + 3]):
            return True  # `400 epochs (17:56:47)`
        if one.gap.endswith("/"):
            return True  # `9 epoch / 10 epochs`
        if "time" in words_of(name) and one.gap.rstrip().endswith((":", "=")):
            return True  # `Time for epoch: 12`, in seconds
        if self._of_an_earlier_best(one):
            return True
        after = "".join(self._between[one.at + 1 :])
        if one.gap.endswith(("[", "(")) and _REST_OF_A_LIST.fullmatch(after):
            return True  # `STEPS: (20, 35)`, `step: [8, 11],`: a setting
        return not self._count(one.at) or counts_others(self._between[one.at + 1 :])

    def _of_an_earlier_best(self, one: NumberInText) -> bool:
        """Returns whether an epoch is that of the best figure so far, beside the figure of now."""
        if not self.holes or one.follows_figure or _OF_THE_BEST.fullmatch(one.gap.lower()) is None:
            return False
        return "best" in words_of(self._between[one.at - 1])

    def _of_trainings(self, found: Named, one: NumberInText) -> bool:
        """Returns whether a figure is the mean of several trainings, such as folds or seeds."""
        if found.canonical in _EPISODES or "epoch" in self.roles():
            return False
        averaged = not _OF_SEVERAL.isdisjoint(words_of(one.gap))
        return averaged and _DEVIATES.match(one.after) is not None

    def _is_key(self, at: int, end: int, name: str) -> bool:
        """Returns whether a number is part of a name: `accuracy of 3: 98 %`, `mAP (0.5): 0.71`."""
        follows = self._between[at + 1][end:].strip()
        if at + 1 < len(self._numbers) and follows in (":", "=", "->", "-->", "=>"):
            return not self._between[at + 2].startswith("%|")  # `loss 0.42: 12%|█▏ |`: of a bar
        if self._between[at].endswith("(") and _QUALIFIED.match(follows):
            return True
        return name.endswith((" of", " at", " for")) and follows[:1].isalpha()

    def _score(self, name: str, unit: str) -> Named | None:
        """Reads the score of an evaluation that the line's heading names: `DEV : score 0.71`.

        That of an episode is its reward: `Episode 3  Score: 21.0`.
        """
        said = words_of(name)
        if said[-1:] != ["score"] or not _OF_A_SCORE.issuperset(said):
            return None
        counts = [hole.named.name.lower() for hole in self.holes if hole.named.role == "step"]
        if any("episode" in count for count in counts):
            return Named("quality", name, "reward", unit)
        return Named("quality", name, "score", unit, "eval") if self._part == "eval" else None

    def _of_split(self, name: str, one: NumberInText, unit: str) -> Named | None:
        """Reads a figure that is named by its split only: `acc: train 91.5, val 88.2`.

        Of an epoch that has no other name, it is a series: `Epoch 3: train=0.42 val=0.47`, a
        score if several are percentages: `Epoch 3, loss 0.4, train: 71.1%, val: 68.3%`, and beside
        the loss a result that nothing names: `Epoch 3, loss 0.4, train: 0.711, val: 0.683`.
        """
        split = _only_split(name)
        if not split:
            return None
        score = None
        if unit == "%" and "epoch" in self.roles() and self._has_shares():
            score = Named("quality", f"{name} score", "score", unit, split)
        last = one.last if one.follows_figure else None
        if last is None or last.role in COUNTS:
            last = meaning(name_before(one.gap.rpartition(": ")[0]), "", False)
        elif not last.split or _only_split(last.canonical):
            return score or (self._beside_loss(name, split) if "." in one.text else None)
        if last is not None and last.role in ("loss", "quality", "series"):
            return last._replace(name=name, split=split)
        if score is not None:
            return score
        unnamed = last is None and "epoch" in self.roles() and "." in one.text
        return Named("series", name, name.lower(), split=split) if unnamed else None

    def _beside_loss(self, name: str, split: str) -> Named | None:
        """Returns a result without a name on a line that has the loss of the epoch."""
        losses = [hole for hole in self.holes if hole.named.role == "loss"]
        known = "epoch" in self.roles() and any(not loss.named.split for loss in losses)
        return Named("quality", name, name.lower(), split=split) if known else None

    def _has_shares(self) -> bool:
        """Returns whether the line has percentages of the training data and of an evaluation's."""
        gaps = zip(self._between, self._between[1:], strict=False)
        shares = [name_before(gap) for gap, after in gaps if after.startswith("%")]
        return {"train", "eval"} <= {_only_split(name) for name in shares}

    def _in_sentence(self, at: int, unit: str) -> Named | None:
        """Reads a figure named by the text since the last figure: `accuracy at step 5: 0.75`."""
        if not _SAYS.search(self._between[at].rstrip()[-_LONGEST_SAYS:]):
            return None
        return named_in(self._between[self._since : at + 1], unit)

    def _lists(self, at: int) -> bool:
        """Returns whether a second number without a name or unit follows.

        An example is `AP: 89.1, 78.2, 77.3`.
        """
        apart = self._between[at + 1].strip().removeprefix(".")  # numpy: `[0.  0.5 1. ]`
        listed = apart == "," or (not apart and self._between[at].endswith("["))
        last = at + 1 == len(self._numbers)
        return listed and not last and UNIT.match(self._between[at + 2]) is None


def _only_split(name: str) -> str:
    """Returns the split of the data that a name consists of; empty for other names."""
    said = frozenset(words_of(name))
    if not said:
        return ""
    return "eval" if said <= EVALUATED else "train" if said <= TRAINED else ""
