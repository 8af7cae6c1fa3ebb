"""`nvidia-smi -q -x` and `ixsmi -q -x`: one XML document, or many one after the other.

XML is a hostile format: declared entities, an internal subset of the DTD, deep nesting and
endless text are refused, and nothing outside the file is ever opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.parsers import expat

from sixdim.parsers.events import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.smi_fields import (
    Devices,
    Processes,
    smi_draft,
    take_board_power,
)
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

ROOTS = {"nvidia_smi_log": "nvidia-smi", "ixsmi_log": "ixsmi"}
MAX_DEPTH = 32
MAX_FIELDS = 4096
MAX_TEXT = 4096
MAX_DOCUMENT = 16 << 20
"""Bytes of one document; 16 boards with many processes take a tenth of it."""

_ROOT = pattern(r"<(?P<name>nvidia_smi_log|ixsmi_log)\b")
_BEGINS = pattern(r"\s*+<\?xml\b")


class _RefusedError(Exception):
    """A document that is not what the tools write."""


class _Document:
    """One document being read; GPUs leave it as they are whole."""

    def __init__(self, devices: Devices, notes: Notes) -> None:
        self.done: list[Reading] = []
        self.over = False
        self._devices = devices
        self._notes = notes
        self._size = 0
        self._path: list[str] = []
        self._text = ""
        self._fields: dict[str, str] = {}
        self._processes = Processes()
        self._owners: dict[str, int] = {}
        self._bus = ""
        self._source = ""
        self._time_us: int | None = None
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._said
        self._parser = parser

    def feed(self, text: str) -> list[Reading]:
        """Reads on; gives the GPUs that are whole by now.

        Raises:
            _RefusedError: It is no such document, and why.
        """
        self._size += len(text)
        if self._size > MAX_DOCUMENT:
            raise _RefusedError("a document larger than 16 MiB")
        try:
            self._parser.Parse(text, False)
        except expat.ExpatError as error:
            raise _RefusedError(label(expat.ErrorString(error.code), 60)) from error
        out, self.done = self.done, []
        return out

    def _doctype(self, name: str, system: str | None, public: str | None, inner: int) -> None:
        if inner:
            raise _RefusedError("a document that declares its own markup")

    def _entity(self, *_: object) -> int:
        raise _RefusedError("a document that declares entities")

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path:
            if name not in ROOTS:
                raise _RefusedError(f"a root named {label(name, 40)}")
            self._source = ROOTS[name]
        if len(self._path) >= MAX_DEPTH:
            raise _RefusedError("a document nested deeper than 32")
        self._path.append(name)
        self._text = ""
        if len(self._path) == 2 and name == "gpu":
            self._fields, self._processes = {}, Processes()
            self._bus = attributes.get("id", "")

    def _said(self, text: str) -> None:
        if len(self._text) < MAX_TEXT:
            self._text += text

    def _close(self, name: str) -> None:
        depth, text = len(self._path), self._text.strip()
        if depth == 2 and name == "timestamp":
            self._time_us = time_of(text)
        elif depth == 2 and name == "gpu":
            self._gpu()
        elif depth > 2 and self._path[1] == "gpu":
            path = "/".join(self._path[2:])
            is_process_field = self._processes.take(path, text)
            if text and not is_process_field and len(self._fields) < MAX_FIELDS:
                self._fields.setdefault(path, text)
        self._path.pop()
        self._text = ""
        self.over = not self._path

    def _gpu(self) -> None:
        fields = self._fields
        reported = fields.get("minor_number", "") if self._source == "ixsmi" else ""
        identity = self._bus or fields.get("uuid", "")
        draft = Draft(self._devices.of(identity, reported), self._source, time_us=self._time_us)
        smi_draft(fields, draft, self._notes)
        take_board_power(fields, draft, self._owners, self._notes)
        self._processes.fill(draft)
        self.done.append(draft.reading())


def _speaks(head: list[Line]) -> bool:
    return any(_ROOT.search(line.text) for line in head)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    devices = Devices()
    document: _Document | None = None
    for line in lines:
        if _BEGINS.match(line.text) or (document is None and _ROOT.search(line.text)):
            if document is not None:
                notes.say("documents cut off in the middle: what was whole in them counts")
            document = _Document(devices, notes)
        if document is None:
            continue
        try:
            yield from document.feed(line.text.lstrip() + "\n")
        except _RefusedError as refused:
            notes.say(f"left out from line {line.number} on: {refused}")
            document = None
            continue
        if document.over:
            document = None
    if document is not None:
        notes.say("documents cut off in the middle: what was whole in them counts")


DIALECT = Dialect("smi -q -x XML", _speaks, _read)
