"""Every named rule and the flags that change it, against sums done here by hand."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.print_rule import as_printed
from sixdim.metrics.values.protocol import Protocol
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.dlperf_logs import mindspore, ngc_pytorch

Cards = Callable[..., dict[str, Any]]
Sixdim = Callable[..., tuple[int, str, str]]
IPS = [100.0 + (i * 37) % 50 for i in range(60)]


@pytest.fixture
def paddle(tmp_path: Path) -> Path:
    """Sixty lines of PaddleClas with the speeds of `IPS`."""
    path = tmp_path / "clas_N1C8.log"
    lines = [
        f"[2023/07/28 06:{44 + i // 60:02}:{i % 60:02}] ppcls INFO: [Train][Epoch 1/120]"
        f"[Iter: {i * 10}/5005]lr: 0.10000, top1: 0.00100, CELoss: 7.00000, loss: 7.00000, "
        f"batch_cost: 0.30000s, reader_cost: 0.10000, ips: {ips:.5f} images/sec, eta: 1:02:03"
        for i, ips in enumerate(IPS)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def speed(card: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = card["dimensions"]["speed"]
    return found


def test_tipc_skips_sorts_trims_and_scales_to_the_job(paddle: Path, card_of: Cards) -> None:
    figure = speed(card_of(paddle, "--protocol", "paddle-tipc"))
    kept = sorted(IPS[10:])[5:-5]  # 5 % of 50 is 2, and the rule drops at least 5
    assert figure["value"] == pytest.approx(8 * statistics.fmean(kept), rel=1e-12)
    assert figure["printed"] == f"{8 * statistics.fmean(kept):.3f}"
    assert (figure["records"], figure["skipped"], figure["kept"]) == (60, 10, 50)
    assert (figure["trimmed"], figure["scale"], figure["scope"]) == (10, "8 devices", "job")
    assert figure["state"] == "final"


def test_tipc_gives_nothing_where_too_few_records_remain(paddle: Path, card_of: Cards) -> None:
    for skip, needs in (("50", 61), ("10000", 10011)):
        figure = speed(card_of(paddle, "--protocol", "paddle-tipc", "--skip", skip))
        assert figure["value"] is None
        assert figure["reason"] == f"60 records, and the protocol needs {needs}"
    assert speed(card_of(paddle, "--protocol", "paddle-tipc", "--skip", "49"))["value"]


@pytest.mark.parametrize(
    ("flags", "value"),
    [
        (("--skip", "59"), IPS[59]),
        (("--skip", "60"), None),
        (("--skip", "61"), None),
        (("--skip", "30", "--skip-end", "29"), IPS[30]),
        (("--skip", "30", "--skip-end", "30"), None),
        (("--skip-end", "59"), IPS[0]),
        (("--skip-end", "60"), None),
        (("--skip-end", "61"), None),
    ],
)
def test_a_window_without_a_record_has_no_speed(
    paddle: Path, card_of: Cards, flags: tuple[str, ...], value: float | None
) -> None:
    card = card_of(paddle, "--protocol", "custom", *flags)
    assert speed(card)["value"] == value
    if value is None:
        assert "60 records" in speed(card)["reason"]
        assert speed(card)["records"] == 60
        assert "lines" not in card["evidence"].get("speed", {})


def test_a_figure_that_no_record_has_is_the_figure_of_none(paddle: Path, card_of: Cards) -> None:
    figure = speed(card_of(paddle, "--protocol", "custom", "--metric", "train.total_ips"))
    assert (figure["value"], figure["records"]) == (None, 0)
    assert figure["reason"] == "the log has no iteration record of train.total_ips"


@pytest.mark.parametrize(
    ("flags", "value"),
    [
        ((), statistics.fmean(IPS)),
        (("--skip", "3"), statistics.fmean(IPS[3:])),
        (("--skip", "3", "--skip-end", "4"), statistics.fmean(IPS[3:-4])),
        (("--skip", "3", "--take", "7"), statistics.fmean(IPS[3:10])),
        (("--take-end", "9"), statistics.fmean(IPS[-9:])),
        (("--trim", "1"), statistics.fmean(sorted(IPS)[1:-1])),
        (("--trim", "10%"), statistics.fmean(sorted(IPS)[6:-6])),
        (("--trim", "1%,4"), statistics.fmean(sorted(IPS)[4:-4])),
        (("--reduce", "median"), statistics.median(IPS)),
        (("--reduce", "last"), IPS[-1]),
        (("--reduce", "max"), max(IPS)),
        (("--scale", "2x3.5"), 7 * statistics.fmean(IPS)),
        (("--inverse", "each"), statistics.fmean(1 / ips for ips in IPS)),
        (("--metric", "batch_cost|duration", "--inverse", "mean", "--scale", "64"), 64 / 0.3),
        (("--metric", "duration", "--inverse", "mean", "--scale", "64"), 64 / 0.3),
        # Sixty lines a second apart, ten steps between two of them.
        (("--skip", "10", "--reduce", "elapsed", "--scale", "10x256"), 2560.0),
    ],
)
def test_a_custom_rule_is_the_sentence_its_flags_say(
    paddle: Path, card_of: Cards, flags: tuple[str, ...], value: float
) -> None:
    figure = speed(card_of(paddle, "--protocol", "custom", *flags))
    assert figure["value"] == pytest.approx(value, rel=1e-12)
    assert figure["protocol"] == " ".join(("custom", *flags))
    derived = {"--inverse", "elapsed"} & {*flags}
    assert figure["unit"] == ("samples/s" if derived else "img/s")


@pytest.mark.parametrize(("skip", "lines"), [("0", [1, 60]), ("10", [10, 60])])
def test_time_passes_from_the_last_line_skipped_else_from_the_first(
    paddle: Path, card_of: Cards, skip: str, lines: list[int]
) -> None:
    card = card_of(paddle, "--protocol", "custom", "--reduce", "elapsed", "--skip", skip)
    assert card["evidence"]["speed"]["lines"] == lines


@pytest.mark.parametrize(
    ("flags", "state", "kept"),
    [
        (("--skip", "10", "--take", "50"), "final", 50),
        (("--skip", "10", "--take", "51"), "short", 50),
        (("--take-end", "60"), "final", 60),
        (("--take-end", "61"), "short", 60),
        (("--trim", "29"), "final", 60),
        (("--trim", "30"), "short", 60),
    ],
)
def test_a_window_with_as_many_records_as_the_rule_takes_is_full(
    paddle: Path, card_of: Cards, flags: tuple[str, ...], state: str, kept: int
) -> None:
    figure = speed(card_of(paddle, "--protocol", "custom", *flags))
    assert (figure["state"], figure["kept"]) == (state, kept)


def plain(*lines: tuple[int, int, float]) -> str:
    """Lines of PaddleClas without a clock: of these epochs, steps and speeds."""
    return "".join(
        f"ppcls INFO: [Train][Epoch {epoch}/9][Iter: {step}/50]"
        f"lr: 0.1, loss: 7.0, ips: {ips} img/s\n"
        for epoch, step, ips in lines
    )


def test_records_of_epochs_that_begin_again_are_those_of_the_second_time(
    tmp_path: Path, card_of: Cards
) -> None:
    path = tmp_path / "resumed.log"
    speeds = {1: 100.0, 2: 50.0, 3: 20.0}
    first = [(epoch, step, ips) for epoch, ips in speeds.items() for step in range(3)]
    path.write_text(plain(*first, *((2, step, 400.0) for step in range(3))))
    figure = speed(card_of(path, "--protocol", "custom"))
    assert (figure["records"], figure["value"]) == (6, (3 * 100 + 3 * 400) / 6)


@pytest.mark.parametrize(
    ("rule", "state"),
    [
        ({"take": 40}, "final"),
        ({"take": 41}, "running"),
        ({"take_end": 40}, "running"),
        ({}, "running"),
    ],
)
def test_a_full_window_is_final_in_a_running_log_if_no_further_line_is_of_it(
    rule: dict[str, Any], state: str
) -> None:
    custom = PROTOCOLS["custom"]._replace(**rule)
    session = Session("t.log", Settings(protocol=custom), formats())
    session.feed(plain(*((1, step, 100.0) for step in range(40))).encode())
    assert session.card().dimensions["speed"].state == state


def test_evidence_is_the_range_of_the_window(paddle: Path, card_of: Cards) -> None:
    card = card_of(paddle, "--protocol", "custom", "--skip", "10", "--take", "20")
    assert card["evidence"]["speed"] == {"lines": [11, 30], "count": 20}


def test_a_scale_that_is_not_known_is_asked_for(tmp_path: Path, card_of: Cards) -> None:
    path = tmp_path / "plain.log"
    path.write_text(
        "".join(
            "[2023/07/28 06:44:43] ppcls INFO: [Train][Epoch 1/120]"
            f"[Iter: {i}/5005]lr: 0.1, loss: 7.0, ips: 100.0 images/sec\n"
            for i in range(40)
        )
    )
    figure = speed(card_of(path, "--protocol", "paddle-tipc"))
    assert figure["value"] is None and "--devices N" in figure["reason"]
    assert figure["unscaled"] == 100.0
    assert speed(card_of(path, "--protocol", "paddle-tipc", "--devices", 4))["value"] == 400.0


@pytest.mark.parametrize(
    ("scale", "flags", "factor"),
    [
        ("batch", ("--devices", 8, "--global-batch", 256), 32),
        ("batch", ("--devices", 8, "--global-batch", 260), None),
        ("global-batch", ("--devices", 8, "--batch", 32), 256),
        ("cards", ("--devices", 8, "--nodes", 2), 4),
        ("cards", ("--devices", 8, "--nodes", 3), None),
    ],
)
def test_a_factor_that_is_not_given_follows_from_the_others(
    tmp_path: Path, card_of: Cards, scale: str, flags: tuple[str | int, ...], factor: int | None
) -> None:
    path = tmp_path / "plain.log"
    path.write_text(plain(*((1, step, 100.0) for step in range(3))))
    figure = speed(card_of(path, "--protocol", "custom", "--scale", scale, *flags))
    assert figure["value"] == (None if factor is None else 100.0 * factor)


@pytest.mark.parametrize(("nodes", "cards"), [(1, 1), (1, 8), (4, 8)])
def test_mindspore_over_the_lines_of_every_rank(
    tmp_path: Path, card_of: Cards, nodes: int, cards: int
) -> None:
    path = tmp_path / f"{nodes}n{cards}g" / "rn50_b128_fp32_1.log"
    mindspore(path, 370.25 * cards, nodes, cards, 128)
    figure = speed(card_of(path, "--protocol", "dlperf-mindspore"))
    assert float(figure["printed"]) == pytest.approx(370.25 * cards, abs=0.011)
    assert (figure["records"], figure["kept"]) == (21 * nodes * cards, 10 * nodes * cards)


def test_ngc_pytorch_reads_the_clock_of_two_lines(tmp_path: Path, card_of: Cards) -> None:
    path = tmp_path / "1n8g" / "r50_b256_amp_3.log"
    ngc_pytorch(path, 6154.66, 1, 8, 256)
    card = card_of(path, "--protocol", "dlperf-ngc-pytorch")
    assert speed(card)["printed"] == "6154.66"
    # Iterations 25 and 125, each on the first of its two lines.
    assert card["evidence"]["speed"]["lines"] == [49, 249]
    assert card["run"]["sources"]["devices"] == "name"


def test_a_run_that_ends_before_the_window_says_so(tmp_path: Path, card_of: Cards) -> None:
    path = tmp_path / "1n1g" / "r50_b256_fp32_1.log"
    ngc_pytorch(path, 360.0, 1, 1, 256)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:200]))
    figure = speed(card_of(path, "--protocol", "dlperf-ngc-pytorch"))
    assert figure["state"] == "short"
    assert figure["reason"] == "75 records where the protocol takes 100"


@pytest.mark.parametrize(
    ("value", "rule", "shown"),
    [
        (790.0333333, "%.6g", "790.033"),
        (286004.883323, "%.6g", "286005"),
        (5055.566265, "truncate 2", "5055.56"),
        (-1.99, "truncate 0", "-1"),
        (393.561114, "round 3", "393.561"),
        (0.1, "", "0.1"),
    ],
)
def test_print_rules(value: float, rule: str, shown: str) -> None:
    assert as_printed(value, rule) == shown


def test_every_named_rule_has_a_source_a_sentence_and_a_rule_for_printing(sixdim: Sixdim) -> None:
    code, out, _err = sixdim("protocols")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(PROTOCOLS)
    for protocol in PROTOCOLS.values():
        assert protocol.source in sixdim("protocols", protocol.name)[1]
        assert as_printed(0.5, protocol.prints)  # raises where the rule is none
        assert protocol.metrics()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--protocol", "best"), "no protocol 'best'"),
        (("--trim", "60%"), "below 50%"),
        (("--trim", "x"), "--trim 'x'"),
        (("--scale", "gpus"), "'gpus' is neither a number nor one of devices"),
        (("--scale", "0"), "'0' is neither"),
        (("--metric", "|"), "--metric needs a name"),
        (("--skip", "-1"), "not a whole number"),
        (("--take", "0"), "--take: 0 records give no figure"),
        (("--take-end", "0"), "--take-end: 0 records give no figure"),
        (("--trim", "3"), "--trim 3 at each end leaves none of 5 records"),
        (("--trim", "2", "--window", "6:9"), "--trim 2 at each end leaves none of 4 records"),
        # Flags that a window of epoch labels does not heed are refused, not ignored.
        (("--scale", "2"), "--scale needs records"),
        (("--metric", "loss"), "--metric needs records"),
        (("--inverse", "each"), "--inverse needs records"),
        (("--reduce", "elapsed"), "--reduce needs records"),
        (("--records", "epoch", "--window", "6:10", "--scale", "2"), "--scale needs records"),
        (("--target", ""), "--target: its value is empty"),
        (("--protocol", "custom", "--window", "6:10"), "--skip and --take are its window"),
    ],
)
def test_a_flag_that_cannot_be_read_is_one_clear_line(
    paddle: Path, sixdim: Sixdim, flags: tuple[str, ...], message: str
) -> None:
    code, out, err = sixdim("score", paddle, *flags)
    assert (code, out) == (2, "")
    assert message in err


def test_records_are_stored_only_where_a_rule_reads_them() -> None:
    from sixdim.metrics.fold.runs.run import Run
    from sixdim.parsers.events import Iteration, Origin

    def records(protocol: Protocol) -> int:
        run = Run(Settings(protocol=protocol))
        for step in range(500):
            run.apply(Iteration(Origin(step + 1, 0), 0, step, throughput=1.0))
        return sum(len(track) for track in run.records.tracks.values())

    assert records(PROTOCOLS["deepspark"]) == 0
    assert records(PROTOCOLS["paddle-tipc"]) == 500


def test_the_time_of_a_run_without_a_closing_line_says_its_first_and_last_line(
    paddle: Path, sixdim: Sixdim
) -> None:
    code, out, _err = sixdim("score", paddle, "--protocol", "mlperf")
    (said,) = (line for line in out.splitlines() if line.lstrip().startswith("speed"))
    assert code == 0
    assert f"{59 / 60:.4f}" in said  # the clocks of 60 lines, a second apart
    assert said.endswith("[lines 1, 60]")
