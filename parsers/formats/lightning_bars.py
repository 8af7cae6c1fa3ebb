"""Lightning's progress bars: their shapes, the figures below them, the validations in them.

Also why the training stopped early.
"""

from typing import NamedTuple

from sixdim.parsers.events import EpochEnd, Evaluation, Metric, Origin, Problem
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR as DRAWING
from sixdim.parsers.statements.common_shapes import BARE_BAR as UNDRAWN
from sixdim.parsers.statements.troubles import problem
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

SCORES = ("val", "test", "valid")
LOSSES = ("loss", "train_loss", "train_loss_step", "train/loss")


def _tqdm(head: str) -> KeyValues:
    """Returns the shape of a bar whose pairs follow the pace: `, loss=1.82, v_num=5]`."""
    numbers = {name: name for name in LOSSES}
    return KeyValues(head, delimiter=",", separator="=", closing="]", numbers=numbers, lenient=True)


def _rich(head: str) -> KeyValues:
    numbers = {name: name for name in LOSSES}
    head += " {drawn:until} • {remaining:word} {pace:word}"
    return KeyValues(head, delimiter=None, numbers=numbers, lenient=True)


BAR = _tqdm("Epoch {epoch:int}: " + DRAWING)
BARE_BAR = _tqdm("Epoch {epoch:int}: " + UNDRAWN)
# Data of unknown length: before version 2, and since.
UNENDING_BAR = _tqdm("Epoch {epoch:int}: {}: {step:int}it [{elapsed:clock}, {pace:pace}")
ENDLESS_BAR = _tqdm("Epoch {epoch:int}: |{}| {step:int}/? [{elapsed:clock}<{:clock}, {pace:pace}")
RICH_BAR = _rich("Epoch {epoch:int}/{last:int}")
RICH_UNENDING_BAR = _rich("Epoch {epoch:int}")
# Rich draws the rest of a bar in another colour, or as blanks without colours.
DRAWN = pattern(
    r"(?<!\S)(?P<step>\d{1,18}+)/(?P<steps>\d{1,18}+|--) (?P<elapsed>\d{1,6}+:\d\d:\d\d)$"
)
LONGEST_DRAWN = 50
"""Most characters that it matches."""
_THREE_DECIMALS = pattern(r"\.\d{3}$|nan|inf")
_WORD = pattern(r"\S++")


def not_finite(line: Line) -> tuple[Problem, ...]:
    """Returns a problem if training stops early because the metric is nan; else none."""
    return (problem(line, "nan_loss", fatal=True),) if " is not finite." in line.text else ()


def of_first_versions(pairs: dict[str, str]) -> bool:
    """Returns whether figures are as before version 2, whose bars count validations, too.

    One of them is `loss`, and they are rounded. Since then all have three decimals.
    """
    return "loss" in pairs and not all(map(_THREE_DECIMALS.search, pairs.values()))


class FiguresBelow:
    """Reads the figures below a bar of Rich, which a narrow terminal wraps into several lines.

    Attributes:
        pairs: The text of each figure, by its name.
    """

    def __init__(self) -> None:
        self.pairs: dict[str, str] = {}
        self._line = 0  # number of the frame's last line
        self._name = ""  # the name at its end, if the value must stand on the next line

    def begin(self, line: Line) -> None:
        """Begins a frame with the line of its bar."""
        self.pairs.clear()
        self._line, last = line.number, line.text.rsplit(None, 1)[-1]
        self._name = last[:-1] if last.endswith(":") else ""

    def read(self, line: Line) -> str | None:
        """Reads the figures with which a line continues the frame.

        Returns:
            The text after the figures, as a terminal may glue a message to the frame; None if the
            line has no figure of the frame.
        """
        if line.number != self._line + 1:
            return None
        pairs: dict[str, str] = {}
        name, rest = self._name, ""
        for word in _WORD.finditer(line.text):
            if word[0].endswith(":"):
                name = word[0][:-1]
            elif name and as_number(word[0]) is not None:
                pairs[name], name = word[0], ""
            else:
                rest = line.text[word.start() :]
                break
        if not pairs and (rest or name == self._name):
            return None
        if rest and not line.text[:1].isspace():
            return None  # a removed prefix takes the blanks with it, but then nothing is glued
        self._line, self._name = line.number, name
        self.pairs |= pairs
        return rest


