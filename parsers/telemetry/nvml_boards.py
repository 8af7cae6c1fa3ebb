"""The devices that NVML shows to this process: their identity, and how to find them again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sixdim.parsers.reading import BOARD_AT
from sixdim.parsers.telemetry.nvml_library import reason_of
from sixdim.parsers.telemetry.visible import order_unknown, visible_devices
from sixdim.parsers.text.lines import label


@dataclass(slots=True)
class Board:
    """One device, as known between readings.

    Attributes:
        device: Index that its readings carry.
        index: NVML's own index, or None for a MIG slice.
        uuid: From NVML; used to find the board again after it was lost.
        name: Product name.
        handle: NVML's handle for memory and processes (the slice's, if it is a slice).
        board: NVML's handle for power and temperature.
        note: Why power is not reported, for further slices of one board; else empty.
    """

    device: int
    index: int | None
    uuid: str = ""
    name: str = ""
    handle: Any = None
    board: Any = None
    note: str = ""


def find(nvml: Any, environment: Mapping[str, str]) -> list[Board] | str:
    """Returns every visible device, or the reason why there is none."""
    try:
        count = int(nvml.nvmlDeviceGetCount())
    except nvml.NVMLError as error:
        return reason_of(error)
    if count == 0:
        return "the driver sees no device"
    boards = []
    for index in range(count):
        board = Board(index, index)
        try:
            describe(nvml, board, nvml.nvmlDeviceGetHandleByIndex(index))
        except nvml.NVMLError_NoPermission:
            continue  # another job's: NVML counts it, CUDA does not
        except nvml.NVMLError:
            board.handle = None  # reported as lost, and asked for again at every reading
        boards.append(board)
    if not boards:
        return f"this process may use none of {count} devices"
    wanted = visible_devices(environment, [board.uuid for board in boards])
    if wanted is None or order_unknown(environment, [board.name for board in boards]):
        return boards
    chosen = [boards[item] for item in wanted if isinstance(item, int)]
    chosen += _slices(nvml, [item for item in wanted if isinstance(item, str)])
    return chosen or "CUDA_VISIBLE_DEVICES hides every device"


def _slices(nvml: Any, uuids: list[str]) -> list[Board]:
    """Returns MIG slices by their identity; the board's power belongs to its first slice."""
    found: list[Board] = []
    first: dict[str, int] = {}
    for position, uuid in enumerate(uuids):
        board = Board(position, None, uuid)
        try:
            describe(nvml, board, nvml.nvmlDeviceGetHandleByUUID(uuid))
            parent = uuid_of(nvml, board.board)
        except nvml.NVMLError_NotFound:
            break  # it never was there: CUDA, too, ends its list here
        except nvml.NVMLError:
            board.handle = None
            parent = uuid
        if (owner := first.setdefault(parent, position)) != position:
            board.note = f"{BOARD_AT}{owner}"
        found.append(board)
    return found


def describe(nvml: Any, board: Board, handle: Any) -> None:
    """Fills in the identity and name of a device; keeps what NVML does not report."""
    whole, marks = handle, ""
    try:
        if nvml.nvmlDeviceIsMigDeviceHandle(handle):
            whole = nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(handle)
            marks = " (MIG slice: power is the board's)"
        elif nvml.nvmlDeviceGetMigMode(handle)[0]:
            marks = " (MIG on)"
    except (nvml.NVMLError, AttributeError):
        whole = handle  # boards and libraries without MIG
    board.uuid = uuid_of(nvml, handle) or board.uuid
    try:
        board.name = text_of(nvml.nvmlDeviceGetName(whole)) + marks
    except nvml.NVMLError:
        board.name = board.name or "unnamed"
    except UnicodeError:
        board.name = "name in broken UTF-8" + marks
    board.handle, board.board = handle, whole


def uuid_of(nvml: Any, handle: Any) -> str:
    """Returns the identity of a device; empty if it reports none."""
    try:
        return text_of(nvml.nvmlDeviceGetUUID(handle))
    except (nvml.NVMLError, UnicodeError):
        return ""


def text_of(reported: str | bytes) -> str:
    """Returns a library's text, cleaned; older modules give bytes."""
    return label(reported.decode("utf-8", "replace") if isinstance(reported, bytes) else reported)
