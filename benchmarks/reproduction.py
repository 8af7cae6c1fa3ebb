"""Prints how many published figures follow from their logs, per family.

SIXDIM_CORPUS=… python benchmarks/reproduction.py [--all]
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sixdim.tui.cli import main
from tests.support.inputs.reproduction import Figure, asked, figures, verdict

COLUMNS = ("exact", "exact(%.6g)", "truncated", "near (< 0.5 %)", "not", "no figure")


def outcome(corpus: Path, figure: Figure) -> tuple[str, float | None]:
    want = asked(figure)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["score", str(corpus / figure.log), *want.words, "--json", "-"])
    value = want.read(json.loads(out.getvalue())) if out.getvalue() else None
    return verdict(value, figure.published), value


def column(how: str) -> str:
    if how.endswith(" %"):
        return "near (< 0.5 %)" if abs(float(how.split()[0])) < 0.5 else "not"
    return how


def run() -> int:
    root = os.environ.get("SIXDIM_CORPUS", "")
    if not root:
        print("SIXDIM_CORPUS names the folder of real logs", file=sys.stderr)
        return 2
    table: dict[str, Counter[str]] = defaultdict(Counter)
    failed = []
    for figure in figures(Path(root)):
        how, value = outcome(Path(root), figure)
        table[figure.family][column(how)] += 1
        if column(how) in COLUMNS[3:] or "--all" in sys.argv:
            failed.append((figure, how, value))
    width = max(map(len, table))
    print(f"{'family':<{width}}  " + "  ".join(COLUMNS))
    for family, counts in sorted(table.items()):
        cells = (f"{counts[c] or '-':>{len(c)}}" for c in COLUMNS)
        print(f"{family:<{width}}  " + "  ".join(cells))
    total: Counter[str] = sum(table.values(), Counter())
    print(f"{'all':<{width}}  " + "  ".join(f"{total[c] or '-':>{len(c)}}" for c in COLUMNS))
    for figure, how, value in failed:
        print(f"{figure.published:>12}  {value!s:>20}  {how:<12} {figure.log}  [{figure.rule}]")
    return 0


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        sys.exit(run())
    else:
        print(__doc__)
