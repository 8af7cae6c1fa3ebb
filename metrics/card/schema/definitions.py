"""For each dimension: how it is computed, the source of the rule, and a common mistake."""

from typing import NamedTuple

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.card import Dimension


class Definition(NamedTuple):
    """The definition of one figure, in words.

    Attributes:
        formula: How it is computed.
        source: Where the rule is written.
        pitfall: A common mistake in reading it.
    """

    formula: str
    source: str
    pitfall: str


_HOWTO = "DeepSpark, six_dimension_howto.md"

DEFINITIONS = {
    "speed": Definition(
        "mean of the per-epoch throughputs of the window, without the highest and the lowest",
        _HOWTO,
        "the printed throughput of an epoch often leaves out waiting for data; the wall clock "
        "gives less, and a figure per device is not the job's",
    ),
    "accuracy": Definition(
        "the target metric at the evaluation that ends the run",
        _HOWTO,
        "the terminating value, not the best one of the run",
    ),
    "linearity": Definition(
        "(speed on N / N) / (speed on the base / its count)",
        _HOWTO,
        "both runs need the same batch per device, precision and warm-up; by card and by node "
        "are different figures",
    ),
    "power": Definition(
        "mean of the boards' power readings during stable training, per device",
        _HOWTO,
        "a mean over one board is no mean over the job, and what a board reports may itself be "
        "an average",
    ),
    "memory": Definition(
        "mean of the memory used on the boards during stable training, per device",
        _HOWTO,
        "MiB and GB differ by 5 %; a caching allocator holds more than the model needs",
    ),
    "stability": Definition(
        "1 - 0.2 for each of five runs whose value leaves the open interval of 1 % around "
        "their median",
        _HOWTO,
        "a run that misses the target does not count, and fewer than five give no figure",
    ),
    "end_to_end": Definition(
        "samples of an epoch x epochs / total training time",
        "DeepSpark, six_dimension_howto_example.md",
        "the label of the last epoch is not their number where labels begin at 0",
    ),
}
"""By the name of the dimension, and `end_to_end`."""


def definition_of(name: str, figure: Dimension) -> Definition:
    """Returns the definition of a figure; that of a speed has the rule of its protocol."""
    known, details = DEFINITIONS[name], figure.details
    if name != "speed":
        return known
    protocol = PROTOCOLS.get(details.get("protocol", ""))
    if protocol is not None:
        known = known._replace(source=protocol.source)
        if protocol.name != "deepspark":
            known = known._replace(formula=f"protocol {protocol.name}")
    return known._replace(
        formula=details.get("rule") or known.formula,
        source=details.get("source") or known.source,
    )
