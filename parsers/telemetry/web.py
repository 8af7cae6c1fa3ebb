"""Asking an address the user named, over HTTP: with a deadline, a size, and no detours."""

from __future__ import annotations

import base64
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from http.client import HTTPResponse

MAX_ANSWER = 64 << 20
_CHUNK = 1 << 16


class NoAnswerError(Exception):
    """The address gave no answer; why, in one sentence without any password."""


class TooLargeError(NoAnswerError):
    """The answer is larger than it may be: ask for less."""


def checked(address: str) -> str:
    """The address, if it is one this module may ask.

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


def shown(address: str) -> str:
    """Host and port, for messages and as a host's name: no password, no query."""
    parts = urllib.parse.urlsplit(address)
    return label(f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname)


def fetch(address: str, deadline_s: float, most: int = MAX_ANSWER) -> bytes:
    """Asks once. No redirect is followed, no proxy used, no other scheme opened.

    Args:
        address: Checked before; a user and password in it are sent as basic authentication.
        deadline_s: Seconds the whole answer may take.
        most: Bytes the answer may have.

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
    until = time.monotonic() + deadline_s
    try:
        with _opener().open(request, timeout=deadline_s) as answer:
            return _body(answer, until, deadline_s, most)
    except urllib.error.HTTPError as error:
        said = label(error.read(300).decode("utf-8", "replace"), 120)
        raise NoAnswerError(f"{shown(address)} answers {error.code}: {said}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise NoAnswerError(f"{shown(address)}: {label(reason, 100)}") from error


def _opener() -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _body(answer: HTTPResponse, until: float, deadline_s: float, most: int) -> bytes:
    out = bytearray()
    while piece := answer.read1(_CHUNK):
        out += piece
        if len(out) > most:
            raise TooLargeError(f"an answer larger than {most >> 20} MiB")
        if time.monotonic() > until:
            raise TimeoutError(f"no whole answer within {deadline_s:g} s")
    return bytes(out)
