"""What launchers and loggers put in front of a line: clocks, ranks, level names.

`2020-07-09 23:23:27,492 INFO name <tab>`, `[1,0]<stdout>:`, `AI-Rank-log 1618.4 `, `[rank0]:`:
none of it belongs to a format, and all of it may stand before any. `Envelopes.strip` takes it off
and keeps the clock and the rank. A log has the same envelopes on most of its lines: those of the
line before are tried first.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sixdim.parsers.envelopes.clock import clock_of
from sixdim.parsers.grammar.holes import unix_time
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_DATE = (
    r"(?P<Y>\d{4})[-/](?P<M>\d\d)[-/](?P<D>\d\d)[ T]"
    r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,6}))?"
)
_LEVEL = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL)"

# mpirun --timestamp-output: 'Tue Jun 14 15:39:05 2022' glued to the rank tag.
_MPI_CLOCK = pattern(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<mon>[A-Z][a-z]{2}) (?P<D>[ \d]\d) "
    r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d) (?P<Y>\d{4})(?=\[\d{1,5},\d{1,6}\]<std)"
)
_MPI_RANK = pattern(r"\[\d{1,5},(?P<rank>\d{1,6})\]<std(?:out|err)>: ?")
_TORCH_RANK = pattern(r"\[(?:rank)?(?P<rank>\d{1,6})\]: ?")
# MXNet's module logger names the worker of a distributed store.
_MXNET_NODE = pattern(r"Node\[(?P<rank>\d{1,6})\] (?=Epoch\[|Iter\[|Update\[|Saved )")
# `srun --label`: any number and a colon might be a step, so what follows must be a known line.
_SRUN_RANK = pattern(
    r"(?P<rank>\d{1,6}): +(?=:::|DLL|\[|\{'|Epoch:? \[?\d|iteration +\d|Train(?:ing)?:? |eta: )"
)
_AIRANK = pattern(r"(?:- )?AI-Rank-log (?:(?P<epoch>\d{9,10}\.\d{1,9}) )?")
_SWIN_NAME = r"[^\]\s]{1,80}\] \([\w.]{1,80} \d{1,6}\): " + _LEVEL + r" "
# A logger's clock, and the level and name that follow it in any of the usual orders.
_LOGGER = pattern(
    r"\[?" + _DATE + r"\]?"
    r"(?:\s++-\s++[\w.\[\]-]{1,60}\s++-\s++" + _LEVEL + r"\s++-\s*+"  # … - name - INFO - body
    r"|\s++-\s++\[[^\]]{1,120}\]\s++-\s++" + _LEVEL + r":\s*+"  # … - [file line:9] - INFO: body
    r"|\s++-\s++" + _LEVEL + r"\s++-\s*+"  # … - INFO - body
    r"|\s++\[?\s*+" + _LEVEL + r"\]?(?:\t[\w.]{1,80}\t|:\s++|\s++-?\s*+)"  # … INFO name body
    r"|\s++[\w.]{1,40} " + _LEVEL + r":\s*+"  # … ppcls INFO: body
    r"|\[[\w.]{1,80}\]\[" + _LEVEL + r"\]\s++-\s*+"  # …][name][INFO] - body (hydra)
    r"|[:-]" + _LEVEL + r":\s*+"  # …:INFO: body, …-INFO: body
    r"|\s*+\|\s*+" + _LEVEL + r"\s*+\|\s*+[\w.]{1,80}\s*+\|\s*+"  # … | INFO | name | body
    r"|,?\s++(?!" + _SWIN_NAME + r")(?:-\s++)?)"  # … body
)
# transformers: '[INFO|trainer.py:1147] 2021-… >> body' and '[INFO|2024-…] logging.py:157 >> body'.
_TRANSFORMERS = pattern(r"\[" + _LEVEL + r"\|[\w.]{1,80}:\d{1,6}\] " + _DATE + r" >>(?: |$)")
_LLAMA_FACTORY = pattern(r"\[" + _LEVEL + r"\|" + _DATE + r"\] [\w.]{1,80}:\d{1,6} >>(?: |$)")
# Swin's logger: '[2022-01-05 09:32:14 name] (main.py 789): INFO body'.
_SWIN = pattern(r"\[" + _DATE + " " + _SWIN_NAME)
# detectron2 and mmengine's console: month and day without a year (see _GLOG).
# '[03/11 14:25:25] d2.x INFO: body', '[03/11 14:25:25 d2.x]: body', '01/01 … - body'.
_SHORT_DATE = r"(?P<M>\d\d)/(?P<D>\d\d) (?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)"
_YEARLESS = pattern(
    r"(?:" + _LEVEL + r" )?+\[?" + _SHORT_DATE + r"(?:\] [\w.]{1,80} " + _LEVEL + r": ?"
    r"| [\w.]{1,80}\]: ?"
    r"| - [\w.-]{1,60} - " + _LEVEL + r" - )"
)
# The examples of transformers and accelerate: '06/04/2024 12:00:01 - INFO - name - body'.
_AMERICAN = pattern(
    r"(?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d{4}) (?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)"
    r" - " + _LEVEL + r" - [\w.]{1,80} - +"
)
# NeMo's logger: '[NeMo I 2025-02-01 10:00:00 nemo_logging:393] body'.
_NEMO = pattern(r"\[NeMo [A-Z] " + _DATE + r" [^\]\s]{1,120}\] ?")
# A ClearML console export: milliseconds, host, stream.
_CLEARML = pattern(r"(?P<ms>1\d{12}) (?P<host>[\w.-]{1,64}) (?:info|error|warning|debug)(?: |$)")
# glog and absl: 'I0802 11:05:04.537974 140419828713280 run_pretraining.py:694] '. There is no
# year in it before glog 0.6: 1972 stands for it (a leap year), so that only differences mean
# anything.
_GLOG = pattern(
    r"[IWEF](?:(?P<Y>\d{4})(?=\d{4} ))?+(?P<M>\d\d)(?P<D>\d\d) "
    r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)\.(?P<f>\d{6}) +\d{1,20} [\w.\-/]{1,80}:\d{1,6}\] ?"
)
_CLOCK_OF_DAY = pattern(
    r"\[\d\d:\d\d:\d\d(?:\.\d{1,6})?\] "
)  # no date: orders nothing across midnight
# [titan] and its like, in front of a clock; DeepSpeed's [file.py:99:function] and [Rank 0].
_NAMED = pattern(r"\[[A-Za-z]\w{0,30}\] (?=\d{4}-\d\d-\d\d[ T]\d\d:)")
_CALLER = pattern(r"\[[\w.]{1,60}:\d{1,6}:[\w<>]{1,60}\] ?")
_NAMED_RANK = pattern(r"\[R(?:ank|ANK) (?P<rank>\d{1,6})\] ?")
_PLAIN_LOGGER = pattern(_LEVEL + r":[\w.]{1,60}:")

_DIGITS, _LEVELS = "0123456789", "DIWEC"


class Envelope:
    """One thing that stands in front of lines.

    Args:
        expression: How it looks, with groups for what it says: `rank`, `host`, a clock's (see
            `parsers.envelopes.clock`), `ms` (since 1970), or `epoch` (seconds since 1970; a
            logger's own clock in front of it counts before it: one log, one clock).
        begins: The characters with which it may begin.
    """

    def __init__(self, expression: re.Pattern[str], begins: str) -> None:
        self.expression = expression
        self.begins = begins
        self._clock: Callable[[re.Match[str]], int | None] | None = None

    def note(self, line: Line, found: re.Match[str]) -> None:
        """Notes on the line what the envelope says."""
        names = found.re.groupindex
        if "h" in names:
            if self._clock is None:
                self._clock = clock_of(found)
            time_us = self._clock(found)
            if time_us is not None:
                line.time_us = time_us
        elif "rank" in names:
            line.rank = int(found["rank"])
        elif "ms" in names:
            line.time_us, line.host = int(found["ms"]) * 1000, found["host"]
        elif "epoch" in names and found["epoch"] and line.time_us is None:
            line.time_us = unix_time(found["epoch"])


_ENVELOPES = (  # in the order in which they are tried
    Envelope(_CLEARML, "1"),
    Envelope(_TRANSFORMERS, "["),
    Envelope(_LLAMA_FACTORY, "["),
    Envelope(_SWIN, "["),
    Envelope(_YEARLESS, "[" + _DIGITS + _LEVELS),
    Envelope(_AMERICAN, _DIGITS),
    Envelope(_NEMO, "["),
    Envelope(_MPI_CLOCK, "MTWFS"),
    Envelope(_MPI_RANK, "["),
    Envelope(_TORCH_RANK, "["),
    Envelope(_SRUN_RANK, _DIGITS),
    Envelope(_AIRANK, "-A"),
    Envelope(_LOGGER, "[" + _DIGITS),
    Envelope(_GLOG, "IWEF"),
    Envelope(_CLOCK_OF_DAY, "["),
    Envelope(_NAMED, "["),
    Envelope(_CALLER, "["),
    Envelope(_NAMED_RANK, "["),
    Envelope(_PLAIN_LOGGER, _LEVELS),
    Envelope(_MXNET_NODE, "N"),
)
_BY_FIRST = {
    char: tuple(one for one in _ENVELOPES if char in one.begins)
    for char in {char for one in _ENVELOPES for char in one.begins}
}
# What any envelope that begins so must look like at least: one look instead of five or twelve.
_LEAST = dict.fromkeys(_DIGITS, pattern(r"\d{1,6}[-/:]|1\d{12} ")) | {
    "[": pattern(
        r"\[(?:\d|rank\d|R(?:ank|ANK) \d|" + _LEVEL + r"\||NeMo |\w{1,31}\] \d|[\w.]{1,60}:\d)"
    ),
    "-": pattern("- AI-Rank"),
    "A": pattern("AI-Rank"),
    "N": pattern(r"Node\["),
    **dict.fromkeys("DC", pattern("DEBUG|CRITICAL")),
    **dict.fromkeys("MTS", pattern("(?:Mon|Tue|Thu|Sat|Sun) ")),
    "W": pattern(r"WARN|Wed |W[012]"),
    "I": pattern(r"INFO|I[012]"),
    "E": pattern(r"ERROR|E[012]"),
    "F": pattern(r"Fri |F[012]"),
}
_LETTERS = frozenset(("- ", "AI", "No", "DE", "CR", "IN", "WA", "ER", "Mo", "Tu", "We", "Th", "Fr"))
_STARTS = _LETTERS | {"Sa", "Su", *(level + digit for level in "IWEF" for digit in "012")}
"""How the envelopes begin that begin with a letter."""
_MOST = 5
"""Envelopes of one line."""


class Envelopes:
    """Takes the envelopes off the lines of one log."""

    def __init__(self) -> None:
        self._latest: tuple[Envelope, ...] = ()

    def strip(self, line: Line) -> Line:
        """Takes every known envelope off `line` (in place), keeping its clock and rank."""
        text = line.text
        first = text[0]
        if first != "[" and not first.isdigit() and text[:2] not in _STARTS:
            if not first.isspace():
                return line
            text = text.lstrip()
        position = count = 0
        for envelope in self._latest:
            found = envelope.expression.match(text, position)
            if found is None or found.end() == position:
                break
            envelope.note(line, found)
            position = found.end()
            count += 1
        seen = self._latest[:count]
        while count < _MOST:
            first = text[position : position + 1]
            if first not in _BY_FIRST or _LEAST[first].match(text, position) is None:
                break
            for envelope in _BY_FIRST[first]:
                found = envelope.expression.match(text, position)
                if found is not None and found.end() > position:
                    envelope.note(line, found)
                    position = found.end()
                    seen = (*seen, envelope)
                    count += 1
                    break
            else:
                break
        if position:
            line.text = text[position:]
            self._latest = seen
        return line


def strip(line: Line) -> Line:
    """Takes the envelopes off one line by itself; see `Envelopes.strip`."""
    return Envelopes().strip(line)
