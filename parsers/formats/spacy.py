"""spaCy's `train`: one row per evaluation, below the names of the losses and the scores.

    E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE
    ---  ------  ------------  --------  ------  ------  ------  ------
      0     200         12.30    150.21   63.40   61.00   66.00    0.63

`SCORE` is the training's objective: the weighted mean of the scores that its configuration names.
Version 2 prints a row per epoch, without such a score.

    Itn  NER Loss   NER P   NER R   NER F   Token %  CPU WPS
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, line
from sixdim.parsers.text.patterns import pattern

_BLANKS = pattern(r" {2,}")
_NO_SCORES = ("token_%", "beam_w.")
_NAMES = {"ner_f": "f1", "tag_%": "acc"}


class Spacy(Reader):
    name = "spacy"
    title = "spaCy train"
    tried = "spaCy 3.8"
    example = "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE"
    unread = "the pipeline, times and the speed (the table has none), and which weights SCORE has"

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts = 2
        self._columns: list[str] = []  # those of version 2

    @line(("E # W {names:until} SCORE", "E # {names:until} SCORE"), 3.0, "table header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._names = [*_BLANKS.split(f["names"]), "SCORE"]
        self._counts = 3 if " W " in line.text else 2  # words may be counted, too
        return ()

    @line(("Itn {names:until} CPU WPS", "Itn {names:until} CPU WPS GPU WPS"), 3.0, "table header")
    def _header_of_version_2(self, line: Line, f: Fields) -> Events:
        self._columns = _BLANKS.split(f["names"])
        return ()

    @line("{epoch:int} {value:float} {cells:text}", 0.0, "row")
    def _row_of_version_2(self, line: Line, f: Fields) -> Events | None:
        cells = [f["value"], *map(as_number, f["cells"].split())]
        if not self._columns or len(cells) < len(self._columns) or None in cells:
            return None
        names = (name.lower().replace(" ", "_") for name in self._columns)
        found = [figure(_NAMES.get(n, n), value) for n, value in zip(names, cells, strict=False)]
        losses = tuple(one for one in found if one.name.endswith("_loss"))
        scores = tuple(one for one in found if one not in losses and one.name not in _NO_SCORES)
        at, epoch = line.origin(), f["epoch"]
        return EpochEnd(at, epoch, values=losses), Evaluation(at, scores[::-1], epoch)

    @line("{epoch:int} {step:int} {cells:text}", 0.0, "row")
    def _row(self, line: Line, f: Fields) -> Events | None:
        at, cells = line.origin(), [as_number(cell) for cell in f["cells"].split()]
        if not self._names or len(cells) != len(self._names) + self._counts - 2:
            return None
        losses: list[Metric] = []
        scores: list[Metric] = []
        for name, value in zip(self._names, cells[self._counts - 2 :], strict=True):
            if value is None:
                return None
            is_loss = name.startswith("LOSS")
            metric = Metric(name.lower().replace(" ", "_"), value, "", not is_loss)
            (losses if is_loss else scores).append(metric)
        loss = losses[0].value if len(losses) == 1 else None
        values = () if loss is not None else tuple(losses)
        return (
            Iteration(at, f["epoch"], f["step"], loss=loss, values=values),
            Evaluation(at, (*reversed(scores),), f["epoch"], f["step"], midway=True),
        )

    closing = ends(
        ("{}Saved pipeline to output directory{}", "{}Saved model to output directory{}"), 0.5
    )
