"""A replay while its log is still being read: keys that are pressed, a file that is cut short."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.settings import Settings
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.replay.player import Player
from sixdim.tui.session.replay.recorded_log import Recorded
from sixdim.tui.session.replay.replay import ReplayFeed
from sixdim.tui.session.request import Request


@pytest.mark.parametrize(
    ("press", "epoch", "accuracy"),  # as the log prints them: * Acc@1 53.024, and so on
    [
        (lambda feed: feed.go_to_epoch(30), 30, 53.024),
        (lambda feed: feed.go_to_end(), 64, 77.36),
        (lambda feed: (feed.go_to_end(), feed.go_to_epoch(7)), 7, 24.928),
        (lambda feed: feed.step(1), 0, 0.112),
        (lambda feed: None, None, None),
    ],
    ids=["epoch", "end", "the last one counts", "step", "none"],
)
def test_a_place_that_is_chosen_while_the_log_is_read_is_gone_to(
    press: Callable[[ReplayFeed], object], epoch: int | None, accuracy: float | None
) -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    feed = ReplayFeed(log, Request(Settings()), time.monotonic)
    frames: list[Frame] = []
    feed.toggle_pause()
    press(feed)
    feed.start(frames.append)
    until = time.monotonic() + 60
    while not (frames and frames[-1].catching_up is None) and time.monotonic() < until:
        time.sleep(0.02)
    feed.stop()
    shot = frames[-1].snapshot
    assert shot.progress.epoch == epoch
    assert (shot.evaluations[-1].value if shot.evaluations else None) == accuracy


def test_a_log_that_is_cut_short_while_it_is_read_is_replayed_as_far_as_it_goes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    log, shares = Recorded(str(path)), []
    os.truncate(path, 100_000)

    def go_on(share: float) -> bool:
        shares.append(share)
        return len(shares) < 20

    player = Player(log, lambda: Request(Settings()).session(str(path), 1), go_on)
    log.close()
    assert len(shares) < 20
    assert player.session.card().provenance["bytes"] == 100_000