class ResultsInside:
    """Finds the results of validations inside an epoch: the bar shows each until the next one.

    Attributes:
        found: Whether the current epoch has one: then the time of its bar includes validations.
    """

    def __init__(self) -> None:
        self.found = False
        self._shown: tuple[Metric, ...] = ()
        self._texts: dict[str, str] | None = None  # of the last drawing, as nothing new came since

    def end(self, scores: tuple[Metric, ...]) -> None:
        """Stores the scores at the end of an epoch, which the next epoch's bar shows at first."""
        self._shown, self._texts = scores or self._shown, None

    def has_new(self, scores: tuple[Metric, ...]) -> bool:
        """Returns whether the bar has not shown all of these scores before."""
        return not {*scores} <= {*self._shown}

    def inside(
        self, at: Origin, epoch: int | None, pairs: dict[str, str]
    ) -> tuple[Evaluation, ...]:
        """Returns the evaluation of a drawing that is the first one with its scores; else none."""
        texts = {name: pairs[name] for name in pairs if name.startswith(SCORES)}
        if texts == self._texts:
            return ()
        scores, self._texts = figures(texts), texts
        if not self.has_new(scores):
            return ()
        self._shown, self.found = scores, True
        return (Evaluation(at, scores, epoch, midway=True),)


class TrainingPart:
    """Subtracts the iterations and the time of validations from those of an epoch's bar.

    Attributes:
        counts: Whether the bar counts the batches of the validation.
        steps: Iterations of the training so far, in this epoch.
        seconds: Their time.
        whole: Iterations of the training in the epoch before; None where they are not known.
    """

    def __init__(self) -> None:
        self.counts = False
        self.steps = 0
        self.seconds = 0.0
        self.whole: int | None = None
        self._validated = 0  # batches of the epoch's validations before this one
        self._batch = 0  # of the validation whose bar was drawn last
        self._validates = False  # a bar of a validation was drawn after the epoch's bar
        self._at = (0, 0.0)  # iterations and seconds on the epoch's last drawing

    def begin(self, *, again: bool = False) -> None:
        """Begins an epoch, or begins it again: what was drawn of it was of the epoch before."""
        self.whole = self.whole if again else self.steps or None
        self.steps, self.seconds, self._at = 0, 0.0, (0, 0.0)
        self._validated = self._batch = 0
        self._validates = False

    def validate(self, batch: int) -> None:
        """Notes a drawing of a validation's bar, with its finished batches."""
        if batch < self._batch:  # the bar of another validation, or of another data set
            self._validated += self._batch
        self._batch, self._validates = batch, True

    def draw(self, step: int, seconds: float) -> bool:
        """Notes a drawing of the epoch's bar.

        Args:
            step: What the bar counts.
            seconds: The time since the epoch began.

        Returns:
            Whether iterations of the training were done since the drawing before.
        """
        (last, since), self._at = self._at, (step, seconds)
        self.counts |= self._validates and self._batch > 0 and step > last
        trained, self._validates = not (self.counts and self._validates), False
        finished = step - (self._validated + self._batch if self.counts else 0)
        if trained:
            self.seconds += max(seconds - since, 0.0)
        rises, self.steps = finished > self.steps, max(finished, self.steps)
        return rises


class LastDrawing(NamedTuple):
    """The last drawing of an epoch's bar.

    Attributes:
        at: Where it stands.
        elapsed: Seconds since the epoch began.
        mean: Seconds of an iteration on average; None where they are not known.
        pairs: The text of each figure, by its name.
    """

    at: Origin
    elapsed: float
    mean: float | None
    pairs: dict[str, str]

    def figures(self, below: dict[str, str]) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
        """Returns the figures of the validation and all others, with those below the bar."""
        every = figures({**self.pairs, **below}, skip=("v_num",))
        scores = tuple([m for m in every if m.name.startswith(SCORES)])
        return scores, tuple([m for m in every if m not in scores])

    def end_of(
        self,
        epoch: int | None,
        part: TrainingPart,
        values: tuple[Metric, ...],
        *,
        validated: bool,
        trained: tuple[float, float | None] | None,
    ) -> EpochEnd:
        """Returns the end of the epoch.

        Args:
            epoch: Its label.
            part: The training's part of its bar.
            values: Its figures.
            validated: Whether the time of its bar includes validations.
            trained: Seconds and mean of the drawing before the validation, if there is one.
        """
        train, whole, mean = None, self.elapsed if validated else None, self.mean
        if trained is not None:
            train, mean = trained
        elif not validated:
            train = self.elapsed
        if part.counts and mean is not None and part.steps:
            train = part.seconds
            mean = train / part.steps
        return EpochEnd(
            self.at, epoch, train_time=train, epoch_time=whole, values=values, iteration_time=mean
        )
