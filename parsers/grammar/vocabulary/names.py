"""Gives the meaning of a number by its name and unit, as the field uses them.

A number with an unknown name is no figure. A known name with further words (`car AP`, `pixel
accuracy`, `aux loss`) is a series, whose meaning is not known.
"""

from functools import lru_cache

from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.rankings import of_the_first, without_overlap
from sixdim.parsers.grammar.vocabulary.units import (
    DEVICE,
    PER_SECOND,
    RATES_OF,
    SECONDS_OF_ONE,
    SECONDS_PER,
    SECONDS_PER_EPOCH,
    TIMES,
    rate_unit,
)
from sixdim.parsers.grammar.vocabulary.words import parted, with_joined_words, words, words_of
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_TOP = pattern(r"(?i)(top|prec|acc)(?:uracy(?=@))?[-_ ]?@?(\d{1,3})(?!\d)")
_TOP_ERROR = pattern(r"(?i)(?<![a-z])err(?:or)?[-_]?@?([15])(?!\d)")
"""`err@1`, `error_5`: the error of the first guess, or of the first five."""
_PER = pattern(r"(?i)(?<!\w)(\w++) ?(?:/| per ) ?(\w++)(" + DEVICE + ")?$")
_UNDERSCORED = pattern(r"(?i)(?<![a-z])(toks?|(?:token|sample|image|img|seq)s)_s(?:ec)?(?![a-z])")
"""`tokens_s`: the slash of a rate, as keys without other characters have it."""
_OWN_INSIDE = pattern(r"(?i)/(gpu|device|npu|chip)/(s|sec|second)$")
"""`tokens/gpu/s`, which is `tokens/s/gpu`."""
_OWN = pattern(r"(?i)(?:/|(?<![a-z])per[-_ ])(?:gpu|device|npu|rank|card|chip)s?(?![a-z])")
"""The part of a rate's name that makes it the rate of one device."""
_SPLIT = r"(?:train|val|test|dev|eval)(?:id(?:ation)?|uation|ing)?"
_OF_MAIN = pattern(r"(?:\A|(?<=/))main/(?=[a-z])")
"""Chainer's name of the trained model in those of its figures: `validation/main/accuracy`."""
_OF_BOTH = pattern(rf"(?i)(?<![a-z]){_SPLIT}\s?[/|&]\s?{_SPLIT}(?=\s|$)")
"""`train/val loss: 0.5/0.6`: only the place of a number says which split it is of."""
_BLEU = pattern(r"(?i)bleu[ _-](\d)$")
"""BLEU of n-grams with up to the given number of words; without a number, up to four."""
_RATES = {"fps": "frames/s", "tps": "tokens/s", "wps": "words/s", "ups": "it/s"}
_RATES |= dict.fromkeys(("throughput", "ips"), "")
EVALUATED = words(
    "val va vali valid validation validate validating dev test testing tst te eval evaluation "
    "evaluate evaluating cv evaluated validated tested holdout heldout "
    "vaildation"  # one program's spelling
)
TRAINED = frozenset({"train", "training", "tr", "trn", "finetuning", "pretraining"})
EPOCHS = words("epoch epochs epoche epoches ep epo")
_EPOCHS = EPOCHS - {"epochs"} | {"round"}
_STEPS = words("episode step iter iters iteration batch update it steps updates")
_INDICES = words("i idx index number no")
_LOSSES = frozenset({"loss", "losses"})
PARTS_OF_LOSS = words("bce recon reconstruction kl kld")
"""Parts of a loss, without that word: `Total: 1.1 | Dice: 0.8 | BCE: 1.2`, `Recon: 0.1 | KL: 3`."""
_QUALITIES = (
    dict.fromkeys(
        words("acc accu accuracy accuray accurancy"), "acc1"
    )  # as CRNN and PFLlib spell it
    | {"perplexity": "perplexity", "ppl": "perplexity"}
    | {
        f"{word}{k}": f"acc{k[-1]}"
        for word in ("acc", "top", "prec")
        for k in ("1", "5", "@1", "@5")
    }
    | {name: name for name in words("miou iou map ap auc f1 bleu chrf psnr ssim dice mcc wer cer")}
    | {name: name for name in words("eer map50 fid ndcg mrr reward return pck pckh hota mota idf1")}
    | {"auroc": "auc", "error_rate": "error", "fscore": "fscore", "fb1": "f1", "hmean": "hmean"}
    | {"sisdr": "si_sdr", "sisnr": "si_snr"}
)
_PLAIN = (
    EVALUATED
    | TRAINED
    | words(
        "avg avr ave average averaged mean total current cur running global final top at "
        "epoch step iter batch mini episode episodic"
    )
    | words("ep loss of on for with and the is was in to info model set dataset")
    | words("cross entropy ce nll lm score")
    | words("roc overall reduced done finished complete completed result results metrics")
)
"""Words beside a figure's name that do not change its meaning."""
BESIDE_NAMES = _PLAIN | _LOSSES | _QUALITIES.keys()
"""Words that are no data set's name: those of figures, and those beside their names."""
ERRORS = words("mse mae rmse mape error nme epe aepe mpjpe")
"""Errors may be losses of the training: one is a quality only if it names an evaluation."""
_OF_AN_ERROR = words("absolute squared square root percentage top1 prec1 acc1 classification")
"""Words of an error over all evaluated data; a `class_error` covers a part."""
_TAILS = words("coef coeff coefficient score")
"""Words after a figure's name that do not change its meaning: `dice coefficient`."""
_AFTER = frozenset({"is", "was", "are", "of", "at", "equals"})
AVERAGED = frozenset({"avg", "average", "mean"})
_INSTANCES = words("instance image sample")
"""The mean over all of these is the accuracy; beside it stands the mean over the classes."""
_OF_TIME = AVERAGED | {"step", "epoch"}
_NOT = words(
    "best max min peak target num number lr rate learning eta scale patience interval freq every "
    "size warmup decay limit threshold remaining left from until previous last prev "
    "weight weights coef coeff coefficient type function"
)
_NO_COUNT = _NOT | words("time per inner ppo acc accum accumulate accumulation")
"""Besides: PPO has epochs of each batch, and gradients are accumulated over `acc_steps`."""
_NO_LABEL = ("start_", "begin_", "end_", "final_", "stop_", "epoch/")
"""Beginnings of names that are settings (`end_epoch: 90`), or two counts (`epoch/iter: 0/9`)."""
_NO_RATE = _NOT - {"rate"} | words(
    "data loader dataloader loading decode read inference prefill prompt generation latency compute"
)
_CLOCKED = frozenset({"time", "dt", "cost", "duration"})
_IN_NAMES = frozenset({"s", "sec", "secs", "second", "seconds", "ms"})
_BY_ITERATION = frozenset({"batch", "step", "iter", "iteration"})
_OF_A_TIME = _BY_ITERATION | {"time", "dt", "per", "avg", "average", "mean", "train", "training"}
_OF_AN_EPOCH = words(
    "epoch time avg per for of train training taken each this the one duration elapsed across"
)
_OF_TRAINING = TRAINED | words("time taken consumed spent cost used")
INFERRED = EVALUATED | {"infer", "inference"}
_ENDS_OF_TOOK = [
    s.split() for s in ("took", "finished in", "completed in", "complete in", "done in")
]
_TOOK = [*_ENDS_OF_TOOK, ["in"], ["takes"]]
_MOST_WORDS = 6


