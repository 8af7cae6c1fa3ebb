"""The envelopes that are known by their form: clocks, ranks, level names, container names.

`2020-07-09 23:23:27,492 INFO name <tab>`, `[1,0]<stdout>:`, `AI-Rank-log 1618.4 `, `[rank0]:`:
none of it belongs to a format, and all of it may stand before any. Where the form alone does not
tell (`0: `, `host: `), the envelope is inferred; see `parsers.envelopes.inferred`.
"""

from __future__ import annotations

from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.text.patterns import begun, pattern

_TIME = r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)"
_MONTH_AND_DAY = r"(?P<M>\d\d)[-/.](?P<D>\d\d)(?:[ T]|, ?)" + _TIME
_DAY = r"(?P<Y>\d{4})[-/]" + _MONTH_AND_DAY
_IN_THE_YEAR = _MONTH_AND_DAY + r"(?:[.,](?P<f>\d{1,6}))?"
_DATE = r"(?P<Y>\d{4})[-/]" + _IN_THE_YEAR
_LEVEL = r"(?:TRACE|DEBUG|INFO|LOGS|NOTICE|SUCCESS|WARNING|WARN|ERROR|CRITICAL|FATAL)"
_WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "
_MONTH = r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?P<D>[ \d]\d) " + _TIME
# journald and syslog: 'host unit[pid]: ', and RFC 5424's 'host app pid message-id data '.
_UNIT = (
    r"(?: (?P<host>[\w.-]{1,64}) (?:[\w./@+:-]{1,80}\[\d{1,8}\]:"
    r"|[\w./@+-]{1,48} (?:\d{1,8}|-) (?:-|[\w.]{1,32}) (?:-|\[[^\]]{0,200}\])))?+"
)

