"""The shapes of Lightning's progress bars, as tqdm and Rich draw them."""

from __future__ import annotations

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR as DRAWING
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
