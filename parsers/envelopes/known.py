"""The envelopes that are known by their form: clocks, ranks, level names, container names.

`2020-07-09 23:23:27,492 INFO name <tab>`, `[1,0]<stdout>:`, `AI-Rank-log 1618.4 `, `[rank0]:`:
none of it belongs to a format, and all of it may stand before any. What loggers write is in
`parsers.envelopes.loggers`. Where the form alone does not tell (`0: `, `host: `), the envelope is
inferred; see `parsers.envelopes.inferred`.
"""

from sixdim.parsers.envelopes import loggers
from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.text.patterns import pattern

# journald and syslog: 'host unit[pid]: ', and RFC 5424's 'host app pid message-id data '.
_UNIT = (
    r"(?: (?P<host>[\w.-]{1,64}) (?:[\w./@+:-]{1,80}\[\d{1,8}\]:"
    r"|[\w./@+-]{1,48} (?:\d{1,8}|-) (?:-|[\w.]{1,32}) (?:-|\[[^\]]{0,200}\])))?+"
)

# Containers, CI (CRI's 'stdout F', GitLab's '01O'), journald: a clock with its zone or more digits.
_STAMP = pattern(
    rf"\[?(?:{loggers.WEEKDAY})?+"
    + loggers.DAY
    + r"(?=[.,]\d{7,9}|(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC))"
    r"(?:[.,](?P<f>\d{1,6})\d{0,3})?(?:Z| ?(?P<z>[+-]\d\d:?\d\d)| UTC)?+\]?"
    r"(?: std(?:out|err) [FP](?: |$)| \d\d[OE](?:\+|(?: |$))|" + _UNIT + r"(?:\s++|$))"
)
# `ts`, journald, syslog, `date`: 'Nov 22 17:31:02 host python[12]: ', 'Wed May  1 … UTC 2024 '.
_MONTH_STAMP = pattern(
    rf"(?:{loggers.WEEKDAY})?+" + loggers.MONTH + r"(?:\.(?P<f>\d{1,6}))?"
    r"(?: (?:[A-Z]{3,5} )?(?P<Y>\d{4})(?= ))?+" + _UNIT + r"(?: (?!\d{4}\[)|$)"
)
_SYSLOG = pattern(r"<\d{1,3}>(?:1 (?=\d{4}-))?")
# mpirun --timestamp-output: 'Tue Jun 14 15:39:05 2022' glued to the rank tag.
_MPI_CLOCK = pattern(
    loggers.WEEKDAY + r"(?P<mon>[A-Z][a-z]{2}) (?P<D>[ \d]\d) " + loggers.TIME + r" (?P<Y>\d{4})"
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
# A ClearML console export: milliseconds, host, stream.
_CLEARML = pattern(r"(?P<ms>1\d{12}) (?P<host>[\w.-]{1,64}) (?:info|error|warning|debug)(?: |$)")
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
    Envelope(loggers.TRANSFORMERS, "["),
    Envelope(loggers.LIBRARY, "["),
    Envelope(loggers.LLAMA_FACTORY, "["),
    Envelope(loggers.LINE_FIRST, "["),
    Envelope(loggers.SWIN, "["),
    Envelope(loggers.YEARLESS, "[" + _DIGITS + _LEVELS),
    Envelope(loggers.HALF_DAY, _DIGITS),
    Envelope(loggers.AMERICAN, _DIGITS),
    Envelope(loggers.SHORT_YEAR, _DIGITS),
    Envelope(loggers.XLM, _LEVELS),
    Envelope(loggers.LEVEL_FIRST, _LEVELS),
    Envelope(loggers.SKELETON, "["),
    Envelope(loggers.CTIME, "["),
    Envelope(loggers.NEMO, "["),
    Envelope(_MPI_CLOCK, "MTWFS"),
    Envelope(_MPI_RANK, "["),
    Envelope(_TORCH_RANK, "["),
    Envelope(_ROLE_RANK, "["),
    Envelope(_KUBECTL, "["),
    LABELLED,
    AIRANK,
    Envelope(_SECONDS, "["),
    Envelope(_STAMP, "[MTWFS" + _DIGITS, stamp=True),
    Envelope(loggers.IN_BRACKETS, "[", tail=pattern(r"\]$"), tail_clue="]"),
    Envelope(loggers.LOGGER, "[" + _DIGITS),
    Envelope(loggers.DAY_AND_MONTH, "0123"),
    Envelope(loggers.UNDIVIDED, "[2"),
    Envelope(loggers.DOTTED, "[" + _DIGITS),
    Envelope(loggers.DAY_FIRST, "[MTWFS" + _DIGITS),
    Envelope(loggers.HALF_OF_A_DATE, "[" + _DIGITS),
    Envelope(loggers.MONTH_IN_BRACKETS, "["),
    Envelope(_MONTH_STAMP, "TWS" + _MONTHS, stamp=True),
    Envelope(loggers.GLOG, "IWEF"),
    Envelope(loggers.TENSORPACK, "["),
    Envelope(loggers.CLOCK_OF_DAY, "["),
    Envelope(loggers.LEVEL_OF_DAY, _DIGITS),
    Envelope(loggers.RICH_DATE, "["),
    Envelope(loggers.NAMED, "["),
    Envelope(loggers.CALLER, "[{"),
    Envelope(_NAMED_RANK, "["),
    Envelope(_PRINTED_RANK, "[(<" + _RANK_BEGINS),
    Envelope(loggers.PLAIN_LOGGER, _LEVELS),
    Envelope(loggers.RICH, _LEVELS, tail=loggers.RICH_TAIL, tail_clue=".py:"),
    Envelope(loggers.LEVEL_ALONE, "[" + _LEVELS),
    Envelope(_MXNET_NODE, "N"),
    Envelope(loggers.ML_NET, "["),
    Envelope(_SYSLOG, "<"),
    Envelope(loggers.LOGFMT, "t", tail=pattern(r'"$'), tail_clue='"'),
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
    r"|[A-Za-z_]{1,30}\d{1,6}\](?::| )|" + _SAYS_RANK + r"|\s*+(?i:" + loggers.LEVEL + r")\s*+[\]|]"
    r"|NeMo |Source=|transformers\]|pod/|[\w.-]{1,80}@|[A-Za-z][\w.:/-]{0,60}\] \d|[\w.]{1,60}:\d"
    r"| ?" + loggers.WEEKDAY + r"[\dA-Z]|[A-Z][a-z]{2} [ \d]\d \d\d:)"
)
# The clock of TensorFlow's own messages is no envelope, and neither is a count: `35/40 `, `0/8  `,
# `1/10 3/20`, nor a clock alone.
_FIRST_DIGITS = (
    r"\d\d:\d\d:\d\d(?:[.,]\d{1,6})?+(?: \[[^\]]{1,80}\] +|\s++(?:[|-]\s++)?+\[?)"
    + loggers.LEVEL
    + r"|\d{1,6}(?:-|: |/(?=\d\d?(?:[-/.]\d| \d\d:)|[A-Z]))"
    r"(?!\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: [IWEF] )|1\d{12} "
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
