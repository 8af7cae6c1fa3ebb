"""The part of the app whose keys show, hide, enlarge and focus panels."""

from __future__ import annotations

from sixdim.tui.screen.arranged_panels import ArrangedPanels
from sixdim.tui.screen.panels.base import Panel


class PanelActions(ArrangedPanels):
    """The part of the app with the keys of its panels."""

    def action_toggle_log(self) -> None:
        """Shows or hides the log; among tabs, goes to it."""
        if not self.log_panel.display:
            self.show_log()
        elif self.paged:
            self.show_page(0)
        else:
            self._log_wanted = False
            self.arrange()

    def action_toggle_radar(self) -> None:
        """Shows the scorecard as a radar, or as a table again."""
        panel = self.score_panel
        panel.radar = not panel.radar
        if not panel.display:
            self.show_panel(panel)
        panel.repaint()

    def action_enlarge(self) -> None:
        """Shows the focused panel alone, or all of them again."""
        if isinstance(self.focused, Panel):
            self._active = self.panels.index(self.focused)
        self.enlarged = not self.enlarged
        self.arrange()

    def action_hide(self) -> None:
        """Hides the focused panel, where all are side by side."""
        panel = self.focused
        if self.paged:
            self.notify("only one of several panels side by side can be hidden", markup=False)
        elif isinstance(panel, Panel):
            self.hidden.add(panel)
            self.set_focus(None)
            self.arrange()

    def action_show_hidden(self) -> None:
        """Shows every hidden panel again."""
        self.hidden.clear()
        self.arrange()

    def action_focus_next(self) -> None:
        """Focuses the next panel, or the next tab."""
        self._around(1)

    def action_focus_previous(self) -> None:
        """Focuses the previous panel, or the previous tab."""
        self._around(-1)

    def _around(self, step: int) -> None:
        if self.paged:
            self.show_next(step)
        elif step > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()

    def action_panel(self, number: int) -> None:
        """Shows a tab, or focuses a panel, by its number counted from 1."""
        if self.paged and not self.enlarged:
            if number <= len(self._pages):
                self.show_page(number - 1)
        elif number <= len(self.panels):
            self.show_panel(self.panels[number - 1])

    def action_redraw(self) -> None:
        """Writes every cell again, for a terminal that another program wrote on."""
        self.screen.refresh(layout=True)
