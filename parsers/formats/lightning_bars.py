"""The shapes of Lightning's progress bars, as tqdm and Rich draw them, and figures below them."""

from __future__ import annotations

from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR as DRAWING
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

LOSSES = ("loss", "train_loss", "train_loss_step", "train/loss")


def _tqdm(head: str) -> KeyValues:
    """A bar whose pairs stand behind its pace: `, loss=1.82, v_num=5]`."""
    numbers = {name: name for name in LOSSES}
    return KeyValues(head, delimiter=",", separator="=", closing="]", numbers=numbers, lenient=True)


def _rich(head: str) -> KeyValues:
    numbers = {name: name for name in LOSSES}
    head += " {drawn:until} • {remaining:word} {pace:pace}"
    return KeyValues(head, delimiter=None, numbers=numbers, lenient=True)


BAR = _tqdm("Epoch {epoch:int}: " + DRAWING)
BARE_BAR = _tqdm(  # a notebook draws none, nor does a terminal that is too narrow
    "Epoch {epoch:int}: {:int}% {step:int}/{steps:int} [{elapsed:clock}<{:clock}, {pace:pace}"
)
UNENDING_BAR = _tqdm("Epoch {epoch:int}: {}: {step:int}it [{elapsed:clock}, {pace:pace}")
RICH_BAR = _rich("Epoch {epoch:int}/{last:int}")
RICH_UNENDING_BAR = _rich("Epoch {epoch:int}")
# Rich draws the rest of a bar in another colour, or as blanks without colours.
DRAWN = pattern(
    r"(?<!\S)(?P<step>\d{1,18}+)/(?P<steps>\d{1,18}+|--) (?P<elapsed>\d{1,6}+:\d\d:\d\d)$"
)
_WORD = pattern(r"\S++")


class FiguresBelow:
    """The figures below a bar of Rich: a narrow frame wraps them, also between name and value.

    Attributes:
        pairs: The text of each figure, by its name.
    """

    def __init__(self) -> None:
        self.pairs: dict[str, str] = {}
        self._line = 0  # number of the frame's last line
        self._name = ""  # the name at its end, if its value must stand on the next line

    def begin(self, line: Line) -> None:
        """Takes the line of the bar itself."""
        self.pairs.clear()
        self._line, last = line.number, line.text.split()[-1]
        self._name = last[:-1] if last.endswith(":") else ""

    def behind(self, line: Line) -> str | None:
        """Reads the figures with which the next line begins.

        Returns:
            The text behind them; a message may be glued to a frame in a terminal. None where the
            line has none of a frame's figures.
        """
        if line.number != self._line + 1:
            return None
        name, found, rest = self._name, dict[str, str](), ""
        for word in _WORD.finditer(line.text):
            if word[0].endswith(":"):
                name = word[0][:-1]
            elif name and as_number(word[0]) is not None:
                found[name], name = word[0], ""
            else:
                rest = line.text[word.start() :]
                break
        if not found and (rest or name == self._name):
            return None
        if rest and not line.text[:1].isspace():
            return None  # behind a prefix the blanks are gone, but a frame's line ends here
        self._line, self._name = line.number, name
        self.pairs |= found
        return rest
