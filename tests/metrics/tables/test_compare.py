"""Comparisons: ratios computed here by hand, and what must never be divided."""

from __future__ import annotations

import json
import math
import re
import statistics
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.metrics.card.schema.card_json import card_from_json
from sixdim.metrics.tables.compare import compare
from sixdim.tui.export.comparison_text import reasons
from sixdim.tui.export.report.radar import point, radar

Sixdim = Callable[..., tuple[int, str, str]]
Card = dict[str, Any]
path = sample_logs.path
RUN, OTHER = path(sample_logs.RUN), path(sample_logs.REPEATS[0])


@pytest.fixture
def card(sample_card: Callable[..., Card]) -> Card:
    return sample_card(
        RUN,
        "--telemetry",
        f"power={path(sample_logs.POWER)}",
        "--telemetry",
        f"memory={path(sample_logs.MEMORY)}",
        "--repeat",
        *(path(name) for name in sample_logs.REPEATS),
        "--baseline",
        path(sample_logs.BASELINE),
    )


def changed(card: Card, **values: Any) -> Card:
    copy: Card = json.loads(json.dumps(card))
    for name, value in values.items():
        dimension, _, key = name.partition("__")
        copy["dimensions"][dimension][key or "value"] = value
    return copy


def ratios(base: Card, other: Card) -> dict[str, Any]:
    cards = [card_from_json(c) for c in (base, other)]
    data: Any = compare(cards, ["A", "B"]).to_json(cards)
    return {name: row["ratios"][1] for name, row in data["figures"].items()}


def test_outward_is_better_on_every_axis(card: Card) -> None:
    other = changed(card, speed=6000.0, power=200.0, memory=15335.3, stability=0.8, linearity=0.9)
    found = {name: r["value"] for name, r in ratios(card, other).items()}
    assert found["speed"] == 6000.0 / 4938.923798404513
    assert found["power"] == 165.6 / 200.0  # 1/power
    assert found["memory"] == 2.0  # 1/memory
    assert found["stability"] == 0.8
    assert found["accuracy"] == 1.0
    base = card["dimensions"]["linearity"]["value"]
    assert found["linearity"] == 0.9 / base


def test_an_error_rate_counts_the_other_way_round(card: Card) -> None:
    wer = {"accuracy": 4.0, "accuracy__metric": "wer", "accuracy__lower_is_better": True}
    better = {**wer, "accuracy": 2.0}
    assert ratios(changed(card, **wer), changed(card, **better))["accuracy"]["value"] == 2.0


@pytest.mark.parametrize(
    ("change", "figure", "says"),
    [
        ({"speed__unit": "seq/s"}, "speed", "units differ: seq/s, the reference has img/s"),
        ({"speed__scope": "per device"}, "speed", "scopes differ"),
        ({"speed__protocol": "ai-rank"}, "speed", "protocols differ"),
        ({"accuracy__metric": "acc5"}, "accuracy", "metrics differ: acc5"),
        ({"linearity__by": "node"}, "linearity", "ways of counting differ"),
        ({"power__unit": "kW"}, "power", "units differ"),
    ],
)
def test_unlike_figures_are_said_and_never_divided(
    card: Card, change: dict[str, str], figure: str, says: str
) -> None:
    found = ratios(card, changed(card, **change))
    assert found[figure]["value"] is None
    assert says in found[figure]["reason"]
    assert found["memory"]["value"] == 1.0


def test_a_figure_of_nothing_has_no_ratio(card: Card) -> None:
    found = ratios(changed(card, stability=0.0), card)
    assert found["stability"] == {"value": None, "reason": "no ratio to a figure of 0 or less"}
    assert ratios(card, changed(card, stability=0.0))["stability"]["value"] == 0.0


def test_beyond_means_more_than_two_standard_deviations(card: Card) -> None:
    values = [4910.795658460139, 4980.222383258538, 5032.905842259754, 4925.753353494863]
    values.append(4845.4628560647725)
    limit = 2 * math.sqrt(2) * statistics.stdev(values)  # 198.6 img/s: 4.0 %
    speed = card["dimensions"]["speed"]["value"]
    assert ratios(card, changed(card, speed=speed + limit - 0.01))["speed"]["scatter"] == "within"
    assert ratios(card, changed(card, speed=speed + limit + 0.01))["speed"]["scatter"] == "beyond"
    assert ratios(card, changed(card, speed=speed - limit - 0.01))["speed"]["scatter"] == "beyond"


