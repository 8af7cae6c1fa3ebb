"""Hugging Face's trainer_state.json: one indented document whose `log_history` is the log.

It is read line by line like any other log: an object of the history is complete at its `}`. Pairs
inside the history are figures of such an object. ms-swift writes the same objects to its
logging.jsonl, one per line, and repeats them at the end as a history.
"""

from collections.abc import Mapping

from sixdim.parsers.events import Events, Iteration, Origin, RunEnd, RunInfo
from sixdim.parsers.formats.huggingface_records import PLACE, RecordClock, step_of
from sixdim.parsers.formats.huggingface_reports import Reports
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line, remembers

_SPEED = "train_speed(iter/s)"
"""Iterations per second since the training began, in the records of ms-swift 2."""
_LABELS = frozenset(("step", "loss"))


class TrainerState(Reader):
    name = "trainer-state"
    title = "Hugging Face trainer_state.json and ms-swift logging.jsonl"
    example = '"log_history": ['
    unread = (
        "times of single steps (the closing rate is the speed), the callbacks' and the trial's "
        "state"
    )

    def __init__(self) -> None:
        self._in_history = False
        self._entry: dict[str, str] = {}
        self._place = Reports()
        self._step: int | None = None  # steps of the training so far, by the state
        self._trained: float | None = None  # its epochs
        self._closed = False  # the history has a closing report
        self._clock = RecordClock()

    @line(JsonRecord(required=(PLACE,)), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        step, planned, elapsed = step_of(f) or (None, None, None)
        if planned is not None:
            yield from self.report(line.origin(), "steps_planned", planned)
        seconds = self._clock.duration(step, elapsed)
        entry = {key: value for key, value in f.items() if not isinstance(value, str)}
        yield from self._events(line.origin(), entry | {"step": step}, seconds)

    @line(JsonRecord(required=("global_step", _SPEED)), 1.0, "record")
    @line(JsonRecord(required=("global_step", "eval_runtime")), 0.0, "record")
    @line(JsonRecord(required=("global_step", "train_runtime")), 0.0, "record")
    def _record_of_swift_2(self, line: Line, f: Fields) -> Events:
        step, speed = as_whole(f["global_step"]), as_number(f.get(_SPEED))
        seconds = self._clock.duration(step, step / speed) if step and speed else None
        entry = {key: value for key, value in f.items() if key not in ("global_step", _SPEED)}
        yield from self._events(line.origin(), entry | {"step": step}, seconds)

    @line(JsonRecord(required=("log_history",)), 1.0, "document")
    def _document(self, line: Line, f: Fields) -> Events:
        if self._clock.latest is not None:  # ms-swift's, which repeats the records
            return
        entries = f["log_history"]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield from self._events(line.origin(), entry)
        self._trained = as_number(f.get("epoch"))
        yield from self._epochs(line, {"value": f.get("num_train_epochs")})
        self._step = as_whole(f.get("global_step"))
        yield from self._last_step(line, {"step": f.get("max_steps")})

    history = remembers('"log_history": [...', 1.0, "history", _in_history=True)

    state = (
        ignored('"best_model_checkpoint": {}', 0.5, "state"),
        ignored('"is_world_process_zero": {}', 1.0, "state"),
        ignored('"is_hyper_param_search": {}', 1.0, "state"),
    )

    # Settings of other programs, DeepSpeed's for one, have these names, too.
    @line('"num_train_epochs": {value:word}...', 0.2, "state")
    def _epochs(self, line: Line, f: Fields) -> Events:
        epochs = as_whole(f["value"])
        if epochs is not None:
            yield RunInfo(line.origin(), "epochs_planned", epochs)

    state_step = remembers('"global_step": {_step:int}...', 0.2, "state")

    @line('"max_steps": {step:int}...', 0.2, "state")
    def _last_step(self, line: Line, f: Fields) -> Events:
        """Ends the run whose state is that of its last step; only a finished one has a report."""
        last = as_whole(f["step"])
        if last and last == self._step and not self._closed:
            trained = self._place.last if self._trained is None else self._trained
            whole, midway = self._place.ended(trained)
            epochs = None if whole is None or self._trained is None else float(whole)
            yield RunEnd(line.origin(), epochs=epochs, midway=midway)

    batch = fact('"train_batch_size": {batch_per_device:int}...', 0.2, "state", always=True)

    @line('"{key:until}": {value:text}', 0.0, "pair")
    def _pair(self, line: Line, f: Fields) -> Events:
        value = f["value"].rstrip(",").strip('"')
        if self._in_history:
            self._entry[f["key"]] = value
        elif f["key"] == "epoch":
            self._trained = as_number(value)
        return ()

    @line("{", 0.0, "entry")
    def _entry_begins(self, line: Line, f: Fields) -> Events:
        self._entry = {}
        return ()

    @line("}...", 0.0, "entry")
    def _entry_ends(self, line: Line, f: Fields) -> Events:
        entry, self._entry = self._entry, {}
        return self._events(line.origin(), entry) if self._in_history else ()

    end_of_history = remembers("]...", 0.0, "history", _in_history=False)

    def _events(
        self, at: Origin, entry: Mapping[str, object], seconds: float | None = None
    ) -> Events:
        """Yields the events of one object of the history."""
        step, epoch = as_whole(entry.get("step")), as_number(entry.get("epoch"))
        if as_number(entry.get("loss")) is not None:
            loss = as_number(entry["loss"])
            self._place.report(epoch, loss, step)
            label = self._place.of(None, None, epoch).epoch
            values = figures(entry, skip=_LABELS)
            yield Iteration(at, label, step, loss=loss, duration=seconds, values=values)
        elif "train_runtime" in entry:
            self._closed = True
            yield from self._place.closing(at, entry)
        elif any(key.startswith("eval_") for key in entry):
            yield from self._place.evaluation(at, entry, step)
