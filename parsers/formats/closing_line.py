"""Reads the sentence that says that a training is over, in the log of any format."""

from __future__ import annotations

from sixdim.parsers.events import Events, RunEnd
from sixdim.parsers.grammar.vocabulary.closing import closing, may_close
from sixdim.parsers.statements.format import Line, Reader


class ClosingLine(Reader):
    """Reads the sentence if the log's own format does not know it."""

    name = "closing-line"
    title = "`Training complete in 1m 54s` at the end of any log"
    example = "Training complete in 1m 54s"
    unread = "other languages than English, Chinese, Japanese, Korean and Russian"
    precedence = -1

    def may_read(self, letters: bytes) -> bool:
        """As `Reader.may_read`."""
        return may_close(letters.decode())

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`."""
        ends = closing(line.text.strip())
        if ends is None:
            return None
        return (RunEnd(line.origin(), ends.duration, midway=True, sentence=True),)
