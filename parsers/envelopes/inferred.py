"""Makes envelopes of texts that only the other lines of a log show to be envelopes.

`0: `, `worker-1: `, `10:00:01 `, `[my-exp-7] `, `trainer-1  | `: any of them might be part of a
line. `parsers.reader.infer_envelope` finds which text stands in front of known lines; here it
becomes an envelope. Two texts are of the same kind if they differ in digits and in blanks only.
"""

import re
from collections.abc import Iterator

from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.grammar.vocabulary.forms import DRAWN_BAR
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, meaning
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import compiled, pattern

LONGEST = 160
"""Largest number of characters of an inferred envelope."""
_MOST = 20
"""Largest number of places of one line at which the text after the envelope may begin."""
_PLACE = pattern(r"(?<=[\s\]):|>};»→])(?=[^\s|:])")
_DIGIT = pattern(r"\d")
_DIGITS_AND_BLANKS = b"0123456789 \t"
_VARYING = pattern(r"(?:(?<!\s)\s++)?+\d++|\s++")
_EVALUATES = EVALUATED | words(
    "tests validating evals evaluate ema teacher student generator discriminator best"
)
_RANK = r"(?P<rank>\d{1,6})"
_RANKS = (
    (pattern(r"\s*\d{1,6}:\s+"), r"\s*" + _RANK + r":\s+"),  # srun --label
    (pattern(r"\[\d{1,6}\]\s+"), r"\[\s*" + _RANK + r"\]\s+"),  # mpirun -l
)
_NAMED_RANK = pattern(
    r"(?i)(?<![a-z])((?:local[_ ]?|global[_ ]?)?(?:rank|gpu|worker|device|proc|process))"
    r"([-_ :=#]{0,2})\d{1,6}"
)
_TIME = r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,6}))?"
_MONTH = r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_NO_MONTH = r"(?:1[3-9]|2\d|3[01])"
_CLOCKS = tuple(
    (pattern(sign + clock), clock)
    for sign, clock in (
        (r"(?<!\d)", r"(?P<Y>\d{4})[-/._](?P<M>\d\d)[-/._](?P<D>\d\d)[ T_-]" + _TIME),
        (r"(?<!\d)", r"(?P<D>\d\d)[- /]" + _MONTH + r"[- /](?P<Y>\d{4}|\d\d)[ :]" + _TIME),
        (r"(?<!\w)", _MONTH + r" (?P<D>[ \d]\d),? (?P<Y>\d{4}) " + _TIME),
        # If either of two numbers may be the day, the date is not read.
        (
            rf"(?<!\d)(?={_NO_MONTH})",
            r"(?P<D>\d\d)[-/.](?P<M>\d\d)[-/.](?P<Y>\d{4}),?[ T_-]" + _TIME,
        ),
        (
            rf"(?<!\d)(?=\d\d[-/.]{_NO_MONTH})",
            r"(?P<M>\d\d)[-/.](?P<D>\d\d)[-/.](?P<Y>\d{4}),?[ T_-]" + _TIME,
        ),
    )
)
"""For each kind of clock, the pattern that finds it, and the expression for further lines."""
_TIME_OF_DAY = pattern(_TIME)
_CLOCK_ALONE = r"(?<![\d:.,/-])\d\d:\d\d:\d\d(?:[.,]\d{1,6})?+(?![\d:])"
_TIME_ALONE = pattern(r"\W*" + _CLOCK_ALONE)
"""A clock without a date; after a word it may be a duration."""
# pdsh, docker compose: one name of a host or a container.
_HOST = pattern(r"(?=[\d._-]*+[A-Za-z])([\w.-]++)(:\s++|\s*+\|\s++)")
_LABELS = pattern(
    r"\W{0,3}"
    + _CLOCK_ALONE
    + r"[\])|:>-]{0,2}\s++(?:\|\s++(?!.*\|\s*$))?+"  # the bar of a table's row is the row's own
    + "".join(f"|{form.pattern}" for form, _ in _RANKS)
    + r"|[\w.-]{1,60}\s*+\|\s++|(?=[A-Za-z._-]*+\d)[\w.-]{1,60}:\s++"
    r"|\[(?=[A-Za-z._-]*+\d)[\w.-]{1,60}\]:?\s++"
)
"""A clock, a rank, or the name of a container or host, which may stand in front of every line."""


