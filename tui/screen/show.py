"""Whether there is a terminal to paint on, and the one way a screen is started."""

from __future__ import annotations

import argparse
import gc
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import FAULT, UserError
from sixdim.tui.screen.endings import Endings
from sixdim.tui.screen.opening import Opening, has_terminal
from sixdim.tui.screen.widgets.palettes import THEMES

if TYPE_CHECKING:
    from sixdim.tui.screen.app import SixdimApp
    from sixdim.tui.session.live.feed import Feed

YOUNG = 2000
"""New objects between two collections: a painted frame's cells are gone before they grow old."""
HANDOVER = 0.001
"""Seconds a thread that computes lets another wait: a key passes through several."""


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that shape the screen, and nothing of the card."""
    screen = parser.add_argument_group("screen")
    screen.add_argument("--plain", action="store_true", help="print lines instead of a screen")
    screen.add_argument(
        "--inline",
        action="store_true",
        help="draw below the prompt, and leave the last picture there",
    )
    screen.add_argument(
        "--low-bandwidth",
        action="store_true",
        help="update twice a second, and show the log's lines only after the key l",
    )
    screen.add_argument(
        "--theme", metavar="NAME", help=f"colours: {', '.join(THEMES)} (the key t changes them)"
    )
    screen.add_argument(
        "--no-bell", action="store_true", help="no bell and no desktop notification"
    )


def wants_screen(args: argparse.Namespace) -> bool:
    """False for pipes, cron, TERM=dumb and --plain: those get lines.

    Raises:
        UserError: The flags ask for what cannot be, whether or not there is a terminal.
    """
    if args.plain and args.inline:
        raise UserError("--plain prints lines and --inline draws a screen: one of them")
    if args.theme is not None and args.theme not in THEMES:
        meant = did_you_mean(args.theme, THEMES, f"there are {', '.join(THEMES)}")
        raise UserError(f"no theme {label(args.theme, 40)!r}; {meant}")
    return not args.plain and has_terminal()


def show(feed: Feed, args: argparse.Namespace) -> int:
    """Runs the screen until the user quits; returns the exit code.

    Raises:
        UserError: sixdim itself failed.
    """
    opening: Opening | None = getattr(args, "opening", None)
    gc.disable()  # what is loaded stays: to look through it for garbage is time lost
    try:
        app = _app(feed, args)
        answer_promptly()
    finally:
        gc.enable()
    endings = Endings() if opening is None else opening.endings
    app.endings = endings
    try:
        endings.wait()
        if opening is not None:
            opening.hand_over()
        with failing_threads(lambda: app.call_from_thread(app.exit, FAULT)) as failures:
            # An inline screen scrolls with the shell, so the mouse stays the shell's.
            app.run(inline=args.inline, inline_no_clear=args.inline, mouse=not args.inline)
    finally:
        endings.over()
    if app.fault is not None:
        failures.append(one_line(app.fault))
    if failures:
        text = f"a fault inside sixdim: {failures[0]}; --plain follows the run without a screen"
        raise UserError(text, FAULT)
    return 128 + endings.came if endings.came else app.return_value or 0


def _app(feed: Feed, args: argparse.Namespace) -> SixdimApp:
    """Textual is loaded here and nowhere else."""
    from sixdim.tui.screen.app import SixdimApp

    return SixdimApp(
        feed,
        theme=args.theme or THEMES[0],
        low_bandwidth=args.low_bandwidth,
        bell=not args.no_bell,
    )


def one_line(error: BaseException) -> str:
    """What went wrong and where, for the report of it, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return label(f"{type(error).__name__}: {error}", 200) + where


def answer_promptly() -> None:
    """Makes the interpreter's own pauses shorter than a delay of keys that is noticed.

    A full collection looks at every object, 50,000 of them modules that stay: a tenth of a second,
    several times a minute, while a log grows fast.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
    sys.setswitchinterval(HANDOVER)


@contextmanager
def failing_threads(stop: Callable[[], object]) -> Iterator[list[str]]:
    """Ends the screen where a thread behind it ends by an error: it would show old figures.

    Yields:
        The errors that ended threads, one line each.
    """
    failures: list[str] = []
    before = threading.excepthook

    def note(died: threading.ExceptHookArgs) -> None:
        failures.append(one_line(died.exc_value or died.exc_type()))
        with suppress(RuntimeError):  # the screen has ended already
            stop()

    threading.excepthook = note
    try:
        yield failures
    finally:
        threading.excepthook = before
