"""Lines of a log's text by their numbers."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from sixdim.tui.search.text import FileText, lines_of


def test_the_lines_of_a_rotated_log_are_those_of_its_present_file(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text("the sixth\n\nthe eighth\n")
    with closing(FileText(os.open(path, os.O_RDONLY), before=50, line=6)) as text:
        assert lines_of(text, (2, 8, 6, 7, 9)) == ((6, "the sixth"), (8, "the eighth"))
