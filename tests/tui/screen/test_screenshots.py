"""The pictures in docs/ are what the app paints: regenerated here, so that they never lie.

`SIXDIM_UPDATE_GOLDEN=1` writes them anew; look at them before keeping them.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from sixdim.tui.commands.demo import demo_request
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.session.replay.replay import ReplayFeed
from tests.support.screens import settle

DOCS = Path(__file__).parents[3] / "docs"


async def _painted(feed: ReplayFeed, theme: str) -> str:
    app = SixdimApp(feed, theme=theme)
    async with app.run_test(size=(120, 40)) as pilot:
        until = time.monotonic() + 120
        while not (app.frame and app.frame.snapshot.card.run_end) and time.monotonic() < until:
            await pilot.pause(0.05)
        await settle(pilot)
        return app.export_screenshot(simplify=True, title="sixdim demo")


@pytest.mark.parametrize(("name", "theme"), [("screen", "dark"), ("screen-light", "light")])
def test_the_picture_of_the_demo(name: str, theme: str) -> None:
    log, request = demo_request()
    feed = ReplayFeed(log, request, time.monotonic, speed=None)
    picture = asyncio.run(_painted(feed, theme))
    path = DOCS / f"{name}.svg"
    if os.environ.get("SIXDIM_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")
    assert "FROZEN" in picture and "4938.9" in picture
