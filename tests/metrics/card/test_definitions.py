"""The words that say how a figure was computed."""

from __future__ import annotations

import pytest

from sixdim import sample_logs
from sixdim.metrics.card.schema.definitions import DEFINITIONS, definition_of
from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.settings import Settings
from sixdim.tui.screen.dialogs.explain import explain_figure
from sixdim.tui.session.cards import read_one
from sixdim.tui.session.request import Request


@pytest.mark.parametrize("name", ["mlperf", "custom"])
def test_a_speed_by_another_protocol_is_not_explained_by_deepsparks_rule(name: str) -> None:
    protocol = PROTOCOLS[name]
    request = Request(Settings()._replace(protocol=protocol))
    run = read_one(str(sample_logs.path(sample_logs.BASELINE)), request, curves=True)
    found = definition_of("speed", run.card.figure("speed"))
    assert (found.formula, found.source) == (protocol.sentence(), protocol.source)
    assert found.pitfall == DEFINITIONS["speed"].pitfall
    assert run.snapshot is not None
    said = [text for _, text in explain_figure(run.snapshot, "speed").facts]
    assert protocol.sentence() in said
    assert DEFINITIONS["speed"].formula not in said


def test_a_speed_by_deepsparks_protocol_has_its_formula() -> None:
    run = read_one(str(sample_logs.path(sample_logs.RUN)), Request(Settings()))
    for name, figure in run.card.figures().items():
        assert definition_of(name, figure).formula == DEFINITIONS[name].formula
