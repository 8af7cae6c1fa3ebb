"""`sixdim.compare` from Python: the figures of the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sixdim
from sixdim import sample_logs

RUN = sample_logs.path(sample_logs.RUN)
OTHER = sample_logs.path(sample_logs.REPEATS[0])


def test_it_is_what_the_command_writes(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    command: Callable[..., tuple[int, str, str]] = request.getfixturevalue("sixdim")
    both = sixdim.compare(RUN, OTHER)
    assert both.to_dict() == json.loads(command("compare", RUN, OTHER, "--json", "-")[1])
    assert f"{both}\n" == command("compare", RUN, OTHER)[1]
    sixdim.score(RUN).save(tmp_path / "card.json")
    mixed = sixdim.compare(tmp_path / "card.json", sixdim.score(OTHER))
    assert mixed.to_dict() == both.to_dict()


def test_ratios_are_turned_so_that_above_1_is_better() -> None:
    fast, slow = sixdim.score(RUN), sixdim.score(OTHER)
    assert fast.speed.value is not None
    assert slow.speed.value is not None
    both = sixdim.compare(fast, slow, reference=1)
    assert both.ratio("speed", 0) == fast.speed.value / slow.speed.value
    assert both.ratio("speed", 1) == 1.0
    assert both.ratio("power", 0) is None
    assert "<table>" in both._repr_html_()


def test_what_cannot_be_compared_is_refused() -> None:
    card = sixdim.score(RUN)
    for runs, options in (((card,), {}), ((), {}), ((card, card), {"reference": 2})):
        with pytest.raises(sixdim.OptionError):
            sixdim.compare(*runs, **options)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(sixdim.LogError):
        sixdim.compare(card, "nowhere.log")
    with pytest.raises(sixdim.OptionError):
        sixdim.compare(card, card).ratio("sped")
    with pytest.raises(sixdim.OptionError):
        sixdim.compare(card, card).ratio("speed", 2)
