"""The keys that search, filter and scroll the log."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from textual.pilot import Pilot

from sixdim.tui.screen.app import SixdimApp
from tests.support.screens import ScriptedFeed, frame_at, press, screens, seen, settle

SIZE = (120, 40)
LINES = tuple((n, f"line {n} " + ("#" if n in (20, 50, 80) else "hay")) for n in range(1, 101))


PROMPTS = {"/": "search the log:", "&": "only lines with:"}


async def asked(app: SixdimApp, pilot: Pilot[int], keys: str) -> None:
    """Opens the prompt of the first key, types the others into it once it is open, and enters."""
    prompt = PROMPTS[keys[0]]
    await press(pilot, keys[0])
    await seen(app, pilot, prompt)
    for name in keys[1:]:
        await press(pilot, name)
    if typed := keys[1:]:
        await seen(app, pilot, f"{prompt} {typed}")
    await press(pilot, "enter")


def searching(*steps: tuple[str, str], begin: str = "/#") -> str:
    """The screen after a key or a prompt, each followed by a text that must come to be seen."""

    async def run() -> str:
        app = SixdimApp(ScriptedFeed([replace(frame_at(34), log_lines=LINES)]))
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            await settle(pilot)
            text = ""
            await asked(app, pilot, begin)
            for keys, wanted in steps:
                if keys[:1] in PROMPTS:
                    await asked(app, pilot, keys)
                elif keys:
                    await press(pilot, keys)
                text = await seen(app, pilot, wanted)
            return text

    return asyncio.run(run())


def test_search_shows_the_last_match_and_n_goes_round() -> None:
    last = ("", "> line 80 #")
    first = searching(last, ("n", "> line 20 #"))
    assert "1 of 3 · wrapped" in first, "after the last comes the first"
    back = (("N", "> line 50 #"), ("", "2 of 3"), ("n", "> line 80 #"), ("", "3 of 3"))
    text = searching(last, *back, ("end", "line 100 "), ("escape", "─ Log ───"))
    assert " of 3" not in text


def test_a_search_without_a_match_says_so() -> None:
    searching(("", "not in the log: ~"), begin="/~")


def test_a_filter_shows_only_its_lines_and_an_empty_one_shows_all() -> None:
    text = searching(("", "3 of 100 lines"), ("", "line 80 #"), begin="&#")
    assert "only lines with #" in text
    assert all(f"line {n} #" in text for n in (20, 50, 80)) and "hay" not in text


def test_a_search_within_a_filter_counts_the_lines_that_are_displayed() -> None:
    searching(("", "3 of 100 lines"), ("/0", "3 of 3"), ("&", "hay"), begin="&#")


def test_an_expression_stands_between_slashes_and_a_capital_letter_is_meant() -> None:
    searching(
        ("", "97 of 97"),
        ("//[a-/", "not an expression: unterminated character set"),
        ("/HAY", "not in the log: HAY"),
        ("//hA/", "not in the log: /hA/"),
        ("//\\Sa/", "of 97"),
        begin="//(a+)+Y?y$/",
    )


def test_a_log_that_cannot_be_read_again_is_searched_as_far_as_it_is_there() -> None:
    text = searching(("", "latest lines only"))
    assert "train.log is a pipe: only its latest 100 lines and new ones" in text


def test_arrows_scroll_the_log_and_end_follows() -> None:
    feed = ScriptedFeed([replace(frame_at(34), log_lines=LINES)])
    steps = (["l"], ["up"], ["down"], ["pageup", "up"], ["end"])
    _, latest, scrolled, back, further, end = screens(feed, SIZE, *steps)
    assert "line 100 " in latest and "line 100 " not in scrolled
    assert "line 100 " in back and "line 100 " in end
    assert "line 82 " in further and "line 100 " not in further


def test_a_log_that_is_truncated_while_it_is_scrolled_can_be_searched() -> None:
    async def run() -> str:
        frame = replace(frame_at(34), log_lines=LINES)
        feed = ScriptedFeed([frame])
        app = SixdimApp(feed)
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            await pilot.press("l", "up", "up")
            assert feed.publish is not None
            feed.publish(replace(frame, log_lines=(), restarts=1))
            await seen(app, pilot, "no line yet")
            await pilot.press("slash", "x", "enter")
            return await seen(app, pilot, "no line yet")

    assert "no line yet" in asyncio.run(run())
