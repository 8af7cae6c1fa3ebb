"""Asks an address that the user named, over HTTP, with a deadline and a limit on the size."""

import base64
import contextlib
import socket
import threading
import urllib.parse
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection

from sixdim.parsers.text.lines import label

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
    headers = {"User-Agent": "sixdim", "Connection": "close"}
    if parts.username is not None:
        pair = (
            f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
        )
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=deadline_s)
    target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    deadline = _Deadline(deadline_s)
    try:
        with contextlib.closing(connection), deadline:
            connection.connect()
            deadline.socket = connection.sock  # which the connection forgets before the body
            deadline.check()
            connection.request("GET", target, headers=headers)
            answer = connection.getresponse()
            if not 200 <= answer.status < 300:
                answered = label(answer.read(300).decode("utf-8", "replace"), 120)
                raise NoAnswerError(f"{printable(address)} answers {answer.status}: {answered}")
            body = _body(answer, most)
            deadline.check()
            return body
    except (OSError, HTTPException, ValueError) as error:
        late = f"no whole answer within {deadline_s:g} s"
        reason = late if deadline.passed else label(error, 100)
        raise NoAnswerError(f"{printable(address)}: {reason}") from error


class _Deadline:
    """Ends the connection of a request after some seconds, even while the server sends.

    A socket's own timeout restarts with every byte: it never ends a server that sends a byte per
    second.

    Attributes:
        passed: Whether it ended the request.
        socket: The connected socket; None before there is one.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self.socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def check(self) -> None:
        """Raises TimeoutError once the time has passed."""
        if self.passed:
            raise TimeoutError

    def _end(self) -> None:
        self.passed = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # it is closed
                self.socket.shutdown(socket.SHUT_RDWR)


def _body(answer: HTTPResponse, most: int) -> bytes:
    out = bytearray()
    while piece := answer.read1(_CHUNK):
        out += piece
        if len(out) > most:
            raise TooLargeError(f"an answer larger than {most >> 20} MiB")
    return bytes(out)
