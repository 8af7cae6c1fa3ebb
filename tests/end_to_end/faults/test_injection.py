"""Every known attack through every input of the command line: no payload gets out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sixdim import sample_logs
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.tui.base.untrusted_json import UntrustedJsonError, loads
from sixdim.tui.screen.notifications import notification
from tests.support.inputs.attacks import ATTACKS, ONE_OF_EACH_KIND, STEERING, escapes_in
from tests.support.processes.live import LINES, SAMPLE, card_of

ROOT = Path(__file__).parents[3]
RUN = sample_logs.path(sample_logs.RUN)
Sixdim = Callable[..., tuple[int, str, str]]
SHORT = b"".join(LINES[:520])  # 12 epochs
CARD = card_of(SHORT)
EVERY = "".join(STEERING.values())
DRAWN = {"svg", "title", "desc", "style", "g", "path", "polygon", "polyline", "line"} | {
    *("circle", "rect", "text", "tspan")
}


def some_attacks(fast: Collection[str], names: Collection[str]) -> pytest.MarkDecorator:
    """Attacks by name; those that are not among the fast ones are tried by `make check` alone."""
    return pytest.mark.parametrize(
        "attack",
        [
            pytest.param(ATTACKS[name], id=name, marks=() if name in fast else pytest.mark.slow)
            for name in names
        ],
    )


every_attack = some_attacks(ONE_OF_EACH_KIND, ATTACKS)
# One function cleans all texts: at most doors a few attacks show that it is called.
kind_of_attack = some_attacks(("nested", "bidi override", "HTML"), ONE_OF_EACH_KIND)


def strings(data: Any) -> Iterator[str]:
    """Every text and key of decoded JSON."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from strings(value)
    elif isinstance(data, str):
        yield data


def hostile_log(payload: str) -> str:
    """A log that knows every way of getting a text onto a card, a payload in each."""
    quoted = json.dumps(payload)[1:-1]
    head = [
        f"Namespace(model='{payload}', device='{payload}', data_path='{payload}')",
        f"{payload}Start training{payload}",
        f"{payload} accelerator: {payload}",
    ]
    body = []
    for epoch in range(12):
        body += [
            f"Epoch: [{epoch}]  [ 0/14]  eta: 0:00:0{payload}3  lr: 0.1  img/s: 590.7  loss: 7.1",
            f"Epoch: [{epoch}] Avg img/s: 50{payload}60.2",
            f"Epoch: [{epoch}] Avg img/s: {5000 + epoch}.5",
            f" * Acc@1 {epoch}.1 Acc@5 1.0 {payload}",
            f"{payload}: 1.0 loss{payload}: 2.0",
        ]
    tail = [
        f"Traceback (most recent call last){payload}",
        f"RuntimeError: CUDA out of memory {payload}",
        f"The accuracy has been exceeded {payload}75.9,and the training is terminated at epoch 1",
        "Training time 1:02:03",
        f'DLLL {{"timestamp": "1", "type": "METADATA", "metric": "{quoted}", '
        f'"metadata": {{"unit": "{quoted}"}}}}',
    ]
    return "\n".join([*head, *body, *tail, f"last {payload}"])


