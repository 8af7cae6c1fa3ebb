"""An envelope in front of every line, or around it, changes no figure that the bare log gives."""

from __future__ import annotations

import json
import os
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.support.inputs.bare_logs import LOOP, bare, differences, figures
from tests.support.inputs.prefixes import PREFIXES

FORMATS = ("torchvision", "keras", "huggingface", "mmcv", "timm", "megatron", "nanogpt", "mlperf")
OF_RUNS = ("deepspark", "keras", "hf", "mmengine", "timm", "nanogpt", "ultralytics", "lightning")
WORDED = ("container: stern", "container: gh run view", "logger: name, level", "object: fluentd")
"""Texts of words alone: they might be the loop's own, so that it loses its accuracy."""
ROWS = ["Train for 20 epochs"]
ROWS += [f"{e:3}  loss 0.{90 - e}  val_loss 0.{92 - e}  val_acc 0.{40 + e}" for e in range(1, 21)]
"""Loops of one's own: no format's lines tell where the line itself begins."""
WORDS = ("job", "exp", "alpha", "node-a", "pod", "Xz", "run", "ab.cd", "gpu", "team/x", "main")
SIGNS = (": ", "] ", " | ", "> ", ") ", "]: ", " - ", "\t", " :: ", " >> ")


def differences_after(prefix: str, name: str) -> dict[str, Any]:
    """What the card of a format's log says otherwise with a prefix in front of every line."""
    lines, expected = bare(name)
    assert expected["format"] == name
    found = figures(PREFIXES[prefix](number, text) for number, text in enumerate(lines))
    return differences(expected, found)


@pytest.mark.parametrize(("prefix", "name"), [*zip(PREFIXES, cycle(FORMATS), strict=False)])
def test_every_prefix_of_some_format(prefix: str, name: str) -> None:
    assert not differences_after(prefix, name)


@pytest.mark.slow
@pytest.mark.parametrize("prefix", PREFIXES)
def test_every_prefix_of_every_format(prefix: str) -> None:
    assert not {name: said for name in FORMATS if (said := differences_after(prefix, name))}


@pytest.fixture(scope="module")
def of_the_loop() -> dict[str, Any]:
    """What the card of the bare loop says."""
    said = figures(LOOP)
    assert (said["accuracy"][0], said["status"]) == (69.25, "finished")
    return said


@pytest.mark.parametrize("prefix", [one for one in PREFIXES if one not in WORDED])
def test_every_prefix_of_a_loop_of_ones_own(prefix: str, of_the_loop: dict[str, Any]) -> None:
    found = figures(PREFIXES[prefix](number, text) for number, text in enumerate(LOOP))
    assert not differences(of_the_loop, found)


@pytest.mark.parametrize(
    "prefix",
    [
        "container: compose",
        "container: compose worker",
        "container: time",
        "launcher: srun --label, padded",
        "launcher: pdsh",
        "launcher: mpirun -l",
    ],
)
def test_the_first_line_of_rows_without_names_is_read_after_a_label(prefix: str) -> None:
    expected = figures(ROWS)
    assert expected["epochs"][1] == 20
    found = figures(PREFIXES[prefix](number, text) for number, text in enumerate(ROWS))
    assert not differences(expected, found)


@pytest.mark.parametrize("name", OF_RUNS)
def test_real_runs(name: str) -> None:
    root = os.environ.get("SIXDIM_CORPUS")
    if not root or not (log := Path(root) / "runs" / f"{name}.log").exists():
        pytest.skip("SIXDIM_CORPUS has no such run")
    lines = log.read_text("utf-8").rstrip("\n").split("\n")
    expected = figures(lines)
    for prefix, make in PREFIXES.items():
        if prefix == "logger: rich" and name in ("hf", "ultralytics"):
            continue  # it writes the file after a redrawn bar, not after the line
        found = figures(make(number, text) for number, text in enumerate(lines))
        assert not differences(expected, found), prefix


@pytest.mark.parametrize(
    "log", ["docker_ts", "json_docker", "own_arrow", "srun_label", "time_only"]
)
def test_the_recorded_prefixes_of_one_run(log: str) -> None:
    root = os.environ.get("SIXDIM_CORPUS")
    if not root:
        pytest.skip("SIXDIM_CORPUS is not set")
    runs = Path(root) / "runs"
    expected = figures((runs / "deepspark.log").read_text("utf-8").splitlines())
    found = figures((runs / "prefixed" / f"deepspark.{log}.log").read_text("utf-8").splitlines())
    truth = json.loads((runs / "truth.json").read_text("utf-8"))["deepspark"]
    assert not differences(expected, found)
    assert found["epochs"][0] == truth["epochs"]
    assert found["accuracy"][0] == truth["accuracy"]["acc1"][-1]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(WORDS), st.booleans()), min_size=1, max_size=3),
    st.lists(st.sampled_from(SIGNS), min_size=3, max_size=3),
    st.sampled_from(("", "[", "<", "(", "%", "## ")),
    st.sampled_from(FORMATS[:-1]),
    st.randoms(use_true_random=False),
)
def test_any_text_with_changing_digits_is_inferred(
    words: list[tuple[str, bool]], signs: list[str], begin: str, name: str, random: Random
) -> None:
    lines, expected = bare(name)
    # `job12: ` names a host and `gpu12` a rank: of many that say the same, one counts.
    assume(begin or len(words) > 1 or not words[0][1])
    assume(("gpu", True) not in words)
    assume(not (begin == "[" and words[0][1] and signs[0].startswith("]: ")))  # torchrun's role

    def prefix() -> str:
        parts = (
            word + (str(random.randrange(1, 1000)) if counted else "") + sign
            for (word, counted), sign in zip(words, signs, strict=False)
        )
        return begin + "".join(parts)

    found = figures(prefix() + text for text in lines)
    assert not differences(expected, found)


@pytest.mark.parametrize("prefix", ["[job - job - ", "job - gpu - ", "## run - a - b - "])
def test_words_in_front_are_no_time_of_a_keras_epoch(prefix: str) -> None:
    lines, expected = bare("keras")
    assert not differences(expected, figures(prefix + text for text in lines))
