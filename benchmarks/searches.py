"""What a user writes to get figures out of any log: five searches in every line.

`python benchmarks/searches.py LOG`. Epoch, step, rate, loss and accuracy, each wherever a line has
it; the numbers found are converted and added up.
"""

from __future__ import annotations

import re
import sys

SEARCHES = (
    re.compile(r"[Ee]poch\D{0,3}(\d+)"),
    re.compile(r"(?:iter|step|batch)\w*\D{0,3}(\d+)"),
    re.compile(
        r"(?:img/s|it/s|samples/s|examples/s|ips|throughput)\D{0,3}([\d.]+)"
        r"|([\d.]+)\s*(?:img/s|it/s|samples/s|examples/s|images/s)"
    ),
    re.compile(r"[Ll]oss\w*\D{0,3}([\d.]+)"),
    re.compile(r"(?:[Aa]cc|top-?1|mAP|mIoU)\S*\D{0,3}([\d.]+)"),
)


def figures(path: str) -> tuple[int, float]:
    """How many numbers the searches find in a log, and their sum."""
    count, total = 0, 0.0
    with open(path, encoding="utf-8", errors="replace") as log:  # noqa: PTH123 - as such scripts are written
        for line in log:
            for search in SEARCHES:
                if found := search.search(line):
                    count += 1
                    try:
                        total += float(found[found.lastindex or 0])
                    except ValueError:  # such as 1.2.3
                        count -= 1
    return count, total


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        print(*figures(sys.argv[1]))
    else:
        print(__doc__)
