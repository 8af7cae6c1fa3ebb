"""fastText and word2vec.c: one line that is drawn again and again, with the share of the training.

fastText draws the last one after the training. word2vec.c ends without a line of its own: its last
one is drawn within the last 10 000 words of a thread.
"""

from sixdim.parsers.events import Events, Iteration, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line

_PROGRESS = "Progress: {share:float}% words/sec/thread: {rate:int} lr: {lr:float} "
_FIGURES = {"rate": "words/sec/thread", "lr": "lr"}


class FastText(Reader):
    name = "fasttext"
    title = "fastText and word2vec.c (word vectors, text classification)"
    tried = "fasttext-wheel 0.9.2"
    example = "Progress: 42.5% words/sec/thread: 612345 lr: 0.0575 avg.loss: 1.234567 ETA: 0h12m 5s"
    unread = (
        "the speed (the lines have that of a thread, and not how many there are), epochs, "
        "the time left, results of `test`"
    )

    def __init__(self) -> None:
        self._share = 0.0

    @line(_PROGRESS + "avg.loss: {loss:float} ETA: {}", 1.0, "progress")
    @line(_PROGRESS + "loss: {loss:float} eta: {}", 1.0, "progress")
    @line("Alpha: {lr:float} Progress: {share:float}% Words/thread/sec: {}", 1.0, "progress")
    def _progress(self, line: Line, f: Fields) -> Events:
        before, self._share = self._share, f["share"]
        if before >= 100:
            if f["share"] >= 100:  # drawn again
                return
            yield RunStart(line.origin())
        values = [figure(name, f[key]) for key, name in _FIGURES.items() if key in f]
        wanted = tuple(one for one in values if self.wants(one.name))
        yield Iteration(line.origin(), None, None, loss=f.get("loss"), values=wanted)
        if f["share"] >= 100:
            yield RunEnd(line.origin())

    sizes = ignored(("Number of words: {:int}", "Number of labels: {:int}"), 0.1, "header")
