"""The part of the app whose keys act on the run and its log.

It also asks for a line of text, in the place of the footer.
"""

from collections.abc import Callable
from functools import partial

from sixdim.tui.base.errors import UserError
from sixdim.tui.screen.panel_actions import PanelActions
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.keys import ASKING
from sixdim.tui.screen.panels.runs import RunsPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel
from sixdim.tui.screen.widgets.palettes import THEMES
from sixdim.tui.session.live.feed import MOVE, SELECT


class RunActions(PanelActions):
    """The part of the app that acts on the run and its log, and asks for a line of text."""

    _back_from_lines: Callable[[], None] | None = None
    """Displays what was displayed before the lines of a figure."""
    _is_asking = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Returns false for keys that open a question while one is open, or over a dialog."""
        return action not in ASKING or not (self._is_asking or len(self.screen_stack) > 1)

    async def ask(
        self, question: str, answer: Callable[[str], None], *, integer: bool = False
    ) -> None:
        """Asks for one line; the keys that follow are typed into it."""
        from sixdim.tui.screen.dialogs.prompts import Prompt

        self._is_asking = True
        await self.screen.mount(Prompt(question, answer, self._answered, integer=integer))
        self.footer.display = False

    def _answered(self) -> None:
        self._is_asking = False
        self.footer.display = True

    async def action_search(self) -> None:
        """Asks for the text to search in the log."""
        await self.ask("search the log", partial(self._in_log, self.log_panel.search))

    async def action_filter(self) -> None:
        """Asks for the text that the displayed lines must contain."""
        await self.ask("only lines with", partial(self._in_log, self.log_panel.filter))

    def _in_log(self, find: Callable[[str], None], pattern: str) -> None:
        self.show_log()
        find(pattern)

    def action_next_match(self, direction: int) -> None:
        """Goes to the next match of the search, or to the previous one (-1)."""
        self.log_panel.next_match(direction)

    def action_scroll(self, lines: int) -> None:
        """Scrolls the focused panel, else the log if it is visible, else the devices."""
        if isinstance(self.focused, RunsPanel) and abs(lines) == 1:
            self.feed.select(lines)
            return
        if self.focused is self.score_panel and abs(lines) == 1:
            self.score_panel.choose(lines)
        elif self.log_panel.display and not isinstance(self.focused, TelemetryPanel):
            self.log_panel.scroll_by(lines)
        else:
            self.query_one(TelemetryPanel).scroll_by(lines)

    def action_show_lines(self) -> None:
        """Shows the lines of the focused figure, or goes back from them."""
        if self.come_back():
            return
        lines = self._lines_of_figure()
        if not lines:
            self.notify("it rests on no line of this log")
            return
        focused = self.focused if isinstance(self.focused, Panel) else None
        place, arrangement = self.log_panel.keep_place(), self.keep_arrangement()

        def back() -> None:
            place()
            arrangement()
            self.set_focus(focused)

        self._back_from_lines = back
        self.show_log()
        self.log_panel.go_to(lines)
        self.set_focus(self.log_panel)

    def come_back(self) -> bool:
        """Goes back from the lines of a figure; returns whether they were displayed."""
        back, self._back_from_lines = self._back_from_lines, None
        if back is not None:
            back()
        return back is not None

    def _lines_of_figure(self) -> tuple[int, ...]:
        spot = self.focused.inspected() if isinstance(self.focused, ChartPanel) else None
        if spot is not None and spot.lines is not None:
            return spot.lines
        subject = self.subject()
        return () if subject is None else subject.lines

    # The feed, and the view as a whole

    def action_pause(self) -> None:
        """Pauses the replay, or the live view."""
        if MOVE in self.feed.controls:
            self.feed.toggle_pause()
            return
        self.held = not self.held
        if self.frame is not None:
            self.paint_held()

    def action_sideways(self, step: int) -> None:
        """Moves the cursor, the epoch, or the tab to the left (-1) or right (1)."""
        if chart := self.active_chart():
            chart.inspect(step)
        elif MOVE in self.feed.controls:
            self.feed.step(step)
        elif self.paged:
            self.show_page(self._page() + step)

    def action_zoom(self, direction: int) -> None:
        """Zooms in or doubles the pace; with -1, zooms out or halves the pace."""
        chart = self.active_chart()
        if chart is None and MOVE in self.feed.controls:
            self.feed.change_speed(2.0**direction)
        elif chart := chart or self.some_chart():
            chart.zoom(direction)

    async def action_go_to_epoch(self) -> None:
        """Asks for an epoch's label."""
        if MOVE in self.feed.controls:
            await self.ask("go to epoch", self._go_to, integer=True)

    def _go_to(self, label: str) -> None:
        if label:
            self.feed.go_to_epoch(int(label))

    def action_end(self) -> None:
        """Goes to the result of a replay, or to the newest line of a live log."""
        if MOVE in self.feed.controls:
            self.feed.go_to_end()
        self.log_panel.follow()

    def action_export(self) -> None:
        """Writes the card, off the UI thread."""
        self.run_worker(self._export, thread=True, group="export", exclusive=False)

    def _export(self) -> None:
        try:
            said, severity = self.feed.export(), "information"
        except UserError as error:  # a full disk, or a read-only folder
            said, severity = str(error), "error"
        self.call_from_thread(self.notify, said, severity=severity)

    async def action_back(self) -> None:
        """Goes back from a figure's lines, else leaves cursor, enlarged panel, search or filter."""
        chart = self.active_chart()
        if self.come_back() or (chart is not None and chart.leave()):
            return
        panel = self.log_panel
        if self.enlarged:
            self.action_enlarge()
        elif panel.patterns.wanted:
            panel.search("")
        elif panel.patterns.only:
            panel.filter("")

    def action_select(self, step: int) -> None:
        """Shows another of several runs."""
        if SELECT in self.feed.controls:
            self.feed.select(step)

    def action_select_run(self, number: int) -> None:
        """Shows one of several runs, by its place in the list."""
        if self.frame is not None:
            self.action_select(number - self.frame.selected)

    def action_next_theme(self) -> None:
        """Changes to the next theme."""
        known = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(known + 1) % len(THEMES)]

    def action_help(self) -> None:
        """Shows the list of keys."""
        if not self.is_screen_installed("help"):
            from sixdim.tui.screen.dialogs.prompts import Help

            self.install_screen(Help(self.feed.controls), "help")
        self.push_screen("help")
