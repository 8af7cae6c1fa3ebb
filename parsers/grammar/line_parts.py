"""Lines in parts: headings of a training's and an evaluation's figures, and pycocotools' table."""

from __future__ import annotations

from sixdim.parsers.grammar.forms import Form, Hole
from sixdim.parsers.grammar.names import EVALUATED, TRAINED, Named, words_of
from sixdim.parsers.text.patterns import pattern

CUTS = pattern(r"[,;|()\[\]{}<>]|\s-\s|:\s|\t|\s{2,}")
"""What ends a name."""
_HEADINGS = EVALUATED | TRAINED | {"set", "phase", "results", "metrics"}
# Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.756
_COCO = pattern(r"\s*+Average (Precision|Recall) {1,8}+\(A[PR]\) @\[ IoU=")


def heading(gap: str) -> str:
    """The split that a text between two numbers names as a heading of its own (`| val: loss=`)."""
    if ":" not in gap and "[" not in gap and "(" not in gap:
        return ""
    for one in reversed(CUTS.split(gap)[:-1]):
        said = frozenset(words_of(one))
        if said and said <= _HEADINGS:
            return "eval" if said & EVALUATED else "train" if said & TRAINED else ""
    return ""


def of_coco(between: tuple[str, ...]) -> Form | None:
    """A line of pycocotools' table: its mean precision over all IoUs and areas is a figure."""
    table = _COCO.match(between[0])
    if table is None:
        return None
    if (
        table[1] != "Precision"
        or len(between) != 5
        or between[1] != ":"
        or " all " not in between[2]
    ):
        return Form()
    return Form((Hole(3, Named("quality", "AP", "box", "fraction", "eval")),))
