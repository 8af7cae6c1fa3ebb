"""The part of the app that acts on the run: pause, seek, export, choose another run."""

from __future__ import annotations

from sixdim.parsers.text.lines import clean
from sixdim.tui.base.errors import UserError
from sixdim.tui.screen.log_actions import LogActions
from sixdim.tui.screen.widgets.palettes import THEMES
from sixdim.tui.session.live.feed import MOVE, SELECT


class RunActions(LogActions):
    """The part of the app that acts on the feed and on the view as a whole."""

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
            self.turn_page(step)

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
        self.call_from_thread(self.notify, clean(said), severity=severity, markup=False)

    async def action_back(self) -> None:
        """Goes back from a figure's lines, else leaves cursor, enlarged panel, search or filter."""
        chart = self.active_chart()
        if self.come_back() or (chart is not None and chart.leave()):
            return
        if self.enlarged:
            self.action_enlarge()
        else:
            self.leave_search()

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
