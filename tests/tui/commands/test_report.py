"""The report: complete, self-contained, inert; seen by a real browser where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.tui.export.report.chart import Pixels
from tests.support.processes.browser import DARK, Browser, browser, listening

__all__ = ["browser"]

Sixdim = Callable[..., tuple[int, str, str]]
path = sample_logs.path
RUN = path(sample_logs.RUN)
WHOLE = (
    "--scaled",
    path(sample_logs.SCALED),
    "--baseline",
    path(sample_logs.BASELINE),
    "--repeat",
    *(path(name) for name in sample_logs.REPEATS),
    "--telemetry",
    f"power={path(sample_logs.POWER)}",
    "--telemetry",
    f"memory={path(sample_logs.MEMORY)}",
)


class Page(HTMLParser):
    """What stands in a document: its tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._hidden = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._hidden += tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag == "style"

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.texts.append(data.strip())


@pytest.fixture(scope="module")
def _made() -> list[bytes]:
    return []


@pytest.fixture
def report(sixdim: Sixdim, tmp_path: Path, _made: list[bytes]) -> Path:
    """The report of the worked example, written once for all tests of this module."""
    out = tmp_path / "report.html"
    if _made:
        out.write_bytes(_made[0])
        return out
    code, said, err = sixdim(
        "report", RUN, *WHOLE, "--reference", path(sample_logs.REPEATS[0]), "-o", out
    )
    assert (code, said, err) == (0, "", "")
    _made.append(out.read_bytes())
    return out


def test_it_shows_the_six_figures_and_the_lines_they_rest_on(report: Path) -> None:
    text = " ".join(Page(report.read_text()).texts)
    for shown in ("4938.9", "77.36", "0.960", "165.6", "30670.6", "1.000", "4535.0", "CONVERGED"):
        assert shown in text
    assert "(4910.80 + 4980.22 + 4925.75) / 3 = 4938.92 img/s" in text
    assert "(2575.53 / 8) / (335.41 / 1) = 0.9599" in text
    assert "1281167 x 65 / 18363 s = 4534.98 img/s" in text
    lines = RUN.read_text().split("\n")
    for number in (297, 338, 379, 420, 461, 2678, 2681):
        assert lines[number - 1].strip() in text


def test_the_chart_has_a_point_for_every_epoch(report: Path) -> None:
    titles = re.findall(r"<title>epoch (\d+): (\d+\.\d\d)</title>", report.read_text())
    printed = re.findall(r"^Epoch: \[(\d+)\] Avg img/s: (\S+)$", RUN.read_text(), re.MULTILINE)
    expected = {(label, f"{float(value):.2f}") for label, value in printed}
    assert expected <= set(titles)


def test_it_refers_to_nothing_outside_itself(report: Path) -> None:
    page = Page(report.read_text())
    assert {tag for tag, _ in page.tags}.isdisjoint(
        {"script", "link", "img", "iframe", "object", "embed", "form", "base", "a", "use", "image"}
    )
    for _, attributes in page.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        assert {"src", "href", "srcset", "xlink:href"}.isdisjoint(attributes)
    assert "url(" not in report.read_text() and "@import" not in report.read_text()
    policies = [a["content"] for tag, a in page.tags if "http-equiv" in a]
    assert len(policies) == 1 and str(policies[0]).startswith("default-src 'none'; style-src 'sha")


