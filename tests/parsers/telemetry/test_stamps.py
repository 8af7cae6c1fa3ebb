"""Times as the vendors' tools print them."""

from __future__ import annotations

import pytest

from sixdim.parsers.telemetry.stamps import time_of, zone_note


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026/01/03 15:36:53.507", 1767454613.507),
        ("2023-03-24-10:13:48", 1679652828),
        ("20240101 10:11:12", 1704103872),
        ("Fri Jul  3 22:11:09 2026", 1783116669),
        ("Fri Jul  3 22:11:09 CST 2026", 1783116669),
        ("Fri Jul  3 10:11:09 PM CST 2026", 1783116669),
        ("Fri Jul  3 10:11:09 AM CST 2026", 1783116669 - 12 * 3600),
        ("Fri Jul  3 12:11:09 AM CST 2026", 1783116669 - 22 * 3600),
        ("Fri Jul  3 12:11:09 PM 2026", 1783116669 - 10 * 3600),
        ("Fri Jul  3 22:11:09 PM CST 2026", None),
        ("Fri Jul  3 13:11:09 PM CST 2026", None),
        ("Fri 03 Jul 2026 10:11:09 PM CST", 1783116669),
        ("Fri 3 Jul 2026 22:11:09", 1783116669),
        ("Fri 03 Jul 2026 22:11:09 +08", 1783116669),
        ("Fri 03 Jul 2026 22:11:09 PM CST", None),
        ("Fri 03 Foo 2026 22:11:09", None),
        ("2026-02-28 00:00:00", 1772236800),
        ("2026-02-29 00:00:00", None),
        ("2026-07-03T22:11:09Z", 1783116669),
        ("2026/13/03 15:36:53", None),
        ("2026/01/03 25:36:53", None),
        ("Fri Foo  3 22:11:09 2026", None),
        ("2026-12-31 23:59:59", 1798761599),
        ("2026-13-01 00:00:00", None),
        ("2026-12-31 23:60:00", None),
        ("2026-12-31 24:00:00", None),
        ("Thu Dec 31 23:59:59 2026", 1798761599),
        ("Thu Jan  1 00:00:00 1970", 0),
        ("12", None),
        ("9" * 100_000, None),
    ],
)
def test_times_as_the_tools_print_them(text: str, seconds: float | None) -> None:
    assert time_of(text) == (None if seconds is None else round(seconds * 10**6))


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("2026-07-03T22:11:09+08:00", "+08:00"),
        ("2026-07-03T22:11:09,123456789+08:00", "+08:00"),
        ("2026-07-03 22:11:09.5 -0330", "-0330"),
        ("2026-07-03T22:11:09+00:00", ""),
        ("2026-07-03T22:11:09-0000", ""),
        ("2026-07-03T22:11:09Z", ""),
        ("2026-07-03-22:11:09", ""),
        ("12.5", ""),
    ],
)
def test_a_zone_other_than_utc_is_told(text: str, zone: str) -> None:
    assert zone_note(text).partition(": ")[0] == (
        f"its times are of the zone {zone}" if zone else ""
    )