# Containers, CI (CRI's 'stdout F', GitLab's '01O'), journald: a clock with its zone or more digits.
_STAMP = pattern(
    rf"\[?(?:{_WEEKDAY})?+" + _DAY + r"(?=[.,]\d{7,9}|(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC))"
    r"(?:[.,](?P<f>\d{1,6})\d{0,3})?(?:Z| ?(?P<z>[+-]\d\d:?\d\d)| UTC)?+\]?"
    r"(?: std(?:out|err) [FP](?: |$)| \d\d[OE](?:\+|(?: |$))|" + _UNIT + r"(?:\s++|$))"
)
# `ts`, journald, syslog, `date`: 'Nov 22 17:31:02 host python[12]: ', 'Wed May  1 … UTC 2024 '.
_MONTH_STAMP = pattern(
    rf"(?:{_WEEKDAY})?+" + _MONTH + r"(?:\.(?P<f>\d{1,6}))?"
    r"(?: (?:[A-Z]{3,5} )?(?P<Y>\d{4})(?= ))?+" + _UNIT + r"(?: (?!\d{4}\[)|$)"
)
_SYSLOG = pattern(r"<\d{1,3}>(?:1 (?=\d{4}-))?")
# mpirun --timestamp-output: 'Tue Jun 14 15:39:05 2022' glued to the rank tag.
_MPI_CLOCK = pattern(
    _WEEKDAY + r"(?P<mon>[A-Z][a-z]{2}) (?P<D>[ \d]\d) " + _TIME + r" (?P<Y>\d{4})"
    r"(?=\[[^\]]{1,90}\]<std)"
)
_MPI_RANK = pattern(
    r"\[(?:[\w.-]{1,80}@)?(?:\d{1,5},)?(?:mpirank:)?(?P<rank>\d{1,6})(?:,[\w.-]{1,80})?\]"
    r"<std(?:out|err|diag)>: ?"
)
_TORCH_RANK = pattern(r"\[(?:rank(?=\d{1,6}\])|(?=\d{1,6}\]:))(?P<rank>\d{1,6})\](?::|(?= )) ?")
# torchrun --tee: the role and the rank in it.
_ROLE_RANK = pattern(
    r"\[(?!(?i:ep|it|step|batch|fold|stage|phase|round|trial|val|test))"
    r"[A-Za-z_]{3,30}(?P<rank>\d{1,6})\]:"
)
# MXNet's module logger names the worker of a distributed store.
_MXNET_NODE = pattern(r"Node\[(?P<rank>\d{1,6})\] (?=Epoch\[|Iter\[|Update\[|Saved )")
# `srun --label`: any number and a colon might be a step, so what follows must be a known line, or
# a logger's clock.
_SRUN_RANK = pattern(
    r"(?P<rank>\d{1,6}): +(?=:::|DLL|\[|\{'|Epoch:? \[?\d|iteration +\d|Train(?:ing)?:? |eta: "
    r"|\(epoch: \d|\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:|\d\d/\d\d(?:/\d{4})? \d\d:|[IWEF]\d{4} \d\d:)"
)
_KUBECTL = pattern(r"\[pod/(?P<host>[\w.-]{1,253})/[\w.-]{1,80}\](?: |$)")
_RAY = pattern(r"\((?:[A-Za-z_][\w.:<>-]{0,80} )?(?P<host>pid=\d{1,9}(?:, ip=[\w.:]{1,64})?)\) ?")
_RAY_TAIL = pattern(r" \[repeated \d{1,9}x across cluster\]")
_AIRANK = pattern(r"(?:- )?AI-Rank-log (?:(?P<epoch>\d{9,10}\.\d{1,9}) )?")
_SECONDS = pattern(r"\[(?P<epoch>1\d{9}\.\d{1,9})\](?: |$)")  # time.time()
_SWIN_NAME = r"[^\]\s]{1,80}\] \([\w.]{1,80} \d{1,6}\): " + _LEVEL + r" "
_DATA = r"(?:val|test|eval|dev)(?:id(?:ation)?|uation|ing)?"
_OF_DATA = _DATA + r"\s*+\|(?! ?(?:epoch \d{1,9} \||\{))"  # fairseq's loggers have data's names
_NAME = r"(?!(?i:" + _OF_DATA + r"|(?:epoch|step):\d))[\w.<>:/-]{1,160}+"  # no data's
_AFTER = (
    r"(?:\s++-\s++[\w.\[\]/\\-]{1,60}\s++-\s++" + _LEVEL + r"\s++-\s*+"  # … - name - INFO - body
    r"|\s++-\s++\[[^\]]{1,120}\]\s++-\s++" + _LEVEL + r":\s*+"  # … - [file line:9] - INFO: body
    r"|\s++-\s++" + _LEVEL + r"\s++-\s*+(?:__main__ - |\w++\.[\w.]++ - )?+"  # … INFO - a.b - body
    r"|\s++\[[^\]]{1,80}\] "
    + _LEVEL
    + r"\s++[\w.$]{1,160} - "  # … [main] INFO a.b - body (logback)
    r"|\s++\[?\s*+" + _LEVEL + r"(?:\s*+\])?"  # … INFO name body, … INFO    : body
    r"(?:\t[\w.]{1,80}\t|\s*+:\s++|\s++-?\s*+)"
    r"|\s++[\w.]{1,80} " + _LEVEL + r":\s*+"  # … ppcls INFO: body
    r"|\[[\w.]{1,80}\]\[" + _LEVEL + r"\]\s++-\s*+"  # …][name][INFO] - body (hydra)
    # …]-[INFO]: body, …][INFO] body, …][name][INFO]: body
    r"|(?<=\])-?(?:\[[\w.]{1,80}\]-?)?\[" + _LEVEL + r"\](?::|\s++-)?\s*+"
    r"|[:-]" + _LEVEL + r":\s*+"  # …:INFO: body, …-INFO: body
    # … | INFO | name | body, … | INFO     | name:function:9 - body (loguru)
    r"|\s*+\|\s*+" + _LEVEL + r"\s*+\|\s*+" + _NAME + r"\s*+(?:\||-(?= |$))\s*+"
    r"|\s*+\|\s*+" + _LEVEL + r"\s*+\|\s*+"  # … | INFO | body
    r"|\s++\|(?:\s++|$)(?!.{0,200}\|$)"  # … | body, but no row of a table: … | a | b |
    r"|\s++\([\w.]{1,60}:\d{1,6}\)\s++" + _LEVEL + r":(?:\s++|$)"  # … (trainer:464) INFO: body
    # … - train.py[line:9] - INFO: body, …: name [line:9] INFO body, … [train.py:9] INFO body
    r"|:?(?:\s++(?:-\s++)?)?\[?[A-Za-z_][\w./-]{0,80}+(?:\]?\s?\[line:|(?<=\.py):)\s?"
    r"\d{1,6}\]?\s?(?:-\s)?\[?" + _LEVEL + r"(?:\s*+\])?(?:\s++-\s|:)?\s*+"
    r"|(?<=\])(?=[^\s\[\]:,|-])"  # [clock]body
    r"|[,:]?\s++(?!" + _SWIN_NAME + r"|UTC |[+-]\d\d:?\d\d )(?:-\s++)?)"  # … body
)
"""What a logger writes after its clock: level and name, in any usual order."""
# `%m-%d` has no year (see _GLOG).
_LOGGER = begun(r"\[?(?:(?P<Y>\d{4})[-/.]|(?=\d\d-))" + _IN_THE_YEAR + r"\]?", _AFTER)
_PART = r"(?:[.,](?P<f>\d{1,6}))?+"
# '05/11 10:00:00 body': the day or the month may stand first, so only the time is read.
_DAY_AND_MONTH = begun(
    r"(?=(?:0|1[0-2]/)|\d\d/(?:0|1[0-2] ))(?:0[1-9]|[12]\d|3[01])/(?:0[1-9]|[12]\d|3[01]) "
    + _TIME
    + _PART,
    _AFTER,
)
# '20260301-10:00:00 body', '2026_03_01_10_00_00 body', '2026-03-01-10:00:00 body': the date in one
# piece, or with other marks. Of `20260301 100000` without marks, each may be a number.
_UNDIVIDED = begun(
    r"\[?(?P<Y>20\d\d)[-_.]?(?P<M>0[1-9]|1[0-2])[-_.]?(?P<D>0[1-9]|[12]\d|3[01])"
    r"(?:[-_T]| (?=\d\d[:_-]))(?P<h>[01]\d|2[0-3])[:_-]?(?P<m>[0-5]\d)[:_-]?(?P<s>[0-5]\d)"
    + _PART
    + r"\]?",
    _AFTER,
)
# '[May 01 10:00:00] body', '[Wed May  1 10:00:00 2024] body'.
_MONTH_IN_BRACKETS = begun(
    rf"\[(?:{_WEEKDAY})?+" + _MONTH + _PART + r"(?: (?P<Y>\d{4}))?+\]", _AFTER
)
# '01.03.2026 10:00:00 body': with dots, the day stands first.
_DOTTED = begun(r"\[?(?P<D>\d\d)\.(?P<M>\d\d)\.(?P<Y>\d{4}),? " + _TIME + _PART + r"\]?", _AFTER)
# Day first: '[01/Mar/2026:10:00:00 +0100] body', '1 Mar 2026 10:00:00 - body', RecBole's
# 'Sun 01 Mar 2026 10:00:00 INFO  body', and '01-Mar-26 10:00:00 - body'.
_DAY_FIRST = begun(
    r"\[?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?+(?P<D>\d\d?)[-/ ]"
    r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[-/ ](?P<Y>\d{4}|\d\d(?= ))"
    r"[ :T]" + _TIME + _PART + r"(?: (?P<z>[+-]\d{4}))?+\]?",
    _AFTER,
)
# '03/01/2026 10:00:00 AM body', '3/1/2026, 9:00:00 AM - body': the month stands first.
_HALF_OF_A_DATE = begun(
    r"\[?(?P<M>\d\d?)/(?P<D>\d\d?)/(?P<Y>\d{4}),? (?P<h>\d\d?):(?P<m>\d\d):(?P<s>\d\d)"
    + _PART + r" (?P<p>[AP]M)\]?",
    _AFTER,
)  # fmt: skip
# SINet and its descendants: the whole line, '[2021-09-06 02:21:06 PM-a.py-INFO:body]'.
_IN_BRACKETS = pattern(r"\[" + _DAY + r" (?P<p>[AP]M)-[\w.]{1,60}-" + _LEVEL + r":")
# mmsr, KAIR, SR3: '20-06-21 18:05:38.123 - INFO: body'; also without the level.
_SHORT_YEAR = pattern(
    r"(?P<Y>\d\d)-"
    + _MONTH_AND_DAY
    + r"(?:[.,](?P<f>\d{1,6}))?+ [-:](?: "
    + _LEVEL
    + r":)?+(?: |$)"
)
# transformers: '[INFO|trainer.py:1147] 2021-… >> body' and '[INFO|2024-…] logging.py:157 >> body'.
_TRANSFORMERS = pattern(r"\[" + _LEVEL + r"\|[\w.]{1,80}:\d{1,6}\] " + _DATE + r" >>(?: |$)")
# transformers from 5.24 on: '[transformers] body'; its bars and reports have nothing in front.
_LIBRARY = pattern(r"\[transformers\](?: |$)")
_LLAMA_FACTORY = pattern(r"\[" + _LEVEL + r"\|" + _DATE + r"\] [\w.]{1,80}:\d{1,6} >>(?: |$)")
# HaGRID's logger: '[LINE:216] INFO     [2022-07-24 21:17:15,348]  body'.
_LINE_FIRST = pattern(r"\[LINE:\d{1,6}\] " + _LEVEL + r" *+\[" + _DATE + r"\]\s*+")
# Swin's logger: '[2022-01-05 09:32:14 name] (main.py 789): INFO body'.
_SWIN = pattern(r"\[" + _DATE + " " + _SWIN_NAME)
# Month and day without a year (see _GLOG), of detectron2, mmengine's console and PySlowFast:
# '[03/11 14:25:25] d2.x INFO: body', '[06/21 18:05:38][INFO] logging.py:   99: body'.
_YEARLESS = pattern(
    r"(?:" + _LEVEL + r" )?+\[?(?P<M>\d\d)/(?P<D>\d\d) " + _TIME + r"(?:\] [\w.]{1,80} "
    + _LEVEL + r": ?"
    r"| [\w.]{1,80}\]: ?"
    r"| - [\w.-]{1,60} - " + _LEVEL + r" - "
    r"|\]\[" + _LEVEL + r"\] [\w.]{1,80}: *+\d{1,6}: ?"
    r"|\](?:\s++|$))"
)  # fmt: skip
# DARTS and the searches after it: '03/22 01:23:45 PM | body'.
_HALF_DAY = pattern(
    r"(?P<M>\d\d)/(?P<D>\d\d) " + _TIME + r" (?P<p>[AP]M)(?:\s++\|(?=\s))?(?:\s++|$)"
)
# The examples of transformers and accelerate: '06/04/2024 12:00:01 - INFO - name - body'.
_AMERICAN = pattern(
    r"(?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d{4}) " + _TIME + r"(?:[.,](?P<f>\d{1,6}))? - " + _LEVEL
    + r" - (?:[\w.]{1,80} - ?+)? *+"
)  # fmt: skip
# XLM's logger, with the time since its start: 'INFO - 06/21/21 23:30:04 - 0:00:19 - body'.
_XLM = pattern(
    _LEVEL + r" - (?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d\d) " + _TIME
    + r" - (?:\d{1,5} days?, )?\d{1,5}:\d\d:\d\d - ?"
)  # fmt: skip
# ST-GCN's '[03.24.23|09:56:31] body' and its descendants' '[ Thu Aug 12 11:45:29 2021 ] body'.
_SKELETON = pattern(r"\[(?P<M>\d\d)\.(?P<D>\d\d)\.(?P<Y>\d\d)\|" + _TIME + r"\](?:\s|$)")
_CTIME = pattern(r"\[ " + _WEEKDAY + _MONTH + r" (?P<Y>\d{4}) \](?: |$)")
# 'INFO 2024-05-01 10:00:00 train.py:88 body'.
_LEVEL_FIRST = pattern(_LEVEL + r" " + _DATE + r" [\w./-]{1,80}\.py:\d{1,6}:?(?: |$)")
# NeMo's logger: '[NeMo I 2025-02-01 10:00:00 nemo_logging:393] body'.
_NEMO = pattern(r"\[NeMo [A-Z] " + _DATE + r" [^\]\s]{1,120}\] ?")
# A ClearML console export: milliseconds, host, stream.
_CLEARML = pattern(r"(?P<ms>1\d{12}) (?P<host>[\w.-]{1,64}) (?:info|error|warning|debug)(?: |$)")
# glog and absl: 'I0802 11:05:04.537974 140419828713280 run_pretraining.py:694] '. There is no
# year in it before glog 0.6: see `parsers.text.partial_clocks`.
_GLOG = pattern(
    r"[IWEF](?:(?P<Y>\d{4})(?=\d{4} ))?+(?P<M>\d\d)(?P<D>\d\d) "
    + _TIME + r"\.(?P<f>\d{6}) +\d{1,20} [\w.\-/]{1,80}:\d{1,6}\] ?"
)  # fmt: skip
# Tensorpack: '[0119 15:33:40 @base.py:273] body', '[0119 15:33:40 @base.py:273] WRN body'.
_TENSORPACK = pattern(
    r"\[(?P<M>\d\d)(?P<D>\d\d) " + _TIME + r" @[\w.-]{1,80}:\d{1,6}\] ?(?:(?:DBG|WRN|ERR) )?+"
)
# No date: see `parsers.envelopes.time_of_day`. rich has one.
_CLOCK_OF_DAY = pattern(r"\[" + _TIME + r"(?:\.(?P<f>\d{1,6}))?\] ")
# No date either, but a level: Logback's '02:13:51.152 [main] INFO org.nd4j.Name - body',
# '10:00:01 | INFO     | name:function:9 - body' (loguru), '10:00:01 - INFO - body'.
_LEVEL_OF_DAY = pattern(
    _TIME + r"(?:[.,](?P<f>\d{1,6}))?+(?: \[[^\]]{1,80}\] +" + _LEVEL + r" +[\w.$]{1,120} -(?: |$)"
    r"|\s++(?:[|-]\s++)?+\[?" + _LEVEL + r"(?:\s*+\])?+(?:\s*+\||\s*+-(?=\s)|:)?+"
    r"(?:\s++[\w.<>]{1,80}:[\w.<>]{1,80}:\d{1,6}\s++[|-])?+(?:\s++|$))"
)
# logrus and logfmt: 'time="2024-05-01T10:00:00Z" level=info msg="body"'.
_LOGFMT = pattern(
    r'time="?' + _DAY + r"(?:[.,](?P<f>\d{1,6})\d{0,3})?(?:Z|(?P<z>[+-]\d\d:?\d\d))?\"? "
    r'level="?[a-z]{3,9}"? msg=(?:"|(?=[^"]))'
)
_RICH_DATE = pattern(r"\[(?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d\d) " + _TIME + r"\] ")
_RICH = pattern(_LEVEL + r"[ \t]{2,}+(?:- )?")
_RICH_TAIL = pattern(r"(?<!\s)\s++[\w./-]{1,80}\.py:\d{1,6}$")
# [titan], ESPnet's [gpu01:0/2] and their like, in front of a clock; DeepSpeed's
# [file.py:99:function] and [Rank 0]; icefall's [file.py:99] and (0/8), a rank of eight.
_NAMED = pattern(r"\[[A-Za-z][\w.:/-]{0,60}\] (?=\d{4}-\d\d-\d\d[ T]\d\d:)")
_CALLER = pattern(
    r"\[[\w.]{1,60}:\d{1,6}:[\w<>]{1,60}\] ?|\{[\w.-]{1,80}:\d{1,6}\} ?"
    r"|\[[\w.]{1,60}\.py:\d{1,6}\](?: |$)"
)
_RANK_OF_ALL = pattern(
    r"\((?P<rank>\d{1,4})/\d{1,4}\) (?=Epoch \d|(?:Computing|Saving) |Done!|Training started)"
)
_NAMED_RANK = pattern(r"\[R(?:ank|ANK) (?P<rank>\d{1,6})\] ?")
# '[rank 0] ', 'Rank 0: ', 'GPU 0 | ', '(rank 0/8) ', 'rank=0 ' of a script's own, in front of what
# is a line of progress or figures.
_SAYS_RANK = r"(?i:(?:local|global)?[ _]?(?:rank|gpu|process))"
_PRINTED_RANK = pattern(
    r"[\[(<]?" + _SAYS_RANK + r"[ _:=#]{0,2}(?P<rank>\d{1,6})(?:/\d{1,6})?(?:[\])>]:?|[:,]| [|-])? "
    r"(?=\W{0,2}(?i:epochs?|steps?|iter(?:ation)?s?|batch|train\w{0,8}|val\w{0,8}|test(?:ing)?"
    r"|eval\w{0,8}|loss)\b)"
)
# ML.NET's log: '[Source=ImageClassificationTrainer; Training, Kind=Trace] body'.
_ML_NET = pattern(r"\[Source=[\w .;`\[\]]{1,160}+, Kind=[A-Z][a-z]{2,8}\](?: |$)")
_PLAIN_LOGGER = pattern(_LEVEL + r":[\w.]{1,60}:")
# '[INFO] body', 'INFO: body', 'INFO - body', 'INFO | body'.
_LEVEL_ALONE = pattern(
    rf"\[\s*+(?:{_LEVEL}|{_LEVEL.lower()})\s*+\](?::|\s++-(?=\s))?(?:\s++|$)"
    rf"|{_LEVEL}(?:\s*+(?:\||:(?!:|[\w.]{{1,60}}:))\s*+"
    r"|\s(?!\s|\d\d/\d\d \d|[:|](?!:))(?:-(?:\s++|$))?)"
)