@lru_cache(4096)
def meaning(key: str, unit: str, counts: bool) -> Named | None:
    """Returns the meaning of a number by its name and unit; None if it is not known.

    Args:
        key: The name in front of the number.
        unit: The unit after the number, in lower case; empty without one.
        counts: Whether the number may be that of an epoch or a step.
    """
    name = label(key, 40)
    if _OF_BOTH.search(key) is not None:
        return None
    key = _TOP_ERROR.sub(r"top\1 err", _TOP.sub(r"\1\2", _OF_MAIN.sub("", key)))
    key = _OWN_INSIDE.sub(r"/\2/\1", _UNDERSCORED.sub(r"\1/s", without_overlap(key)))
    ngrams = _BLEU.search(key)
    if ngrams and ngrams[1] != "4":
        return Named("series", name, f"bleu_{ngrams[1]}")
    said = words_of(key)
    kinds = frozenset(said)
    split = "eval" if kinds & EVALUATED else "train" if kinds & TRAINED else ""
    if (seconds := SECONDS_PER_EPOCH.get(unit)) is not None:
        return Named("epoch time", name, split=split, scale=seconds)
    rate, scale, inverse = rate_unit(unit), 1.0, unit in SECONDS_OF_ONE
    if inverse:
        scale, rate = SECONDS_OF_ONE[unit]
    if rate is None and unit not in SECONDS_PER:
        per = _PER.search(parted(key))
        if per and (seconds := SECONDS_PER.get(f"{per[1]}/{per[2]}".lower())):
            return Named("duration", name, split=split, scale=seconds)  # `ms/batch 9.32`
        if per and per[2].lower() in PER_SECOND:
            rate = RATES_OF.get(per[1].lower())
        if rate is None:
            return _by_name(name, said, unit, counts, split)
        own = per[3] is not None or not {"device", "gpu"}.isdisjoint(said) if per else False
        said = said[:-2]
    else:
        own = _OWN.search(key) is not None
    if len(said) > _MOST_WORDS or kinds & _NO_RATE:
        return None
    if rate is None:
        return Named("duration", name, split=split, scale=SECONDS_PER[unit])
    return Named("rate", name, "", rate, split, scale, own, inverse)


