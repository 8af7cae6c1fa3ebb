"""What launchers and loggers put in front of a line: clocks, ranks, level names.

`2020-07-09 23:23:27,492 INFO name <tab>`, `[1,0]<stdout>:`, `AI-Rank-log 1618.4 `, `[rank0]:`:
none of it belongs to a format, and all of it may stand before any. `strip` takes it off and
keeps the clock and the rank.
"""

from __future__ import annotations

import re
from datetime import date

from parsers.holes import unix_time
from parsers.lazy import pattern
from parsers.text import Line

_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: month for month, name in enumerate(_NAMES, 1)}
_DATE = (
    r"(?P<Y>\d{4})[-/](?P<M>\d\d)[-/](?P<D>\d\d)[ T]"
    r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,6}))?"
)
_DAY_ONE = date(1970, 1, 1).toordinal()
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
    r"|,?\s++(?:-\s++)?)"  # … body
)
# transformers: '[INFO|trainer.py:1147] 2021-… >> body' and '[INFO|2024-…] logging.py:157 >> body'.
_TRANSFORMERS = pattern(r"\[" + _LEVEL + r"\|[\w.]{1,80}:\d{1,6}\] " + _DATE + r" >>(?: |$)")
_LLAMA_FACTORY = pattern(r"\[" + _LEVEL + r"\|" + _DATE + r"\] [\w.]{1,80}:\d{1,6} >>(?: |$)")
# Swin's logger: '[2022-01-05 09:32:14 name] (main.py 789): INFO body'.
_SWIN = pattern(r"\[" + _DATE + r" [^\]\s]{1,80}\] \([\w.]{1,80} \d{1,6}\): " + _LEVEL + r" ")
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
# Each with the characters it may begin with, in the order in which they are tried.
_STEPS = (
    (_CLEARML, "1"),
    (_TRANSFORMERS, "["),
    (_LLAMA_FACTORY, "["),
    (_SWIN, "["),
    (_YEARLESS, "[" + _DIGITS + _LEVELS),
    (_AMERICAN, _DIGITS),
    (_NEMO, "["),
    (_MPI_CLOCK, "MTWFS"),
    (_MPI_RANK, "["),
    (_TORCH_RANK, "["),
    (_SRUN_RANK, _DIGITS),
    (_AIRANK, "-A"),
    (_LOGGER, "[" + _DIGITS),
    (_GLOG, "IWEF"),
    (_CLOCK_OF_DAY, "["),
    (_NAMED, "["),
    (_CALLER, "["),
    (_NAMED_RANK, "["),
    (_PLAIN_LOGGER, _LEVELS),
    (_MXNET_NODE, "N"),
)
_BY_FIRST = {
    char: tuple(step for step, begins in _STEPS if char in begins)
    for char in {char for _step, begins in _STEPS for char in begins}
}
# What any step that begins so must look like at least: one look instead of five or twelve.
_LEAST = dict.fromkeys(_DIGITS, pattern(r"\d{1,6}[-/:]|1\d{12} ")) | {
    "[": pattern(
        r"\[(?:\d|rank\d|R(?:ank|ANK) \d|" + _LEVEL + r"\||NeMo |\w{1,31}\] \d|[\w.]{1,60}:\d)"
    )
}
BEGINNINGS = (
    *("-", "[", *"0123456789"),
    *("Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "),
    *("AI-Rank", "Node["),
    *("DEBUG", "INFO", "WARN", "ERROR", "CRITICAL"),
    *(level + digit for level in "IWEF" for digit in "012"),
)
"""How a line with a prefix begins."""
_MOST = 5


def strip(line: Line) -> Line:
    """Takes every known prefix off `line` (in place), keeping its clock and rank."""
    text = line.text
    position = begin = len(text) - len(text.lstrip())
    if not text.startswith(BEGINNINGS, position):
        return line
    for _ in range(_MOST):
        first = text[position : position + 1]
        if first in _LEAST and _LEAST[first].match(text, position) is None:
            break
        for step in _BY_FIRST.get(first, ()):
            found = step.match(text, position)
            if found is not None and found.end() > position:
                _note(line, step, found)
                position = found.end()
                break
        else:
            break
    if position > begin:
        line.text = text[position:]
    return line


def _note(line: Line, step: re.Pattern[str], found: re.Match[str]) -> None:
    if "rank" in step.groupindex:
        line.rank = int(found["rank"])
    elif step is _CLEARML:
        line.time_us, line.host = int(found["ms"]) * 1000, found["host"]
    elif step is _AIRANK:
        # A logger's local clock in front of it stays: one log, one clock.
        if found["epoch"] and line.time_us is None:
            line.time_us = unix_time(found["epoch"])
    elif "h" in step.groupindex:
        time_us = clock_us(found)
        if time_us is not None:
            line.time_us = time_us


def clock_us(found: re.Match[str], century: int = 0) -> int | None:
    """Microseconds since 1970 of a match with groups Y M D h m s f; None if out of range.

    `century` is added to a year of two digits. Without a year it is 1972.
    """
    groups = found.groupdict()
    month = _MONTHS.get(groups["mon"], 0) if groups.get("mon") else int(groups.get("M") or 1)
    year, day = century + int(groups.get("Y") or 1972), int(groups.get("D") or 1)
    hour, minute, second = int(groups["h"]), int(groups["m"]), int(groups["s"])
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return None
    days = date(year, month, 1).toordinal() - _DAY_ONE + day - 1
    whole = ((days * 24 + hour) * 60 + minute) * 60 + second
    return whole * 1_000_000 + int((groups.get("f") or "0").ljust(6, "0"))
