"""Reads the parts of MLPerf's records: the time, and the key and value of the older versions."""

from typing import Any

from sixdim.parsers.grammar.shapes.json_record import decoded
from sixdim.parsers.grammar.shapes.shape import Fields


def time_of(record: Fields) -> int | None:
    """Returns `time_ms` or `time_s` in microseconds; some write 0 for an unknown time."""
    for key, scale in (("time_ms", 1000), ("time_s", 1_000_000)):
        value = record.get(key)
        if isinstance(value, int | float) and 0 < value * scale < 1e18:
            return value * scale if isinstance(value, int) else round(value * scale)
    return None


def older(body: str) -> Fields | None:
    """Returns the record of v0.6: a JSON object with value and metadata; None if it is none.

    Some submissions print the metadata as a Python dictionary.
    """
    record = _parsed(body) or _parsed(body.replace("'", '"'))
    return record if isinstance(record, dict) else None


def oldest(rest: str) -> tuple[str, Fields]:
    """Returns key and record of v0.5: a bare key, or a key and one JSON value."""
    key, _, body = rest.partition(":")
    value = _parsed(body)
    about = value if isinstance(value, dict) else {}
    value = about.get("value", value)
    if "success" in about:
        said = str(about["success"]).lower()  # a submission may write it as text
        about = {"status": "success" if said == "true" else "aborted"}
    return key.strip(), {"value": value, "metadata": about}


def _parsed(body: str) -> Any:
    """Returns the value of a record in JSON; None if it is none."""
    try:
        return decoded(body.strip())
    except (ValueError, RecursionError):
        return None