JSON_LINES = """\
DLLL {{"timestamp":"1.0","elapsedtime":"1.0","type":"LOG","step":"PARAMETER","data":{{"{0}":"{0}","model":"{0}"}}}}
DLLL {{"timestamp":"1.0","elapsedtime":"1.0","type":"METADATA","metric":"{0}","metadata":{{"unit":"{0}"}}}}
DLLL {{"timestamp":"2.0","elapsedtime":"1.0","type":"LOG","step":[0,1],"data":{{"{0}":1.5,"train.loss":"{0}"}}}}
DLLL {{"timestamp":"2.0","elapsedtime":"1.0","type":"LOG","step":[0],"data":{{"{0}":1.5,"val.top1":7.5}}}}
:::MLLOG {{"namespace":"{0}","time_ms":1,"event_type":"POINT_IN_TIME","key":"submission_benchmark","value":"{0}","metadata":{{"file":"{0}"}}}}
:::MLLOG {{"namespace":"","time_ms":2,"event_type":"POINT_IN_TIME","key":"eval_accuracy","value":0.5,"metadata":{{"epoch_num":1,"{0}":"{0}"}}}}
:::MLLOG {{"namespace":"","time_ms":3,"event_type":"INTERVAL_END","key":"run_stop","value":null,"metadata":{{"status":"{0}"}}}}
{{"iteration":1,"loss":1.5,"{0}":2.5,"eta_seconds":1.0,"lr":0.1,"time":0.5,"bbox/AP":1.0}}
{{"mode":"train","epoch":1,"iter":50,"lr":0.1,"loss":1.5,"{0}":"{0}"}}
{{"mode":"val","epoch":1,"iter":50,"lr":0.1,"accuracy_top-1":1.5,"{0}":2.5}}
{{"epoch":1,"train_loss":1.5,"{0}":2.5,"test_acc1":1.5,"n_parameters":"{0}"}}
{{"log_history":[{{"{0}":1.5,"step":1,"loss":"{0}"}},{{"eval_{0}":1.5,"step":1}}],"num_train_epochs":"{0}"}}
"""  # noqa: E501 - a log line


def everything_said(sixdim: Sixdim, *words: object) -> str:
    """Both outputs of `score` as text and as JSON, and every text on the card."""
    _code, out, err = sixdim("score", *words)
    _code, data, more = sixdim("score", *words, "--json", "-")
    assert data.isascii()
    texts = list(strings(json.loads(data))) if data else []
    return "\n".join([out, err, data, more, *texts])


