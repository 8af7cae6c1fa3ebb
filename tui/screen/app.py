"""The Textual app: it displays the frames of a feed on its panels."""

import asyncio
import gc
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.worker import WorkerFailed

from sixdim.tui.base.pacing import LOW_BANDWIDTH_PERIOD, PERIOD, Mailbox
from sixdim.tui.screen.dialogs.live_dialog import LiveDialog
from sixdim.tui.screen.notifications import Notifications
from sixdim.tui.screen.panels import keys
from sixdim.tui.screen.panels.essentials import essential_rows
from sixdim.tui.screen.signals import SignalHandlers
from sixdim.tui.screen.terminal_writer import TerminalWriter
from sixdim.tui.screen.widgets.palettes import THEMES
from sixdim.tui.screen.widgets.theme import has_few_colours, textual_theme
from sixdim.tui.session.live.feed import Feed, Frame

KEY_S, PAINT_S = 0.1, 0.03
"""Seconds without reading in which a key is answered, and a frame is painted."""


class SixdimApp(Notifications):
    """The screen of a feed.

    Args:
        feed: Where frames come from; started when the app is ready, stopped when it ends.
        theme: One of `tui.screen.widgets.theme.THEMES`.
        low_bandwidth: Paint twice a second at most instead of ten times; no log unless asked for.
        bell: Ring the bell and notify the desktop when the run converges, ends, fails or stalls.
    """

    TITLE = "sixdim"
    AUTO_FOCUS = None
    ALLOW_SELECT = False  # the terminal's own selection does; Textual's fails on a toast that goes
    ENABLE_COMMAND_PALETTE = False  # `?` lists the keys; Textual's palette fails on quick input
    CSS = """
    Screen { overflow: hidden; }
    Screen:inline { height: 24; border: none; }
    #header { height: 1; dock: top; }
    #tabs { height: 1; }
    #charts { height: 1fr; }
    .alone #list, .paged #list { height: 1fr; }
    #figures { height: 14; }
    #bottom { height: 10; }
    #speed { width: 28; }
    #telemetry, #series { width: 5fr; min-width: 44; }
    #scorecard { width: 6fr; }
    #log { width: 2fr; }
    #accuracy, #throughput, #events { width: 1fr; }
    .alone #charts, .alone #figures, .alone #bottom { height: 1fr; }
    .alone #charts Panel, .alone #figures Panel, .alone #bottom Panel { width: 1fr; }
    .paged #charts, .paged #figures, .paged #bottom { height: 1fr; layout: vertical; }
    .paged #charts Panel, .paged #figures Panel, .paged #bottom Panel { width: 1fr; }
    .paged #log { height: 2fr; }
    .overview #figures { height: 11; layout: horizontal; }
    .overview #figures #speed { width: 28; }
    Toast { width: 50; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings()]

    def __init__(
        self, feed: Feed, *, theme: str = THEMES[0], low_bandwidth: bool = False, bell: bool = True
    ) -> None:
        super().__init__(feed)
        for name in THEMES:
            self.register_theme(textual_theme(name, few=has_few_colours(self.console)))
        self.theme = theme
        self.log_by_default = not low_bandwidth
        if low_bandwidth:
            self.animation_level = "none"
        self.signals: SignalHandlers | None = None
        """The signal handlers; None where signals are not handled."""
        self.rings = bell
        self._mailbox: Mailbox[Frame] = Mailbox(LOW_BANDWIDTH_PERIOD if low_bandwidth else PERIOD)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.writer: TerminalWriter = TerminalWriter(self)
        for widget in (self.header, self.footer, self.essentials, *self.panels):
            widget.writer = self.writer

    @property
    def fault(self) -> BaseException | None:
        """The exception that ended the screen; None if there was none."""
        error = self._exception
        return error.error if isinstance(error, WorkerFailed) else error

    def compose(self) -> ComposeResult:
        """Yields header, tabs, panels and footer; `arrange` decides which are visible."""
        score, speed, telemetry, throughput, accuracy, log, events, series, *runs = self.panels
        yield self.header
        yield self.footer
        yield self.tabs
        yield self.essentials
        with Vertical(id="body"):
            yield Horizontal(*runs, id="list")
            yield Horizontal(throughput, accuracy, id="charts")
            yield Horizontal(speed, telemetry, series, score, id="figures")
            yield Horizontal(log, events, id="bottom")

    def on_mount(self) -> None:
        """Starts the feed once the panels are laid out and keys are answered."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._fail)
        if self.signals is not None:
            self.signals.wake_loop(asyncio.get_running_loop().add_reader)
            self.signals.end_with(self._end_by_signal)
        self.theme_changed_signal.subscribe(self, lambda _: self.paint())
        # A frame that was painted while the shell had the terminal is not on it.
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())
        self.arrange()
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        gc.freeze()  # widgets and styles are never garbage
        if self.return_code is None:  # nobody quit meanwhile
            self.feed.start(self.publish)

    def _end_by_signal(self, number: int) -> None:
        """Ends the app; called by a signal handler, which may interrupt anything."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self.exit, 128 + number)

    def on_unmount(self) -> None:
        """Stops the feed."""
        self._loop = None
        self.feed.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Arranges the panels for another size."""
        # Textual's own handler runs later: `size` is still the old one.
        self._size_now = event.size
        self.arrange()

    def set_timer(self, *given: Any, **named: Any) -> Timer:
        """Returns a timer that fires once, however late.

        Textual's own never fires if the process is held up for the whole delay while the timer
        starts, and its timer of a resize takes 8 ms. All later sizes would be lost with it.
        """
        timer = super().set_timer(*given, **named)
        timer._skip = False
        return timer

    def _fail(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Ends the screen after an exception in a callback of the event loop."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._handle_exception(error)
        else:
            loop.default_exception_handler(context)

    def _fatal_error(self) -> None:
        """Ends at once: Textual would print local variables, with pieces of the log."""
        self._close_messages_no_wait()

    def publish(self, frame: Frame) -> None:
        """Takes a frame from any thread; the newest wins."""
        loop = self._loop
        if self._mailbox.put(frame) and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._paint_when_due)

    def _paint_when_due(self) -> None:
        loop = self._loop
        if loop is None:
            return
        delay = self._mailbox.delay(loop.time())
        if delay > 0:
            loop.call_later(delay, self._paint_when_due)
            return
        frame = self._mailbox.take(loop.time())
        if frame is not None:
            self.frame = frame
            # Widgets may only be touched inside the app's own message context.
            self.call_later(self._receive, frame)

    def _receive(self, frame: Frame) -> None:
        if self.announced is None or frame.catching_up is not None:
            gc.freeze()  # a collection of what was loaded and read would take 0.1 s
        if not self.held:
            self.feed.pause_reading(PAINT_S)
            self.paint()
        self.announce(frame)

    def paint(self) -> None:
        """Shows the newest frame on every panel."""
        frame = self.frame
        if frame is None:
            return
        if len(self.screen_stack) > 1:  # panels behind a dialog are painted when it is closed
            if isinstance(self.screen, LiveDialog):
                with self.writer.together():
                    self.screen.show(frame)
            return
        if self.available_data() != self.laid_out_for:
            self.arrange()
        with self.writer.together():
            self.paint_header(frame)
            self.footer.show("" if self.essentials.display else frame.message)
            if self.essentials.display:
                self.essentials.show(partial(essential_rows, frame))
            else:
                for panel in self.panels:
                    panel.show(frame)

    async def on_event(self, event: events.Event) -> None:
        """Pauses the reading of the log while a key is answered: both need the interpreter."""
        if isinstance(event, events.Key):
            self.feed.pause_reading(KEY_S)
        await super().on_event(event)

    async def action_quit(self) -> None:
        """Ends the app with exit code 0."""
        self.exit(0)

    def action_help_quit(self) -> None:
        """Says how to quit, for ctrl+c; Textual's own message is markup, which is not read here."""
        self.notify("press q to quit")

    def pop_screen(self) -> AwaitComplete:
        """Closes a dialog, but never the main screen: two quick keys may close a dialog twice."""
        if len(self.screen_stack) > 1:
            closed = super().pop_screen()
            self.screen.call_after_refresh(self.paint_held)  # the frame that came meanwhile
            return closed
        return AwaitComplete.nothing()  # type: ignore[no-untyped-call, no-any-return]  # Textual
