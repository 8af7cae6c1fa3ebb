"""Names of logs that are watched together: no two have the same one, nor do their cards."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.session.card_writer import card_file


class Names:
    """Names each log: with its folders below a watched folder, else by its base name.

    A name that another log has already is replaced by the path as it was given.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        self._folders = folders
        self._cards: set[str] = set()

    def __len__(self) -> int:
        return len(self._cards)

    def add(self, logs: Sequence[str]) -> list[str]:
        """Returns the names of further logs."""
        short = [self._short(log) for log in logs]
        count = Counter(map(card_file, short))
        found: list[str] = []
        for log, name in zip(logs, short, strict=True):
            if count[card_file(name)] > 1 or card_file(name) in self._cards:
                name = label(log)
            if card_file(name) in self._cards:  # both paths were shortened to this
                name += f" ({len(self._cards) + 1})"
            found.append(name)
            self._cards.add(card_file(name))
        return found

    def _short(self, log: str) -> str:
        for folder in self._folders:
            if PurePath(log).is_relative_to(folder):
                return label(PurePath(log).relative_to(folder).as_posix())
        return base_name(log)
