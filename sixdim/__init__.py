"""Score, watch and replay deep-learning training runs in six dimensions.

    import sixdim

    card = sixdim.score("train.log", target="acc1>75.9")
    card.speed.value, card.speed.unit, card.speed.state

The names in `__all__` are the contract; `docs/python.md` shows each. Nothing is loaded before it is
asked for.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # known to type checkers; loading `typing` would cost a millisecond
if TYPE_CHECKING:
    from sixdim.metrics.values.card import Caution, Dimension, Evidence, State, Status
    from sixdim.tui.api.card import Card
    from sixdim.tui.api.columns import Columns
    from sixdim.tui.api.comparison import Comparison, compare
    from sixdim.tui.api.errors import LogError, OptionError, SixdimError
    from sixdim.tui.api.options import Options
    from sixdim.tui.api.run import FormatError, Run, read, score
    from sixdim.tui.api.watching import Snapshot, Watch, watch

__all__ = [
    "Card",
    "Caution",
    "Columns",
    "Comparison",
    "Dimension",
    "Evidence",
    "FormatError",
    "LogError",
    "OptionError",
    "Options",
    "Run",
    "SixdimError",
    "Snapshot",
    "State",
    "Status",
    "Watch",
    "__version__",
    "compare",
    "read",
    "score",
    "watch",
]

_HOMES = {
    "metrics.values.card": ("Caution", "Dimension", "Evidence", "State", "Status"),
    "tui.api.card": ("Card",),
    "tui.api.columns": ("Columns",),
    "tui.api.comparison": ("Comparison", "compare"),
    "tui.api.errors": ("LogError", "OptionError", "SixdimError"),
    "tui.api.options": ("Options",),
    "tui.api.run": ("FormatError", "Run", "read", "score"),
    "tui.api.watching": ("Snapshot", "Watch", "watch"),
}


def __getattr__(name: str) -> object:
    """Loads what a name of the contract stands for (PEP 562)."""
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'sixdim' has no attribute {name!r}")
    import importlib

    found: object = getattr(importlib.import_module(f"sixdim.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
