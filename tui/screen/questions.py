"""The part of the app that asks for a line of text in the place of the footer."""

from __future__ import annotations

from collections.abc import Callable

from sixdim.tui.screen.panels.keys import ASKING
from sixdim.tui.screen.series_actions import SeriesActions


class Questions(SeriesActions):
    """The part of the app that asks for a line."""

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
