"""A log of the DeepSpark script made of epochs, and the card that it gives."""

from __future__ import annotations

from typing import Any

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session


def epoch(label: int, speed: float, acc1: float, seconds: int = 60) -> str:
    """One epoch as the script prints it, with two progress lines."""
    lines = [
        f"Epoch: [{label}]  [{step:3}/334]  eta: 0:00:01  lr: 0.1  img/s: {speed}  "
        f"loss: 1.0 (1.0)  time: 0.5  data: 0.0"
        for step in (0, 10)
    ]
    lines += [
        f"Epoch: [{label}] Avg img/s: {speed}",
        f" * Acc@1 {acc1:.3f} Acc@5 99.000",
        f"Epoch time 0:{seconds // 60:02}:{seconds % 60:02}",
    ]
    return "\n".join(lines) + "\n"


def read(text: str, **settings: Any) -> dict[str, Any]:
    session = Session("t.log", Settings(**settings), formats())
    session.feed(text.encode())
    session.end()
    return session.card().to_json()


def kinds(card: dict[str, Any]) -> list[str]:
    return [w["kind"] for w in card["warnings"]]