def test_the_same_bytes_give_the_same_report(sixdim: Sixdim, report: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    sixdim("report", RUN, *WHOLE, "--reference", path(sample_logs.REPEATS[0]), "-o", again)
    assert again.read_bytes() == report.read_bytes()


@pytest.mark.parametrize(
    "name", [sample_logs.DIVERGED, sample_logs.CUT, sample_logs.BASELINE, sample_logs.REPEATS[1]]
)
def test_every_sample_has_a_report(sixdim: Sixdim, name: str) -> None:
    code, out, _err = sixdim("report", path(name), "-o", "-")
    assert code == 0
    assert name in out and out.rstrip().endswith("</html>")


def test_a_fraction_and_an_unknown_figure_have_no_unit_beside_them(
    sixdim: Sixdim, tmp_path: Path
) -> None:
    log = tmp_path / "t.log"
    lines = [
        f"Iteration {step} (6.5 iter/s, 15.4s/100 iters), loss = 2.3\n"
        f"Iteration {step}, Testing net (#0)\n"
        "    Test net output #0: accuracy = 0.73\n"
        for step in range(100, 1000, 100)
    ]
    log.write_text("".join(lines))
    _code, out, _err = sixdim("report", log, "-o", "-")
    assert "0.7300" in out
    assert re.findall(r'class="unit">([^<]*)<', out) == [" it/s"]


def test_a_card_has_a_report_without_lines(sixdim: Sixdim, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    sixdim("score", RUN, "--json", card)
    code, out, _err = sixdim("report", card, "-o", "-")
    text = " ".join(Page(out).texts)
    assert code == 0
    assert "4938.9" in text and "charts and evidence lines need the log" in text
    assert "Lines 297, 338, 379, 420, 461 of resnet50_amp_8card.log" in text


def test_lines_written_after_the_reading_are_no_evidence(tmp_path: Path) -> None:
    from sixdim.tui.base.log_lines import cited

    log = tmp_path / "a.log"
    log.write_bytes(b"one\ntwo\rtwo again\nthr\x1b[31mee\nfour\n")
    assert cited(str(log), [1, 2, 3, 4], 19) == {1: "one", 2: "two two again", 3: "t"}
    assert cited(str(log), [3, 9], 999) == {3: "three"}


def hostile(value: Any, payload: str) -> Any:
    """Every text of a card followed by the payload, where the card stays a card."""
    spared = {"schema", "status", "state", "scope"}
    if isinstance(value, dict):
        return {
            key: inner if key in spared else hostile(inner, payload) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [hostile(inner, payload) for inner in value]
    return value + payload if isinstance(value, str) else value


PAYLOAD = (
    "\"'></title></style></svg></pre><script>document.title='owned'</script>"
    "<img src=HOST/img onerror=\"document.title='owned'\">"
    "<style>@import 'HOST/css';</style><svg onload=\"document.title='owned'\"></svg>"
)


@pytest.mark.parametrize("command", ["report", "compare"])
def test_a_hostile_card_injects_nothing(
    sixdim: Sixdim, browser: Browser, tmp_path: Path, command: str
) -> None:
    with listening() as (host, asked):
        payload = PAYLOAD.replace("HOST", host)
        _code, text, _err = sixdim("score", RUN, *WHOLE, "--json", "-")
        card = tmp_path / "card.json"
        card.write_text(json.dumps(hostile(json.loads(text), payload)))
        out = tmp_path / "out.html"
        words = (card, "-o", out) if command == "report" else (card, RUN, "--html", out)
        code, _said, err = sixdim(command, *words)
        assert code == 0, err
        assert "owned" in out.read_text()  # the text is there, as text
        dom = browser.dom(out)
        assert asked == []
        tags = {tag for tag, _ in Page(dom).tags}
        assert tags.isdisjoint({"script", "img"})
        assert "<title>owned" not in dom


@pytest.mark.slow
def test_a_page_that_does_not_escape_the_payload_runs_it(browser: Browser, tmp_path: Path) -> None:
    with listening() as (host, asked):
        page = tmp_path / "open.html"
        page.write_text(f"<!doctype html><title>t</title><p>{PAYLOAD.replace('HOST', host)}")
        assert "<title>owned" in browser.dom(page)
        assert asked


@pytest.mark.slow
def test_a_hostile_log_injects_nothing(sixdim: Sixdim, browser: Browser, tmp_path: Path) -> None:
    attack = "<script>document.title='owned'<\\script><img src=x onerror=document.title='owned'>"
    log = tmp_path / f"{attack}&amp;.log"
    lines = RUN.read_text().split("\n")
    with_attack = [f"{attack}\x1b]0;owned\x07", *lines[:300], attack, *lines[300:]]
    model = [line.replace("resnet50", "<script>document.title=1</script>") for line in with_attack]
    log.write_text("\n".join(model))
    out = tmp_path / "out.html"
    code, _said, err = sixdim("report", log, "-o", out)
    assert code == 0, err
    assert "\x1b" not in out.read_text()
    dom = browser.dom(out)
    assert {tag for tag, _ in Page(dom).tags}.isdisjoint({"script", "img"})
    assert "<title>owned" not in dom


@pytest.mark.slow
def test_it_has_a_picture_in_light_and_dark(browser: Browser, report: Path) -> None:
    assert browser.screenshot(report, 1280, 900) == (1280, 900)
    light = report.with_suffix(".1280.png").read_bytes()
    assert browser.screenshot(report, 1280, 900, DARK) == (1280, 900)
    assert report.with_suffix(".1280.png").read_bytes() != light


def test_its_charts_show_the_loss_and_the_time_of_each_epoch(report: Path) -> None:
    charts = re.findall(r'class="chart wide".*?</svg>', report.read_text(), re.DOTALL)
    points = {
        re.findall("<title>(.*?)</title>", chart)[0]: dict(
            re.findall(r"<title>epoch (\d+): (\S+)</title>", chart)
        )
        for chart in charts
    }
    text = RUN.read_text()
    seconds = [
        3600 * int(h) + 60 * int(m) + int(s)
        for h, m, s in re.findall(r"^Epoch time (\d+):(\d+):(\d+)", text, re.MULTILINE)
    ]
    last = {
        int(label): float(loss)
        for label, loss in re.findall(r"^Epoch: \[(\d+)\] .*? loss: (\S+) \(", text, re.MULTILINE)
    }
    assert [float(value) for value in points["Seconds per epoch"].values()] == seconds
    assert {int(k): float(v) for k, v in points["Loss"].items()} == last


def test_values_are_drawn_between_both_ends_of_their_axis() -> None:
    upwards = Pixels(0.0, 10.0, start=200.0, end=100.0)
    assert [upwards.at(value) for value in (0.0, 2.5, 10.0)] == [200.0, 175.0, 100.0]
    assert Pixels(5.0, 5.0, start=200.0, end=100.0).at(5.0) == 150.0


def test_training_and_evaluated_loss_share_a_chart_with_a_legend(
    sixdim: Sixdim, tmp_path: Path
) -> None:
    log = tmp_path / "gpt.log"
    log.write_text(
        "".join(
            f"iter {n}: loss {9 - n / 100:.4f}, time 250.00ms, mfu 30.00%\n"
            + (f"step {n}: train loss 5.1, val loss {8 - n / 100:.4f}\n" if n % 100 == 0 else "")
            for n in range(0, 500, 10)
        )
    )
    code, out, err = sixdim("report", log, "-o", "-")
    assert code == 0, err
    chart = next(c for c in re.findall(r"<svg.*?</svg>", out) if "<title>Loss</title>" in c)
    names = re.findall(r">([^<>]*loss)</text>", chart)
    assert {"loss", "val loss"} <= set(names)
    assert len(re.findall("<path", chart)) == len(names)
    assert "<title>mfu, %</title>" in out  # each further figure of the progress lines has a chart


SHAPES = {"line", "polyline", "polygon", "path", "circle", "rect", "text"}


@pytest.mark.parametrize("command", ["report", "compare"])
def test_every_shape_carries_its_colours(
    sixdim: Sixdim, report: Path, tmp_path: Path, command: str
) -> None:
    out = report
    if command == "compare":
        out = tmp_path / "radar.svg"
        sixdim("compare", RUN, path(sample_logs.SCALED), "--svg", out)
        assert "<style" not in out.read_text()  # converters know no variables
    shapes = [attributes for tag, attributes in Page(out.read_text()).tags if tag in SHAPES]
    assert len(shapes) > 20
    for attributes in shapes:
        colours = [attributes[name] for name in ("fill", "stroke") if name in attributes]
        assert colours and any(re.fullmatch("#[0-9a-f]{6}", str(colour)) for colour in colours)


def test_a_radar_of_its_own_has_a_ground_and_a_legend(sixdim: Sixdim, tmp_path: Path) -> None:
    out = tmp_path / "radar.svg"
    long = tmp_path / ("x" * 90 + ".log")
    long.write_bytes(RUN.read_bytes())
    sixdim("compare", RUN, path(sample_logs.SCALED), long, "--svg", out)
    page = Page(out.read_text())
    assert {"A", "B", "C", f"{RUN.name} (reference)", sample_logs.SCALED} <= set(page.texts)
    assert any(text.startswith("xxxx") and "…" in text for text in page.texts)
    size = next(attributes for tag, attributes in page.tags if tag == "svg")
    ground = next(attributes for tag, attributes in page.tags if tag == "rect")
    assert (ground["width"], ground["height"]) == (size["width"], size["height"])
    for tag, attributes in page.tags:
        if tag == "text":
            assert 12 <= float(str(attributes["y"])) <= float(str(size["height"])) - 3


def test_a_converter_paints_the_radar(sixdim: Sixdim, tmp_path: Path) -> None:
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("no rsvg-convert on this machine")
    out = tmp_path / "radar.svg"
    sixdim("compare", RUN, path(sample_logs.REPEATS[0]), "--svg", out)
    done = subprocess.run([program, out], capture_output=True, timeout=60, check=True)
    assert done.stdout[:4] == b"\x89PNG"
    assert len(done.stdout) > 8000  # with lines, letters and legend; black dots alone are half
