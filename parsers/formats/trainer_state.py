"""Hugging Face's trainer_state.json: one indented document whose `log_history` is the log.

It is read line by line like any other log: an object of the history is complete at its `}`.
What it says rests on its own lines, and on whether the history has begun.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import Evaluation, Event, Iteration, Origin, RunEnd, RunInfo, Summary
from sixdim.parsers.formats.huggingface import NAMES, NOT_SCORES, whole_run
from sixdim.parsers.grammar.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_LABELS = frozenset(("step", "loss"))


class TrainerState(Reader):
    """Reads one trainer_state.json."""

    name = "trainer-state"
    title = "Hugging Face trainer_state.json"
    example = '"log_history": ['
    unread = (
        "times of single steps (the closing rate is the speed), epochs (fractions), the "
        "callbacks' and the trial's state"
    )

    def __init__(self) -> None:
        self._in_history = False
        self._entry: dict[str, str] = {}

    def _document(self, line: Line, f: Fields) -> Iterator[Event]:
        entries = f["log_history"]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield from self._told(line.origin(), entry)
        yield from self._epochs(line, {"value": f.get("num_train_epochs")})

    def _opens(self, line: Line, f: Fields) -> Iterator[Event]:
        self._in_history = True
        return iter(())

    def _begins(self, line: Line, f: Fields) -> Iterator[Event]:
        self._entry = {}
        return iter(())

    def _pair(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._in_history:
            self._entry[f["key"]] = f["value"].rstrip(",").strip('"')
        return iter(())

    def _closes(self, line: Line, f: Fields) -> Iterator[Event]:
        entry, self._entry = self._entry, {}
        if self._in_history:
            yield from self._told(line.origin(), entry)

    def _ends(self, line: Line, f: Fields) -> Iterator[Event]:
        self._in_history = False
        return iter(())

    def _told(self, at: Origin, entry: Mapping[str, object]) -> Iterator[Event]:
        step = as_whole(entry.get("step"))
        if as_number(entry.get("loss")) is not None:
            yield Iteration(
                at,
                epoch=None,
                step=step,
                loss=as_number(entry["loss"]),
                values=figures(entry, skip=_LABELS),
            )
        elif "train_runtime" in entry:
            yield from whole_run(at, entry, step)
            yield Summary(at, figures(entry, names=NAMES))
            yield RunEnd(at, as_number(entry["train_runtime"]))
        elif any(key.startswith("eval_") for key in entry):
            metrics = figures(entry, skip=NOT_SCORES, names=NAMES, strip="eval_")
            if metrics:
                yield Evaluation(at, metrics, step=step)

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        epochs = as_whole(f["value"])
        if epochs is not None:
            yield RunInfo(line.origin(), "epochs_planned", epochs)

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "batch_per_device", f["value"])

    statements = (
        Statement(JsonRecord(required=("log_history",)), _document, 1.0, "document"),
        Statement(Skeleton('"log_history": [...'), _opens, 1.0, "history"),
        Statement(Skeleton('"best_model_checkpoint": {}'), Reader.quiet, 0.5, "state"),
        Statement(Skeleton('"is_world_process_zero": {}'), Reader.quiet, 1.0, "state"),
        Statement(Skeleton('"is_hyper_param_search": {}'), Reader.quiet, 1.0, "state"),
        Statement(Skeleton('"num_train_epochs": {value:word}...'), _epochs, 0.5, "state"),
        Statement(Skeleton('"train_batch_size": {value:int}...'), _batch, 0.5, "state"),
        Statement(Skeleton('"{key:until}": {value:text}'), _pair, 0.0, "pair"),
        Statement(Skeleton("{"), _begins, 0.0, "entry"),
        Statement(Skeleton("}..."), _closes, 0.0, "entry"),
        Statement(Skeleton("]..."), _ends, 0.0, "history"),
    )
