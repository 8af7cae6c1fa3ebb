"""Progress bars that tqdm draws in other layouts, rewritten to the usual one.

PyTorch-Ignite puts the count in front: `Epoch [2/8]: [12/40]  30%|███  , loss=0.5 [00:03<00:07]`.
Rich: `Training ━━━━━━━━━━ 60/60 0:00:12 • 5.02 it/s`, with the columns that a program chooses.
tqdm.rich: `Epoch 2/8  30% ━━━╸━━━ 1,200/4,000  [ 0:00:03 < 0:00:07 , 400 it/s ]`.

segmentation_models_pytorch (`valid: 100%|██| 9/9 [00:03<00:00, 3.1it/s, iou_score - 0.7]`) and a
collection of image classifiers (`[valid epoch 1] loss: 0.3, acc: 0.8: 100%|██| 9/9`) are known to
draw means over the evaluation so far: the names of these figures are rewritten, too, to say so.
"""

import re

from sixdim.parsers.grammar.vocabulary.names import EVALUATED
from sixdim.parsers.grammar.vocabulary.words import words_of
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
_OF_RICH_COLUMNS = pattern(
    _NAME + r" {0,4}━[━╸╺ ]{7,400}+(?<= )(?:\d{1,3}+% {1,3})?"
    r"(?P<done>\d{1,12}+)/(?P<total>\d{1,12}+)(?P<beside>(?: .{0,300})?)"
)
"""A bar of Rich with columns that a program chose: until it is full, its time may be any."""
_CLOCK = pattern(r"(?<!\S)(\d{1,4}+):(\d\d):(\d\d)(?!\S)")
_PACE = pattern(
    r"(?<!\S)(\d[\d.]{0,12}+) ?((?:it|its|iter|iters|steps?|batch|batches)/s|s/it)(?!\S)"
)
_BETWEEN = pattern(r"[\s•|,]++")
_OF_KNOWN = pattern(
    r"(?P<bar>(?P<name>train|valid):"
    r" {1,3}\d{1,3}+%\|[^|\n]{0,400}+\|"
    r" \d{1,12}+/\d{1,12}+ \[[\d:]{4,12}+<[\d:]{4,12}+, {1,2}[\d.]{1,12}+(?:it/s|s/it))"
    r"(?P<figures>, [^\[\]\n]{1,400}+)\]"
)
_OF_SMP = pattern(
    r", (?P<name>[^\s,=][^,=]{0,80}?) - (?=[-+]?[\d.]{1,24}+(?:e[-+]\d\d?)?+(?:,|\Z))"
)
_OF_EPOCHS = pattern(r" ?(\[\d{1,9}+/\d{1,9}+\])\Z")
"""The epoch, and how many are planned, which stand after any name in front of a count."""
_COUNT_EPOCHS = ("Epoch: [", "Epochs: [")
"""How bars of epochs begin. The first drawing of a bar of iterations begins with `Epoch[1/40]`."""
_VALID_EPOCH = "[valid epoch "
_KNOWN = ("train: ", "valid: ", _VALID_EPOCH)
_FEWEST_A_SECOND = 20
"""tqdm.rich rounds rates to whole numbers: below this, the time is more exact than the rate."""


def is_usual(text: str) -> bool:
    """Returns whether `usual` returns any line with this text between its numbers as it is."""
    return not (text.startswith(_KNOWN) or "━" in text or ("%|" in text and "] " in text))


def usual(text: str) -> str:
    """Returns a line with a bar as tqdm usually draws it: `30%|| 12/40 [00:03<00:07]`."""
    if text.startswith(_KNOWN) and (known := _OF_KNOWN.fullmatch(text)) is not None:
        return _of_known(known)
    if text.startswith(_VALID_EPOCH):
        return text.replace(" loss: ", " val_loss: ").replace(" acc: ", " val_acc: ")
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
    if "━━━" in text and (bar := _OF_RICH_COLUMNS.fullmatch(text)) is not None:
        evaluates = not EVALUATED.isdisjoint(words_of(bar["name"]))
        return _of_columns(text, bar) if evaluates or bar["done"] == bar["total"] else text
    return text


def _of_columns(text: str, bar: re.Match[str]) -> str:
    """Returns a bar of Rich. Once it is full, the longest of its times has passed."""
    beside, done, total = bar["beside"], bar["done"], bar["total"]
    passed = max(
        (60 * int(h) + int(m), s) for h, m, s in [("0", "0", "00"), *_CLOCK.findall(beside)]
    )
    pace = _PACE.search(beside)
    if passed == (0, "00") and pace is None:
        return text
    rate = "" if pace is None else f", {pace[1]}{'s/it' if pace[2] == 's/it' else 'it/s'}"
    figures = " ".join(_BETWEEN.sub(" ", _PACE.sub(" ", _CLOCK.sub(" ", beside))).split())
    more = f"{rate}, {figures}" if figures else rate
    minutes, seconds = passed
    name = f"{bar['name']}: " if bar["name"] else ""
    share = 100 * int(done) // max(int(total), 1)
    return f"{name}{share}%|| {done}/{total} [{minutes:02}:{seconds}<00:00{more}]"


def _of_known(bar: re.Match[str]) -> str:
    """Returns a line with `val_` in front of the figures of an evaluation, and `=` after each."""
    split = "" if bar["name"] == "train" else "val_"

    def renamed(found: re.Match[str]) -> str:
        return f", {split}{found['name'].replace(' + ', '_')}="

    return f"{bar['bar']}{_OF_SMP.sub(renamed, bar['figures'])}]"


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
