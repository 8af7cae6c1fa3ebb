"""`sixdim.score` and `sixdim.read` from Python: the card of the command, the log as columns."""

from __future__ import annotations

import gc
import gzip
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sixdim
from sixdim import sample_logs

Sixdim = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)
CASES = [
    ({}, ()),
    ({"window": (20, 24)}, ("--window", "20:24")),
    ({"target": "acc1>=76", "devices": 4}, ("--target", "acc1>=76", "--devices", 4)),
    ({"protocol": "paddle-tipc"}, ("--protocol", "paddle-tipc")),
    (
        {
            "baseline": sample_logs.path(sample_logs.BASELINE),
            "repeat": [sample_logs.path(name) for name in sample_logs.REPEATS],
            "telemetry": f"power={sample_logs.path(sample_logs.POWER)}",
        },
        (
            *("--baseline", sample_logs.path(sample_logs.BASELINE)),
            *("--repeat", *(sample_logs.path(name) for name in sample_logs.REPEATS)),
            *("--telemetry", f"power={sample_logs.path(sample_logs.POWER)}"),
        ),
    ),
]


@pytest.mark.parametrize(("options", "words"), CASES, ids=lambda case: str(case)[:24])
def test_the_card_is_that_of_the_command_byte_for_byte(
    options: sixdim.Options, words: tuple[str, ...], sixdim_command: Sixdim
) -> None:
    _code, text, _err = sixdim_command("score", RUN, *words, "--json", "-")
    assert sixdim.score(RUN, **options).to_json() == text
    assert sixdim.read(RUN, **options).card.to_json() == text


@pytest.fixture
def sixdim_command(request: pytest.FixtureRequest) -> Sixdim:
    command: Sixdim = request.getfixturevalue("sixdim")
    return command


@pytest.mark.parametrize("name", [sample_logs.DIVERGED, sample_logs.CUT, sample_logs.BASELINE])
def test_reading_every_figure_changes_no_card(name: str) -> None:
    log = sample_logs.path(name)
    assert sixdim.read(log).card == sixdim.score(log)


def test_a_card_says_what_the_log_says() -> None:
    card = sixdim.score(RUN)
    assert (card.status, card.frozen) == (sixdim.Status.CONVERGED, True)
    assert (card.accuracy.value, card.accuracy.unit) == (77.36, "%")
    assert card.speed.state is sixdim.State.FINAL
    assert (card.linearity.value, card.linearity.state) == (None, sixdim.State.UNKNOWN)
    assert card.run["devices"] == 8
    assert card.run_time_s == 5 * 3600 + 6 * 60 + 3
    assert list(card.dimensions) == [
        *("speed", "accuracy", "linearity", "power", "memory", "stability")
    ]


def test_a_card_cannot_be_changed_through_what_it_gives() -> None:
    card = sixdim.score(RUN)
    text = card.to_json()
    card.to_dict()["dimensions"]["speed"]["value"] = 0
    card.run["sources"].clear()
    with pytest.raises(AttributeError):
        card.speed = card.power  # type: ignore[misc]  # it must not be possible
    with pytest.raises(TypeError):
        card.run["devices"] = 1  # type: ignore[index]  # nor this
    assert card.to_json() == text


def test_a_card_is_written_and_shown(tmp_path: Path, sixdim_command: Sixdim) -> None:
    card = sixdim.score(RUN)
    card.save(tmp_path / "card.json")
    assert json.loads((tmp_path / "card.json").read_text()) == card.to_dict()
    assert f"{card}\n" == sixdim_command("score", RUN)[1]
    assert repr(card).startswith("<sixdim.Card resnet50_amp_8card.log: converged, speed 4938.9")


def test_a_notebook_gets_a_table_in_which_nothing_of_the_log_is_markup(tmp_path: Path) -> None:
    log = tmp_path / "<b onload=x>.log"
    log.write_bytes(RUN.read_bytes())
    html = sixdim.score(log)._repr_html_()
    assert "4938.9 img/s" in html
    assert "<b onload" not in html
    assert "&lt;b onload" in html


