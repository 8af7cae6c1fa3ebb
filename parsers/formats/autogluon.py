"""AutoGluon's tabular predictor, which fits many models one after another.

The score of each model is an evaluation; what a library prints while it fits one is not read, as
it is in a metric and on data of its own.
"""

from sixdim.parsers.events import Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line, starts


class AutoGluon(Reader):
    name = "autogluon"
    title = "AutoGluon (tabular)"
    example = "\t0.8752\t = Validation score   (accuracy)"
    unread = "the rounds of XGBoost, LightGBM and CatBoost, times of single models, the leaderboard"

    header = starts("Beginning AutoGluon training ...{}", 1.0)
    models = ignored(("Fitting model: {}", "Fitted model: {}"), 0.5, "model")

    @line("{score:float} = Validation score ({metric:until})", 1.0, "score")
    @line("{score:float} = Validation {metric:word} score", 1.0, "score")
    def _score(self, line: Line, f: Fields) -> Events:
        name = f["metric"].removeprefix("-")
        value = f["score"] if name == f["metric"] else -f["score"]  # an error
        yield Evaluation(line.origin(), (figure(name, value),), data="val")

    closing = ends("AutoGluon training complete, total runtime = {duration:float}s{}", 1.0)
