"""Decides by its data whether an evaluation counts, in a log that no format knows."""

from sixdim.parsers.grammar.meaning.line_plan import Tested
from sixdim.parsers.grammar.vocabulary.rankings import ranks


class DataSets:
    """The data sets and splits that the evaluations of one log name.

    Attributes:
        any: Whether the program printed an evaluation of its own.
    """

    def __init__(self) -> None:
        self.any = False
        self._first: str | None = None  # the data set that the first evaluation named
        self._split: set[str] = set()  # metrics whose lines, or headings, name their split

    def count(self, tested: Tested, split_is_named: bool, *, running: bool) -> bool:
        """Returns whether figures are an evaluation's, and on the data set of the log's first one.

        Args:
            tested: The figures of a line.
            split_is_named: Whether the line, or a heading, names their split.
            running: Whether the line before showed one batch of an evaluation.
        """
        if tested.repeated and self.any:
            return False
        self.any |= not tested.repeated
        if split_is_named:
            self._split |= tested.names
        elif tested.names <= self._split and not running and not all(map(ranks, tested.names)):
            return False  # of the training: other lines with this metric name their split
        if self._first is None:
            self._first = tested.data_set
        return not tested.data_set or tested.data_set == self._first