def test_the_columns_are_what_a_search_of_the_log_finds() -> None:
    text = RUN.read_text()
    run = sixdim.read(RUN)
    rates = [float(found) for found in re.findall(r"\d/\d+\] .*?img/s: ([\d.]+)", text)]
    assert run.iterations.rows == len(rates)
    assert run.iterations["throughput"].tolist() == rates
    assert run.iterations.units["throughput"] == "img/s"
    top1 = [float(found) for found in re.findall(r"Acc@1 ([\d.]+)", text)]
    assert sorted({*run.evaluations["acc1"].tolist()}) == sorted({*top1})
    assert run.epochs["epoch"].tolist() == list(range(65))
    assert run.epochs["epoch"].dtype == np.int64
    lines = text.splitlines()
    for line, step in zip(run.iterations["line"][:50], run.iterations["step"][:50], strict=True):
        assert re.search(rf"\[ *{step}/\d+\]", lines[line - 1])


def test_an_unknown_number_is_distinguished_from_a_nan_of_the_log() -> None:
    run = sixdim.read(sample_logs.path(sample_logs.DIVERGED))
    loss = run.iterations["loss"]
    assert np.isnan(loss[-1])
    assert run.iterations.known("loss")[-1]
    assert np.isnat(run.iterations["time"]).all()
    assert not run.iterations.known("time").any()


def test_an_epoch_that_began_again_is_there_once(tmp_path: Path) -> None:
    head, *parts = re.split(r"(?m)^(?=Epoch: \[\d+\] +\[ *0/)", RUN.read_text())
    resumed = tmp_path / "resumed.log"
    resumed.write_text(head + "".join(parts[:4]) + "".join(parts[2:5]))
    run, once = sixdim.read(resumed), tmp_path / "once.log"
    once.write_text(head + "".join(parts[:5]))
    for name in ("epoch", "step", "throughput"):
        expected = sixdim.read(once).iterations[name]
        assert run.iterations[name].tolist() == expected.tolist()


def test_pieces_of_a_rotated_log_are_one_run(tmp_path: Path) -> None:
    data = RUN.read_bytes()
    for name, part in (("train.log.1", data[:100_000]), ("train.log", data[100_000:])):
        (tmp_path / name).write_bytes(part)
    whole = sixdim.score([tmp_path / "train.log.1", tmp_path / "train.log"])
    assert whole.provenance["sha256"] == sixdim.score(RUN).provenance["sha256"]


def test_errors_are_typed_and_have_one_line(tmp_path: Path) -> None:
    unknown = tmp_path / "prose.log"
    unknown.write_text("to be or not to be\n" * 100)
    cases: list[tuple[type[Exception], str, dict[str, object]]] = [
        (sixdim.LogError, "nowhere.log", {}),
        (sixdim.LogError, str(tmp_path), {}),
        (sixdim.LogError, str(RUN), {"baseline": "nowhere.log"}),
        (sixdim.FormatError, str(unknown), {}),
        (sixdim.FormatError, str(RUN), {"format": "megatron"}),
        (sixdim.OptionError, str(RUN), {"tarjet": "acc1>75"}),
        (sixdim.OptionError, str(RUN), {"target": "acc1"}),
        (sixdim.OptionError, str(RUN), {"devices": 0}),
        (sixdim.OptionError, str(RUN), {"devices": True}),
        (sixdim.OptionError, str(RUN), {"run": 2}),
        (sixdim.OptionError, str(RUN), {"window": (9, 3)}),
        (sixdim.OptionError, str(RUN), {"format": {"name": "Not A Name"}}),
    ]
    for kind, log, options in cases:
        with pytest.raises(kind) as caught:
            sixdim.score(log, **options)  # type: ignore[arg-type]  # wrong options are the point
        assert isinstance(caught.value, sixdim.SixdimError)
        assert "\n" not in str(caught.value)
    with pytest.raises(sixdim.FormatError) as found:
        sixdim.read(unknown)
    assert found.value.card.speed.value is None