def _by_name(name: str, said: list[str], unit: str, counts: bool, split: str) -> Named | None:
    """Returns the meaning of a number by its name, if the unit alone does not decide it."""
    said = _without_tail(with_joined_words(said))
    if not said or len(said) > _MOST_WORDS:
        return None
    kinds, seconds = frozenset(said), TIMES.get(unit)
    if seconds is not None and kinds <= TRAINED | INFERRED:  # train 2.1s | acc 91.5 % | infer 0.4s
        return Named("train time" if kinds <= TRAINED else "eval time", name, scale=seconds)
    said = _without_split(said)
    if (counted := _without_index(said)) != said:
        said, kinds = counted, frozenset(counted)
    last = said[-1]
    if said[0] in _RATES and len(said) > 1 and not unit:  # fps total; fps step is that of a part
        return Named("rate", name, unit=_RATES[said[0]]) if last in ("total", "overall") else None
    if seconds is not None:
        if last in _EPOCHS and kinds <= _OF_AN_EPOCH:  # for 1 epoch: 1.45 secs
            return Named("epoch time", name, scale=seconds)
        if said in _TOOK:
            return Named("in", name, scale=seconds)
        if "epoch" in kinds and (ends := _took(said)):
            return _time_taken(name, said[:-ends], seconds)
    by = kinds - AVERAGED - {"per"}
    # `Batch: 0.65 sec`, `average per iter: 0.3 s`; xlua's bars, of tests too, say `Step: 5ms`.
    names_it = bool(by) and by <= _BY_ITERATION and (by != {"step"} or "per" in kinds)
    if names_it and unit in _IN_NAMES:
        return Named("duration", name, scale=TIMES[unit])
    if last in _EPOCHS | _STEPS and not _is_time_by_iteration(last, kinds, unit):
        return _count(name, said, last, kinds) if counts and not unit else None
    if said[0] == "best" and not split and len(said) > 1 and _NOT.isdisjoint(said[1:]):
        known = _figure(name, said[1:], unit, split)
        return known._replace(role="best") if known and known.role == "quality" else None
    if kinds & _NOT:
        return None
    if not kinds.isdisjoint(_CLOCKED):
        return _time(name, kinds, unit, split)
    if last in _RATES:
        return Named("rate", name, unit=_RATES[last], split=split)
    return _figure(name, said, unit, split)


def _without_tail(said: list[str]) -> list[str]:
    """Returns a name without words at its end that do not change its meaning.

    Such as those of `val acc is`, `dice coefficient`, `loss_avg` and `train_loss_epoch`.
    """
    figures = _LOSSES | _QUALITIES.keys()
    while len(said) > 1 and (
        said[-1] in _AFTER
        or (said[-1] in _TAILS and said[-2] in _QUALITIES)
        or (said[-1] in _OF_TIME and said[-2] in figures)
    ):
        said = said[:-1]
    return said


def _without_split(said: list[str]) -> list[str]:
    """Returns a name without the split at its end: that of `loss/train` and `loss on train`."""
    if len(said) > 1 and said[-1] in EVALUATED | TRAINED:
        return said[: -2 if said[-2] == "on" and len(said) > 2 else -1]
    return said


def _without_index(said: list[str]) -> list[str]:
    """Returns the name of a count without a word for its number: `batch_idx`, `Round number`."""
    if said == ["i"]:
        return ["step"]
    of_count = len(said) > 1 and said[-1] in _INDICES and said[-2] in _STEPS | _EPOCHS
    return said[:-1] if of_count else said


def _is_time_by_iteration(last: str, kinds: frozenset[str], unit: str) -> bool:
    """Returns whether a name that ends as a step's does is that of its time.

    An example is `time per step: 12 ms`.
    """
    has_unit = unit in TIMES or not kinds.isdisjoint(_IN_NAMES)
    return "time" in kinds and has_unit and last in _BY_ITERATION


