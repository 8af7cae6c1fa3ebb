"""Time and memory of `sixdim score` against the size of the log, as a table and a plot.

`python -m benchmarks.growth [LARGEST_MEGABYTES] [ROUNDS]` (default 1000 and 3): logs of 1 MB to
that size, each written, read, and removed. The plot, both axes logarithmic, goes to
docs/growth.svg.
"""

from __future__ import annotations

import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.batch import HERE, REPOSITORY, once

KINDS = {"a": "torchvision", "b": "DLLogger"}
SIZES = (1, 4, 16, 64, 250, 1000, 4000)
INKS = ("#1b6ca8", "#c05a1c")


def measured(folder: Path, kind: str, megabytes: int, rounds: int) -> tuple[float, float]:
    """Wall seconds and peak MiB, medians, of one size."""
    make = [sys.executable, str(HERE / "make_logs.py"), str(folder), str(megabytes), kind]
    log = Path(subprocess.run(make, capture_output=True, text=True, check=True).stdout.strip())
    command = [sys.executable, "-m", "sixdim", "score", str(log)]
    runs = [once(command) for _ in range(rounds + 1)][1:]
    log.unlink()
    return statistics.median(r[0] for r in runs), statistics.median(r[2] for r in runs)


def plot(series: dict[str, list[tuple[int, float, float]]]) -> str:
    """Seconds (lines) and MiB (dashed) over MB, as SVG."""
    left, top, width, height = 60.0, 20.0, 560.0, 300.0
    points = [point for rows in series.values() for point in rows]
    low, high = math.log10(min(p[0] for p in points)), math.log10(max(p[0] for p in points))
    floor = math.floor(math.log10(min(min(p[1:]) for p in points)))
    roof = math.ceil(math.log10(max(max(p[1:]) for p in points)))

    def place(megabytes: float, value: float) -> str:
        x = left + width * (math.log10(megabytes) - low) / max(high - low, 1e-9)
        y = top + height * (roof - math.log10(value)) / (roof - floor)
        return f"{x:.1f},{y:.1f}"

    out = []
    for power in range(floor, roof + 1):
        y = place(10**low, 10**power).split(",")[1]
        out.append(f'<path d="M{left},{y}h{width}" stroke="#8888" stroke-width=".5"/>')
        out.append(f'<text x="{left - 6}" y="{y}" text-anchor="end" dy="4">{10**power:g}</text>')
    for megabytes in sorted({p[0] for p in points}):
        x = place(megabytes, 1).split(",")[0]
        at = f'x="{x}" y="{top + height + 18}" text-anchor="middle"'
        out.append(f"<text {at}>{megabytes} MB</text>")
    for (name, rows), ink, dy in zip(series.items(), INKS, (11, -3), strict=False):
        for column, (what, dash) in enumerate((("s", ""), ("MiB", ' stroke-dasharray="5 4"')), 1):
            line = " ".join(place(row[0], row[column]) for row in rows)
            out.append(f'<polyline points="{line}" fill="none" stroke="{ink}"{dash}/>')
            x, y = place(rows[-1][0], rows[-1][column]).split(",")
            out.append(f'<text x="{x}" y="{y}" dx="6" dy="{dy}" fill="{ink}">{name}, {what}</text>')
    body = "\n".join(out)
    box = f"0 0 {left + width + 130} {top + height + 30}"
    font = 'font-family="sans-serif" font-size="11" fill="#888"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {font}>\n{body}\n</svg>\n'


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    series: dict[str, list[tuple[int, float, float]]] = {}
    folder = Path(tempfile.mkdtemp(prefix="sixdim-bench-"))
    print("| log | MB | wall s | MB/s | peak MiB |\n|---|---|---|---|---|")
    try:
        for kind, name in KINDS.items():
            for megabytes in (size for size in SIZES if size <= largest):
                wall, peak = measured(folder, kind, megabytes, rounds)
                series.setdefault(name, []).append((megabytes, wall, peak))
                speed = megabytes / wall
                print(
                    f"| {name} | {megabytes} | {wall:.2f} | {speed:.0f} | {peak:.0f} |", flush=True
                )
    finally:
        shutil.rmtree(folder)
    (REPOSITORY / "docs" / "growth.svg").write_text(plot(series))


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
