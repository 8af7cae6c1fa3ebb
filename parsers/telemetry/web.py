"""Asks an address that the user named, over HTTP, with a deadline and a limit on the size."""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from http.client import HTTPResponse

MAX_ANSWER = 64 << 20
_CHUNK = 1 << 16


class NoAnswerError(Exception):
    """The address gave no answer; the message says why, in one sentence without any password."""


class TooLargeError(NoAnswerError):
    """The answer is larger than allowed: ask for less."""


def checked(address: str) -> str:
    """Returns the address, if this module may ask it.

    Raises:
        NoAnswerError: It is no `http://` or `https://` address.
    """
    try:
        parts = urllib.parse.urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not address.isprintable() or " " in address:
        raise NoAnswerError(f"{label(address, 60)} is no address such as http://host:9400/metrics")
    return address


def printable(address: str) -> str:
    """Returns host and port, for messages and as a host's name: no password, no query."""
    parts = urllib.parse.urlsplit(address)
    return label(f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname)


def fetch(address: str, deadline_s: float, most: int = MAX_ANSWER) -> bytes:
    """Asks once, and returns the body. Follows no redirect, uses no proxy and no other scheme.

    Args:
        address: A checked address; its user and password are sent as basic authentication.
        deadline_s: Seconds that the whole answer may take.
        most: The most bytes of the answer.

    Raises:
        NoAnswerError: Refused, late, or broken.
        TooLargeError: More than `most` bytes.
    """
    parts = urllib.parse.urlsplit(address)
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    request = urllib.request.Request(urllib.parse.urlunsplit(bare))
    if parts.username is not None:
        pair = (
            f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        )
        request.add_header("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())
    deadline = _Deadline(deadline_s)
    try:
        with deadline, _opener(deadline).open(request, timeout=deadline_s) as answer:
            body = _body(answer, most)
            if deadline.passed:
                raise TimeoutError
            return body
    except urllib.error.HTTPError as error:
        answered = label(error.read(300).decode("utf-8", "replace"), 120)
        raise NoAnswerError(f"{printable(address)} answers {error.code}: {answered}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if deadline.passed:
            reason = f"no whole answer within {deadline_s:g} s"
        raise NoAnswerError(f"{printable(address)}: {label(reason, 100)}") from error


class _Deadline:
    """Ends the connection of a request after some seconds, even while the server sends.

    A socket's own timeout restarts with every byte: it never ends a server that sends a byte per
    second.

    Attributes:
        passed: Whether it ended the request.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def connect(
        self, address: tuple[str, int], timeout: float, source: tuple[str, int] | None
    ) -> socket.socket:
        """Connects, as `socket.create_connection`."""
        self._socket = socket.create_connection(address, timeout, source)
        return self._socket

    def connection(self, kind: type[http.client.HTTPConnection]) -> Callable[..., Any]:
        """Returns a function that makes connections of a kind that end at the deadline."""

        def connect_in_time(host: str, **options: Any) -> http.client.HTTPConnection:
            connection = kind(host, **options)
            connection._create_connection = self.connect  # type: ignore[attr-defined]  # stubs lack it
            self._connection = connection
            return connection

        return connect_in_time

    def _end(self) -> None:
        self.passed = True
        # During a TLS handshake the socket is the bare one, later the connection's own.
        for one in (self._socket, self._connection.sock if self._connection else None):
            if one is not None:
                with contextlib.suppress(OSError):  # it is closed, or is the other one now
                    one.shutdown(socket.SHUT_RDWR)


class _Handler(urllib.request.HTTPSHandler):
    """Opens both kinds of address with connections that end at the deadline."""

    http_request = urllib.request.HTTPHandler.http_request

    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._deadline.connection(http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._deadline.connection(http.client.HTTPSConnection), req)


def _opener(deadline: _Deadline) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in (
        _Handler(deadline),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _body(answer: HTTPResponse, most: int) -> bytes:
    out = bytearray()
    while piece := answer.read1(_CHUNK):
        out += piece
        if len(out) > most:
            raise TooLargeError(f"an answer larger than {most >> 20} MiB")
    return bytes(out)