def test_a_declared_format_is_an_option(tmp_path: Path) -> None:
    log = tmp_path / "own.log"
    log.write_text("".join(f"it {i} at {100 + i}.5 img/s\n" for i in range(40)))
    declared = {"name": "own", "iteration": "it {step:int} at {throughput:float} img/s"}
    run = sixdim.read(log, format={**declared, "unit": "img/s"})
    assert run.card.run["format"] == "own"
    assert run.iterations["throughput"].tolist() == [100.5 + i for i in range(40)]


def test_no_settings_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sixdim.toml").write_text('window = "20:24"\n')
    monkeypatch.chdir(tmp_path)
    assert sixdim.score(RUN).speed.details["window"] == [6, 7, 8, 9, 10]


def test_a_log_with_a_new_name_in_each_line_makes_a_bounded_table(tmp_path: Path) -> None:
    log = tmp_path / "many.log"
    lines = [f"step {i}/500 loss {i}.5 figure{i}: {i}.25\n" for i in range(500)]
    log.write_text("".join(lines))
    declared = {"name": "many", "iteration": "step {step:int}/{steps:int} loss {loss:float} ..."}
    assert sixdim.read(log, format=declared).iterations.rows == 500


def test_data_frames_where_the_packages_are_installed() -> None:
    run = sixdim.read(sample_logs.path(sample_logs.DIVERGED))
    pandas = pytest.importorskip("pandas")
    frame = run.iterations.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["throughput"].tolist() == run.iterations["throughput"].tolist()
    assert frame.attrs["units"]["throughput"] == "img/s"


def test_polars_has_null_where_a_value_is_unknown() -> None:
    pytest.importorskip("polars")
    run = sixdim.read(sample_logs.path(sample_logs.DIVERGED))
    frame = run.iterations.to_polars()
    assert frame["time"].null_count() == run.iterations.rows
    assert frame["loss"].null_count() == 0
    assert math.isnan(frame["loss"][-1])


def test_what_is_no_path_is_a_type_error(tmp_path: Path) -> None:
    """An open file was read as a list of paths, one a line."""
    with RUN.open() as file:
        for wrong in (file, None, 5, bytes(RUN), [bytes(RUN)]):
            with pytest.raises(TypeError, match="path"):
                sixdim.score(wrong)  # type: ignore[arg-type]
    for empty in ([], "", "a\0b", [""]):
        with pytest.raises(sixdim.OptionError):
            sixdim.score(empty)
    with pytest.raises(sixdim.LogError, match="too long"):
        sixdim.score("x" * 5000)
    assert sixdim.score([RUN]).speed.value == sixdim.score(str(RUN)).speed.value


@pytest.mark.filterwarnings("error")
def test_a_card_or_an_archive_is_no_log_to_wait_for(tmp_path: Path) -> None:
    card, packed = tmp_path / "card.json", tmp_path / "train.log.gz"
    sixdim.score(RUN).save(card)
    packed.write_bytes(gzip.compress(RUN.read_bytes()))
    for call in (sixdim.score, sixdim.read, sixdim.watch):
        with pytest.raises(sixdim.LogError, match=r"card\.json is a card, not a log"):
            call(card)
    assert sixdim.score(packed).speed.value == sixdim.score(RUN).speed.value
    with pytest.raises(sixdim.LogError, match=r"compressed, so it does not grow: sixdim replay"):
        sixdim.watch(packed)
    packed.write_bytes(packed.read_bytes()[:1000])
    with pytest.raises(sixdim.LogError, match="damaged"):
        sixdim.score(packed)
    gc.collect()  # a file that was left open would be a warning
