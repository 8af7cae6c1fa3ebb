"""Follows several growing logs for one screen: one in the panels, all of them in a list."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from sixdim.metrics.values.card import Card, Status
from sixdim.metrics.values.settings import Reference
from sixdim.tui.base.errors import UserError
from sixdim.tui.search.text import LogText, NoTextError
from sixdim.tui.session.live.feed import SELECT, Feed, Frame
from sixdim.tui.session.live.monitor import LiveFeed

LOOK_S = 1.0
"""Seconds between two scans of a folder."""
More: TypeAlias = Callable[[], tuple[Sequence[LiveFeed], str]]
SAME_FACTS = ("format", "model", "devices", "unit")
"""Facts that all runs of a stability test have in common."""


class ManyFeed(Feed):
    """Follows several logs; see `tui.session.live.feed.Feed`.

    A run that reaches its target, or ends, becomes a repeat of the similar ones: the runs of a
    stability test are compared as they end.

    Args:
        feeds: One for each log.
        more: Makes feeds of the logs that are new since its last call, and says which new logs are
            not followed; called every `LOOK_S`.
        idle: The frame while there is no log.
        message: Which logs are not followed from the beginning.
    """

    controls = frozenset({SELECT})

    def __init__(
        self,
        feeds: Sequence[LiveFeed],
        more: More | None = None,
        idle: Frame | None = None,
        message: str = "",
    ) -> None:
        self.feeds = tuple(feeds)
        self._more = more
        self._idle = idle
        self._trouble = message
        self._stop = threading.Event()
        self._looking = threading.Thread(target=self._look, name="sixdim-folder", daemon=True)
        self._frames: list[Frame | None] = [None] * len(self.feeds)
        self._over: dict[int, Card] = {}
        self._selected = 0
        self._lock = threading.Lock()
        self._comparing = threading.Lock()
        # No frame is published after a newer one: the older one might stay for good.
        self._publishing = threading.Lock()
        self._publish: Callable[[Frame], None] = lambda frame: None

    def start(self, publish: Callable[[Frame], None]) -> None:
        """See `Feed.start`."""
        self._publish = publish
        for number, feed in enumerate(self.feeds):
            feed.start(partial(self._take, number))
        if not self.feeds:
            self._publish_newest()
        if self._more is not None:
            self._looking.start()

    def stop(self) -> None:
        """See `Feed.stop`."""
        self._stop.set()
        if self._looking.is_alive():
            self._looking.join()  # so that no feed starts after this
        for feed in self.feeds:
            feed.stop()

    def export(self) -> str:
        """See `Feed.export`."""
        if not self.feeds:
            raise UserError("no log yet")
        return self.feeds[self._selected].export()

    def log_text(self) -> LogText:
        """See `Feed.log_text`."""
        if not self.feeds:
            raise NoTextError("there is no log yet")
        return self.feeds[self._selected].log_text()

    def pause_reading(self, seconds: float) -> None:
        """See `Feed.pause_reading`."""
        for feed in self.feeds:
            feed.pause_reading(seconds)

    def select(self, step: int) -> None:
        """See `Feed.select`."""
        with self._lock:
            self._selected = (self._selected + step) % max(1, len(self.feeds))
        self._publish_newest()

    def _look(self) -> None:
        """Follows new logs of the folder."""
        assert self._more is not None
        while not self._stop.wait(LOOK_S):
            before = self._trouble
            try:
                fresh, self._trouble = self._more()
            except UserError as error:
                self._trouble, fresh = str(error), ()
            for feed in fresh:
                with self._lock:
                    number = len(self.feeds)
                    self._frames.append(None)
                    self.feeds = (*self.feeds, feed)
                feed.start(partial(self._take, number))
            if self._trouble != before:
                self._publish_newest()

    def _take(self, number: int, frame: Frame) -> None:
        with self._comparing:  # no frame shows the end of a run that is not compared yet
            with self._lock:
                self._frames[number] = frame
                fresh = self._note_end(number, frame)
            if fresh:
                self._compare()
            self._publish_newest()

    def _publish_newest(self) -> None:
        with self._publishing:
            with self._lock:
                newest = self._frame()
            if newest is not None:
                self._publish(newest)

    def _note_end(self, number: int, frame: Frame) -> bool:
        """Notes whether a run is over; returns whether that has changed."""
        card = frame.snapshot.card
        over = card.status is Status.CONVERGED or card.run_end is not None
        known = number in self._over
        if over and frame.catching_up is None:
            self._over[number] = card
        elif not over:
            self._over.pop(number, None)
        return known != (number in self._over)

    def _compare(self) -> None:
        with self._lock:
            over = dict(self._over)
        for number, feed in enumerate(self.feeds):
            frame = self._frames[number]
            if frame is None:
                continue
            own = frame.snapshot.card
            runs = (card for other, card in over.items() if other != number and alike(own, card))
            feed.compare_with(tuple(Reference.of(card.provenance["log"], card) for card in runs))

    def _frame(self) -> Frame | None:
        if not self.feeds and self._idle is not None:
            return replace(self._idle, message=self._trouble or self._idle.message)
        frames = [frame for frame in self._frames if frame is not None]
        if len(frames) < len(self.feeds) or not frames:
            return None
        chosen = frames[self._selected]
        message = chosen.message or self._trouble
        return replace(chosen, message=message, runs=tuple(frames), selected=self._selected)


def alike(one: Card, other: Card) -> bool:
    """Returns whether two runs can belong to one stability test."""
    same = all(one.run.get(fact) == other.run.get(fact) for fact in SAME_FACTS)
    goals = [card.target.get("condition") if card.target else None for card in (one, other)]
    return same and goals[0] == goals[1]
