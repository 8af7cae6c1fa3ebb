"""`nvidia-smi -q -x` and `ixsmi -q -x`: one XML document, or many one after the other.

Untrusted XML is dangerous: declared entities, an internal subset of the DTD, deep nesting and
endless text are refused, and nothing outside the file is ever opened.
"""

from collections.abc import Iterable, Iterator
from xml.parsers import expat

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.dialects.smi_fields import Devices
from sixdim.parsers.telemetry.dialects.smi_sample import MOST_DEVICES, DeviceFields, Sample
from sixdim.parsers.telemetry.draft import count
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

ROOTS = {"nvidia_smi_log": "nvidia-smi", "ixsmi_log": "ixsmi"}
MAX_DEPTH = 32
MAX_TEXT = 4096
MAX_DOCUMENT = 16 << 20
"""The most bytes of one document; 16 boards with many processes take a tenth of it."""

CUT = "documents cut off in the middle: what was whole in them counts"
_ROOT = pattern(r"<(?P<name>nvidia_smi_log|ixsmi_log)\b")
_BEGINS = pattern(r"\s*+<\?xml\b")


class _RefusedError(Exception):
    """The document is not one that the tools write."""


class _Document:
    """Reads one document and collects its complete GPUs."""

    def __init__(self) -> None:
        self.over = False
        self._sample = Sample()
        self._device = DeviceFields("")
        self._size = 0
        self._path: list[str] = []
        self._text = ""
        self._source = ""
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._entity
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._character_data
        self._parser = parser

    def readings(self, devices: Devices, notes: Notes) -> Iterator[Reading]:
        """Yields a reading of each complete GPU."""
        return self._sample.readings(devices, self._source, notes)

    def feed(self, text: str) -> None:
        """Reads further text.

        Raises:
            _RefusedError: It is no such document; the message says why.
        """
        self._size += len(text)
        if self._size > MAX_DOCUMENT:
            raise _RefusedError("a document larger than 16 MiB")
        try:
            self._parser.Parse(text, False)
        except expat.ExpatError as error:
            raise _RefusedError(label(expat.ErrorString(error.code), 60)) from error

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
            self._device = DeviceFields(attributes.get("id", ""))

    def _character_data(self, text: str) -> None:
        if len(self._text) < MAX_TEXT:
            self._text += text

    def _close(self, name: str) -> None:
        depth, text = len(self._path), self._text.strip()
        if depth == 2 and name == "timestamp":
            self._sample.time_us = time_of(text)
        elif depth == 2 and name == "attached_gpus":
            self._sample.attached = count(text) or 0
        elif depth == 2 and name == "gpu":
            self._device.identity = self._device.identity or self._device.fields.get("uuid", "")
            if len(self._sample.devices) < MOST_DEVICES:
                self._sample.devices.append(self._device)
        elif depth > 2 and self._path[1] == "gpu":
            path = "/".join(self._path[2:])
            if text or path.startswith("processes"):
                self._device.take(path, text)
        self._path.pop()
        self._text = ""
        self.over = not self._path


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    devices = Devices()
    document: _Document | None = None
    for line in lines:
        if _BEGINS.match(line.text) or (document is None and _ROOT.search(line.text)):
            if document is not None:
                yield from document.readings(devices, notes)
                notes.add(CUT)
            document = _Document()
        if document is None:
            continue
        try:
            document.feed(line.text.lstrip() + "\n")
        except _RefusedError as refused:
            yield from document.readings(devices, notes)
            notes.add(f"left out from line {line.number} on: {refused}")
            document = None
            continue
        if document.over:
            yield from document.readings(devices, notes)
            document = None
    if document is not None:
        yield from document.readings(devices, notes)
        notes.add(CUT)


DIALECT = Dialect("smi -q -x XML", any_line(_ROOT.search), _read)
