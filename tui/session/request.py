"""What a command needs to read and score a log: settings, formats, readings, other runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.source import base_name, is_stdin
from sixdim.tui.base.readings import Readings, readings_beside

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import RunCurves
    from sixdim.parsers.input.rank_folder import RankFolder
    from sixdim.parsers.statements.format import Reader
    from sixdim.tui.session.session import Session


def same_file(one: str, other: str) -> bool:
    """Returns whether two paths name the same existing file."""
    with suppress(OSError, ValueError):
        return Path(one).samefile(other)
    return False


class Request(NamedTuple):
    """Everything that a command needs to read and score a log.

    The first session imports the formats and folds, so that a screen is displayed and answers keys
    before.

    Attributes:
        settings: How the card is computed.
        declared: Formats of the settings file, in addition to those of
            `parsers.reader.registry`.
        forced: The reader that `--format` names; None to detect the format.
        named: The recordings that `--telemetry` names; None without that flag.
        folders: The folders of ranks, by the path of the log that is read of each.
        references: The curves of the runs that `--against` names, by path.
    """

    settings: Settings
    declared: tuple[type[Reader], ...] = ()
    forced: type[Reader] | None = None
    named: Readings | None = None
    folders: Mapping[str, RankFolder] = MappingProxyType({})
    references: Mapping[str, RunCurves] = MappingProxyType({})

    def session(self, path: str, keep: int = 0, all_figures: bool = False) -> Session:
        """Makes a session for the log at a path, or for a base name without a file."""
        from sixdim.parsers.reader.registry import formats
        from sixdim.tui.base.log_name import facts_in_name
        from sixdim.tui.session.session import Session

        facts, name = facts_in_name(path).facts, base_name(path)
        if (folder := self.folders.get(path)) is not None:
            nodes = {"nodes": folder.nodes} if folder.nodes else {}
            facts, name = {"devices": folder.ranks, **nodes, **facts}, folder.name
        settings = self.settings._replace(named=facts)
        known = (*formats(), *self.declared)
        return Session(
            *(name, settings, known, self.forced, keep),
            all_figures=all_figures,
            references=tuple(
                run for other, run in self.references.items() if not same_file(other, path)
            ),
        )

    def of_logs(
        self, paths: Sequence[str], *, other_folders: bool = False
    ) -> tuple[list[str], Request]:
        """Returns the logs to read, and the request that knows the folders of ranks among them.

        Args:
            paths: Logs, and folders in which the ranks of one run log: the first rank's is read.
            other_folders: Whether any other folder is returned as it is, and not an error.

        Raises:
            LogError: A folder cannot be read, or lacks the logs of some ranks.
        """
        logs, folders = [], dict(self.folders)
        for path in paths:
            if not is_stdin(path) and Path(path).is_dir():
                from sixdim.parsers.input.rank_folder import rank_folder, required

                folder = rank_folder(path) if other_folders else required(path)
                if folder is not None:
                    path = folder.chief
                    folders[path] = folder
            logs.append(path)
        return logs, self._replace(folders=folders)

    def alone(self) -> Request:
        """Returns this request without readings, given facts and other runs."""
        settings = self.settings._replace(
            given={}, run=None, baseline=None, scaled=None, repeats=()
        )
        return self._replace(settings=settings, named=None, references=MappingProxyType({}))

    def readings(self, path: str) -> Readings:
        """Returns the recordings of `--telemetry`, else the journal beside the log."""
        return self.named if self.named is not None else readings_beside(path)
