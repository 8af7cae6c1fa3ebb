"""LightGCN and models made from it: a line an epoch, and ranks of recommendations before some."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_SCORE = pattern(r"'(\w{1,40}+)': array\(\[\s{0,4}+([\d.e+-]{1,24}+)[\],\s]")
"""A score, and its value for the shortest list of recommendations."""


class LightGcn(Reader):
    name = "lightgcn"
    title = "LightGCN (recommendations)"
    example = "EPOCH[12/1000] loss0.413-|Sample:4.56|"
    unread = "the settings, the time of sampling, results for longer lists than the first"

    _done = 0

    @line("EPOCH[{epoch:int}/{epochs:int}] loss{loss:float}-{}", 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> Events:
        yield from self.report(line.origin(), "epochs_planned", f["epochs"])
        self._done = f["epoch"]
        yield EpochEnd(line.origin(), self._done, values=(figure("loss", f["loss"]),))

    @line("{'precision': array([{precision:until}]), 'recall': array([{}'ndcg': {}", 1.0, "scores")
    def _scores(self, line: Line, f: Fields) -> Events:
        # It comes before the next epoch's line; the first one is of the untrained model.
        found = ((name, as_number(value)) for name, value in _SCORE.findall(line.text))
        metrics = tuple(figure(name, value) for name, value in found if value is not None)
        yield Evaluation(line.origin(), metrics, epoch=self._done or None, data="test")
