"""The training's part of a bar that counts the batches of the validation, too.

The bar of an epoch does so in Lightning before version 2: it goes on while the bar of a validation
is drawn. In later versions it stands still meanwhile.
"""

from __future__ import annotations


class TrainingPart:
    """Keeps the iterations and the time of the validation out of an epoch's bar.

    Attributes:
        counts: Whether the bar counts the batches of the validation.
        steps: Iterations of the training so far, in this epoch.
        seconds: Their time.
        whole: Iterations of the training in the epoch before; None where they are not known.
    """

    def __init__(self) -> None:
        self.counts = False
        self.steps = 0
        self.seconds = 0.0
        self.whole: int | None = None
        self._validated = 0  # batches of the epoch's validations before this one
        self._batch = 0  # of the validation whose bar was drawn last
        self._behind = False  # a bar of a validation was drawn after the epoch's bar
        self._at = (0, 0.0)  # iterations and seconds on the epoch's last drawing

    def begin(self) -> None:
        """An epoch begins."""
        self.whole = self.steps or None
        self.steps, self.seconds, self._at = 0, 0.0, (0, 0.0)
        self._validated = self._batch = 0
        self._behind = False

    def validate(self, batch: int) -> None:
        """Takes a drawing of a validation's bar, with the batches that are done."""
        if batch < self._batch:  # the bar of another validation, or of another data set
            self._validated += self._batch
        self._batch, self._behind = batch, True

    def draw(self, step: int, seconds: float) -> bool:
        """Takes a drawing of the epoch's bar.

        Args:
            step: What the bar counts.
            seconds: The time since the epoch began.

        Returns:
            Whether iterations of the training were done since the drawing before.
        """
        (last, since), self._at = self._at, (step, seconds)
        self.counts |= self._behind and self._batch > 0 and step > last
        trained, self._behind = not (self.counts and self._behind), False
        done = step - (self._validated + self._batch if self.counts else 0)
        if trained:
            self.seconds += max(seconds - since, 0.0)
        more, self.steps = done > self.steps, max(done, self.steps)
        return more
