"""An optional library that is not installed."""

from __future__ import annotations

import builtins
from typing import Any

import pytest


def without(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the import of a library fail."""
    real = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
