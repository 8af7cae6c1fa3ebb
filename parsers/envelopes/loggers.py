"""What loggers write in front of a line: a clock, a level, names, in any usual order."""

from sixdim.parsers.text.patterns import begun, pattern

TIME = r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)"
_MONTH_AND_DAY = r"(?P<M>\d\d)[-/.](?P<D>\d\d)(?:[ T]|, ?)" + TIME
DAY = r"(?P<Y>\d{4})[-/]" + _MONTH_AND_DAY
_IN_THE_YEAR = _MONTH_AND_DAY + r"(?:[.,](?P<f>\d{1,6}))?"
_DATE = r"(?P<Y>\d{4})[-/]" + _IN_THE_YEAR
LEVEL = r"(?:TRACE|DEBUG|INFO|LOGS|NOTICE|SUCCESS|WARNING|WARN|ERROR|CRITICAL|FATAL)"
WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "
MONTH = r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?P<D>[ \d]\d) " + TIME
_SWIN_NAME = r"[^\]\s]{1,80}\] \([\w.]{1,80} \d{1,6}\): " + LEVEL + r" "
_DATA = r"(?:val|test|eval|dev)(?:id(?:ation)?|uation|ing)?"
_OF_DATA = _DATA + r"\s*+\|(?! ?(?:epoch \d{1,9} \||\{))"  # fairseq's loggers have data's names
_NAME = r"(?!(?i:" + _OF_DATA + r"|(?:epoch|step):\d))[\w.<>:/-]{1,160}+"  # no data's
_AFTER = (
    r"(?:\s++-\s++[\w.\[\]/\\-]{1,60}\s++-\s++" + LEVEL + r"\s++-\s*+"  # … - name - INFO - body
    r"|\s++-\s++\[[^\]]{1,120}\]\s++-\s++" + LEVEL + r":\s*+"  # … - [file line:9] - INFO: body
    r"|\s++-\s++" + LEVEL + r"\s++-\s*+(?:__main__ - |\w++\.[\w.]++ - )?+"  # … INFO - a.b - body
    r"|\s++\[[^\]]{1,80}\] " + LEVEL + r"\s++[\w.$]{1,160} - "  # … [main] INFO a.b - body (logback)
    r"|\s++\[?\s*+" + LEVEL + r"(?:\s*+\])?"  # … INFO name body, … INFO    : body
    r"(?:\t[\w.]{1,80}\t|\s*+:\s++|\s++-?\s*+)"
    r"|\s++[\w.]{1,80} " + LEVEL + r":\s*+"  # … ppcls INFO: body
    r"|\[[\w.]{1,80}\]\[" + LEVEL + r"\]\s++-\s*+"  # …][name][INFO] - body (hydra)
    # …]-[INFO]: body, …][INFO] body, …][name][INFO]: body
    r"|(?<=\])-?(?:\[[\w.]{1,80}\]-?)?\[" + LEVEL + r"\](?::|\s++-)?\s*+"
    r"|[:-]" + LEVEL + r":\s*+"  # …:INFO: body, …-INFO: body
    # … | INFO | name | body, … | INFO     | name:function:9 - body (loguru)
    r"|\s*+\|\s*+" + LEVEL + r"\s*+\|\s*+" + _NAME + r"\s*+(?:\||-(?= |$))\s*+"
    r"|\s*+\|\s*+" + LEVEL + r"\s*+\|\s*+"  # … | INFO | body
    r"|\s++\|(?:\s++|$)(?!.{0,200}\|$)"  # … | body, but no row of a table: … | a | b |
    r"|\s++\([\w.]{1,60}:\d{1,6}\)\s++" + LEVEL + r":(?:\s++|$)"  # … (trainer:464) INFO: body
    # … - train.py[line:9] - INFO: body, …: name [line:9] INFO body, … [train.py:9] INFO body
    r"|:?(?:\s++(?:-\s++)?)?\[?[A-Za-z_][\w./-]{0,80}+(?:\]?\s?\[line:|(?<=\.py):)\s?"
    r"\d{1,6}\]?\s?(?:-\s)?\[?" + LEVEL + r"(?:\s*+\])?(?:\s++-\s|:)?\s*+"
    r"|\s++[\w-]{1,60}+\.py\s++"  # … train.py body
    r"|(?<=\])(?=[^\s\[\]:,|-])"  # [clock]body
    r"|[,:]?\s++(?!" + _SWIN_NAME + r"|UTC |[+-]\d\d:?\d\d )(?:-\s++)?)"  # … body
)
"""What a logger writes after its clock: level and name, in any usual order."""
# `%m-%d` has no year (see GLOG).
LOGGER = begun(r"\[?(?:(?P<Y>\d{4})[-/.]|(?=\d\d-))" + _IN_THE_YEAR + r"\]?", _AFTER)
_PART = r"(?:[.,](?P<f>\d{1,6}))?+"
# '05/11 10:00:00 body': the day or the month may stand first, so only the time is read.
DAY_AND_MONTH = begun(
    r"(?=(?:0|1[0-2]/)|\d\d/(?:0|1[0-2] ))(?:0[1-9]|[12]\d|3[01])/(?:0[1-9]|[12]\d|3[01]) "
    + TIME
    + _PART,
    _AFTER,
)
# '20260301-10:00:00 body', '2026_03_01_10_00_00 body', '2026-03-01-10:00:00 body': the date in one
# piece, or with other marks. Of `20260301 100000` without marks, each may be a number.
UNDIVIDED = begun(
    r"\[?(?P<Y>20\d\d)[-_.]?(?P<M>0[1-9]|1[0-2])[-_.]?(?P<D>0[1-9]|[12]\d|3[01])"
    r"(?:[-_T]| (?=\d\d[:_-]))(?P<h>[01]\d|2[0-3])[:_-]?(?P<m>[0-5]\d)[:_-]?(?P<s>[0-5]\d)"
    + _PART
    + r"\]?",
    _AFTER,
)
# '[May 01 10:00:00] body', '[Wed May  1 10:00:00 2024] body'.
MONTH_IN_BRACKETS = begun(rf"\[(?:{WEEKDAY})?+" + MONTH + _PART + r"(?: (?P<Y>\d{4}))?+\]", _AFTER)
# '01.03.2026 10:00:00 body': with dots, the day stands first.
DOTTED = begun(r"\[?(?P<D>\d\d)\.(?P<M>\d\d)\.(?P<Y>\d{4}),? " + TIME + _PART + r"\]?", _AFTER)
# Day first: '[01/Mar/2026:10:00:00 +0100] body', '1 Mar 2026 10:00:00 - body', RecBole's
# 'Sun 01 Mar 2026 10:00:00 INFO  body', and '01-Mar-26 10:00:00 - body'.
DAY_FIRST = begun(
    r"\[?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?+(?P<D>\d\d?)[-/ ]"
    r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[-/ ](?P<Y>\d{4}|\d\d(?= ))"
    r"[ :T]" + TIME + _PART + r"(?: (?P<z>[+-]\d{4}))?+\]?",
    _AFTER,
)
# '03/01/2026 10:00:00 AM body', '3/1/2026, 9:00:00 AM - body': the month stands first.
HALF_OF_A_DATE = begun(
    r"\[?(?P<M>\d\d?)/(?P<D>\d\d?)/(?P<Y>\d{4}),? (?P<h>\d\d?):(?P<m>\d\d):(?P<s>\d\d)"
    + _PART + r" (?P<p>[AP]M)\]?",
    _AFTER,
)  # fmt: skip
# SINet and its descendants: the whole line, '[2021-09-06 02:21:06 PM-a.py-INFO:body]'.
IN_BRACKETS = pattern(r"\[" + DAY + r" (?P<p>[AP]M)-[\w.]{1,60}-" + LEVEL + r":")
# mmsr, KAIR, SR3: '20-06-21 18:05:38.123 - INFO: body'; also without the level.
SHORT_YEAR = pattern(
    r"(?P<Y>\d\d)-" + _MONTH_AND_DAY + r"(?:[.,](?P<f>\d{1,6}))?+ [-:](?: " + LEVEL + r":)?+(?: |$)"
)
# transformers: '[INFO|trainer.py:1147] 2021-… >> body' and '[INFO|2024-…] logging.py:157 >> body'.
TRANSFORMERS = pattern(r"\[" + LEVEL + r"\|[\w.]{1,80}:\d{1,6}\] " + _DATE + r" >>(?: |$)")
# transformers from 5.24 on: '[transformers] body'; its bars and reports have nothing in front.
LIBRARY = pattern(r"\[transformers\](?: |$)")
LLAMA_FACTORY = pattern(r"\[" + LEVEL + r"\|" + _DATE + r"\] [\w.]{1,80}:\d{1,6} >>(?: |$)")
# HaGRID's logger: '[LINE:216] INFO     [2022-07-24 21:17:15,348]  body'.
LINE_FIRST = pattern(r"\[LINE:\d{1,6}\] " + LEVEL + r" *+\[" + _DATE + r"\]\s*+")
# Swin's logger: '[2022-01-05 09:32:14 name] (main.py 789): INFO body'.
SWIN = pattern(r"\[" + _DATE + " " + _SWIN_NAME)
# Month and day without a year (see GLOG), of detectron2, mmengine's console and PySlowFast:
# '[03/11 14:25:25] d2.x INFO: body', '[06/21 18:05:38][INFO] logging.py:   99: body'.
YEARLESS = pattern(
    r"(?:" + LEVEL + r" )?+\[?(?P<M>\d\d)/(?P<D>\d\d) " + TIME + r"(?:\] [\w.]{1,80} "
    + LEVEL + r": ?"
    r"| [\w.]{1,80}\]: ?"
    r"| - [\w.-]{1,60} - " + LEVEL + r" - "
    r"|\]\[" + LEVEL + r"\] [\w.]{1,80}: *+\d{1,6}: ?"
    r"|\](?:\s++|$))"
)  # fmt: skip
# DARTS and the searches after it: '03/22 01:23:45 PM | body'.
HALF_DAY = pattern(r"(?P<M>\d\d)/(?P<D>\d\d) " + TIME + r" (?P<p>[AP]M)(?:\s++\|(?=\s))?(?:\s++|$)")
# The examples of transformers and accelerate: '06/04/2024 12:00:01 - INFO - name - body'.
AMERICAN = pattern(
    r"(?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d{4}) " + TIME + r"(?:[.,](?P<f>\d{1,6}))? - " + LEVEL
    + r" - (?:[\w.]{1,80} - ?+)? *+"
)  # fmt: skip
# XLM's logger, with the time since its start: 'INFO - 06/21/21 23:30:04 - 0:00:19 - body'.
XLM = pattern(
    LEVEL + r" - (?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d\d) " + TIME
    + r" - (?:\d{1,5} days?, )?\d{1,5}:\d\d:\d\d - ?"
)  # fmt: skip
# ST-GCN's '[03.24.23|09:56:31] body' and its descendants' '[ Thu Aug 12 11:45:29 2021 ] body'.
SKELETON = pattern(r"\[(?P<M>\d\d)\.(?P<D>\d\d)\.(?P<Y>\d\d)\|" + TIME + r"\](?:\s|$)")
CTIME = pattern(r"\[ " + WEEKDAY + MONTH + r" (?P<Y>\d{4}) \](?: |$)")
# 'INFO 2024-05-01 10:00:00 train.py:88 body', score_sde's 'INFO - run.py - 2024-05-01 … - body'.
LEVEL_FIRST = pattern(
    LEVEL + r" (?:- [\w.-]{1,80} - )?+" + _DATE + r" (?:[\w./-]{1,80}\.py:\d{1,6}:?|-)(?: |$)"
)
# NeMo's logger: '[NeMo I 2025-02-01 10:00:00 nemo_logging:393] body'.
NEMO = pattern(r"\[NeMo [A-Z] " + _DATE + r" [^\]\s]{1,120}\] ?")
# glog and absl: 'I0802 11:05:04.537974 140419828713280 run_pretraining.py:694] '. There is no
# year in it before glog 0.6: see `parsers.text.partial_clocks`.
GLOG = pattern(
    r"[IWEF](?:(?P<Y>\d{4})(?=\d{4} ))?+(?P<M>\d\d)(?P<D>\d\d) "
    + TIME + r"\.(?P<f>\d{6}) +\d{1,20} [\w.\-/]{1,80}:\d{1,6}\] ?"
)  # fmt: skip
# Tensorpack: '[0119 15:33:40 @base.py:273] body', '[0119 15:33:40 @base.py:273] WRN body'.
TENSORPACK = pattern(
    r"\[(?P<M>\d\d)(?P<D>\d\d) " + TIME + r" @[\w.-]{1,80}:\d{1,6}\] ?(?:(?:DBG|WRN|ERR) )?+"
)
# No date: see `parsers.envelopes.time_of_day`. rich has one.
CLOCK_OF_DAY = pattern(r"\[" + TIME + r"(?:\.(?P<f>\d{1,6}))?\] ")
# No date either, but a level: Logback's '02:13:51.152 [main] INFO org.nd4j.Name - body',
# '10:00:01 | INFO     | name:function:9 - body' (loguru), '10:00:01 - INFO - body'.
LEVEL_OF_DAY = pattern(
    TIME + r"(?:[.,](?P<f>\d{1,6}))?+(?: \[[^\]]{1,80}\] +" + LEVEL + r" +[\w.$]{1,120} -(?: |$)"
    r"|\s++(?:[|-]\s++)?+\[?" + LEVEL + r"(?:\s*+\])?+(?:\s*+\||\s*+-(?=\s)|:)?+"
    r"(?:\s++[\w.<>]{1,80}:[\w.<>]{1,80}:\d{1,6}\s++[|-])?+(?:\s++|$))"
)
# logrus and logfmt: 'time="2024-05-01T10:00:00Z" level=info msg="body"'.
LOGFMT = pattern(
    r'time="?' + DAY + r"(?:[.,](?P<f>\d{1,6})\d{0,3})?(?:Z|(?P<z>[+-]\d\d:?\d\d))?\"? "
    r'level="?[a-z]{3,9}"? msg=(?:"|(?=[^"]))'
)
RICH_DATE = pattern(r"\[(?P<M>\d\d)/(?P<D>\d\d)/(?P<Y>\d\d) " + TIME + r"\] ")
RICH = pattern(LEVEL + r"[ \t]{2,}+(?:- )?")
RICH_TAIL = pattern(r"(?<!\s)\s++[\w./-]{1,80}\.py:\d{1,6}$")
# [titan], ESPnet's [gpu01:0/2] and their like, in front of a clock; DeepSpeed's
# [file.py:99:function] and [Rank 0]; icefall's [file.py:99] and (0/8), a rank of eight.
NAMED = pattern(r"\[[A-Za-z][\w.:/-]{0,60}\] (?=\d{4}-\d\d-\d\d[ T]\d\d:)")
CALLER = pattern(
    r"\[[\w.]{1,60}:\d{1,6}:[\w<>]{1,60}\] ?|\{[\w.-]{1,80}:\d{1,6}\} ?"
    r"|\[[\w.]{1,60}\.py:\d{1,6}\](?: |$)"
)
# ML.NET's log: '[Source=ImageClassificationTrainer; Training, Kind=Trace] body'.
ML_NET = pattern(r"\[Source=[\w .;`\[\]]{1,160}+, Kind=[A-Z][a-z]{2,8}\](?: |$)")
PLAIN_LOGGER = pattern(LEVEL + r":[\w.]{1,60}:")
# '[INFO] body', 'INFO: body', 'INFO - body', 'INFO | body'.
LEVEL_ALONE = pattern(
    rf"\[\s*+(?:{LEVEL}|{LEVEL.lower()})\s*+\](?::|\s++-(?=\s))?(?:\s++|$)"
    rf"|{LEVEL}(?:\s*+(?:\||:(?!:|[\w.]{{1,60}}:))\s*+"
    r"|\s(?!\s|\d\d/\d\d \d|[:|](?!:))(?:-(?:\s++|$))?)"
)