_DIGITS = "0123456789"
_LEVELS = "TDINSWECF"
_MONTHS = "JFMASOND"
_RANK_BEGINS = "RrGgPp"
AIRANK = Envelope(_AIRANK, "-A")
LABELLED = Envelope(_SRUN_RANK, _DIGITS)
"""The label of `srun` in front of what can only be a whole line."""
LABEL = Envelope(pattern(r"\s*(?P<rank>\d{1,6}): ?"))
"""The same label in front of any text, for logs that are known to have it."""
ENVELOPES = (  # in the order in which they are tried
    Envelope(_CLEARML, "1"),
    Envelope(_TRANSFORMERS, "["),
    Envelope(_LIBRARY, "["),
    Envelope(_LLAMA_FACTORY, "["),
    Envelope(_LINE_FIRST, "["),
    Envelope(_SWIN, "["),
    Envelope(_YEARLESS, "[" + _DIGITS + _LEVELS),
    Envelope(_HALF_DAY, _DIGITS),
    Envelope(_AMERICAN, _DIGITS),
    Envelope(_SHORT_YEAR, _DIGITS),
    Envelope(_XLM, _LEVELS),
    Envelope(_LEVEL_FIRST, _LEVELS),
    Envelope(_SKELETON, "["),
    Envelope(_CTIME, "["),
    Envelope(_NEMO, "["),
    Envelope(_MPI_CLOCK, "MTWFS"),
    Envelope(_MPI_RANK, "["),
    Envelope(_TORCH_RANK, "["),
    Envelope(_ROLE_RANK, "["),
    Envelope(_KUBECTL, "["),
    LABELLED,
    AIRANK,
    Envelope(_SECONDS, "["),
    Envelope(_STAMP, "[MTWFS" + _DIGITS, stamp=True),
    Envelope(_IN_BRACKETS, "[", tail=pattern(r"\]$"), tail_clue="]"),
    Envelope(_LOGGER, "[" + _DIGITS),
    Envelope(_DAY_AND_MONTH, "0123"),
    Envelope(_UNDIVIDED, "[2"),
    Envelope(_DOTTED, "[" + _DIGITS),
    Envelope(_DAY_FIRST, "[MTWFS" + _DIGITS),
    Envelope(_HALF_OF_A_DATE, "[" + _DIGITS),
    Envelope(_MONTH_IN_BRACKETS, "["),
    Envelope(_MONTH_STAMP, "TWS" + _MONTHS, stamp=True),
    Envelope(_GLOG, "IWEF"),
    Envelope(_TENSORPACK, "["),
    Envelope(_CLOCK_OF_DAY, "["),
    Envelope(_LEVEL_OF_DAY, _DIGITS),
    Envelope(_RICH_DATE, "["),
    Envelope(_NAMED, "["),
    Envelope(_CALLER, "[{"),
    Envelope(_NAMED_RANK, "["),
    Envelope(_PRINTED_RANK, "[(<" + _RANK_BEGINS),
    Envelope(_PLAIN_LOGGER, _LEVELS),
    Envelope(_RICH, _LEVELS, tail=_RICH_TAIL, tail_clue=".py:"),
    Envelope(_LEVEL_ALONE, "[" + _LEVELS),
    Envelope(_MXNET_NODE, "N"),
    Envelope(_ML_NET, "["),
    Envelope(_SYSLOG, "<"),
    Envelope(_LOGFMT, "t", tail=pattern(r'"$'), tail_clue='"'),
    Envelope(_RANK_OF_ALL, "("),
    Envelope(_RAY, "(", tail=_RAY_TAIL, tail_clue=" [repeated "),
)
BY_FIRST = {
    char: tuple(one for one in ENVELOPES if char in one.begins)
    for char in {char for one in ENVELOPES for char in one.begins}
}
# By its first character, what every envelope (or object around a line) looks like at least: one
# match instead of five to twelve.
_BRACKETS = (
    r"\[(?:\{|\d(?!\d{0,8}\](?![:<]))"  # [12] is no envelope, [12]: is
    r"|[A-Za-z_]{1,30}\d{1,6}\](?::| )|" + _SAYS_RANK + r"|\s*+(?i:" + _LEVEL + r")\s*+[\]|]"
    r"|NeMo |Source=|transformers\]|pod/|[\w.-]{1,80}@|[A-Za-z][\w.:/-]{0,60}\] \d|[\w.]{1,60}:\d"
    r"| ?" + _WEEKDAY + r"[\dA-Z]|[A-Z][a-z]{2} [ \d]\d \d\d:)"
)
# The clock of TensorFlow's own messages is no envelope, and neither is a count: `35/40 `, `0/8  `.
_FIRST_DIGITS = (
    r"\d{1,6}(?:[-:]|/(?=\d\d?[-/. ]\d|[A-Z]))(?!\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: [IWEF] )|1\d{12} "
    r"|\d\d?(?:\.\d\d\.| [A-Z][a-z]{2} )\d{4},? |20\d\d\.\d\d\.\d\d "
    r"|20\d\d[-_.]?\d\d[-_.]?\d\d[-_ T]\d\d"
)
LEAST = dict.fromkeys(_DIGITS, pattern(_FIRST_DIGITS)) | {
    "[": pattern(_BRACKETS),
    "{": pattern(r"\{(?:\"|[\w.-]{1,80}:\d)"),
    ",": pattern(r",\{"),
    **dict.fromkeys(_RANK_BEGINS, pattern(_SAYS_RANK)),
    "(": pattern(r"\((?:[^()]{0,90}pid=|\d{1,4}/\d|" + _SAYS_RANK + ")"),
    "<": pattern(r"<(?:\d|" + _SAYS_RANK + ")"),
    "t": pattern(r'time="?\d{4}-'),
    "-": pattern("- AI-Rank"),
    "A": pattern("AI-Rank|A(?:pr|ug) [ \\d]\\d "),
    "N": pattern(r"Node\[|NOTICE|Nov [ \d]\d "),
    **dict.fromkeys("JO", pattern(r"[A-Z][a-z]{2} [ \d]\d ")),
    **dict.fromkeys("DC", pattern(r"DEBUG|CRITICAL|Dec [ \d]\d ")),
    **dict.fromkeys("MTS", pattern(r"[A-Z][a-z]{2},? (?:[A-Z][a-z]{2} )?[ \d]\d|TRACE|SUCCESS")),
    "W": pattern(r"WARN|Wed,? |W[012]"),
    "I": pattern(r"INFO|I[012]"),
    "E": pattern(r"ERROR|E[012]"),
    "F": pattern(r"Fri,? |F[012]|FATAL|Feb [ \d]\d "),
}
