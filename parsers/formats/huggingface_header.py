"""Reads the header of Hugging Face's Trainer: the planned epochs and steps, batch and precision."""

from sixdim.parsers.events import Events, Origin
from sixdim.parsers.formats.huggingface_reports import Reports
from sixdim.parsers.grammar.shapes.bars import Paces
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import fact, line

_NO_LENGTH = 2**63 - 1
"""What the header gives as the number of epochs where the length of the data is unknown."""


class HuggingFaceHeader(Gathering):
    """The lines of the header. The reader of such logs inherits from it, and adds its statements.

    Its first line is the reader's: it may begin another run.
    """

    def __init__(self) -> None:
        self._steps: int | None = None
        self._total: int | None = None  # steps of the training
        self._training = False  # a header was read
        self._place, self._paces = Reports(), Paces()
        self._counted: tuple[Origin, int] | None = None  # examples in the header

    @line("Num examples = {count:count}", 0.1, "header")
    def _examples(self, line: Line, f: Fields) -> Events:
        # An evaluation counts its examples in the same words, but after a batch is known.
        if self._training and self.facts.get("global_batch") is None:
            self._counted = line.origin(), f["count"]
        return ()

    @line("Num Epochs = {count:text}", 0.2, "header")
    def _epochs(self, line: Line, f: Fields) -> Events:
        count = as_number(f["count"].replace(",", ""))  # LLaMA-Factory's PPO prints 1.0
        if count is None or count >= _NO_LENGTH:
            self._counted = None  # the examples of all planned steps
            self._place.unsized = count is not None
            return
        yield from self._samples()
        if count % 1 == 0:
            yield from self.report(line.origin(), "epochs_planned", int(count))

    @line("Instantaneous batch size per device = {count:count}", 0.3, "header")
    def _batch(self, line: Line, f: Fields) -> Events:
        yield from self._samples()
        yield from self.report(line.origin(), "batch_per_device", f["count"])

    batches = fact("Total train batch size (w. parallel, {}) = {global_batch:count}", 0.3)

    def _samples(self) -> Events:
        """Yields the samples of an epoch, once no line takes them back."""
        if self._counted is not None:
            (at, count), self._counted = self._counted, None
            yield from self.report(at, "samples_per_epoch", count)

    @line("Num update steps per epoch = {count:count}", 0.3, "header")
    def _steps_of_an_epoch(self, line: Line, f: Fields) -> Events:
        self._place.steps = f["count"]
        return ()

    @line(
        tuple(f"Total {what} steps = {{count:text}}" for what in ("optimization", "training")),
        0.1,
        "header",
    )
    def _planned(self, line: Line, f: Fields) -> Events:
        count = as_whole(f["count"].replace(",", ""))  # PaddleNLP prints 1300.0
        if count is not None and count != self._total:
            self._total = self._steps = count
            facts = ("epochs_planned", "samples_per_epoch", "global_batch")
            self._place.plan(count, *(self.facts.get(name) for name in facts))
            if self._place.unsized:
                yield from self.report(line.origin(), "steps_planned", count)

    @line("Continuing training from global step {step:int}", 0.5, "header")
    @line("Resuming training from checkpoint with {} and global step {step:int}", 0.5, "header")
    def _resumed(self, line: Line, f: Fields) -> Events:
        self._place.resumed, self._paces.resumed_at = f["step"] > 0, f["step"]
        return ()

    @line("Process rank: {rank:int}, {}compute dtype: {type:word}", 0.4, "header")
    def _precision(self, line: Line, f: Fields) -> Events:
        # The rank is the local one: with several nodes it does not count the devices.
        if f["type"] == "None":
            return iter(())  # whatever the model's own is
        return self.report(line.origin(), "precision", f["type"].removeprefix("torch."))

    @line("Gradient Accumulation steps = {count:count}", 0.2, "header")
    def _accumulation(self, line: Line, f: Fields) -> Events:
        # The total is per device * devices * accumulation steps, by the Trainer's own account.
        total, single = self.facts.get("global_batch"), self.facts.get("batch_per_device")
        if isinstance(total, int) and isinstance(single, int):
            devices, rest = divmod(total, max(1, single * f["count"]))
            if devices and not rest:
                return self.report(line.origin(), "devices", devices)
        return ()
