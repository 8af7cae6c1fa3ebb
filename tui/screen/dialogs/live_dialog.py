"""A dialog that goes on showing the run while it is open."""

from abc import abstractmethod

from textual.screen import ModalScreen, ScreenResultType

from sixdim.tui.session.live.feed import Frame


class LiveDialog(ModalScreen[ScreenResultType]):
    """A dialog that the app passes each new frame."""

    @abstractmethod
    def show(self, frame: Frame) -> None:
        """Shows a frame."""
