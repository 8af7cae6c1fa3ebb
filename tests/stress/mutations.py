"""What happens to logs on their way: one mutation each, over the bytes of a log."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import TypeAlias

Mutation: TypeAlias = Callable[[bytes, bytes, Random], bytes]
"""Makes other bytes of a log, perhaps with those of a second one."""

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_NUMBERS = (
    *(b"nan", b"inf", b"-inf", b"-0.0", b"1e999", b"1e-999", b"0x1f", b"1_000", b"0", b"-1"),
    *(b"9" * 400, b"0." + b"0" * 300 + b"1", b"1,234,567", b"99999999999999999999", b"\xd9\xa3"),
)
_DATE = re.compile(rb"\d{2,4}-\d\d-\d\d|\d\d:\d\d:\d\d")
_DATES = (
    *(b"0000-01-01", b"9999-12-31", b"2024-02-30", b"1970-01-01", b"2023-12-31", b"2016-12-31"),
    *(b"23:59:60", b"00:00:00", b"24:00:00", b"12:59:59", b"99:99:99"),
)


def truncated(log: bytes, other: bytes, random: Random) -> bytes:
    return log[: random.randrange(len(log))]


def begun_late(log: bytes, other: bytes, random: Random) -> bytes:
    return log[random.randrange(len(log)) :]


def interleaved(log: bytes, other: bytes, random: Random) -> bytes:
    ours, theirs = log.splitlines(keepends=True), other.splitlines(keepends=True)
    out = []
    while ours and theirs:
        source = random.choice((ours, ours, theirs))
        count = random.randint(1, 20)
        out += source[:count]
        del source[:count]
    return b"".join([*out, *ours])


def nuls(log: bytes, other: bytes, random: Random) -> bytes:
    at = random.randrange(len(log))
    return log[:at] + bytes(random.choice((1, 7, 512))) + log[at:]


def byte_order_mark(log: bytes, other: bytes, random: Random) -> bytes:
    at = random.choice((0, random.randrange(len(log))))
    return log[:at] + b"\xef\xbb\xbf" + log[at:]


def carriage_returns(log: bytes, other: bytes, random: Random) -> bytes:
    return log.replace(b"\n", random.choice((b"\r\n", b"\r", b"\r\r\n")))


def duplicated(log: bytes, other: bytes, random: Random) -> bytes:
    begin, end = sorted(random.randrange(len(log) + 1) for _ in range(2))
    return log[:end] + log[begin:]


def shuffled(log: bytes, other: bytes, random: Random) -> bytes:
    lines = log.splitlines(keepends=True)
    begin = random.randrange(len(lines))
    some = lines[begin : begin + 40]
    random.shuffle(some)
    return b"".join([*lines[:begin], *some, *lines[begin + 40 :]])


def without_lines(log: bytes, other: bytes, random: Random) -> bytes:
    share = random.choice((0.01, 0.1, 0.5))
    return b"".join(line for line in log.splitlines(keepends=True) if random.random() > share)


def flipped_bytes(log: bytes, other: bytes, random: Random) -> bytes:
    out = bytearray(log)
    for _ in range(random.randint(1, 30)):
        out[random.randrange(len(out))] = random.randrange(256)
    return bytes(out)


def torn_lines(log: bytes, other: bytes, random: Random) -> bytes:
    out = bytearray(log)
    for _ in range(random.randint(1, 10)):
        at = random.randrange(len(out))
        out[at:at] = random.choice((b"\n", b"\r", b" ", b"\x1b[", b"\t", b"[rank1]: "))
    return bytes(out)


def nasty_numbers(log: bytes, other: bytes, random: Random) -> bytes:
    share = random.choice((0.001, 0.02, 0.3))
    return _NUMBER.sub(
        lambda found: random.choice(_NUMBERS) if random.random() < share else found[0], log
    )


def nasty_dates(log: bytes, other: bytes, random: Random) -> bytes:
    share = random.choice((0.01, 0.2))
    return _DATE.sub(
        lambda found: random.choice(_DATES) if random.random() < share else found[0], log
    )


def appended(log: bytes, other: bytes, random: Random) -> bytes:
    return log + other


def several_ranks(log: bytes, other: bytes, random: Random) -> bytes:
    label = random.choice((b"%d: ", b"[1,%d]<stdout>:", b"[rank%d]: ", b"[default%d]:"))
    count, out = random.randint(2, 4), []
    for line in log.splitlines(keepends=True):
        ranks = random.sample(range(count), random.choice((1, count, count)))
        out += [label % rank + line for rank in ranks]
    return b"".join(out)


def long_line(log: bytes, other: bytes, random: Random) -> bytes:
    at = log.find(b"\n", random.randrange(len(log))) + 1
    return log[:at] + b"x" * random.choice((5_000, 300_000)) + log[at:]


MUTATIONS: tuple[Mutation, ...] = (
    *(truncated, begun_late, interleaved, nuls, byte_order_mark, carriage_returns, duplicated),
    *(shuffled, without_lines, flipped_bytes, torn_lines, nasty_numbers, nasty_dates),
    *(appended, several_ranks, long_line),
)
