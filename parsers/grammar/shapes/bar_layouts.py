"""Progress bars that tqdm draws in other layouts, rewritten to the usual one.

PyTorch-Ignite puts the count in front: `Epoch [2/8]: [12/40]  30%|███  , loss=0.5 [00:03<00:07]`.
tqdm.rich: `Epoch 2/8  30% ━━━╸━━━ 1,200/4,000  [ 0:00:03 < 0:00:07 , 400 it/s ]`.
"""

from __future__ import annotations

import re

from sixdim.parsers.text.patterns import pattern

_NAME = r"(?P<name>[^\n]{0,80}?)"
_COUNT_FIRST = pattern(
    _NAME + r":? ?\[(?P<done>\d{1,12}+)/(?P<total>\d{1,12}+)\] {1,3}(?P<share>\d{1,3}+)%\|"
    r"[ █▉▊▋▌▍▎▏#\d]{0,400}+(?P<beside>, [^\[\]]{1,400}?)? ?"
    r"\[(?P<elapsed>[\d:]{4,12}+)<(?P<left>[\d:]{4,12}+|\?)\]"
)
_OF_RICH = pattern(
    _NAME + r" {0,4}(?P<share>\d{1,3}+)% [━╸╺ ]{1,400}+(?<= )"
    r"(?P<done>[\d,]{1,16}+)/(?P<total>[\d,]{1,16}+) {1,3}"
    r"\[ (?P<elapsed>[\d:]{7,12}+) < (?P<left>[\d:]{7,12}+|-:--:--) ,"
    r" (?P<rate>[\d,]{1,16}+|\?) (?P<unit>[A-Za-z]{1,12}+)/s \]"
)
_OF_EPOCHS = pattern(r" ?(\[\d{1,9}+/\d{1,9}+\])\Z")
"""The epoch, and how many are planned, which stand after any name in front of a count."""
_COUNT_EPOCHS = ("Epoch: [", "Epochs: [")
"""How bars of epochs begin. The first drawing of a bar of iterations begins with `Epoch[1/40]`."""
_FEWEST_A_SECOND = 20
"""tqdm.rich rounds rates to whole numbers: below this, the time is more exact than the rate."""


def usual(text: str) -> str:
    """Returns a line with a bar as tqdm usually draws it: `30%|| 12/40 [00:03<00:07]`."""
    if "%|" in text and "] " in text:
        found = _COUNT_FIRST.fullmatch(text)
        if found is None or text.startswith(_COUNT_EPOCHS):
            return text
        epoch = _OF_EPOCHS.search(found["name"])
        if epoch is None:
            # It may count epochs, or be an evaluation's: nothing is known of what it counts.
            return _drawn(found, "", ", ?it/s")
        return _drawn(found, f"Epoch {epoch[1]}", found["beside"] or "")
    if "━" in text and " < " in text:
        found = _OF_RICH.fullmatch(text)
        return text if found is None else _drawn(found, found["name"], _rate(found))
    return text


def _drawn(bar: re.Match[str], name: str, more: str) -> str:
    done, total = bar["done"].replace(",", ""), bar["total"].replace(",", "")
    left = "?" if "-" in bar["left"] else bar["left"]
    before = f"{name}: " if name else ""
    return f"{before}{bar['share']:>3}%|| {done}/{total} [{bar['elapsed']}<{left}{more}]"


def _rate(bar: re.Match[str]) -> str:
    """Returns the rate of a bar of tqdm.rich if it is exact enough."""
    rate = bar["rate"].replace(",", "")
    exact = rate != "?" and int(rate) >= _FEWEST_A_SECOND
    return f", {rate}{bar['unit']}/s" if exact else ""
