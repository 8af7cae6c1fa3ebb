"""The number of epochs among the settings that a program prints: `epochs: 90`, in any log."""

from __future__ import annotations

import re

from sixdim.parsers.events import Events, RunInfo
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.text.patterns import pattern

_OWNER = r"(?:(?:args|cfg|config|hparams|opt|runner|solver|train|trainer|training)\.){0,2}"
_NAME = (
    r"(?:epochs|(?:num|nb|max|total)[_ -]?epochs?|(?:num_)?train(?:ing)?[_ -]epochs"
    r"|epochs?_num|(?:number of|# ?of) (?:training )?epochs)"
)
"""`n_epochs` is left out: CycleGAN uses it for a part of the run, PPO for an update."""
_SETTING = pattern(
    r"(?:^|[\[{(,;|│┃]\s{0,8}|\s--|^--|\s\s|:\s|=\S{1,40}\s)['\"]?"
    + _OWNER
    + _NAME
    + r"['\"]?\)?(?:\s{0,40}[:=|│┃]\s{0,40}|\s{0,2}\.{3,80}\s{0,2}|\s{1,80})['\"]?"
    + r"(\d{1,7}+)(?![\w.%:/-])(?!\s{0,4}/)",
    re.IGNORECASE,
)
_MAY_SET = pattern(_NAME + r"['\"]?\)?(?:\s|[:=|│┃.])|\sfor\s{1,3}epochs", re.IGNORECASE)
"""What every such line contains without its digits."""
_SENTENCE = pattern(
    r"^\W{0,8}(?:start(?:ing|ed)?\s)?(?:the\s)?train(?:ing)?\s(?:[\w-]{1,20}\s)?for\s"
    r"(\d{1,7}+)\sepochs\W{0,8}$",
    re.IGNORECASE,
)
_LONGEST = 20_000


class PlannedEpochs(Reader):
    """Reads the number of epochs in a program's settings, if the log's format does not."""

    name = "planned-epochs"
    title = "`epochs: 90` or Namespace(epochs=90) among the settings in any log"
    example = "Namespace(arch='resnet50', batch_size=256, epochs=90, lr=0.1)"
    unread = "n_epochs, settings that contradict one another"
    precedence = -1

    def __init__(self) -> None:
        self._said: set[int] = set()

    def may_read(self, letters: bytes) -> bool:
        """As `Reader.may_read`."""
        return _MAY_SET.search(letters.decode()) is not None

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; if two settings differ, neither is known to be the training's."""
        text = line.text[:_LONGEST]
        found = {int(one[1]) for one in _SETTING.finditer(text) if _is_outer(text, one.start())}
        if sentence := _SENTENCE.search(text):
            found.add(int(sentence[1]))
        if not found:
            return None
        self._said |= found
        epochs = min(self._said) if len(self._said) == 1 else 0
        return (RunInfo(line.origin(), "epochs_set", epochs),)


def _is_outer(text: str, place: int) -> bool:
    """Whether a place is outside of nested dictionaries, which have the settings of a part."""
    return text.count("{", 0, place + 1) - text.count("}", 0, place + 1) < 2
