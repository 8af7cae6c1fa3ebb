"""`--against`: how far a run is behind or ahead of others, and where it falls out of their band."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sixdim.metrics.card.band import IN_A_ROW, band_notes
from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Note, Snapshot
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.base.gaps import epoch_gap, evaluation_gap, series_gap, time_words
from sixdim.tui.session.session import Session
from tests.support.inputs.torchvision_log import epoch
from tests.support.processes.live import card_of

Sixdim = Callable[..., tuple[int, str, str]]


def log(*accuracies: float, first: int = 0, speed: float = 100.0, seconds: int = 300) -> str:
    """Epochs from `first` on with these accuracies; a header, so that they are a run."""
    return "".join(
        epoch(label, speed, accuracy, seconds) for label, accuracy in enumerate(accuracies, first)
    )


def shot(text: str, name: str = "t.log", chunk: int = 1 << 20, **kwargs: object) -> Snapshot:
    session = Session(name, Settings(), formats(), keep=1, **kwargs)  # type: ignore[arg-type]  # keyword arguments of any type
    data = text.encode()
    for begin in range(0, len(data), chunk):
        session.feed(data[begin : begin + chunk])
        session.snapshot()
    session.end()
    return session.snapshot()


def curves(text: str, name: str = "base.log") -> RunCurves:
    return RunCurves(shot(text, name))


def last_gap(own: str, other: str) -> str:
    one = curves(own)
    return evaluation_gap(one, one.snapshot.evaluations[-1], curves(other)).full


BASE = log(50, 52, 54, 56, 58, 60, 62)


def test_the_gap_is_that_of_the_same_epoch() -> None:
    """At epoch 4: 55.9 beside 58 is 2.1 points; 5 x 240 s beside 5 x 300 s is 5 minutes."""
    run = log(47.9, 49.9, 51.9, 53.9, 55.9, speed=97.0, seconds=240)
    assert last_gap(run, BASE) == "2.1 points behind at the same epoch, 5 min ahead in time"
    own = curves(run)
    assert epoch_gap(own, own.epochs[4], curves(BASE)).full == "3 % behind at the same epoch"


def test_the_other_way_round_is_the_opposite() -> None:
    """At epoch 1: 1.5 points more; 2 x 360 s beside 2 x 300 s; 110 beside 100 images."""
    run = log(51, 53.5, speed=110.0, seconds=360)
    assert last_gap(run, BASE) == "1.5 points ahead at the same epoch, 2 min behind in time"
    own = curves(run)
    assert epoch_gap(own, own.epochs[1], curves(BASE)).brief == "10 % ahead"


def test_equal_runs_are_level() -> None:
    assert last_gap(log(50, 52), BASE) == "level at the same epoch, level in time"


def test_a_metric_where_lower_is_better_is_ahead_below() -> None:
    one = RunCurves(replace(shot(log(50, 50)), higher_is_better=False))
    said = evaluation_gap(one, one.snapshot.evaluations[-1], curves(BASE)).brief
    assert said == "2 points ahead"


def test_durations_in_few_whole_seconds_say_nothing_of_time() -> None:
    """19 s an epoch is up to 2.6 % wrong; from 20 s on it is said."""
    rough = last_gap(log(50, 51, seconds=19), log(50, 51, seconds=19))
    fine = last_gap(log(50, 51, seconds=20), log(50, 51, seconds=20))
    assert rough == "level at the same epoch"
    assert fine == "level at the same epoch, level in time"


def test_an_epoch_that_the_reference_has_not_is_unknown() -> None:
    assert last_gap(log(50, 52, 54), log(50, 52)) == "unknown: it has no evaluation at epoch 2"


def test_epochs_counted_from_0_and_from_1_are_not_the_same() -> None:
    said = last_gap(log(50, 52), log(50, 52, 54, first=1))
    assert said == "unknown: epochs count from 0 here, from 1 there"


def test_a_log_that_begins_later_has_no_time_in_common() -> None:
    """Its epochs are the same, but what came before them is not in the log."""
    said = last_gap(log(60, 62, first=5), BASE)
    assert said == "level at the same epoch"


def test_another_metric_is_unknown() -> None:
    other = RunCurves(replace(shot(BASE), metric="loss"))
    one = curves(log(50))
    said = evaluation_gap(one, one.snapshot.evaluations[-1], other).full
    assert said == "unknown: it has loss, not acc1"


def test_series_are_compared_over_the_latest_steps_of_both() -> None:
    """Two lines an epoch at steps 334 e and 334 e + 10, five epochs in common: the last of eight
    parts of ten places is one, that behind step 1336 up to 1346."""
    own = curves(log(50, 51, 52, 53, 54, speed=103.0))
    view = next(one for one in own.snapshot.series if one.name == "throughput")
    assert series_gap(own, view, curves(BASE)).full == "3 % higher, steps 1336–1346"
    assert series_gap(own, replace(view, name="x"), curves(BASE)).full == "unknown: it has no x"


def test_series_of_other_units_are_not_compared() -> None:
    own = curves(log(50, 51))
    view = next(one for one in own.snapshot.series if one.name == "throughput")
    said = series_gap(own, replace(view, unit=""), curves(BASE)).full
    assert said == "unknown: units differ (none, img/s)"


def test_without_durations_the_logs_clocks_say_how_far_a_run_is_in_time() -> None:
    """From 10 s on the clock, the evaluations come after 240 s and 300 s."""

    def clocked(second: int) -> RunCurves:
        found = shot(log(50))
        epochs = tuple(epoch._replace(duration=None) for epoch in found.epochs)
        (only,) = found.evaluations
        evaluations = (only._replace(time_us=second * 1_000_000),)
        return RunCurves(
            replace(found, epochs=epochs, evaluations=evaluations, clock_start_us=10_000_000)
        )

    one, other = clocked(250), clocked(310)
    said = evaluation_gap(one, one.snapshot.evaluations[0], other).full
    assert said == "level at the same epoch, 60 s ahead in time"


def stating(of: RunCurves, facts: dict[str, int]) -> RunCurves:
    card = of.snapshot.card
    return RunCurves(replace(of.snapshot, card=card._replace(run={**card.run, **facts})))


@pytest.mark.parametrize(
    ("here", "there", "of_steps", "of_epochs"),
    [
        (
            {"global_batch": 1024},
            {"global_batch": 512},
            "unknown: 1,024 samples in a step here, 512 there",
            "level at the same epoch, level in time",
        ),
        (
            {"samples_per_epoch": 1000},
            {"samples_per_epoch": 2000},
            "3 % higher, steps 1336–1346",
            "unknown: 1,000 samples in an epoch here, 2,000 there",
        ),
        (
            {"global_batch": 512, "samples_per_epoch": 1000},
            {},
            "3 % higher, steps 1336–1346",
            "level at the same epoch, level in time",
        ),
    ],
)
def test_steps_or_epochs_of_other_sizes_are_not_the_same_place(
    here: dict[str, int], there: dict[str, int], of_steps: str, of_epochs: str
) -> None:
    own = stating(curves(log(50, 52, 54, 56, 58, speed=103.0)), here)
    other = stating(curves(log(50, 52, 54, 56, 58)), there)
    view = next(one for one in own.snapshot.series if one.name == "throughput")
    assert series_gap(own, view, other).full == of_steps
    assert evaluation_gap(own, own.snapshot.evaluations[-1], other).full == of_epochs


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-300, "5 min ahead in time"),
        (119, "119 s behind in time"),
        (120, "2 min behind in time"),
        (3600, "1:00 h behind in time"),
        (-172_800, "2.0 days ahead in time"),
    ],
)
def test_a_time_is_said_in_the_unit_that_suits_it(seconds: float, said: str) -> None:
    assert time_words(seconds) == said


# The band


LOW, HIGH = log(50, 51, 52, 53, 54, 55), log(52, 53, 54, 55, 56, 57)
BAND = (curves(LOW, "low.log"), curves(HIGH, "high.log"))


def falls(*accuracies: float, **options: float) -> list[Note]:
    return band_notes(shot(log(*accuracies, **options)), BAND)  # type: ignore[arg-type]  # keyword arguments of any type


def test_three_evaluations_below_all_references_are_an_event() -> None:
    """Epochs 1 to 3 are below 51, 52 and 53; an epoch has five lines, its accuracy the fourth."""
    (note,) = falls(50, 50.9, 51.9, 52.9, 54)
    assert note.line == 3 * 5 + 4
    assert note.text == (
        "epoch 3: acc1 52.9 is below the lowest of 2 references (53, low.log), 3 times in a row"
    )


def test_two_are_none_and_the_count_begins_again_inside() -> None:
    assert IN_A_ROW == 3
    assert falls(50, 50.9, 51.9) == []
    assert falls(49, 50, 52, 52, 53) == []


def test_as_low_as_the_lowest_is_inside() -> None:
    assert falls(50, 51, 52, 53) == []


def test_it_is_said_once_until_the_run_is_inside_again() -> None:
    assert len(falls(0, 0, 0, 0, 0, 0)) == 1
    assert len(falls(0, 0, 0)) == 1


def test_where_one_reference_alone_has_a_figure_there_is_no_band() -> None:
    short = curves(log(52), "short.log")
    assert band_notes(shot(log(0, 0, 0, 0)), (BAND[0], short)) == []
    assert band_notes(shot(log(0, 0, 0, 0)), BAND[:1]) == []


def test_throughput_has_a_band_too() -> None:
    assert falls(50, 51, 52, 53, speed=100) == []
    (note,) = falls(50, 51, 52, 53, speed=99.5)
    assert note.text.startswith("epoch 2: throughput 99.5 is below the lowest of 2 references (100")


@pytest.mark.parametrize("chunk", [7, 100, 1 << 20])
def test_the_same_bytes_give_the_same_events(chunk: int) -> None:
    made = shot(log(50, 0, 0, 0, 54), chunk=chunk, references=BAND)
    assert [note.line for note in made.notes if note.kind == "behind"] == [19]
    assert made.behind == 19


def test_a_session_without_references_has_no_such_note() -> None:
    assert shot(log(0, 0, 0, 0)).behind == 0


# From the command line


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name, text in (("low.log", LOW), ("high.log", HIGH), ("run.log", log(50, 0, 0, 0, 54))):
        (tmp_path / name).write_text(text)
    return tmp_path


def against(logs: Path, *names: str) -> list[str]:
    return [word for name in names for word in ("--against", str(logs / name))]


def test_plain_says_it_of_every_epoch_and_reference(logs: Path, sixdim: Sixdim) -> None:
    flags = against(logs, "low.log", "high.log")
    _code, out, _err = sixdim("replay", logs / "run.log", "--plain", *flags)
    lines = out.splitlines()
    assert lines[1].endswith(
        "vs low.log: level at the same epoch, level in time; throughput level at the same epoch  "
        "vs high.log: 2 points behind at the same epoch, level in time; "
        "throughput level at the same epoch"
    )
    assert (
        "behind: epoch 3: acc1 0 is below the lowest of 2 references (53, low.log), "
        "3 times in a row (line 19)"
    ) in lines


def test_watching_prints_what_replaying_prints_and_runs_the_command_once(
    logs: Path, sixdim: Sixdim
) -> None:
    (logs / "run.log").write_text(log(50, 0, 0, 0, 54) + "Training time 0:25:00\n")
    flags = ("--plain", *against(logs, "low.log", "high.log"))
    hook = f'behind=echo "$SIXDIM_EVENT" >> {logs / "said"}'
    card = logs / "card.json"
    watched = sixdim("watch", logs / "run.log", "--no-gpus", "--json", card, "--on", hook, *flags)
    replayed = sixdim("replay", logs / "run.log", *flags)
    assert watched[:2] == replayed[:2]
    code, out, _err = watched
    assert code == 0 and "behind: epoch 3" in out
    assert (logs / "said").read_text() == "behind\n"


def test_a_card_stands_for_what_it_holds(logs: Path, sixdim: Sixdim) -> None:
    """A card has the speeds of its window, epochs 6 to 10, and the last evaluation."""
    (logs / "long.log").write_text(log(*range(50, 62)))
    card = logs / "long.json"
    assert sixdim("score", logs / "long.log", "--json", card)[0] == 0
    (logs / "run.log").write_text(log(*range(52, 64), speed=102.0))
    _code, out, _err = sixdim("replay", logs / "run.log", "--plain", "--against", card)
    fifth, sixth, *_, last = out.splitlines()[6:13]
    nothing = "it has no evaluation at epoch 5; throughput unknown: it has none of epoch 5"
    assert fifth.endswith(nothing)
    assert sixth.endswith("throughput 2 % ahead at the same epoch")
    assert "long.json: 2 points ahead at the same epoch; throughput unknown" in last


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "missing.log"], "--against: no log missing.log"),
        (["--against", "run.log"], "is the log itself"),
        (["--against", "./run.log"], "is the log itself"),
        (["--against", "words.log"], "no known log format, and not a card"),
        (["--against", "-"], "a reference run is a file"),
        (["--against", "."], "--against: "),
        (["--against", "low.log"] * 9, "9 runs are too many to tell apart (most: 8)"),
        (["--against", "empty.json"], "holds no figures of single epochs: name its log"),
    ],
)
def test_what_cannot_be_a_reference_is_refused_in_one_line(
    logs: Path, sixdim: Sixdim, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(logs)
    (logs / "words.log").write_text("nothing\n" * 50)
    steps = "".join(f"iter {n}: loss 4.{n}, time 100.00ms, mfu 1.00%\n" for n in range(100))
    (logs / "empty.json").write_text(card_of(steps.encode(), "steps.log"))
    for command in (("replay",), ("watch", "--no-gpus")):
        code, out, err = sixdim(*command, "run.log", "--plain", *words)
        assert (code, out) == (2, "")
        assert said in err and err.count("\n") == 1


def test_an_event_of_a_band_needs_two_references(logs: Path, sixdim: Sixdim) -> None:
    code, _out, err = sixdim(
        *("watch", logs / "run.log", "--no-gpus", "--plain", "--on", "behind=true"),
        *against(logs, "low.log"),
    )
    assert code == 2
    assert "--on behind needs a band: --against two runs or more" in err


def test_a_log_of_a_watched_folder_is_not_its_own_reference(logs: Path, sixdim: Sixdim) -> None:
    for name in ("run.log", "low.log", "high.log"):
        with (logs / name).open("a") as file:
            file.write("Training time 0:25:00\n")
    _code, out, _err = sixdim("watch", logs, "--no-gpus", "--plain", *against(logs, "low.log"))
    rows = [row for row in out.splitlines() if ": epoch    0" in row]
    assert len(rows) == 3
    assert [row.split(":")[0] for row in rows if "low.log: " in row[8:]] == ["high.log", "run.log"]


def test_a_card_is_the_same_with_references(logs: Path, sixdim: Sixdim) -> None:
    for name, flags in (("a.json", ()), ("b.json", against(logs, "low.log", "high.log"))):
        words = ("--plain", "--json", logs / name, *flags)
        assert sixdim("replay", logs / "run.log", *words)[0] == 0
    assert (logs / "a.json").read_bytes() == (logs / "b.json").read_bytes()
