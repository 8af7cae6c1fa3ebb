"""Which lines are headers of a table."""

from __future__ import annotations

import pytest

from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.generic.tables.table import HeadedTable
from sixdim.parsers.text.lines import Line
from tests.support.logs import epoch_ends, read, scored
from tests.support.loops import figures


def test_the_end_of_a_call_that_a_program_prints_is_no_header() -> None:
    assert not HeadedTable().header("train_loss, valid_loss, test_loss))")
    assert HeadedTable().header("train_loss, valid_loss, test_loss")
    assert HeadedTable().header("epoch | time (s) | val loss | val acc (%)")


def test_other_names_end_a_table_also_where_they_stood_in_front_of_it_before() -> None:
    reader = Generic()
    lines = ["alpha  beta", "alpha  beta", "epoch  loss", "1  0.5", "alpha  beta", "2  0.25"]
    read = [reader.read(Line(number, 0, text)) for number, text in enumerate(lines, 1)]
    assert read[3]
    assert read[5] is None


def test_a_second_column_of_epochs_is_no_label() -> None:
    table = HeadedTable()
    assert table.header("epoch  loss  s/epoch")
    row = table.row("3  0.5  91")
    assert row is not None
    assert row[1] == [3, 0.5, None]
    assert row[0].epoch == 0


@pytest.mark.parametrize("mark", ["  ← best", " *", "  (saved)", " best", "  new best"])
def test_a_mark_after_a_row_is_in_no_column(mark: str) -> None:
    for header, cells in (("epoch | loss | val acc", "3 | 0.5 | 80.5%"), ("epoch  loss", "3  0.5")):
        table = HeadedTable()
        assert table.header(header)
        plain = table.row(cells)
        assert plain is not None
        assert table.row(cells + mark) == plain


def test_what_stands_after_a_row_and_may_be_a_figure_is_no_mark() -> None:
    table = HeadedTable()
    assert table.header("epoch  loss")
    assert table.row("3  0.5  cat") is None
    assert table.row("3  0.5  (0.7)") is None


def test_a_name_that_fills_its_column_has_one_blank_in_front_of_it() -> None:
    table = HeadedTable()
    assert table.header("epoch train_loss   val_loss  val_acc   time")
    for row, numbers in (
        ("    1     0.6043     0.6648   0.7625   1.29", [1, 0.6043, 0.6648, 0.7625]),
        ("   10   123.4567 10000.0000   0.7750  11.30", [10, 123.4567, 10000.0, 0.775]),
    ):
        read = table.row(row)
        assert read is not None
        assert [*read[1]][:4] == numbers


def test_a_name_of_two_words_is_one_column() -> None:
    table = HeadedTable()
    assert table.header("epoch  train loss  val loss")
    assert table.row("1  0.5  0.6") is not None
    assert table.row("1  0.5  0.6  0.7") is None


@pytest.mark.parametrize("cell", ["0.55    s", "0.55 s", "0.55s", "1.5    min", "80.5    %"])
def test_a_unit_after_blanks_belongs_to_the_number_in_front_of_it(cell: str) -> None:
    table = HeadedTable()
    assert table.header("epoch    loss    val acc    time")
    row = table.row(f"3    0.25    0.75    {cell}")
    assert row is not None
    assert [*row[1]][:3] == [3, 0.25, 0.75]
    assert table.row(f"3    0.25    0.75    {cell}    sat") is None


def test_a_table_between_drawn_lines() -> None:
    table = HeadedTable()
    assert not table.header("┏━━━━━━━┳━━━━━━━━━━━━┓")
    assert table.header("┃ Epoch ┃ Train Loss ┃ Val Acc ┃")
    row = table.row("│     3 │     0.2500 │   80.5% │")
    assert row is not None
    assert [*row[1]][:3] == [3, 0.25, 80.5]
    assert table.row("├───────┼────────────┼─────────┤") is None


def test_the_column_of_an_index_has_no_name() -> None:
    table = HeadedTable()
    assert table.header(",loss,val_loss")
    row = table.row("7,0.5,0.25")
    assert row is not None
    assert [*row[1]][:2] == [0.5, 0.25]
    assert not HeadedTable().header(",,loss,val_loss")


def test_rows_that_a_terminal_draws_again_are_read_once() -> None:
    rows = [f"│ {n}     │ 0.5{n}       │ 0.7{n}    │\n" for n in range(1, 5)]
    head = "┃ epoch ┃ train loss ┃ val acc ┃\n"
    text = "".join(head + "".join(rows[:n]) for n in range(1, 5))
    card = scored(text)
    assert (card["run"]["epochs"], card["dimensions"]["accuracy"]["best"]) == (4, 0.74)
    assert "resume" not in [warning["kind"] for warning in card["warnings"]]


def test_dashes_between_blanks_stand_between_columns() -> None:
    rows = "".join(f"{n} - 0.{9 - n} - -1.5e-3 - 7{n}.25\n" for n in range(5))
    card = scored("Epoch - Loss - Val Loss - Validation Accuracy\n" + rows)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], accuracy["metric"], accuracy["value"]) == (5, "acc1", 74.25)


