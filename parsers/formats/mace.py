"""MACE (potentials of molecules): a line per evaluation, which has the loss of the validation.

A model of several heads has a line for each of them.
"""

from sixdim.parsers.events import Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.lines import label

_ERRORS = ("RMSE_F", "MAE_F", "RMSE_MU_per_atom")
"""Each line has one of these."""


def _errors(head: str) -> tuple[KeyValues, ...]:
    return tuple(
        KeyValues(head, delimiter=", ", separator="=", required=("loss", one)) for one in _ERRORS
    )


class Mace(Reader):
    name = "mace"
    title = "MACE (interatomic potentials)"
    example = (
        "Epoch 2: head: Default, loss=0.66, RMSE_E_per_atom=   33.33 meV, RMSE_F=  66.67 meV / A"
    )
    unread = "the speed and losses of the training (the log has none), the tables of errors"

    @line(_errors("Epoch {epoch:int}: head: {head:until}, "), 1.0, "evaluation")
    @line(_errors("Epoch {epoch:int}: "), 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        head = f.get("head", "Default")
        data = "" if head == "Default" else label(head, 40)
        yield Evaluation(line.origin(), figures(f["pairs"]), f["epoch"], data=data)
