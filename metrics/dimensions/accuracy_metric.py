"""Which of the metrics that a run evaluates is its accuracy."""

import re
from itertools import takewhile

from sixdim.metrics.fold.runs.run import Run

_PREFERRED = (
    *("miou", "bleu", "chrf", "dice"),
    *("acc1", "accuracy", "acc", "eval_accuracy", "map", "box", "mask", "ap", "map50"),
    *("mlm_acc", "auc", "f1", "hmean", "win_rate", "success_rate", "iou", "fscore"),
    *("mean_reward", "reward", "return", "clip", "psnr", "ssim", "si_sdr", "si_snr"),
    *("score", "core", "chatcore"),
)
"""The accuracy if no target names one, in order of preference; a loss is the last choice.

Beside BLEU, an accuracy is that of the next token; beside Dice, that of pixels, most of them easy.
Beside an F-score, a reward is what the training maximises.
"""
_ACCURACY = re.compile(
    r"(?i)(?:^|[_/ .:-])(?:acc|(?:binary|multiclass|multilabel)?accurac(?:y|ies)|top-?1|pass@?1|map"
    r"|auroc|bleu|mrr|ndcg|(?:ndcg|recall|hr|hits?|map|r)@\d+"
    r"|(?:pearson|spearman)r?|matthews_correlation|mcc|rouge-?l(?:sum)?|exact_match|hit_at_one"
    r"|pckh?(?:@[\d.]{1,6})?|pq|hota|a?mota|idf1|nds"
    r"|(?:miou|auc|f1|hmean|dice)(?:[_ -](?:coeff?|coefficient|score))?)(?:_avg|_mean|_epoch)?"
    r"(?:[/_](?:val(?:id(?:ation)?)?|dev|eval|test))?$|^(?:best_)?ap$|/(?:reward|score)$"
)
ERROR = re.compile(
    r"(?i)err|^fid|(?<![a-z])[wc]er(?![a-z])|(?<!du)[wce]er$|(?<![a-z])[pd]er$|map?e$|msl?e$"
    r"|(?<![a-z])(?:nme|a?epe)$|mpjpe$"
    r"|'s (?:l[12]|huber|quantile|poisson)$"
)
"""Names of errors; `loss_transducer` is none. The last ones are LightGBM's: `valid_0's l2`."""
_LOADER = re.compile(r"/dataloader_idx_\d+$")
"""What Lightning appends to a name where it evaluates on several data loaders."""
_LOSS = re.compile(r"(?i)loss|nll$|\bbp[bc]$|log_perplexity$")
_PERPLEXITY = re.compile(r"(?i)perplexity$|(?<![a-z])ppl$")
_WORD = re.compile(r"[a-z]+|\d+")
_OF_ALL = frozenset(
    re.findall(
        r"\w+",
        "err error errors rate top prec acc 1 test val valid validation eval evaluation dev mean "
        "avg average absolute squared square root percentage classification word character",
    )
)
"""Words in the name of an error over everything that was evaluated."""
_OF_DATA = re.compile(r"(?!top)[\w.]{1,60}(?:-|(?:'s)? (?:binary|multi)_)error")
"""XGBoost's and LightGBM's names for the error on one set of data."""


def accuracy_metric(run: Run) -> str:
    """Returns the metric that is the accuracy: the target's, else the first known one evaluated.

    Of several, those count whose best figure the log states: it judges its epochs by them. Empty
    where no metric is known as an accuracy, a loss or a perplexity.
    """
    if run.target is not None:
        return run.target.metric
    seen = metrics_of_training(run)
    seen = {name: up for name, up in seen.items() if up and f"best {name}" in run.summary} or seen
    for preferred in _PREFERRED:
        if preferred in seen:
            # Of a model of masks alone, the figure of boxes is always 0.
            boxes = (row.value("box") for row in run.evaluations if "box" in row.places)
            masked = preferred == "box" and "mask" in seen and not any(boxes)
            return "mask" if masked else preferred
    named = [n for n, up in seen.items() if up and _ACCURACY.search(_LOADER.sub("", n))]
    if named:
        return min(named, key=_rank)
    falling = [name for name, up in seen.items() if not up and not _error_of_a_part(name)]
    if error := next((name for name in falling if ERROR.search(name)), ""):
        return error
    judged = [name for name in ("loss", "perplexity") if f"best {name}" in run.summary]
    if "loss" in falling and judged != ["perplexity"]:
        return "loss"
    kinds = (_PERPLEXITY, _LOSS) if judged == ["perplexity"] else (_LOSS, _PERPLEXITY)
    return next((name for kind in kinds for name in falling if kind.search(name)), "")


def metrics_of_training(run: Run) -> dict[str, bool]:
    """Returns the metrics, without those that were evaluated only before the training began.

    They are of a baseline, or of the model that the training began with. If all evaluations stand
    before it, those that name an epoch or a step are of a training whose lines the log lacks.
    """
    metrics, first = run.evaluations.metrics(), next(run.epochs.values(), None)
    if first is None:
        return metrics
    early = [*takewhile(lambda row: row.line < first.first_line, run.evaluations)]
    goes_on = first.records > 1 or len(run.epochs) > 1  # else it is a closing line's figure
    named = any(row.step is not None or row.label is not None for row in early)
    if (goes_on and not named) or len(early) < len(run.evaluations):
        for name in {name for row in early for name in row.places}:
            if run.evaluations.latest(name) < len(early):
                del metrics[name]
    return metrics


def _rank(name: str) -> tuple[bool, int]:
    """Returns the place of a metric's last word among the preferred metrics, or one after them.

    The accuracy of the next token, which every language model has, comes after all others.
    """
    words = _WORD.findall(_LOADER.sub("", name).lower())
    place = _PREFERRED.index(words[-1]) if words[-1] in _PREFERRED else len(_PREFERRED)
    return "token" in words, place


def _error_of_a_part(name: str) -> bool:
    """Returns whether a figure is the error of a part of the task: `class_error`, `top5 error`."""
    said = set(_WORD.findall(name.lower()))
    errs = not said.isdisjoint(("err", "error", "errors"))
    return errs and not said <= _OF_ALL and not _OF_DATA.fullmatch(name)
