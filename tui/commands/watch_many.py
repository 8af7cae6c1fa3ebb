"""Several logs, or folders of logs, for `sixdim watch`."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sixdim.parsers.input.source import base_name, is_stdin
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.safe_files import check_folder
from sixdim.tui.batch.folder import Folders
from sixdim.tui.session.card_writer import card_file
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.many_logs import ManyFeed
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.log_names import Names
from sixdim.tui.session.request import Request

MOST_LOGS = 32
"""Logs watched at once: each has a thread and a file system watch."""


def feed_of_many(
    json: str | None,
    request: Request,
    roots: list[str],
    one: Callable[[str, str | None, Gpus, str], LiveFeed],
) -> ManyFeed:
    """Returns the feed of several logs, and of those that appear in the folders among them.

    Args:
        json: The folder in which their cards are written; None to write none.
        request: How the logs are read and scored.
        roots: Logs and folders.
        one: Makes the feed of a log from its path, the path of its card, its source of readings,
            and its name.

    Raises:
        UserError: Standard input is among them, or the folder of the cards cannot be used.
    """
    if any(is_stdin(root) for root in roots):
        raise UserError("- is one log: it cannot be watched among several")
    if json:
        check_folder(json)
    folders = [root for root in roots if Path(root).is_dir()]
    found = Folders(roots)
    names = Names(folders)
    left_out: list[str] = []

    def begin(logs: Sequence[str]) -> list[LiveFeed]:
        # Which of several runs a GPU works for is not known here.
        gpus = Gpus("several runs, or a folder: no telemetry")
        return [
            one(log, json and f"{json.rstrip('/')}/{card_file(name)}", gpus, name)
            for log, name in zip(logs, names.add(logs), strict=True)
        ]

    def more() -> tuple[list[LiveFeed], str]:
        fresh = found.fresh()
        fit = fresh[: MOST_LOGS - len(names)]
        left_out.extend(fresh[len(fit) :])
        return begin(fit), _not_watched(left_out)

    singles = [root for root in roots if root not in folders]
    logs, left_out[:] = found.newest(singles, MOST_LOGS)
    message = _not_watched(left_out)
    if not folders:
        return ManyFeed(begin(logs), message=message)
    where = label(base_name(folders[0]), 80)
    idle = Frame(request.session(folders[0]).snapshot(), message=f"waiting for a log in {where}")
    return ManyFeed(begin(logs), more, idle, message)


def _not_watched(logs: Sequence[str]) -> str:
    """Returns which logs are not watched, and why; empty if all are."""
    if not logs:
        return ""
    others = f" and {len(logs) - 1} more" if len(logs) > 1 else ""
    return f"not watched: {base_name(logs[0])}{others} (at most {MOST_LOGS} logs at once)"
