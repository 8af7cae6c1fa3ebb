"""What launchers, containers, loggers and collectors make of a line, each as one function."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeAlias

Prefix: TypeAlias = Callable[[int, str], str]
"""Line number from 0 and text of the bare line to the line in the log."""

_BEGIN = datetime(2024, 5, 1, 10)
_NANO, _ZULU = "%Y-%m-%dT%H:%M:%S.123456789Z", "%Y-%m-%dT%H:%M:%S.123Z"
_COMMA = "%Y-%m-%d %H:%M:%S,123"


def at(number: int, form: str) -> str:
    """The clock of a line: two lines a second."""
    return (_BEGIN + timedelta(seconds=number // 2)).strftime(form)


def in_front(form: str) -> Prefix:
    """A clock and fixed text; `{n}` is the line's number."""
    return lambda number, text: at(number, form).replace("{n}", str(number)) + text


def wrapped(body: str, **others: object) -> Prefix:
    """An object a line; texts of the others are clocks, `body` is the line's key."""

    def wrap(number: int, text: str) -> str:
        clocks = {k: at(number, v) if isinstance(v, str) else v for k, v in others.items()}
        return json.dumps({**clocks, body: text})

    return wrap


def _docker(number: int, text: str) -> str:
    entry = {"log": text + "\n", "stream": "stdout", "time": at(number, _NANO)}
    return json.dumps(entry, separators=(",", ":"))


def _cloud(number: int, text: str) -> str:
    labels = {"pod_name": "train-0", "container_name": "pytorch"}
    resource = {"type": "k8s_container", "labels": labels}
    return json.dumps({"textPayload": text, "timestamp": at(number, _NANO), "resource": resource})


def _rich(number: int, text: str) -> str:
    clock = at(number, "[%m/%d/%y %H:%M:%S]") if number % 3 == 0 else " " * 19
    return f"{clock} INFO     {text}   train.py:88"


def _logfmt(number: int, text: str) -> str:
    return at(number, f'time="{_ZULU}" level=info msg="') + text + '"'


def _loguru_json(number: int, text: str) -> str:
    shown = at(number, "%Y-%m-%d %H:%M:%S.123 | INFO     | __main__:main:12 - ") + text
    return json.dumps({"text": shown + "\n", "record": {"message": text, "line": 12}})


