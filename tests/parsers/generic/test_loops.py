"""What people's own training loops print: the right figures or none, never others."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.grammar.meaning.plans import Plans, Said
from tests.support.inputs.evaluated_loops import EVALUATED
from tests.support.inputs.training_loops import TRAINED
from tests.support.loops import figures

LOOPS = TRAINED | EVALUATED
NUMBERS = st.one_of(
    st.integers(0, 10**14).map(str),
    st.floats(0, 1e6).map(lambda value: f"{value:.3f}"),
    st.sampled_from(
        ["nan", "1e-05", "1,234", "12,345.5", "5.", "-3", " 7", "  7.25", "inf", "007"]
    ),
)


def _said(found: Said | None) -> str:
    """What was read of a line; as text, in which a `nan` is another one's equal."""
    if found is None:
        return ""
    planned, numbers = found
    return repr((planned.form, planned.plan, planned.may_be_sentence, planned.similar, numbers))


@given(st.sampled_from(sorted(LOOPS)), st.data())
def test_a_line_says_the_same_whatever_line_of_its_form_came_before(
    name: str, data: st.DataObject
) -> None:
    line = data.draw(st.sampled_from(LOOPS[name][0]))

    def other() -> str:
        return re.sub(r"(?<![\w.%@-])\d+(?:\.\d+)?", lambda _: data.draw(NUMBERS), line)

    plans, second = Plans(), other()
    for _ in range(6):  # the later ones are read by what was inferred from the first
        plans.read(other())
    assert _said(plans.read(second)) == _said(Plans().read(second))


@pytest.mark.parametrize("name", LOOPS)
def test_the_figures_of_a_loop(name: str) -> None:
    lines, right = LOOPS[name]
    found = figures(lines)
    if "losses" in found:
        found["losses"] = [
            str(one) if one != one or one == float("inf") else one for one in found["losses"]
        ]
    assert found == right
