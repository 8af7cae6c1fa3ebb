"""The lines of a template as a regular expression."""

from __future__ import annotations

import re

from parsers.scan.decimals import MOST_WHOLE
from parsers.scan.glyphs import GLYPH
from parsers.scan.pieces import Bar, Blanks, Clock, Digits, End, Literal, Number, Piece, Word


def pattern(pieces: tuple[Piece, ...]) -> bytes:
    """A regular expression for the lines of a template.

    Returns:
        The expression. Its groups, each with the place of its piece, counted from 1: `p` what is
        read (digits before the point), `f` those behind it, `v` both with the exponent, `x` the
        exponent, `s` a sign, `b` blanks before a number; and `rest` where anything may follow.
    """
    out = []
    for index, piece in enumerate(pieces, 1):
        if isinstance(piece, Literal):
            out.append(re.escape(piece.text))
        elif isinstance(piece, Blanks):
            out.append(rb" ++")
        elif isinstance(piece, Word):
            out.append(rb"(?P<p%d>(?:[!-~]|%s)++)" % (index, GLYPH))
        elif isinstance(piece, Bar):
            out.append(rb"(?P<p%d>(?:[ -?]|%s)*+)" % (index, GLYPH))
        elif isinstance(piece, Clock):
            out.append(rb"(?P<p%d>%s)" % (index, _clock(piece)))
        elif isinstance(piece, Digits):
            out.append(rb"(?P<p%d>\d{%d})" % (index, piece.count))
        elif isinstance(piece, Number):
            out.append(_number(piece, index))
    if not isinstance(pieces[-1], End):
        out.append(rb"(?P<rest>.*+)")
    return b"".join(out)


def _number(piece: Number, index: int) -> bytes:
    pad = rb"(?P<b%d> *+)" % index if piece.padded else b""
    sign = b"" if piece.name else rb"(?P<s%d>%s?)" % (index, b"-" if piece.strict else b"[-+]")
    most = (rb"%d" % MOST_WHOLE, rb"17") if piece.name else (b"18" if piece.whole else b"", b"")
    zero = b"(?!0\\d)" if piece.strict else b""
    digits = zero + rb"(?P<p%d>\d{1,%s}+)" % (index, most[0])
    least = int(piece.strict)
    fraction = rb"(?:\.(?P<f%d>\d{%d,%s}+))?+" % (index, least, most[1])
    point = b"" if piece.whole else fraction
    power = re.escape(piece.power) + rb"(?P<x%d>[-+]\d\d)" % index if piece.power else b""
    return pad + sign + rb"(?P<v%d>" % index + digits + point + power + b")"


def _clock(piece: Clock) -> bytes:
    return re.escape(piece.face).replace("0", r"\d").encode()