CONTAINERS: dict[str, Prefix] = {
    "docker": in_front(_NANO + " "),
    "compose": in_front("trainer-1  | "),
    "compose 1": in_front("train_worker_1  | "),
    "compose worker": in_front("worker-0 | "),
    "kubectl --prefix": in_front("[pod/train-abc12/pytorch] "),
    "kubectl --prefix --timestamps": in_front("[pod/train-abc12/pytorch] " + _NANO + " "),
    "stern": in_front("train-abc12 pytorch "),
    "CRI": in_front(_NANO + " stdout F "),
    "CRI, zone": in_front("%Y-%m-%dT%H:%M:%S.123456789+08:00 stderr F "),
    "ISO +00:00": in_front("%Y-%m-%dT%H:%M:%S+00:00 "),
    "ISO Z": in_front("%Y-%m-%dT%H:%M:%SZ "),
    "GitLab": in_front("%Y-%m-%dT%H:%M:%S.123456Z 01O "),
    "GitHub Actions": in_front("%Y-%m-%dT%H:%M:%S.1234567Z "),
    "gh run view": in_front("train\tRun training\t%Y-%m-%dT%H:%M:%S.1234567Z "),
    "Jenkins": in_front("[" + _ZULU + "] "),
    "journald": in_front("%b %d %H:%M:%S host python[12]: "),
    "journald short-iso": in_front("%Y-%m-%dT%H:%M:%S+0000 host python3[12]: "),
    "journald short-precise": in_front("%b %d %H:%M:%S.123456 host train.sh[12]: "),
    "journald short-full": in_front("%a %Y-%m-%d %H:%M:%S UTC host python[12]: "),
    "syslog": in_front("<13>%b %e %H:%M:%S host train[12]: "),
    "syslog without a process": in_front("%b %e %H:%M:%S host train: "),
    "RFC 5424": in_front("<14>1 " + _ZULU + " host app 12 - - "),
    "ts": in_front("%b %d %H:%M:%S "),
    "ts -s": in_front("00:%M:%S "),
    "ts %.s": in_front("17145576{n}.123456 "),
    "ts, a date": in_front("[%Y-%m-%d %H:%M:%S] "),
    "date": in_front("%a %b %e %H:%M:%S UTC %Y "),
    "time": in_front("%H:%M:%S "),
    "time and level": in_front("%H:%M:%S,123 INFO "),
}
LAUNCHERS: dict[str, Prefix] = {
    "srun --label": in_front("0: "),
    "srun --label, padded": in_front("  0: "),
    "torchrun --tee": in_front("[default0]:"),
    "torchrun role": in_front("[trainer0]:"),
    "rank": in_front("[rank0]:"),
    "pdsh": in_front("node-17: "),
    "pdsh, full name": in_front("gpu01.cluster.local: "),
    "mpirun": in_front("[1,0]<stdout>:"),
    "prterun": in_front("[prterun-node-1@1,0]<stdout>: "),
    "mpirun -l": in_front("[0] "),
    "SageMaker": in_front("[1,mpirank:0,algo-1]<stdout>:"),
    "ray": in_front("(RayTrainWorker pid=1234) "),
    "ray, coloured": in_front("\x1b[36m(main pid=1, ip=10.0.0.3)\x1b[0m "),
}
LOGGERS: dict[str, Prefix] = {
    "loguru": in_front("%Y-%m-%d %H:%M:%S.123 | INFO     | __main__:main:12 - "),
    "logfmt": _logfmt,
    "time.time()": lambda number, text: f"[{1714557600 + number // 2}.000] {text}",
    "loguru, coloured": in_front(
        "\x1b[32m%Y-%m-%d %H:%M:%S.123\x1b[0m | \x1b[1mINFO    \x1b[0m | "
        "\x1b[36mmy.app\x1b[0m:\x1b[36m<module>\x1b[0m:\x1b[36m45\x1b[0m - "
    ),
    "a date in one piece": in_front("%Y%m%d-%H:%M:%S "),
    "a date in one piece, marks": in_front("%Y_%m_%d_%H_%M_%S "),
    "a date and a time in one piece": in_front("[%Y%m%d-%H%M%S] "),
    "a month in brackets": in_front("[%b %d %H:%M:%S] "),
    "a month in brackets, level": in_front("[%a %b %d %H:%M:%S %Y] INFO: "),
    "dots": in_front("%d.%m.%Y %H:%M:%S "),
    "dots, level": in_front("%d.%m.%Y %H:%M:%S,123 - trainer - INFO - "),
    "month's name": in_front("[%d/%b/%Y:%H:%M:%S +0100] "),
    "month's name, level": in_front("%d-%b-%Y %H:%M:%S INFO trainer: "),
    "month's name, blanks": in_front("%d %b %Y %H:%M:%S | "),
    "half a day of a date": in_front("%m/%d/%Y %I:%M:%S %p - "),
    "half a day of a date, level": in_front("[%m/%d/%Y, %I:%M:%S %p] INFO: "),
    "mmsr": in_front("%y-%m-%d %H:%M:%S.123 - INFO: "),
    "rich": _rich,
    "rich, time": in_front("[%H:%M:%S] INFO     "),
    "default": in_front("INFO:root:"),
    "[INFO]": in_front("[INFO] "),
    "INFO:": in_front("INFO: "),
    "INFO -": in_front("INFO - "),
    "INFO": in_front("INFO "),
    "INFO | file |": in_front("INFO | train.py | "),
    "ML.NET": in_front("[Source=ImageClassificationTrainer; Training, Kind=Trace] "),
    "name and level": in_front(_COMMA + " - name - INFO - "),
    "file and level": in_front(_COMMA + " - logs\\run.log - INFO - "),
    "whole line in brackets": lambda number, text: (
        at(number, "[%Y-%m-%d %I:%M:%S %p-a.py-INFO:") + text + "]"
    ),
    "file, line and level": in_front(_COMMA + " - train.py[line:140] - INFO: "),
    "level and name": in_front(_COMMA + " - INFO - name - "),
    "level and module": in_front(_COMMA + " - INFO - joeynmt.training - "),
    "level in brackets": in_front(_COMMA + " [INFO] my.trainer: "),
    "name, level": in_front(_COMMA + " my.trainer INFO "),
    "brackets": in_front("[%Y-%m-%d %H:%M:%S] [rank0] [INFO] "),
    "icefall": in_front(f"{_COMMA} INFO [train.py:812] "),
    "file in brackets": in_front("[%Y-%m-%d %H:%M:%S] [INFO] [train.py:88] "),
    "a colon after the clock": in_front("%Y-%m-%d %H:%M:%S.123456: "),
    "date,time | INFO |": in_front("%Y-%m-%d,%H:%M:%S | INFO | "),
    "date | INFO | file |": in_front("%Y-%m-%d %H:%M:%S | INFO | train.py:88 | "),
    "hydra": in_front("[" + _COMMA + "][__main__][INFO] - "),
    "level in brackets after a clock in brackets": in_front("[" + _COMMA + "][INFO] "),
    "a dash between the two": in_front("[" + _COMMA + "]-[INFO]: "),
    "name and level in brackets, colon": in_front("[" + _COMMA + "][trainer][INFO]: "),
    "spdlog": in_front("[%Y-%m-%d %H:%M:%S.123] [trainer] [info] "),
    "glog": in_front("I%m%d %H:%M:%S.123456 123 file.cc:12] "),
    "absl": in_front("I%m%d %H:%M:%S.123456 140123456789 train.py:12] "),
    "tensorpack": in_front("[%m%d %H:%M:%S @base.py:275] "),
    "level, clock, file": in_front("INFO %Y-%m-%d %H:%M:%S train.py:88 "),
    "clock, file": in_front(_COMMA + " train.py "),
    "level, file, clock": in_front("INFO - train.py - " + _COMMA + " - "),
    "indented level, clock": in_front("   INFO   " + _COMMA + " ~ "),
    "American, no name": in_front("%m/%d/%Y %H:%M:%S - INFO - "),
    "glued to its brackets": in_front("[" + _COMMA + "]"),
    "logback": in_front("%H:%M:%S.123 [main] INFO org.example.Trainer - "),
    "logback without a date": in_front("%H:%M:%S.125 [main] INFO  o.d.Trainer - "),
    "loguru without a date": in_front("%H:%M:%S | INFO     | __main__:<module>:9 - "),
    "time of day, level": in_front("%H:%M:%S,123 INFO "),
    "month and day": in_front("%m-%d %H:%M:%S, "),
    "month, day, level": in_front("[%m-%d %H:%M:%S] INFO: "),
    "half a day": in_front("%m/%d %I:%M:%S %p | "),
    "XLM": in_front("INFO - %m/%d/%y %H:%M:%S - 0:00:19 - "),
    "ST-GCN": in_front("[%m.%d.%y|%H:%M:%S] "),
    "CTR-GCN": in_front("[ %a %b  1 %H:%M:%S %Y ] "),
    "PySlowFast": in_front("[%m/%d %H:%M:%S][INFO] logging.py:  99: "),
    "day, month's name": in_front("%d-%b-%y %H:%M:%S - "),
    "Airflow": in_front("[%Y-%m-%dT%H:%M:%S.123+0000] {logging_mixin.py:149} INFO - "),
}
OBJECTS: dict[str, Prefix] = {
    "docker": _docker,
    "message": wrapped("message", timestamp=_ZULU),
    "zap": wrapped("msg", level="info", ts=1714557600.5, caller="a/b.go:12"),
    "Google Cloud": _cloud,
    "CloudWatch": wrapped("message", timestamp=1714557600123, ingestionTime=1714557600456),
    "vector": wrapped("message", file="/var/log/train.log", host="node1", timestamp=_NANO),
    "fluentd": lambda n, t: at(n, "%Y-%m-%dT%H:%M:%S+00:00\tkube.train\t") + _docker(n, t),
    "journald": wrapped("MESSAGE", __REALTIME_TIMESTAMP="1714557600123456", _PID="12"),
    "loguru": _loguru_json,
    "Kaggle": lambda n, t: "[,"[n > 0] + json.dumps({"time": n / 2, "data": t + "\n"}),
    "python": wrapped("message", asctime=_COMMA, levelname="INFO", lineno=88, name="root"),
    "structlog": wrapped("event", level="info", timestamp=_ZULU),
}
NESTED: dict[str, Prefix] = {
    "docker, logger": in_front(_NANO + " " + _COMMA + " - name - INFO - "),
    "kubectl, torchrun": in_front("[pod/train-0/pytorch] [default0]:"),
    "srun, mmcv": in_front("3: " + _COMMA + " - mmdet - INFO - "),
    "srun, logger": in_front("0: " + _COMMA + " INFO "),
    "compose, loguru": in_front("trainer-1  | %Y-%m-%d %H:%M:%S.1 | INFO     | a:main:12 - "),
    "docker's object, logger": lambda n, t: _docker(n, at(n, _COMMA + " - name - INFO - ") + t),
    "pdsh, rank": in_front("worker-0: [rank0]: "),
}
OWN: dict[str, Prefix] = {
    "name": in_front("[my-exp-7] "),
    "arrow": in_front(">> "),
    "percent and job": in_front("%%{n}%% job7 => "),
    "number of the line": in_front("{n}\t"),
    "braces": in_front("{job 7 run {n}} "),
}
PREFIXES: dict[str, Prefix] = {
    f"{kind}: {name}": prefix
    for kind, group in (
        ("container", CONTAINERS),
        ("launcher", LAUNCHERS),
        ("logger", LOGGERS),
        ("object", OBJECTS),
        ("nested", NESTED),
        ("own", OWN),
    )
    for name, prefix in group.items()
}