def kinds(text: str) -> Iterator[tuple[int, str]]:
    """Yields each place where the line itself may begin, and the kind of the text before it.

    A drawn progress bar is the line's own.
    """
    begin, before, left = 0, "", _MOST
    bar = text.find(DRAWN_BAR)
    for place in _PLACE.finditer(text, 1, LONGEST + 1 if bar < 0 else min(bar, LONGEST + 1)):
        before += kind(text[begin : place.start()])
        begin = place.start()
        if text[:begin].replace(" ", "").isalpha():
            continue  # `Train `: words alone are the line's own, but not a column of them
        yield begin, before
        left -= 1
        if not left:
            break


def label_of(text: str) -> str | None:
    """Returns the clock, rank or name with which a line begins; None without one.

    The name of a figure or a count (`acc1: `, `iter | `) is part of the line.
    """
    found = _LABELS.match(text)
    if found is None or meaning(found[0].strip(" :|[]"), "", counts=True) is not None:
        return None
    return found[0] if is_meaningless(found[0]) else None


def kind(text: str) -> str:
    """Returns the text without digits and blanks, which all texts of its kind share."""
    return text.encode("utf-8", "replace").translate(None, _DIGITS_AND_BLANKS).decode()


def is_meaningless(prefix: str) -> bool:
    """Returns whether a text can be left out: it names no figure and no evaluation."""
    return not named_numbers(prefix) and _EVALUATES.isdisjoint(words_of(prefix.lower()))


def envelope(prefix: str) -> Envelope:
    """Returns the envelope that matches all texts of the same kind as this one.

    It reads a rank from a launcher's label (`0: `) or after a word for one (`worker 3`), a host
    from a single name (`node-1: `), and a clock from a time, with a date if its order is certain.
    """
    for form, expression in _RANKS:
        if form.fullmatch(prefix):
            return Envelope(compiled(expression))
    host = _HOST.fullmatch(prefix)
    if host is not None:
        name = _expression(host[1])
        return Envelope(compiled(f"(?P<host>{name}){_expression(host[2])}"))
    known = ((one.search(prefix), meant) for one, meant in _CLOCKS)
    clock, meant = next((one for one in known if one[0]), (None, ""))
    if clock is None and _TIME_ALONE.match(prefix):
        clock, meant = _TIME_OF_DAY.search(prefix), _TIME
    rank = None if clock else _NAMED_RANK.search(prefix)
    if clock is not None:
        before, after = prefix[: clock.start()], prefix[clock.end() :]
    elif rank is not None:
        before, meant, after = prefix[: rank.end(2)], r"\s*" + _RANK, prefix[rank.end() :]
    else:
        before, meant, after = prefix, "", ""
    return Envelope(compiled(_expression(before) + meant + _expression(after)))


def _expression(prefix: str) -> str:
    """Returns the regular expression of a text's kind."""
    out, position = [], 0
    for found in _VARYING.finditer(prefix):
        out.append(re.escape(prefix[position : found.start()]))
        out.append(r"\s+" if found[0].isspace() else r"\s*\d{1,20}")
        position = found.end()
    return "".join([*out, re.escape(prefix[position:])])


def is_copy(line: Line, whole: str, last: Line, last_whole: str) -> bool:
    """Returns whether a second handler of a program's logger writes the line before once more.

    Another envelope stands in front of it: `INFO:root:`, or none.

    The two envelopes differ in more than digits, and name the same rank and host.

    Args:
        line: The line without its envelopes.
        whole: The line as it stands in the log.
        last: The line before, without its envelopes.
        last_whole: That line as it stands in the log.
    """
    text = line.text
    if text != last.text or (line.rank, line.host) != (last.rank, last.host):
        return False
    envelope, before = kind(whole.replace(text, "", 1)), kind(last_whole.replace(text, "", 1))
    return envelope != before and _DIGIT.search(text) is not None
