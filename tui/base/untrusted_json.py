r"""Decodes untrusted JSON: limited in size, depth, number of values and digits, with clean text.

JSON spells an escape sequence in letters (`\u001b`), so a line that was clean as text is not
clean any more once it is decoded: strings are cleaned again here.
"""

import json
import math
from typing import Any

from sixdim.parsers.text.patterns import pattern
from sixdim.parsers.text.untrusted import cleaned

MOST_BYTES = 16 << 20
DEEPEST = 16
MOST_DIGITS = 18

_BRACKETS = pattern(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')


class UntrustedJsonError(ValueError):
    """A document is not JSON or exceeds a limit; the message is one sentence."""


def loads(text: str | bytes) -> Any:
    """Decodes an untrusted document.

    Raises:
        UntrustedJsonError: It is too large, is nested too deeply, has too many values, repeats a
            key, or has a number that is too long or not finite (`NaN`, `Infinity`, `1e999`).
    """
    if len(text) > MOST_BYTES:
        raise UntrustedJsonError(f"larger than {MOST_BYTES >> 20} MiB")
    try:
        whole = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        _check_depth(whole)
        data = json.loads(
            whole,
            parse_constant=_refuse,
            parse_int=_whole,
            parse_float=_finite,
            object_pairs_hook=_once,
        )
    except UntrustedJsonError:
        raise
    except (ValueError, RecursionError) as error:
        raise UntrustedJsonError(f"not JSON: {error}") from error
    try:
        return cleaned(data)
    except ValueError as error:
        raise UntrustedJsonError(str(error)) from error


def _check_depth(text: str) -> None:
    depth = 0
    for found in _BRACKETS.finditer(text):
        bracket = found[0]
        if bracket in "[{":
            depth += 1
            if depth > DEEPEST:
                raise UntrustedJsonError(f"nests deeper than {DEEPEST}")
        elif bracket in "]}":
            depth -= 1


def _refuse(constant: str) -> float:
    raise UntrustedJsonError(f"{constant} is no figure")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS + 1:
        raise UntrustedJsonError(f"a number of {len(digits)} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise UntrustedJsonError(f"{digits[:20]} is too large for a figure")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise UntrustedJsonError("a key is given twice")
    return out
