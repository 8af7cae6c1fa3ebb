"""Tables with texts beside their numbers: a moment, a note, the data that a row is of."""

from __future__ import annotations

import pytest

from sixdim.parsers.generic.tables.table import HeadedTable
from tests.support.logs import scored
from tests.support.loops import figures

_LOSSES = (0.91, 0.62, 0.48, 0.41)
_ACCURACIES = (0.55, 0.71, 0.76, 0.74)


def _accuracy(header: str, row: str) -> tuple[object, object, object]:
    """Epochs, last and best accuracy of a log that is this table."""
    lines = [header]
    for n, (loss, accuracy) in enumerate(zip(_LOSSES, _ACCURACIES, strict=True), 1):
        note = "saved" if n == 2 else ""
        lines += row.format(n=n, loss=loss, acc=accuracy, note=note).split("\n")
    card = scored("".join(f"{line}\n" for line in lines), "generic")
    figure = card["dimensions"]["accuracy"]
    return card["run"]["epochs"], figure["value"], figure["best"]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("timestamp,epoch,train_loss,val_acc", "2024-05-01 10:0{n}:07,{n},{loss},{acc}"),
        ("epoch,train_loss,val_acc,date", "{n},{loss},{acc},2024-05-01T10:0{n}:07.25+02:00"),
        ("epoch,train_loss,val_acc,is_best", "{n},{loss},{acc},True"),
        ("| epoch | train_loss | val_acc | status |", "| {n} | {loss} | {acc} | {note} |"),
        ("epoch   train_loss   val_acc   note", "{n}   {loss}   {acc}   {note}"),
        ("epoch,phase,loss,acc", "{n},train,{loss},0.99\n{n},val,0.5,{acc}"),
        ("split,epoch,loss,acc", "train,{n},{loss},0.99\nval,{n},0.5,{acc}"),
    ],
)
def test_a_text_in_a_row_hides_none_of_its_figures(header: str, row: str) -> None:
    assert _accuracy(header, row) == (4, 0.74, 0.76)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("epoch,model,loss,val_acc", "3,small,0.5,0.8"),  # which model is whose is unknown
        ("epoch,phase,loss,val_acc", "3,warmup,0.5,0.8"),
        ("epoch,loss,val_acc,status", "3,high,0.8,saved"),
        ("epoch,loss,val_acc,status", "3,0.5"),
        ("epoch,loss,val_acc,lr", "3,0.5,0.8"),
    ],
)
def test_any_other_text_is_that_of_no_row(header: str, row: str) -> None:
    table = HeadedTable()
    assert table.header(header)
    assert table.row(row) is None


@pytest.mark.parametrize(
    "cell", ["tensor({}, device='cuda:0')", "np.float64({})", "Array({}, dtype=float32)"]
)
def test_a_cell_that_was_printed_as_an_array_is_its_number(cell: str) -> None:
    rows = [(1, "3.5", "0.25"), (2, "2.5", "0.5"), (3, "1e-1", "0.75")]
    lines = ["epoch\tloss\tval_acc\tlr"] + [
        f"{epoch}\t{cell.format(loss)}\t{cell.format(acc)}\t0.1" for epoch, loss, acc in rows
    ]
    found = figures(lines)
    assert found["losses"] == [3.5, 2.5, 0.1]
    assert [tested["acc1"] for _, tested in found["tested"]] == [0.25, 0.5, 0.75]
