"""The pages of the documentation and the examples in them."""

from __future__ import annotations

import re
from pathlib import Path

from sixdim import sample_logs

ROOT = Path(__file__).parents[2]
NAMES = sample_logs.EXAMPLE_NAMES

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[str]:
    return [body for found, body in _FENCE.findall(page.read_text()) if found == kind]