def test_without_repeated_measurements_nothing_is_called_beyond(card: Card) -> None:
    single = changed(card, accuracy=1.0, stability__deviations={"a": 0.0}, power=1.0)
    found = ratios(card, single)
    assert found["accuracy"]["scatter"] == found["power"]["scatter"] == "unknown"


def test_two_logs_in_the_terminal(sixdim: Sixdim) -> None:
    code, out, err = sixdim("compare", RUN, OTHER)
    assert (code, err) == (0, "")
    # Epochs 6 to 10 of the second log, trimmed, by hand.
    found = re.findall(r"^Epoch: \[(?:6|7|8|9|10)\] Avg img/s: (\S+)$", OTHER.read_text(), re.M)
    trimmed = statistics.fmean(sorted(float(v) for v in found)[1:-1])
    (row,) = [line for line in out.splitlines() if line.startswith("  Speed ")]
    assert row.split() == [
        "Speed", "4938.9", "img/s", f"{trimmed:.1f}", "img/s",
        f"×{trimmed / 4938.923798404513:.3f}", "within",
    ]  # fmt: skip
    assert max(map(len, out.splitlines())) <= 100


def test_a_reference_of_its_own(sixdim: Sixdim) -> None:
    _code, out, _err = sixdim("compare", RUN, OTHER, "--reference", OTHER, "--json", "-")
    data = json.loads(out)
    assert data["reference"] == 1
    first, second = data["figures"]["speed"]["ratios"]
    assert second["value"] == 1.0
    assert first["value"] == 4938.923798404513 / data["figures"]["speed"]["values"][1]
    _code, out, _err = sixdim(
        "compare", RUN, "--reference", path(sample_logs.SCALED), "--json", "-"
    )
    data = json.loads(out)
    assert [r["log"] for r in data["runs"]] == [sample_logs.SCALED, sample_logs.RUN]


def test_cards_and_logs_give_the_same_comparison(sixdim: Sixdim, tmp_path: Path) -> None:
    both = tmp_path / "cards.json"
    sixdim("score", RUN, OTHER, "--json", both)
    assert sixdim("compare", both, "--json", "-") == sixdim("compare", RUN, OTHER, "--json", "-")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([RUN], "two runs or more"),
        ([RUN, "/nowhere.log"], "no log nowhere.log"),
        ([RUN, OTHER, "--telemetry", "x.csv"], "--telemetry belongs to one run"),
        ([RUN, OTHER, "--json", "-", "--svg", "-"], "cannot share standard output"),
    ],
)
def test_what_cannot_be_compared(sixdim: Sixdim, words: list[object], says: str) -> None:
    code, out, err = sixdim("compare", *words)
    assert (code, out) == (2, "")
    assert says in err and len(err.splitlines()) == 1


def test_the_radar_draws_the_ratios(card: Card) -> None:
    other = changed(card, speed=4938.923798404513 * 2, power=None)
    other["dimensions"]["power"] |= {"state": "unknown", "reason": "no readings"}
    cards = [card_from_json(c) for c in (card, other)]
    drawn = ET.fromstring(str(radar(compare(cards, ["A", "B"]))))
    space = "{http://www.w3.org/2000/svg}"
    dots = {
        (dot.findtext(f"{space}title") or "").partition(":")[0]: (
            float(dot.get("cx", "nan")),
            float(dot.get("cy", "nan")),
        )
        for dot in drawn.iter(f"{space}circle")
    }
    assert set(dots) == {"B Speed", "B Stability", "B Linearity", "B Accuracy", "B Memory"}
    assert dots["B Speed"] == pytest.approx(point(0, 2.0, 2.0), abs=0.01)
    centre_x, centre_y = 200.0, 204.0
    assert dots["B Speed"][0] == pytest.approx(centre_x, abs=0.01)
    # Speed lies at ratio 2 of an outer ring of 2, memory at half of that.
    whole = centre_y - dots["B Speed"][1]
    memory = math.dist(dots["B Memory"], (centre_x, centre_y))
    assert memory == pytest.approx(whole / 2, abs=0.01)
    # Without a power figure there is no closed area, and no line to its axis.
    assert not [p for p in drawn.iter(f"{space}polygon") if "area" in p.get("class", "")]
    assert "n/a" in [t.text for t in drawn.iter(f"{space}text")]


