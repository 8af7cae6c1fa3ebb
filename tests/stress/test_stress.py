"""A little of each attack, so that what runs for long elsewhere is known to run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def ended(*words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=590
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_mutated_logs_give_one_card_whichever_way_they_come() -> None:
    code, said = ended("tests.stress.mutate", "25")
    assert code == 0, said
    assert " 0 differing" in said


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler (cc) to build the stub")
def test_a_short_soak_ends_in_figures() -> None:
    code, said = ended("tests.stress.soak", "--minutes", "0.2", "--rate", "1000")
    assert code == 0, said
    assert "cards: 3 compared, 0 differing" in said
