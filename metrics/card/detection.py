"""The detection of the format on the card, and warnings about lines that were left out."""

from collections.abc import Iterator

from sixdim.metrics.values.card import Caution, Json
from sixdim.parsers.detection import Candidate, Detection


def detection_json(detection: Detection | None) -> dict[str, Json] | None:
    """Returns confidence, reasons and first line of the chosen format, and the other formats.

    None before a format is chosen, and where none is.
    """
    if detection is None or not detection.name:
        return None
    out: dict[str, Json] = {"forced": detection.forced}
    if detection.provisional:
        out["provisional"] = True
    chosen = next((c for c in detection.candidates if c.name == detection.name), None)
    if chosen is not None:
        out.update(_candidate(chosen))
    if detection.beside:
        out["looked"] = detection.looked
        out["beside"] = [{"format": c.name, **_candidate(c)} for c in detection.beside]
    return out


def lines_left_out(detection: Detection | None) -> Iterator[Caution]:
    """Warns of lines of another format, or of a format whose lines other text precedes."""
    if detection is None:
        return
    for other in detection.beside:
        yield Caution(
            "other_format",
            f"the log also holds lines of {other.name} ({', '.join(other.reasons)}; "
            f"{other.lines} of the {detection.looked} looked at that {detection.name} does not "
            "know): their figures are left out",
            (other.first_line,),
        )
    if (found := detection.inside) is not None:
        name = detection.name
        read = f"are read by {name}, by their words alone" if name else "are not read"
        yield Caution(
            "known_inside",
            f"at least {found.lines} lines hold one of {found.name} after other text, and {read}: "
            "remove that text from the log",
            (found.first_line,),
        )


def _candidate(found: Candidate) -> dict[str, Json]:
    return {
        "confidence": found.confidence,
        "reasons": list(found.reasons),
        "lines": found.lines,
        "first_line": found.first_line,
    }
