"""A shape of lines: a JSON object behind a marker, or a bare one."""

from __future__ import annotations

import re

from sixdim.parsers.grammar.shape import Broken, Fields


class JsonRecord:
    """A JSON object behind a marker (`DLLL {...}`, `:::MLLOG {...}`), or a bare one.

    Args:
        marker: Text before the object; the last occurrence in the line counts. Empty for a
            line that is an object from its first character.
        required: Keys without which the record is another format's.
        inner: Keys of objects whose own items are fields, too: `value.loss`.
        depth: Deepest nesting accepted from untrusted text.
    """

    def __init__(
        self,
        marker: str = "",
        *,
        required: tuple[str, ...] = (),
        inner: tuple[str, ...] = (),
        depth: int = 16,
    ) -> None:
        self.marker = marker
        self.required = required
        self.inner = inner
        self._words = [
            f'"{key.rpartition(".")[2]}"' for key in required if "." in key or not marker
        ]
        self.depth = depth

    @property
    def anchor(self) -> str:
        """The marker's own start is not fixed in the line, so only a bare object anchors."""
        return "" if self.marker else "{"

    @property
    def clue(self) -> str:
        """See `Shape.clue`."""
        return self.marker.strip() or "{"

    def begins(self, text: str) -> bool:
        """See `Shape.begins`: nothing tells."""
        return False

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`; a cut-off object is `Broken`."""
        begin = text.rfind(self.marker) if self.marker else 0
        if begin < 0:
            return None
        body = text[begin + len(self.marker) :].strip()
        if not body.startswith("{"):
            return None
        if not all(word in body for word in self._words):
            return None
        import json  # only a log of records pays for it

        from sixdim.parsers.text.untrusted import cleaned

        try:
            record = json.loads(body) if _shallow(body, self.depth) else None
            if "\\" in body:  # `\u001b` was letters when the line was cleaned
                record = cleaned(record)
        except (ValueError, RecursionError):
            return Broken("json", body[-40:]) if self.marker else None
        if not isinstance(record, dict):
            return None
        for outer in self.inner:
            part = record.get(outer)
            if isinstance(part, dict):
                record |= {f"{outer}.{key}": value for key, value in part.items()}
        return record if all(key in record for key in self.required) else None


def _shallow(body: str, limit: int) -> bool:
    """Whether brackets nest at most `limit` deep (counted cheaply, strings included)."""
    if body.count("{") + body.count("[") <= limit:
        return True
    depth = deepest = 0
    for char in re.findall(r"[\[\]{}]", body):
        depth += 1 if char in "[{" else -1
        deepest = max(deepest, depth)
    return deepest <= limit
