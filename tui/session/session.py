"""Folds the bytes of one log and computes its card, for every command.

Watching, replaying and scoring differ only in what calls `feed`, so the same bytes give the same
card.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from operator import length_hint
from typing import TYPE_CHECKING

from sixdim import __version__
from sixdim.metrics.card.scorecard import score
from sixdim.metrics.card.status import complete
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.metrics.fold.epochs.utilisation import NAMES as UTILISATION_NAMES
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.detection import Detection
from sixdim.parsers.events import Event, Iteration
from sixdim.parsers.reader.hashed import Hashing
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reading import Reading
from sixdim.parsers.spans import LineSpan
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.troubles import fault
from sixdim.tui.session.column_sizes import LARGE, WORTH, by_columns
from sixdim.tui.session.preview import Preview, VisibleFold

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import RunCurves
    from sixdim.metrics.card.run_snapshot import SnapshotCache
    from sixdim.metrics.card.snapshot import Snapshot
    from sixdim.parsers.blocks.examine import Found
    from sixdim.parsers.blocks.form import RowForm
    from sixdim.parsers.input.follow import Piece


class Session:
    """One log, as far as it was read, and its card at any moment.

    Args:
        name: Base name of the log, sanitised.
        settings: How the card is computed.
        formats: The readers to choose from.
        forced: A reader that is used without detection; None to detect one.
        keep: The number of latest lines that are stored for a screen; if it is above 0, the curves
            of every number that the log repeats are stored, too.
        all_figures: Whether to read the figures of progress lines that the card does not use, too.
        references: The runs that the snapshots compare this run with.

    Attributes:
        expected: The least number of bytes that the input is expected to have.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        formats: tuple[type[Reader], ...],
        forced: type[Reader] | None = None,
        keep: int = 0,
        all_figures: bool = False,
        references: tuple[RunCurves, ...] = (),
    ) -> None:
        self.name = name
        self.settings = settings
        curves = keep > 0
        self.fold = LogFold(settings, curves=curves)
        used = (*UTILISATION_NAMES, *self.fold.runs[0].records.names)
        names = None if all_figures or curves else used
        self.interpreter = Interpreter(formats, forced, keep, names, settings.start_line)
        self.references = references
        self.telemetry = Telemetry()
        self.telemetry_note = ""
        self.readings: tuple[Reading, ...] = ()
        self.ended = False
        self.expected = 0
        self._cache: SnapshotCache | None = None
        self._preview: Preview | None = None

    def expect(self, size: int) -> None:
        """Notes that the input is expected to have at least `size` bytes."""
        self.expected = max(self.expected, size)

    def feed(self, chunk: bytes) -> None:
        """Folds some bytes."""
        large = max(self.expected, self.interpreter.size) >= LARGE and len(chunk) >= WORTH
        if large and self.interpreter.blocks is None and by_columns():
            self.by_blocks()
        self._fold(self.interpreter.feed(chunk))

    def follow(self, piece: Piece) -> None:
        """Folds what one look at a growing log brought; such a log is expected to double."""
        self.expect(2 * (self.interpreter.size + len(piece.data)) + piece.behind)
        if piece.data:
            self.feed(piece.data)

    def end(self) -> None:
        """Ends the input; a second call changes nothing."""
        if not self.ended:
            self.ended = True
            self._fold(self.interpreter.end())

    def feed_found(self, data: memoryview, forms: Sequence[RowForm], found: list[Found]) -> None:
        """Folds whole lines that were examined before; see `Interpreter.feed_found`."""
        self._fold(self.interpreter.feed_found(data, forms, found))

    def end_threads(self) -> None:
        """Ends other threads; they are started again when they are needed."""
        self.interpreter.hashing.end()

    def recorded(self, kind: str, blocks: Iterable[bytes], events: Iterable[Event]) -> None:
        """Folds a finished recording that is not text.

        Args:
            kind: The name of its format on the card.
            blocks: Its bytes, for the provenance on the card.
            events: The events that were read from them, with the end of the input.
        """
        for block in blocks:
            self.interpreter.digest.update(block)
            self.interpreter.size += len(block)
        self.interpreter.recorded(kind)
        self.ended = True
        self._fold(events)

    def copy(self) -> Session:
        """Returns an independent session in the same state; it shares telemetry and references."""
        read, shared, cache = self.interpreter, self.telemetry, self._cache
        read.hashing.wait()
        digest = read.digest.copy()
        known = {id(read.digest): digest, id(read.hashing): Hashing(digest), id(shared): shared}
        known |= {id(cache): None, id(self.references): self.references}
        known[id(self._preview)] = None  # made again when it is needed
        return copy.deepcopy(self, known)

    def _add(self, span: LineSpan) -> None:
        """Folds a span of progress lines, if it can be folded."""
        assert self.interpreter.blocks is not None
        self.interpreter.blocks.folded = True  # also after an error, so that it is not tried again
        self.interpreter.blocks.folded = self.fold.add(span)

    def by_blocks(self, least: int = WORTH, together: int = 40) -> None:
        """Reads pieces of at least `least` bytes by columns from here on; see `Blocks`."""
        from sixdim.parsers.blocks.reading import Blocks

        curves = self.run.series is not None
        self.interpreter.blocks = Blocks(least, together, figures=curves)

    def _fold(self, events: Iterable[Event | LineSpan]) -> None:
        lines: list[Iteration] = []  # that follow each other
        for event in events:
            if type(event) is Iteration:
                lines.append(event)
                continue
            if lines:
                self._fold_lines(lines)
                lines = []
            try:
                if isinstance(event, LineSpan):
                    self._add(event)
                else:
                    self.fold.apply(event)
            except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
                self.fold.runs[-1].note(fault(event.at, error))
        if lines:
            self._fold_lines(lines)

    def _fold_lines(self, lines: Sequence[Iteration]) -> None:
        """Folds progress lines that follow each other."""
        left = iter(lines)
        while length_hint(left):
            try:
                self.fold.extend(left)
            except Exception as error:  # noqa: BLE001 - no line may end a watch; it is reported
                failed = lines[-1 - length_hint(left)]
                self.fold.runs[-1].note(fault(failed.at, error))

    def show_readings(self, readings: tuple[Reading, ...]) -> None:
        """Sets the latest reading of each device, for a screen and its curves."""
        before, self.readings = self.readings, readings
        series = self.run.series
        if series is None:
            return
        several = len({reading.host for reading in readings}) > 1
        for reading in readings:
            if reading not in before:
                series.reading(reading, series.here, several_hosts=several)

    @property
    def run(self) -> Run:
        """The run of the card: the chosen run, or the last one while the chosen has not begun."""
        try:
            return self.fold.chosen(self.settings.run)
        except IndexError:
            return self.fold.chosen()

    @property
    def lacks_run(self) -> str:
        """Why the chosen run is not the run of the card; empty if it is, or if none was chosen."""
        try:
            self.fold.chosen(self.settings.run)
        except IndexError as error:
            return f"--run {self.settings.run}: {error}"
        return ""

    @property
    def visible_run(self) -> Run:
        """The run that a screen shows: that of the preview while no format is chosen."""
        return self._visible().run

    @property
    def read_as(self) -> tuple[str, int]:
        """The format that reads the log now, and the number of envelopes inferred so far."""
        detection = self._visible().detection
        return (detection.name if detection is not None else ""), self.interpreter.inferred

    def _visible(self) -> VisibleFold:
        """Returns what a screen shows: a preview of the held lines while no format is chosen."""
        detection = self.interpreter.detection
        if detection is not None:
            self._preview = None
            return VisibleFold(self.fold, self.run, detection)
        self._preview = self._preview or Preview(self.settings)
        return self._preview.visible(self.interpreter)

    def closed(self) -> bool:
        """Returns whether the closing line of the run was read."""
        return self.run.end is not None

    def drawn(self) -> Session:
        """Returns a copy that has read the last drawing of a bar, whose line has not ended."""
        drawn = self.copy()
        drawn._fold(drawn.interpreter.drawn())
        return drawn

    def over(self, *, silent: bool = False, failed: bool = False) -> Session:
        """Returns this session or, if the run is over, a copy whose input has ended.

        Args:
            silent: Whether the log has not grown for long. If so, a run that did all that it
                planned is over without a closing line, too, and of any other run the copy has
                what its format held back until a further line.
            failed: Whether the silence of the log shows that the run has failed.
        """
        if self.ended or not (silent or failed or self.closed()):
            return self
        ended = self.copy()
        ended.end()
        run = ended.run
        if (
            failed
            or self.closed()
            or (complete(run, Facts(run, ended.settings)) and not run.problems.failed)
        ):
            return ended
        flushed = self.drawn()
        flushed._fold(flushed.interpreter.held_back())
        return flushed

    def card(self) -> Card:
        """Returns the card of what was read so far."""
        return self._card(self.fold, self.run, self.interpreter.detection)

    def _card(self, fold: LogFold, run: Run, detection: Detection | None) -> Card:
        read = self.interpreter
        provenance = {
            "sixdim": __version__,
            "log": self.name,
            "sha256": read.sha256,
            "bytes": read.size,
            "ended": self.ended,
        }
        return score(fold, run, self.settings, self.telemetry, detection, provenance)

    def snapshot(self) -> Snapshot:
        """Returns everything that a screen shows, as immutable values."""
        from sixdim.metrics.card.run_snapshot import SnapshotCache, snapshot

        fold, run, detection, previewed = self._visible()
        if self._cache is None or previewed:
            self._cache = SnapshotCache()
        return snapshot(
            run,
            self.settings,
            self._card(fold, run, detection),
            provisional=previewed and detection is not None and bool(detection.name),
            readings=self.readings,
            telemetry_note=self.telemetry_note or self.telemetry.reason,
            lines=self.interpreter.lines,
            references=self.references,
            devices=self.telemetry.series,
            cache=self._cache,
        )
