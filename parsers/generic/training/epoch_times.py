"""Decides which times on an epoch's line are those of the epoch, in a log that no format knows."""

from sixdim.parsers.events import EpochTime, Origin

_GROWN = 0.75
"""A time that counts from the start grows by more than this part of the first epoch's time."""
_SEVERAL = 8
"""A time that grows by about as much in so many epochs counts from the start."""
_SEEN = 1.0
"""Seconds from which on a time that stays the same from epoch to epoch does not count on."""
_MOST_UNDECIDED = 100
"""A time that grows from each of so many epochs to the next counts from the start."""


class EpochTimes:
    """Compares the times on the lines of epochs: those that only grow count from the run's start.

    There are two kinds: times whose name says that they are an epoch's, and those called `time`.
    """

    def __init__(self) -> None:
        self._named: tuple[int, float, float] | None = None  # label, time of one epoch, of this
        self._grows: bool | None = None  # whether these times grow with each epoch
        self._grown_by, self._alike = 0.0, 0  # seconds, and how often about as many before
        self._unnamed: tuple[int, float] | None = None  # label and seconds of the last `time`
        self._is_an_epochs: bool | None = None  # whether these are
        self._grew = False  # from one epoch to the next
        self._undecided: list[tuple[int, float]] = []  # label, `time`

    def named(self, label: int | None, seconds: float | None) -> float | None:
        """Returns the printed time of an epoch; None if it counts from the run's start.

        Such a time grows with each epoch by a good part of the first one's time, also where only
        every tenth epoch is printed. In a log whose beginning is missing it grows by less, but by
        about as much with each of several epochs.
        """
        before = self._named
        if seconds is None or label is None:
            return seconds
        if before is None or label <= before[0]:
            self._named, self._grows = (label, seconds, seconds), None
            self._grown_by, self._alike = 0.0, 0
            return seconds
        earlier, first, last = before
        apart = label - earlier
        if self._grows is None and apart > 1:
            first /= max(min(earlier, apart), 1)  # of one epoch, if it counts several
        self._named = label, first, seconds
        by = (seconds - last) / apart
        grown = by > _GROWN * first
        alike = 0 < self._grown_by / 2 <= by <= self._grown_by * 2
        self._alike = self._alike + 1 if alike else 0
        if self._alike == 0:
            self._grown_by = max(by, 0.0)
        self._grows = (grown and self._grows is not False) or self._alike >= _SEVERAL
        return None if self._grows else seconds

    def unnamed(self, label: int | None, seconds: float | None) -> float | None:
        """Returns the `time` of an epoch's line if such times are known to be durations; else None.

        A time that only grows from epoch to epoch counts from the start of the run; one that falls
        cannot. One that stays the same may where epochs are too short to be seen: where it has
        grown before, or is short.
        """
        before = self._unnamed
        if seconds is None or label is None:
            return None
        self._unnamed = label, seconds
        if before is not None and label < before[0]:
            self._undecided.clear()
        if before is not None and label == before[0]:
            self._is_an_epochs = False  # two lines of one epoch: these are progress lines
        elif before is not None and label == before[0] + 1:
            same = seconds == before[1] >= _SEEN and not self._grew
            if same or seconds < before[1]:
                self._is_an_epochs = self._is_an_epochs is not False
            self._grew |= seconds > before[1]
        if self._is_an_epochs is None and len(self._undecided) < _MOST_UNDECIDED:
            self._undecided.append((label, seconds))
        return seconds if self._is_an_epochs else None

    def decided(self, at: Origin) -> list[EpochTime]:
        """Returns the times of earlier epochs that the line at a place shows to be durations."""
        if not self._is_an_epochs or len(self._undecided) == _MOST_UNDECIDED:
            return []
        times, self._undecided = [EpochTime(at, *one) for one in self._undecided], []
        return times