def _count(name: str, said: list[str], last: str, kinds: frozenset[str]) -> Named | None:
    """Returns the meaning of a number that counts epochs or steps; None if it is a setting."""
    of_one = said[-2:-1] == ["for"] or ("time" in kinds and said[-2:-1] == ["of"])
    if kinds & _NO_COUNT and not of_one:  # time for epoch 3, time of epoch 3
        return None
    if name.lower().rpartition(".")[2].startswith(_NO_LABEL):
        return None
    if last in _EPOCHS:
        # `Total Epoch: 300`; `Local Epoch: 0` is one of each round, at each client
        return None if kinds & {"total", "local"} else Named("epoch", name)
    return Named("step", name)


def _time_taken(name: str, said: list[str], seconds: float) -> Named | None:
    """Returns the time of an epoch: `Epoch finished in 9.6 s`, `Training epoch took: 70 s`."""
    if not _OF_AN_EPOCH.issuperset(said):
        return None
    trained = said[-1] in _EPOCHS and said[0] in TRAINED
    return Named("train epoch" if trained else "epoch time", name, scale=seconds)


def _took(said: list[str]) -> int:
    """Returns how many words at a name's end say that something took the time after it."""
    return next((len(end) for end in _ENDS_OF_TOOK if said[-len(end) :] == end), 0)


def _figure(name: str, said: list[str], unit: str, split: str) -> Named | None:
    """Returns the loss, quality or series that a name means, mostly by its last word; else None."""
    last, kinds, percent = said[-1], frozenset(said), unit if unit == "%" else ""
    if last == "accu" and not kinds <= {last} | EVALUATED | TRAINED:
        return None  # `current accu`: of a line that prints it beside the best one
    if last in _LOSSES:
        known, role = "loss", "loss"
    elif last in _QUALITIES and _LOSSES.isdisjoint(said[-2:-1]):  # loss_iou is a loss
        known, role = _QUALITIES[last], "quality"
        kinds -= {"metric"} if said[0] == "metric" else set()  # PaddleGAN: `Metric psnr: 24.5`
        if last in ("accuracy", "acc") and len(said) > 1:
            known = _QUALITIES.get(said[-2], known)  # top5 acc
            kinds -= _INSTANCES if kinds & AVERAGED else {"instance"}
            kinds -= {"data"} if split else frozenset()  # training data accuracy
        elif last in ("iou", "ap") and "mean" in kinds:
            known = f"m{last}"
    elif of_the_first(last):
        known, role = last, "quality"
    elif last in ("sdr", "snr") and said[-2:-1] == ["si"]:
        known, role, kinds = f"si_{last}", "quality", kinds - {"si"}
    elif said[-2:] == ["average", "precision"] and "mean" in kinds:
        known, role, last = "map", "quality", "precision"
    elif last == "score" and len(said) > 1 and kinds <= EVALUATED | TRAINED | {last}:
        known, role = last, "quality"  # scikit-learn's, by the estimator's own metric
    elif last in ERRORS or last == "err":
        whole = kinds <= _PLAIN | _OF_AN_ERROR | {last}
        last = "error" if last == "err" else last
        role = "quality" if whole and split == "eval" else "series"
        decibels = "dB" if unit == "db" else ""
        return Named(role, name, last if whole else "_".join(said), percent or decibels, split)
    elif (
        not kinds.isdisjoint(_LOSSES) or last in PARTS_OF_LOSS
    ):  # Loss_D, avg_loss_src, center_loss_metric
        return Named("series", name, "_".join(said), percent, split)
    else:
        return None
    if kinds <= _PLAIN | {last, *_QUALITIES_BY.get(known, ())}:
        return Named(role, name, known, percent, split)
    return Named("series", name, "_".join(said), percent, split)


def _time(name: str, kinds: frozenset[str], unit: str, split: str) -> Named | None:
    """Returns the meaning of a time by its unit, which may be in its name (`time (sec)`)."""
    named = kinds & _IN_NAMES
    if not unit and len(named) == 1:
        (unit,), kinds = named, kinds - named
    seconds = TIMES.get(unit)
    if seconds is None:
        return None
    if "epoch" in kinds:
        whole = kinds <= _OF_AN_EPOCH
        return Named("epoch time", name, split=split, scale=seconds) if whole else None
    if kinds <= {"time", "cost", "duration"}:
        return Named("time", name, scale=seconds)
    if "time" in kinds and kinds & TRAINED and kinds <= _OF_TRAINING:
        return Named("train time", name, scale=seconds)
    if kinds & (_BY_ITERATION | {"dt"}) and kinds <= _OF_A_TIME:
        return Named("duration", name, scale=seconds)
    return None


_QUALITIES_BY = {
    known: frozenset(word for word, name in _QUALITIES.items() if name == known)
    for known in (*_QUALITIES.values(), "loss")
}
