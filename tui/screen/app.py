"""The Textual app: takes frames from a feed, lays the panels out, hands keys on."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual._compositor import ChopsUpdate
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.drivers.linux_inline_driver import LinuxInlineDriver
from textual.filter import LineFilter, Monochrome
from textual.geometry import Size
from textual.screen import Screen
from textual.worker import WorkerFailed

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Card
from sixdim.parsers.text.lines import clean
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.pacing import LOW_BANDWIDTH_PERIOD, PERIOD, Mailbox
from sixdim.tui.screen.endings import Endings
from sixdim.tui.screen.inspecting import Inspecting
from sixdim.tui.screen.keyboard import Inline, Keyboard
from sixdim.tui.screen.layout import INLINE_ROWS, TALL, Layout, Pages, layout_for, pages, tab_names
from sixdim.tui.screen.notify import BELL, notification
from sixdim.tui.screen.panels import keys
from sixdim.tui.screen.panels.bars import Footer, Tabs
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts import AccuracyPanel, ThroughputPanel
from sixdim.tui.screen.panels.essentials import Essentials
from sixdim.tui.screen.panels.events import EventsPanel
from sixdim.tui.screen.panels.header import Header
from sixdim.tui.screen.panels.log import LogPanel
from sixdim.tui.screen.panels.runs import RunsPanel
from sixdim.tui.screen.panels.scorecard import ScorePanel
from sixdim.tui.screen.panels.speed import SpeedPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel
from sixdim.tui.screen.widgets.theme import THEMES, Colourless, textual_theme
from sixdim.tui.screen.wire import CellUpdate, Wire
from sixdim.tui.session.alerts import EVENTS, GOOD, alerts, begun
from sixdim.tui.session.feed import SELECT, Feed, Frame

if TYPE_CHECKING:
    from rich.console import RenderableType


class SixdimApp(Inspecting):
    """The screen over a feed.

    Args:
        feed: Where frames come from; started when the app is ready, stopped when it ends.
        theme: One of `tui.screen.widgets.theme.THEMES`.
        low_bandwidth: Paint twice a second at most instead of ten times; no log unless asked for.
        reference: A card to draw the radar against.
        bell: Ring the bell and notify the desktop when the run converges, ends, fails or stalls.
    """

    TITLE = "sixdim"
    AUTO_FOCUS = None
    CSS = """
    Screen { background: $background; overflow: hidden; }
    Screen:inline { height: 24; border: none; }
    #charts { height: 1fr; }
    #list { height: 7; }
    .alone #list, .paged #list { height: 1fr; }
    #figures { height: 14; }
    #bottom { height: 10; }
    #speed { width: 28; }
    #telemetry { width: 5fr; min-width: 44; }
    #score { width: 6fr; }
    #log { width: 2fr; }
    #accuracy, #throughput, #events { width: 1fr; }
    .alone #charts, .alone #figures, .alone #bottom { height: 1fr; }
    .alone #charts Panel, .alone #figures Panel, .alone #bottom Panel { width: 1fr; }
    .paged #charts, .paged #bottom { height: 1fr; layout: vertical; }
    .paged #charts Panel, .paged #bottom Panel { width: 1fr; }
    .paged #log { height: 2fr; }
    .paged #figures {
        height: 1fr; layout: grid; grid-size: 2 2; grid-columns: 28 1fr; grid-rows: 1fr 10;
    }
    .paged #figures Panel { width: 1fr; min-width: 0; }
    .paged #score { column-span: 2; }
    Toast { width: 50; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(names, action, text, show=False, key_display=symbol)
        for names, action, text, symbol in keys.bindings()
    ]

    def __init__(
        self,
        feed: Feed,
        *,
        theme: str = THEMES[0],
        low_bandwidth: bool = False,
        reference: Card | None = None,
        bell: bool = True,
    ) -> None:
        super().__init__()
        for name in THEMES:
            self.register_theme(textual_theme(name))
        self.theme = theme
        self._low_bandwidth = low_bandwidth
        if low_bandwidth:
            self.animation_level = "none"
        self.feed = feed
        self.endings: Endings | None = None
        """What signals do, where somebody cares."""
        self.frame: Frame | None = None
        """The newest frame, painted or held back."""
        self._ring = bell
        self._mailbox: Mailbox[Frame] = Mailbox(LOW_BANDWIDTH_PERIOD if low_bandwidth else PERIOD)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._held = False
        self._log_wanted: bool | None = None
        self.enlarged = False
        self.hidden: set[Panel] = set()
        self._active = 0
        self._told: Frame | None = None
        self._room: Size | None = None
        self.header = Header()
        self.essentials = Essentials()
        self.log_panel = LogPanel(id="log")
        self.score_panel = ScorePanel(reference, id="score")
        self.events_panel = EventsPanel(id="events")
        self.panels: tuple[Panel, ...] = (
            self.score_panel,
            SpeedPanel(id="speed"),
            TelemetryPanel(id="telemetry"),
            ThroughputPanel(id="throughput"),
            AccuracyPanel(id="accuracy"),
            self.log_panel,
            self.events_panel,
        )
        if SELECT in feed.controls:
            self.panels = (*self.panels, RunsPanel(id="runs"))
        self._pages: Pages = (self.panels,)
        self.tabs = Tabs()
        self.footer = Footer(feed.controls)
        self._wire = Wire(self)
        for widget in (self.header, self.footer, self.essentials, *self.panels):
            widget.wire = self._wire

    @property
    def fault(self) -> BaseException | None:
        """What went wrong inside the screen and ended it."""
        error = self._exception
        return error.error if isinstance(error, WorkerFailed) else error

    @property
    def snapshot(self) -> Snapshot | None:
        """The run as last published; what an exit code may rest on."""
        return self.frame.snapshot if self.frame else None

    def compose(self) -> ComposeResult:
        """Header, tabs, panels, footer; `arrange` decides which of them are seen."""
        score, speed, telemetry, throughput, accuracy, log, events, *runs = self.panels
        yield self.header
        yield self.footer
        yield self.tabs
        yield self.essentials
        with Vertical(id="body"):
            yield Horizontal(*runs, id="list")
            yield Horizontal(throughput, accuracy, id="charts")
            yield Horizontal(speed, telemetry, score, id="figures")
            yield Horizontal(log, events, id="bottom")

    def on_mount(self) -> None:
        """The feed starts once the panels stand and keys are answered."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._fail)
        if self.endings is not None:
            self.endings.end_with(self._end_by_signal)
        self.theme_changed_signal.subscribe(self, lambda _: self._paint())
        # A frame that was painted while the shell had the terminal is not on it.
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())
        self.arrange()
        self.call_after_refresh(self._start)

    def _start(self) -> None:
        gc.freeze()  # widgets and styles stay: the collector need not walk them while keys wait
        if self.return_code is None:  # nobody quit meanwhile
            self.feed.start(self.publish)

    def _end_by_signal(self, number: int) -> None:
        """Ends from within a signal's handler, which may interrupt anything."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self.exit, 128 + number)

    def on_unmount(self) -> None:
        """The feed ends with the screen."""
        self._loop = None
        self.feed.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Another size, perhaps another arrangement."""
        self._room = event.size  # Textual's own handler comes later: `size` is still the old one
        self.arrange()

    def _fail(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault in a callback of the loop's own ends the screen like any other."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._handle_exception(error)
        else:
            loop.default_exception_handler(context)

    def _fatal_error(self) -> None:
        """Ends at once; Textual would print every local variable, pieces of the log among them."""
        self._close_messages_no_wait()

    # Frames: from the feed's thread to the cells

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
        if self._told is None or frame.catching_up is not None:
            gc.freeze()  # what was loaded and read stays: walking it stops everything for 0.1 s
        if not self._held:
            self._paint()
        self._announce(frame)

    def _paint(self) -> None:
        frame = self.frame
        if frame is None:
            return
        with self._wire.together():
            self.header.show(frame, self._held)
            self.footer.show(frame.message)
            if self.essentials.display:
                self.essentials.show(frame)
            else:
                for panel in self.panels:
                    panel.show(frame)

    def _announce(self, frame: Frame) -> None:
        """A toast for what is new since the last frame; nothing for what was read at once."""
        before, self._told = self._told, frame
        if before is None or frame.catching_up is not None or frame.mode == "replay":
            return
        for earlier, row in zip(before.runs, frame.runs, strict=False):
            if row.state != earlier.state and row.state in EVENTS:
                self.notify(clean(f"{row.snapshot.name} {row.state}"), markup=False)
                self._ring_out(f"{row.snapshot.name} {row.state}")
        if before.selected != frame.selected:
            return
        told = set(before.snapshot.notes)
        seen = alerts(before, frame)
        fresh = [note for note in frame.snapshot.notes if note not in told]
        for note in (*fresh, *seen)[-3:]:
            good = note.kind in GOOD
            self.notify(
                clean(note.text), markup=False, severity="information" if good else "warning"
            )
        if seen:
            self.events_panel.add(seen)
        if not frame.runs and (ended := begun(before, frame)):
            self._ring_out(f"{frame.snapshot.name} {ended[0]}")

    def _ring_out(self, text: str) -> None:
        """Bell and desktop notification, unless the user wants neither."""
        if self._ring and self._driver is not None and not self.is_headless:
            self._driver.write(BELL + notification(text, tmux="TMUX" in os.environ))

    # Arrangement

    def arrange(self) -> None:
        """Shows what the size has room for."""
        width, height = self._room or self.size
        if self.is_inline:
            height = min(height, INLINE_ROWS)
        layout = layout_for(width, height)
        alone = self.enlarged or layout is Layout.TABS
        self._pages = pages(self.panels, layout, enlarged=self.enlarged)
        page = self._page()
        visible = set(self._pages[page])
        unasked = height >= TALL and not self._low_bandwidth
        wanted = unasked if self._log_wanted is None else self._log_wanted
        if layout is Layout.WHOLE and not alone and not wanted:
            visible -= {self.log_panel, self.events_panel}
        if layout is Layout.WHOLE and not alone:
            visible -= self.hidden
        self.essentials.display = layout is Layout.TINY
        self.header.display = layout is not Layout.TINY
        self.tabs.display = layout in (Layout.PAGES, Layout.TABS) and not self.enlarged
        body = self.query_one("#body")
        body.display = layout is not Layout.TINY
        body.set_class(alone, "alone")
        body.set_class(layout is Layout.PAGES and not alone, "paged")
        for panel in self.panels:
            panel.display = panel in visible
        for row in ("#list", "#charts", "#figures", "#bottom"):
            container = self.query_one(row)
            container.display = any(child.display for child in container.children)
        self.tabs.show(tuple(tab_names(self._pages)), page)
        if layout is Layout.TINY:
            self.set_focus(None)
        elif alone:
            self.set_focus(self.panels[self._active])
        self.call_after_refresh(self._paint_again)

    def _paint_again(self) -> None:
        for panel in self.panels:
            panel.frame = panel.frame if self._held else self.frame
            panel.repaint()
        self._paint_held()

    def _page(self) -> int:
        active = self.panels[self._active]
        return next((n for n, page in enumerate(self._pages) if active in page), 0)

    def show_panel(self, number: int) -> None:
        """Brings a panel to the front and focuses it."""
        self._active = number % len(self.panels)
        panel = self.panels[self._active]
        if len(self._pages) > 1:
            self.arrange()
        if panel.display:
            self.set_focus(panel)

    def _show_page(self, number: int) -> None:
        first = self._pages[number % len(self._pages)][0]
        self.show_panel(self.panels.index(first))

    # Actions, one for each row of the key table

    def action_pause(self) -> None:
        """Pauses the replay, or holds the live view."""
        if "pause" in self.feed.controls:
            self.feed.toggle_pause()
            return
        self._held = not self._held
        if self.frame is not None:
            self._paint_held()

    def _paint_held(self) -> None:
        if self._held and self.frame is not None:
            self.header.show(self.frame, True)
        else:
            self._paint()

    def action_left(self) -> None:
        """The cursor, an epoch, or a tab to the left."""
        self._sideways(-1)

    def action_right(self) -> None:
        """The cursor, an epoch, or a tab to the right."""
        self._sideways(1)

    def _sideways(self, step: int) -> None:
        if chart := self.chart_in_hand():
            chart.inspect(step)
        elif "step" in self.feed.controls:
            self.feed.step(step)
        elif len(self._pages) > 1:
            self._show_page(self._page() + step)

    def action_faster(self) -> None:
        """Zooms in, or doubles the pace."""
        self._nearer(1)

    def action_slower(self) -> None:
        """Zooms out, or halves the pace."""
        self._nearer(-1)

    def _nearer(self, direction: int) -> None:
        chart = self.chart_in_hand()
        if chart is None and "speed" in self.feed.controls:
            self.feed.change_speed(2.0**direction)
        elif chart := chart or self.some_chart():
            chart.zoom(direction)

    def action_go_to_epoch(self) -> None:
        """Asks for an epoch's label."""
        if "go_to" in self.feed.controls:
            from sixdim.tui.screen.prompts import Prompt

            self.push_screen(Prompt("go to epoch", integer=True), self._go_to)

    def _go_to(self, label: str | None) -> None:
        if label:
            self.feed.go_to_epoch(int(label))

    def action_end(self) -> None:
        """The result of a replay; the newest line of a live log."""
        if "go_to" in self.feed.controls:
            self.feed.go_to_end()
        self.log_panel.follow()

    def action_search(self) -> None:
        """Asks what to look for in the log."""
        from sixdim.tui.screen.prompts import Prompt

        self.push_screen(Prompt("search the log"), self._search)

    def _search(self, query: str | None) -> None:
        if query is None:
            return
        self._show_log()
        if not self.log_panel.search(query) and query:
            self.notify(f"not in the last lines: {clean(query)}", markup=False)

    def _show_log(self) -> None:
        if len(self._pages) > 1:
            self.show_panel(self.panels.index(self.log_panel))
        elif not self.log_panel.display:
            self._log_wanted = True
            self.arrange()

    def action_next_match(self) -> None:
        """Next match of the search."""
        self.log_panel.next_match(1)

    def action_previous_match(self) -> None:
        """Previous match of the search."""
        self.log_panel.next_match(-1)

    def action_toggle_log(self) -> None:
        """Shows or hides the log; among tabs, goes to it."""
        if len(self._pages) > 1:
            here = self.log_panel.display
            self.show_panel(0 if here else self.panels.index(self.log_panel))
        else:
            self._log_wanted = not self.log_panel.display
            self.arrange()

    def action_scroll(self, lines: int) -> None:
        """Moves the log's view where it is shown, else the devices; or the focused panel's."""
        if isinstance(self.focused, RunsPanel) and abs(lines) == 1:
            self.feed.select(lines)
            return
        if self.focused is self.score_panel and abs(lines) == 1:
            self.score_panel.choose(lines)
        elif self.log_panel.display and not isinstance(self.focused, TelemetryPanel):
            self.log_panel.scroll_by(lines)
        else:
            self.query_one(TelemetryPanel).scroll_by(lines)

    def action_export(self) -> None:
        """Writes the card, off the UI thread."""
        self.run_worker(self._export, thread=True, group="export", exclusive=False)

    def _export(self) -> None:
        try:
            said, severity = self.feed.export(), "information"
        except UserError as error:  # a full disk, a folder that takes nothing
            said, severity = str(error), "error"
        self.call_from_thread(self.notify, clean(said), severity=severity, markup=False)

    def action_toggle_radar(self) -> None:
        """Scorecard as a radar, or as a table."""
        self.score_panel.radar = not self.score_panel.radar
        if not self.score_panel.display:
            self.show_panel(0)
        self.score_panel.repaint()

    def action_enlarge(self) -> None:
        """The focused panel alone, or all of them again."""
        for number, panel in enumerate(self.panels):
            if panel is self.focused:
                self._active = number
        self.enlarged = not self.enlarged
        self.arrange()

    async def action_back(self) -> None:
        """Leaves the cursor, else the enlarged panel, else the search."""
        chart = self.chart_in_hand()
        if chart is not None and chart.leave():
            return
        if self.enlarged:
            self.action_enlarge()
        elif self.log_panel.query_text:
            self.log_panel.search("")

    def action_focus_next(self) -> None:
        """Next panel, or next tab."""
        self._around(1)

    def action_focus_previous(self) -> None:
        """Previous panel, or previous tab."""
        self._around(-1)

    def _around(self, step: int) -> None:
        if len(self._pages) > 1:
            self.show_panel(self._active + step)
        elif step > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    def action_panel(self, number: int) -> None:
        """Shows a tab, or focuses a panel, by its number counted from 1."""
        if len(self._pages) > 1 and not self.enlarged:
            if number <= len(self._pages):
                self._show_page(number - 1)
        else:
            self.show_panel(number - 1)

    def action_select(self, step: int) -> None:
        """Looks at another of several runs."""
        if SELECT in self.feed.controls:
            self.feed.select(step)

    def action_select_run(self, number: int) -> None:
        """Looks at one of several runs, by its place in the list."""
        if self.frame is not None:
            self.action_select(number - self.frame.selected)

    def action_next_theme(self) -> None:
        """Goes round the themes."""
        known = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(known + 1) % len(THEMES)]

    def action_help(self) -> None:
        """All keys."""
        if not self.is_screen_installed("help"):
            from sixdim.tui.screen.prompts import Help

            self.install_screen(Help(self.feed.controls), "help")
        self.push_screen("help")

    def action_redraw(self) -> None:
        """Sends every cell again, for a terminal that something else wrote on."""
        self.screen.refresh(layout=True)

    async def action_quit(self) -> None:
        """Ends the app with exit code 0."""
        self.exit(0)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The key table as commands of the palette."""
        for key in keys.KEYS:
            possible = keys.supported(key, self.feed.controls)
            if possible and key.action and key.action != "command_palette":
                yield SystemCommand(
                    key.help, f"key {key.symbol}", partial(self.run_action, key.action)
                )

    def get_driver_class(self) -> type[Driver]:
        """Textual's own driver wakes ten times a second."""
        found = super().get_driver_class()
        if found is LinuxInlineDriver:
            return Inline
        return Keyboard if found is LinuxDriver else found

    def get_line_filters(self) -> Sequence[LineFilter]:
        """NO_COLOR means no colour at all, where Textual would send shades of grey."""
        filters = super().get_line_filters()
        if not self.no_color:
            return filters
        return [Colourless() if isinstance(f, Monochrome) else f for f in filters]

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Partial updates are written cell by cell; everything else as Textual does."""
        cells = CellUpdate(renderable) if type(renderable) is ChopsUpdate else renderable
        super()._display(screen, cells)