@pytest.mark.parametrize(("lacking", "who"), [("a", "A"), ("b", "B"), ("bc", "B, C")])
def test_a_figure_that_is_missing_is_said_of_the_run_that_lacks_it(
    card: Card, lacking: str, who: str
) -> None:
    without = changed(card, power=None)
    without["dimensions"]["power"] |= {"state": "unknown", "reason": "no readings"}
    cards = [card_from_json(without if name in lacking else card) for name in "abc"]
    said = [text for text in reasons(compare(cards, ["a", "b", "c"])) if text.startswith("Power")]
    assert said == [f"Power, {who}: no readings"]


def test_svg_is_a_file_of_its_own(sixdim: Sixdim, tmp_path: Path) -> None:
    out = tmp_path / "radar.svg"
    assert sixdim("compare", RUN, OTHER, "--svg", out)[0] == 0
    root = ET.parse(out).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in out.read_text()


def test_markdown_has_the_same_columns_everywhere(sixdim: Sixdim) -> None:
    _code, out, _err = sixdim("compare", RUN, OTHER, path(sample_logs.SCALED), "--markdown", "-")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7}
    assert out.startswith("# Comparison\n")


def test_throughputs_by_different_rules_are_not_divided(sixdim: Sixdim, tmp_path: Path) -> None:
    cards = (tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.json")
    rule = ("--protocol", "paddle-tipc")
    sixdim("score", RUN, *rule, "--json", cards[0])
    sixdim("score", RUN, *rule, "--skip", "5", "--json", cards[1])
    sixdim("score", RUN, *rule, "--json", cards[2])
    _code, out, _err = sixdim("compare", *cards, "--json", "-")
    first, other, same = json.loads(out)["figures"]["speed"]["ratios"]
    assert first["value"] == same["value"] == 1.0
    assert other["value"] is None and "differ" in other["reason"]


def test_a_report_names_the_rule_over_records(sixdim: Sixdim) -> None:
    _code, text, _err = sixdim("score", RUN, "--protocol", "paddle-tipc", "--json", "-")
    speed = json.loads(text)["dimensions"]["speed"]
    _code, out, _err = sixdim("report", RUN, "--protocol", "paddle-tipc", "-o", "-")
    assert f"<dd>{speed['rule']}</dd>" in out
    assert f"<dd>{speed['source']}</dd>" in out


def test_the_reference_has_its_ring_where_runs_are_nearly_alike(card: Card) -> None:
    cards = [card_from_json(c) for c in (card, changed(card, speed=4900.0))]
    rings = [
        shape
        for shape in ET.fromstring(str(radar(compare(cards, ["A", "B"])))).iter()
        if "reference" in shape.get("class", "") and shape.tag.endswith("polygon")
    ]
    assert len(rings) == 1, "the dashed ring of ratio 1, inside an outer ring of 1.25"
    top = rings[0].get("points", "").split()[0]
    assert top == "200.00,114.40", "204 - 112 / 1.25"


def notes(base: Card, other: Card) -> tuple[str, ...]:
    return compare([card_from_json(c) for c in (base, other)], ["A", "B"]).notes


def test_only_what_differs_is_noted(card: Card) -> None:
    assert notes(card, card) == ()
    other = changed(card, speed__window=[1, 2])
    other["run"]["precision"] = "bf16"
    other["target"] = None
    precision, target = card["run"]["precision"], card["target"]["condition"]
    assert notes(card, other) == (
        f"precisions differ: {precision}, bf16",
        f"targets differ: {target}, none",
        "speed windows differ: epochs [6, 7, 8, 9, 10]; [1, 2]",
    )
