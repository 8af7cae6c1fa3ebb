"""The type of a number whose meaning is known, by its name, its unit or its place in the line."""

from typing import NamedTuple


class Named(NamedTuple):
    """One number of a line, with its meaning.

    Attributes:
        role: `epoch`, `epochs`, `step`, `steps`, `loss`, `quality`, `series` (a figure known
            only by its name), `rate`, `duration` (of an iteration), `epoch time`,
            `train time` (of its training pass), `train epoch` (the same, in a line that names the
            epoch by this time alone), `eval time` (of an evaluation), `in` (of the work
            that the line reports as done), `time` (of something unnamed), `best` (the best of a
            quality so far), among others.
        name: The name as the log prints it.
        canonical: The metric's canonical name; for a series, the words of its name.
        unit: `%`, `img/s`, …; empty if the line does not say.
        split: `train` or `eval`; empty if the name does not say.
        scale: Factor to multiply the printed number by.
        per_device: Whether a rate says that it is the rate of one device.
        inverse: Whether the printed number is 1 / rate: `1.65s/img`.
        running: Whether it is the figure of one batch, with a running mean after it.
        value: The number.
        at: Index in the line of the number's first character.
    """

    role: str
    name: str
    canonical: str = ""
    unit: str = ""
    split: str = ""
    scale: float = 1.0
    per_device: bool = False
    inverse: bool = False
    running: bool = False
    value: float = 0.0
    at: int = -1
