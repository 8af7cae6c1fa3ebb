"""DLLogger's lines of NVIDIA's speech examples: cells between `|`, with names for people.

FastPitch, HiFiGAN, Jasper, QuartzNet and wav2vec 2.0 have DLLogger print
`epoch    1 | iter   5/19 | loss 36.72 | mel loss 17.28 | 4932.14 frames/s | took 2.70 s`.
"""

from sixdim.parsers.grammar.shapes.holes import NUMBER
from sixdim.parsers.text.patterns import pattern

_CELL = pattern(rf" *+((?:(?!(?i:nan|inf) )[A-Za-z]\S*+ ++)*+):?+ *+({NUMBER})(?: ++(\S++))? *+")
_SPLITS = {
    "avg train": "train",
    "avg val": "val",
    "avg dev": "val",
    "EMA val": "val_ema",
    "EMA dev": "val_ema",
}
"""What the names of an epoch's cells begin with; those of a step have no such beginning."""


def cells(text: str) -> dict[str, str]:
    """Returns the figures of a line under the names that DLLogger's JSON has: `train_loss`.

    A rate stands without a name after the figures of its split.
    """
    pairs: dict[str, str] = {}
    split = "train"
    for cell in text.split("|"):
        found = _CELL.fullmatch(cell)
        if found is None:
            continue
        name = found[1].strip()
        for beginning, name_of_split in _SPLITS.items():
            if name.startswith(beginning + " "):
                split, name = name_of_split, name[len(beginning) + 1 :]
        unit = found[3] or ""
        pairs[f"{split}_{(name or unit).replace(' ', '_')}"] = f"{found[2]} {unit}"
    return pairs
