"""What is left of the plan of a run, apart from its computation: a screen starts without that."""

from typing import NamedTuple


class Remaining(NamedTuple):
    """The time to the planned end of a run, at the pace of the run by its log.

    Attributes:
        trained: The share of the plan that was trained; None without a plan.
        seconds: The time left; None where the log gives no pace.
        at_least: Whether the time leaves evaluations out, as the log times training passes only.
        line: Line of the log that states the time itself; 0 where it is computed.
    """

    trained: float | None = None
    seconds: float | None = None
    at_least: bool = False
    line: int = 0


NO_PLAN = Remaining()