@every_attack
def test_lines_of_a_log(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    log = tmp_path / "train.log"
    log.write_text(hostile_log(attack.replace("\n", " ")), encoding="utf-8")
    said = everything_said(sixdim, log, "--telemetry", sample_logs.path(sample_logs.POWER))
    assert "epochs" in said
    assert escapes_in(said) == []
    for line in sixdim("replay", log, "--plain"):
        assert not isinstance(line, str) or escapes_in(line) == []


def texts_of(event: Any) -> Iterator[str]:
    """Every text an event carries, at any depth."""
    if is_dataclass(event):
        for part in fields(event):
            yield from texts_of(getattr(event, part.name))
    elif isinstance(event, tuple | list):
        for part in event:
            yield from texts_of(part)
    elif isinstance(event, dict):
        yield from texts_of([*event, *event.values()])
    elif isinstance(event, str):
        yield event


@pytest.mark.slow
def test_no_event_carries_what_was_spelled_in_letters() -> None:
    lines = JSON_LINES.format(json.dumps(EVERY)[1:-1]).encode()
    for known in formats():
        read = Interpreter(formats(), forced=known)
        for event in [*read.feed(lines), *read.end()]:
            for text in texts_of(event):
                assert escapes_in(text) == [], (known.name, event)


@kind_of_attack
def test_escapes_spelled_in_letters_inside_json(
    sixdim: Sixdim, tmp_path: Path, attack: str
) -> None:
    quoted = json.dumps(attack)[1:-1]
    for number, line in enumerate(JSON_LINES.splitlines()):
        log = tmp_path / f"{number}.log"
        log.write_text((line.format(quoted) + "\n") * 3, encoding="utf-8")
        assert escapes_in(everything_said(sixdim, log)) == [], line


@pytest.mark.slow
def test_examples_of_every_format_with_escapes_in_every_place(
    sixdim: Sixdim, tmp_path: Path
) -> None:
    log = tmp_path / "train.log"
    for known in formats():
        example = known.example
        cuts = range(0, len(example), max(1, len(example) // 8))
        lines = [example] * 4 + [example[:cut] + EVERY + example[cut:] for cut in cuts]
        log.write_text("\n".join(lines), encoding="utf-8")
        assert escapes_in(everything_said(sixdim, log, "--format", known.name)) == [], known.name


@kind_of_attack
def test_names_of_files(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    name = attack.replace("/", "-").replace("\0", "") + ".log"
    log = tmp_path / name
    log.write_bytes(SHORT)
    nothing = tmp_path / f"gone{name}"
    said = [
        everything_said(sixdim, log, "--baseline", log, "--repeat", log, log),
        *map(str, sixdim("score", nothing)),
        *map(str, sixdim("score", log, "--baseline", nothing)),
        *map(str, sixdim("score", log, "--telemetry", nothing)),
        *map(str, sixdim("score", log, "--telemetry", log)),
        *map(str, sixdim("score", log, "--json", tmp_path / name / "card.json")),
        *map(str, sixdim("replay", log, "--plain")),
        *map(str, sixdim("replay", nothing, "--plain")),
    ]
    assert "4938.9 img/s" in said[0]
    assert escapes_in("\n".join(said)) == []


@every_attack
def test_words_of_the_command_line(sixdim: Sixdim, attack: str) -> None:
    said: list[object] = [*sixdim(attack), *sixdim("score", f"--{attack}")]
    for flag in ("--format", "--target", "--window", "--protocol", "--gpus", "--run", "--devices"):
        said += sixdim("score", RUN, flag, f"x{attack}")
    said += sixdim("replay", RUN, "--speed", f"x{attack}")
    said += sixdim("replay", RUN, "--plain", f"--theme{attack}")
    assert escapes_in("\n".join(map(str, said))) == []


ONE_OF_A_LIST = ("schema", "status", "state", "scope")
"""Properties with a few values: a card with any other is refused."""


def hostile_card(payload: str, spared: Collection[str] = ONE_OF_A_LIST) -> str:
    """A card with the payload in every text, but for some, and as a key beside every key.

    After that key stands what stands after its neighbour: maps have values of one type.
    """

    def spoil(data: Any) -> Any:
        if isinstance(data, dict):
            spoilt = {k: v if k in spared else spoil(v) for k, v in data.items()}
            return {**spoilt, payload: next(iter(spoilt.values()), payload)}
        if isinstance(data, list):
            return [spoil(value) for value in data]
        return payload + data + payload if isinstance(data, str) else data

    return json.dumps(spoil(json.loads(CARD)))


@kind_of_attack
def test_cards(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    card = tmp_path / "card.json"
    card.write_text(hostile_card(attack))
    log = tmp_path / "train.log"
    log.write_bytes(SHORT)
    for flag in ("--baseline", "--scaled", "--repeat"):
        said = everything_said(sixdim, log, flag, card)
        assert "4938.9" in said
        assert escapes_in(said) == []


@kind_of_attack
def test_a_card_with_values_that_no_card_has(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    card, log = tmp_path / "card.json", tmp_path / "train.log"
    card.write_text(hostile_card(attack, ["schema"]))
    log.write_bytes(SHORT)
    said = everything_said(sixdim, log, "--baseline", card)
    # What is left of the payload without its control characters may be nothing.
    assert ("4938.9" in said) or ("card.json" in said)
    assert escapes_in(said) == []


@pytest.mark.parametrize("spoilt", ONE_OF_A_LIST)
def test_a_card_with_a_word_that_no_card_has_is_refused(
    sixdim: Sixdim, tmp_path: Path, spoilt: str
) -> None:
    card, log = tmp_path / "card.json", tmp_path / "train.log"
    card.write_text(hostile_card("<b>", [key for key in ONE_OF_A_LIST if key != spoilt]))
    log.write_bytes(SHORT)
    code, out, err = sixdim("score", log, "--baseline", card)
    assert (code, out) == (2, "")
    assert "card.json" in err


@kind_of_attack
def test_drawings_and_notifications(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    names = [tmp_path / f"{part}{attack.replace('/', '-')}.json" for part in "ab"]
    for name in names:
        name.write_text(hostile_card(attack))
    svg = tmp_path / "radar.svg"
    assert sixdim("compare", *names, "--svg", svg)[0] in (0, 1)
    drawn = list(ElementTree.parse(svg).getroot().iter())
    assert {element.tag.rpartition("}")[2] for element in drawn} <= DRAWN
    attributes = [name for element in drawn for name in element.attrib]
    assert not [name for name in attributes if name.startswith("on") or "href" in name]
    assert escapes_in(svg.read_text()) == []
    ring = notification(attack, tmux=False)
    assert escapes_in(ring.removeprefix("\x1b]9;").removesuffix("\x07")) == []


@kind_of_attack
def test_journals_and_recordings(sixdim: Sixdim, tmp_path: Path, attack: str) -> None:
    journal = tmp_path / "gpu.jsonl"
    names = dict.fromkeys(("host", "source", "name", "uuid"), attack)
    readings = [
        {"device": 0, "power_w": 100.0, "memory_mib": 5.0, "epoch": epoch, **names}
        for epoch in range(6, 11)
    ]
    readings.append({"device": 1, "missing": [[attack, attack]], "throttle": [attack], **names})
    header = {"sixdim": "telemetry", "version": 1, "log": attack}
    journal.write_text("\n".join(map(json.dumps, [header, *readings])) + "\n")
    log = tmp_path / "train.log"
    log.write_bytes(SHORT)
    said = everything_said(sixdim, log, "--telemetry", journal)
    assert "100.0 W" in said
    assert escapes_in(said) == []
    grep = tmp_path / "smi.txt"
    grep.write_text(f"GPU Power Draw : 161 W {attack}\nProduct Name : {attack}\n" * 3)
    assert escapes_in("\n".join(map(str, sixdim("score", RUN, "--telemetry", grep)))) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        "[-Infinity]",
        "[1e999]",
        "[" + "9" * 5000 + "]",
        "[1" + "0" * 30 + "]",
        "[" * 100_000,
        '{"a":' * 17 + "1" + "}" * 17,
        '{"a": 1, "a": 2}',
        "[" + "0," * 200_001 + "0]",
        b"\xff\xfe{}",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_json_that_cannot_be_meant(text: str | bytes) -> None:
    with pytest.raises(UntrustedJsonError):
        loads(text)


def test_brackets_inside_texts_are_no_depth() -> None:
    assert loads(json.dumps({"reason": "[" * 100})) == {"reason": "[" * 100}


BOMBS = {
    "billion laughs": '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY a{n} "{("&a%s;" % (n - 1 or "")) * 10}">' for n in range(1, 12))
    + "]><nvidia_smi_log><gpu><product_name>&a11;</product_name></gpu></nvidia_smi_log>",
    "external entity": '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    "<nvidia_smi_log><gpu><product_name>&x;</product_name></gpu></nvidia_smi_log>",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=list(BOMBS))
def test_xml_entities_are_never_expanded(sixdim: Sixdim, tmp_path: Path, bomb: str) -> None:
    (tmp_path / "smi.xml").write_text(bomb)
    code, out, err = sixdim("score", RUN, "--telemetry", tmp_path / "smi.xml")
    assert code == 2
    assert err.count("\n") == 1 and "smi.xml" in err
    assert "root:" not in out + err and "lollol" not in out + err


WATCHED = """
import os, sys
seen = []
QUIET = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
         "socket.bind", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
         "pty.spawn", "webbrowser.open", "pickle.find_class", "urllib.Request")
def hook(event, arguments):
    if event in QUIET:
        seen.append((event, repr(arguments)[:200]))
sys.addaudithook(hook)
from sixdim.tui.cli import main
for words in ["score"], ["score", "--json", "-"], ["replay", "--plain"], ["watch", "--plain"]:
    try:
        main([*words, sys.argv[1]])
    except SystemExit:
        pass
    print(*words, seen, file=sys.stderr)
"""


def test_no_command_is_run_and_no_network_is_reached(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    foreign = hostile_log("$(touch pwned) `touch pwned` http://127.0.0.1:9/ ; touch pwned")
    log.write_bytes(SAMPLE[:5000] + b"\n" + foreign.encode() + b"\n" + SAMPLE)
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(log)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )
    said = [line for line in done.stderr.splitlines() if line.endswith("]")]
    assert said == [*("score []", "score --json - []", "replay --plain []", "watch --plain []")], (
        done.stderr
    )
    assert not (ROOT / "pwned").exists()
