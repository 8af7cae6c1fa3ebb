"""Decides whether a screen can be displayed, and runs it."""

from __future__ import annotations

import argparse
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import FAULT, UserError, one_line
from sixdim.tui.screen.opening import Opening, has_terminal
from sixdim.tui.screen.signals import SignalHandlers
from sixdim.tui.screen.widgets.palettes import THEMES

if TYPE_CHECKING:
    from sixdim.tui.session.live.feed import Feed

YOUNG = 2000
"""New objects between two garbage collections; few cells of a painted frame outlive it."""
HANDOVER = 0.001
"""Seconds after which a computing thread must let another run."""


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of the screen."""
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
    """Returns false for pipes, cron, TERM=dumb and --plain, which get lines.

    Raises:
        UserError: The flags contradict each other, or the theme does not exist.
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
    gc.disable()  # loaded modules are never garbage
    try:
        from sixdim.tui.screen.app import SixdimApp  # Textual is imported here and nowhere else

        app = SixdimApp(
            feed,
            theme=args.theme or THEMES[0],
            low_bandwidth=args.low_bandwidth,
            bell=not args.no_bell,
        )
        shorten_pauses()
    finally:
        gc.enable()
    signals = SignalHandlers() if opening is None else opening.signals
    app.signals = signals
    try:
        signals.deferred = True
        if opening is not None:
            opening.end(to_app=True)
        with failing_threads(lambda: app.call_from_thread(app.exit, FAULT)) as failures:
            # An inline screen scrolls with the shell, so the mouse stays the shell's.
            app.run(inline=args.inline, inline_no_clear=args.inline, mouse=not args.inline)
    finally:
        signals.restore_handlers()
    if app.fault is not None:
        failures.append(one_line(app.fault))
    # After a signal, a write that fails is no fault: the terminal may have been closed (SIGHUP).
    if failures and not signals.received:
        text = f"a fault inside sixdim: {failures[0]}; --plain follows the run without a screen"
        raise UserError(text, FAULT)
    return 128 + signals.received if signals.received else app.return_value or 0


def shorten_pauses() -> None:
    """Shortens the interpreter's pauses, so that keys are answered without a visible delay.

    A full garbage collection visits every object, 50,000 of them of modules. That takes 0.1 s,
    several times a minute while a log grows fast.
    """
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
    sys.setswitchinterval(HANDOVER)


@contextmanager
def failing_threads(stop: Callable[[], object]) -> Iterator[list[str]]:
    """Ends the screen if a thread ends by an exception, because it would show old figures.

    Yields:
        The exceptions that ended threads, one line each.
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
