"""StyleGAN, StyleGAN2 and StyleGAN3: the console, and stats.jsonl.

A line of the console is a tick (`tick 77  kimg 308.0  … sec/kimg 38.29 …`). An object of
stats.jsonl is a tick, too; it has the number, mean and standard deviation of each figure.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line

_HIGHER = ("is", "pr", "precision", "recall", "eqt", "eqr")


def score(name: str, value: float) -> Metric:
    """Returns a figure of an evaluation; distances are better when they are lower.

    Equivariance (`eqt`, `eqr`) is a ratio of signal and noise in dB.
    """
    return Metric(name, value, "", name.startswith(_HIGHER))


class StyleGan(Reader):
    name = "stylegan"
    title = "StyleGAN, StyleGAN2, StyleGAN3 (ticks)"
    example = "tick 77 kimg 308.0 time 4h 28m 45s sec/tick 153.2 sec/kimg 38.29 maintenance 0.2"
    unread = "the options and the networks, memory, the augmentation, the total time"

    @line(
        "tick {step:int} kimg {kimg:float} {}sec/tick {tick:float} sec/kimg {seconds:float} {}",
        1.0,
        "tick",
    )
    def _tick(self, line: Line, f: Fields) -> Events:
        speed = 1000 / f["seconds"] if f["seconds"] > 0 else None, "img/s", Scope.JOB
        values = (Metric("kimg", f["kimg"]),)
        yield Iteration(line.origin(), None, f["step"], None, *speed, None, f["tick"], values)

    @line(JsonRecord(required=("results", "metric", "snapshot_pkl")), 0.8, "evaluation")
    def _metric(self, line: Line, f: Fields) -> Events:
        results = f["results"] if isinstance(f["results"], dict) else {}
        scores = tuple(
            score(name, number)
            for name, raw in results.items()
            if (number := as_number(raw)) is not None
        )
        yield Evaluation(line.origin(), scores, step=self.step)

    @line("network-snapshot-{:int} time {}s {name:word} {value:float}...", 0.8, "evaluation")
    def _snapshot(self, line: Line, f: Fields) -> Events:
        yield Evaluation(line.origin(), (score(f["name"], f["value"]),), step=self.step)

    closing = ends("Exiting...", 0.1)
    headers = (
        ignored("Setting up PyTorch plugin {}", 0.2, "header"),
        ignored("Training for {:int} kimg...", 0.5, "header"),
    )


class StyleGanJson(Reader):
    name = "stylegan-json"
    title = "StyleGAN stats.jsonl"
    example = (
        '{"Progress/tick": {"num": 1, "mean": 4.0, "std": 0.0}, "Progress/kimg": {"num": 1, '
        '"mean": 16.0, "std": 0.0}, "Timing/sec_per_kimg": {"num": 1, "mean": 38.3, "std": 0.0}}'
    )
    unread = "numbers and deviations of the figures, evaluations (they are in metric-*.jsonl)"

    @line(JsonRecord(required=("Progress/kimg", "Timing/sec_per_kimg")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        means = {
            name: one["mean"] for name, one in f.items() if isinstance(one, dict) and "mean" in one
        }
        seconds, stamp = as_number(means.get("Timing/sec_per_kimg")), as_number(f.get("timestamp"))
        known = stamp is not None and 0 < stamp < 1e11
        at = line.origin()._replace(time_us=int(stamp * 1e6)) if stamp and known else line.origin()
        step, loss = as_whole(means.get("Progress/tick")), as_number(means.get("Loss/G/loss"))
        speed = 1000 / seconds if seconds and seconds > 0 else None, "img/s", Scope.JOB
        tick, values = as_number(means.get("Timing/sec_per_tick")), figures(self.wanted(means))
        yield Iteration(at, None, step, None, *speed, loss, tick, values)
