"""Questions of one line, asked in the place of the footer."""

from __future__ import annotations

from collections.abc import Callable

from sixdim.tui.screen.choosing import Choosing
from sixdim.tui.screen.panels.keys import ASKING


class Asking(Choosing):
    """The part of the app that asks for a line."""

    _is_asking = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No question while one is asked, or over a dialog: its key is typed like any other."""
        return action not in ASKING or not (self._is_asking or len(self.screen_stack) > 1)

    async def ask(
        self, question: str, answer: Callable[[str], None], *, integer: bool = False
    ) -> None:
        """Asks for one line; keys that follow are typed there."""
        from sixdim.tui.screen.dialogs.prompts import Prompt

        self._is_asking = True
        await self.screen.mount(Prompt(question, answer, self._answered, integer=integer))
        self.footer.display = False

    def _answered(self) -> None:
        self._is_asking = False
        self.footer.display = True