@pytest.mark.parametrize(
    ("columns", "known"), [("DEV_KAPPA DEV_GAIN", True), ("GAIN YIELD", False)]
)
def test_a_name_that_begins_with_a_split_is_that_of_a_column(columns: str, known: bool) -> None:
    """Half the names of flair's `loss.tsv` are those of figures, or begin with their split."""
    header = f"EPOCH TIMESTAMP BAD_EPOCHS TRAIN_LOSS DEV_LOSS DEV_F1 SPEED {columns}"
    assert HeadedTable().header(header.replace(" ", "\t")) is known


def test_the_rows_of_flairs_table_are_epochs() -> None:
    header = "EPOCH TIMESTAMP BAD_EPOCHS LEARNING_RATE TRAIN_LOSS DEV_LOSS DEV_PRECISION DEV_F1"
    rows = ["1 12:11:32 0 0.1000 0.86 0.67 0.75 0.7667", "2 12:11:35 1 0.1000 0.75 0.96 _ 0.5000"]
    text = "".join(line.replace(" ", "\t") + "\n" for line in (header, *rows))
    card = scored(text)
    assert card["run"]["epochs"] == 2
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("f1", 0.5, 0.7667)


def test_a_row_with_an_empty_cell_is_read_by_the_line_of_dashes() -> None:
    # `+` marks the epochs after which skorch saved its model; without it the cell is blank
    head = (
        "  epoch    train_loss    valid_acc    valid_loss    cp      lr     dur\n"
        "-------  ------------  -----------  ------------  ----  ------  ------\n"
    )
    rows = "".join(
        f"{e:>7}{0.9 - e / 10:>14.4f}{acc:>13.4f}{loss:>14.4f}{mark:>6}{0.1:>8.4f}{2.5:>8.4f}\n"
        for e, acc, loss, mark in ((1, 0.5, 0.7, "+"), (2, 0.75, 0.6, "+"), (3, 0.625, 0.65, ""))
    )
    card = scored(head + rows)
    assert card["run_end"]["epochs"] == 3
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], accuracy["epoch"]) == (0.625, 0.75, 3)
    # without the dashes nothing says which cell of the third row is empty
    assert scored(head.splitlines()[0] + "\n" + rows)["run_end"]["epochs"] == 2
    # and text between the columns is no cell
    odd = rows.replace("0.6250        0.6500", "0.6250 and    0.6500")
    assert scored(head + odd)["run_end"]["epochs"] == 2


def test_a_row_may_say_of_how_many_epochs_it_is_and_how_long_it_took() -> None:
    """As tabulate draws a table anew for each epoch."""
    rule = "+---------+--------------+-----------+--------+\n"
    head = "| Epoch   |   Train Loss |   Val Acc | Time   |\n"
    times = (2.5, 2.0, 2.5, 2.0, 2.5)
    text = "".join(
        f"{rule}{head}{rule.replace('-', '=')}| {e}/5     |       0.{9 - e} |    0.5{e} | {s}s   |\n"
        for e, s in enumerate(times, 1)
    )
    card = scored(text)
    assert card["status"] == "finished"
    assert (card["run_end"]["epochs"], card["run"]["epochs_planned"]) == (5, 5)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.55, 5)
    # the time is that of the epoch from the first that is lower than the one before
    ends = [one.epoch_time for one in epoch_ends(read(text, "generic"))]
    assert ends[1:] == [2.0, 2.5, 2.0, 2.5]


def test_a_time_that_is_left_is_no_time_of_an_epoch() -> None:
    text = "".join(
        f"{line}\n"
        for line in (
            "Epoch | Train Loss | Remaining Time",
            *(f"{e} | 0.{e} | {9 - e}.5s" for e in range(1, 6)),
        )
    )
    assert [one.epoch_time for one in epoch_ends(read(text, "generic"))] == [None] * 5


def test_a_table_ends_where_another_of_as_many_columns_begins() -> None:
    lines = ["epoch\tloss\tlr", *(f"{n}\t0.{n}\t0.1" for n in range(1, 5))]
    others = ["host\trank\tport", "9\t0.9\t8080"]
    assert figures([*lines, *others]) == figures(lines)
    assert figures(lines)["losses"] == [0.1, 0.2, 0.3, 0.4]


def test_rows_with_a_time_under_a_column_of_another_meaning() -> None:
    lines = ["      Iter       Train Loss   Remaining Time"]
    lines += [
        f"{n:10d} {1.5 - n / 10:16.4f} {1.35 - n / 10:15.2f}{'s' if n else 'm'}" for n in range(5)
    ]
    found = figures(lines)
    assert found["losses"] == [1.5 - n / 10 for n in range(5)]
    assert found["steps"] == [(n, None) for n in range(5)]
    assert "epoch times" not in found
