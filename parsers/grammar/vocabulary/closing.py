"""Recognises the line that says that a training is over: `Training complete in 1m 54s`."""

from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.grammar.vocabulary.languages import english, is_translated, may_train
from sixdim.parsers.grammar.vocabulary.starting import without_logger
from sixdim.parsers.grammar.vocabulary.words import words
from sixdim.parsers.text.patterns import pattern

_WORD = pattern(r"[A-Za-z]++")
_IN_A_PATH = pattern(r"\w[_./\\]\w")
"""A part of the name of a file, whose words are none of the sentence."""
_DIGIT = pattern(r"\d")
_OF_TRAINING = (
    *("train", "fit", "tuning", "early", "improv", "elapsed", "optimi"),
    *("entren", "trein", "addestr", "entraîn", "latih", "eğit", "huấn"),
)
_TRAINING = words(
    "training train finetuning pretraining fit fitting optimization optimisation "
    "entrenamiento treinamento treino addestramento pelatihan"
)
OVER = words(
    "finished finish complete completes completed done ended end success "
    "abgeschlossen beendet fertig completado finalizado terminado completo completato terminato "
    "selesai"
)
"""Words that say that something is over."""
_BESIDE = words(
    "the is has was been model task loop process run job successfully all of for in after with "
    "and evaluation total overall whole took time duration final erfolgreich est en em con com "
    "sucesso proses dalam"
)
"""Other words of a closing line: with any further word, something else or a part is over."""
_OF_ALL = words("total overall whole")
_OF_WHAT = pattern(
    r"(?<=training of )(?:[a-z-]{1,30} ){1,9}(?=(?:finished|completed?|done)[.! ]{0,4}$)"
)
"""`Training of the linear classifier completed`: if a part was meant, more training follows."""
_SAYS = pattern("|".join(sorted(OVER | {"total", "time", "took", "duration"})))
"""Finds one of the words that every such line contains."""
_MAY_SAY = pattern(_SAYS.pattern + "|stop|exit|cancel|terminat")
"""Finds one of the words that every line contains that ends a training, early or not."""
_TIMED = words("time total took in s sec secs seconds h m min")
"""The words of a second sentence that gives the duration: `train end. time 425.4 (s)`."""
_NEXT = frozenset({"epoch", "epochs", "fold", "stage", "phase"})
"""Where one of these follows, the line names what comes next: the training is not over."""
_STOP = pattern(r"\bearly[ _-]?stop(?:p(?:ing|ed))?\b")
"""Names early stopping: `Early stopping at epoch 12`."""
_BESIDE_A_STOP = words(
    "earlystopping earlystopped earlystop early stop stopping stopped triggered activated "
    "occurred reached condition met at in on after for with without no not improvement improving "
    "the is was has been model val validation loss training exiting break breaking epoch epochs "
    "step steps halted stops ended ends by criterion criteria"
)
"""Words of an early-stopping line: with any other it may be a setting or a patience counter."""
_COUNTED = pattern(r"\b(?:epoch|step)[ :#]{0,3}\d{1,12}+\b(?!/)|\b\d{1,12}+ (?:epoch|step)s?\b")
_PATIENCE = pattern(r"\bpatience[ @:=]{1,4}\d{1,9}+(?:\.0)?+\b")
_BEST_AFTER = pattern(
    r"(?:[.!;,(|]|\bwith)\s{0,3}best(?![a-z])(?!.*\b(?:so far|counter|patience)\b).{0,120}$"
)
"""The best result after a sentence: `Early stopping at epoch 21 (best epoch 17)`."""
_STALLED = pattern(r"(?:\bno|\bnot|n't|\bwithout)\b[^.;]{0,40}\bimprov(?:ed?|ing|ements?)\b")
"""No improvement: if the line also says that something stops, that is the training."""
_STOPS = pattern(
    r"\b(?:stop(?:s|ped|ping)?|exit(?:s|ed|ing)?)\b(?: from)?(?: the)?(?: training)?( early\b)?"
)
_MOST = r"\bmax(?:imum)?[ _-](?:number of )?(?:training )?(?:epoch|step|iteration|iter)s?\b"
_REACHED = pattern(
    rf"(?!.*\b(?:not|never|once)\b).*(?:\breached\b.{{0,12}}{_MOST}"
    rf"|{_MOST}[^.;]{{0,20}}\b(?:reached|completed)\b)"
)
"""All planned epochs were trained: if the line also says that something stops, training does."""
_MAY_STOP = words("if will would when until unless counter patience yet could can or")
"""Words of a setting or a patience counter: the line does not say that the training stops."""
_CANCELS = pattern(
    r"\b(?:reached|exceeded)\b[^;]{0,60}\b(?:stopp|cancell?|terminat)ing (?:the )?training\b"
)
"""What a callback of many courses prints: `Reached 99% accuracy so cancelling training!`."""
DIVERGED = pattern(
    r"(?i)^(?!.{0,160}\b(?:if|when|will)\b).{0,60}\b"
    r"(?:loss\b.{0,40}\b(?:nan|inf)|nan\b.{0,20}\bloss|invalid loss)\b"
    r".{0,40}\b(?:stopp|terminat|abort|exit)ing(?: the)?(?: training| run|[.!]{0,3}$)"
)
"""A training that stops because its loss is no number: `Loss is nan, stopping training`."""
_SAVES = "saving"
"""What a program may do when the training is over: `Finished training! Saving model to disk.`"""
_TRIAL = pattern(r"Trial \d{0,9}+ ?(?:finished with value|pruned\b|failed with)")
"""The line in which Optuna says that one training of a search is over."""
_LONGEST = 200
_SENTENCE = pattern(r"[.!;]\s|,\s(?!\d|took)|:\s(?!\d)|\||\s\(|\sand the best\b|$")
_AMOUNT = pattern(
    r"\b(?:after|in|for|with) {1,8}\d{1,12}+ (?:epoch|step|iteration|update)s?(?![\w/])"
    r"|\bat (?:epoch|step|iteration)[ :#]{1,3}\d{1,12}+(?![\w/])"
)
"""The amount of training: `Training ended after 6 epochs`, `Training complete at step 40000`."""
_REASON = pattern(r"\b(?:since|because|as) [^!;]{1,60} (?:was|is|has been) reached(?=[.! ]{0,4}$)")
"""Why it is over: `Training ended since the minimum lr 1e-08 was reached.`"""
_DURATION = pattern(r"(?:\b(?:in|after|took|time|duration|en|em|dalam)\b|:)[:\s]{0,4}(?=\d)")
_IN_HOURS = pattern(r"\d:\d\d:\d\d|\d (?:hours?|days?)\b|\dh ")
"""A time in hours or days is that of a whole training: epochs seldom last hours."""
_MOMENT = pattern(
    r"\b(?:at|on)\b[: ]{1,3}(?:\d{4}-\d\d-\d\d[ t]{1,3}|[a-z]{3} [a-z]{3} {1,2}\d{1,2} )?"
    r"\d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?[.! ]{0,4}$"
)
"""When it was over: `Training finished at 2024-01-02 12:33:44`."""
_WHOLE = pattern(
    r"(?:finished|done|completed?)[.!,:] {1,4}total (?:elapsed|training) time"
    r"(?: \(h:m:s\))?[:= ]{1,4}(.{1,40}?)(?:\. .{0,80})?[. ]{0,2}$"
)
"""The time of a whole program after a word that says that it is over."""
_TOTAL_TIME = pattern(
    r"(?i)\W{0,8}+(?:total (?:(?:elapsed|training|run|running|wall|execution) )?+|training )time"
    r"(?: elapsed| taken| spent)?+\s?[:=]\s{0,9}+(?=\d)([^(]++)"
)


_TAKEN = (
    r" in \d[\d:.]{0,11}+(?: ?(?:hours?|h|minutes?|mins?|m|seconds?|secs?|s))?+"
    r"(?: ?\d{1,2}+(?:\.\d{1,3})?+ ?(?:mins?|m|secs?|s))?+"
)
_THE_BEST = r"[,.;!:]? {0,2}+best(?: [A-Za-z][\w@/-]{0,19}+){0,3}+[ :=]{1,3}+\d[\d.]{0,9}+ ?+%?+"
_WORD_ALONE = pattern(
    r"(?i)(?:\W{0,8}+(?:all )?+(?:done|finish(?:ed)?|completed?)"
    rf"(?:{_TAKEN}|{_THE_BEST})?\W{{0,8}}+"
    r"|\{ ?+\"(?:event|type|status|state|phase)\" ?+: ?+\"(?:done|finished|completed?)\" ?+\})"
)
"""A word alone: `Done!`, `=== FINISHED ===`, `{"event": "done"}`; also with the time that something
took, or the best figure: `[Finished in 122.8s]`, `All done, best acc: 0.9`."""
_TIME_ALONE = pattern(
    r"(?i)\W{0,8}+(?:(?:elapsed )?+training (?:time|took|duration)(?: taken| elapsed)?+"
    r"|time (?:elapsed|taken) for training)(?: ?[:=] ?| is | was | )\d[\d:.]{0,18}+"
    r"(?: ?(?:hours?|h|minutes?|mins?|m|seconds?|secs?|s))?+\W{0,8}+"
)
"""The time of a training, or of an epoch's: `Training time: 6.89 min`."""
_LONGEST_WORD = 60


class Closing(NamedTuple):
    """A closing line; `duration` is the training's printed time in seconds, None if not printed."""

    duration: float | None


def may_close(text: str) -> bool:
    """Returns whether a line with this text may be a closing line, whatever its numbers are."""
    if of_a_trial(text):
        return True
    lower = text.lower()
    of_training = any(word in lower for word in _OF_TRAINING)
    if text.isascii():
        return of_training and _MAY_SAY.search(lower) is not None
    return of_training or may_train(text)


def _in_english(text: str) -> str:
    text = english(text) if is_translated(text) else text
    text = text.lower().replace("fine-tuning", "finetuning")
    return text.replace("ran out of patience", "no improvement")


def of_a_trial(text: str) -> bool:
    """Returns whether a line says that one training of a search is over: `Trial 3 pruned.`."""
    return "Trial " in text and _TRIAL.search(text) is not None


@lru_cache(256)
def closing(text: str) -> Closing | None:
    """Reads a line that only says that the training is over; None for any other line."""
    if of_a_trial(text):
        return Closing(None)
    if len(text) > _LONGEST or not may_close(text):
        return None
    text = _in_english(without_logger(text)).strip("|=-*# ")
    if "stop" in text and _STOP.search(text) is not None and _stops_early(text):
        return Closing(None)
    stops = _STOPS.search(text) if "stop" in text or "exit" in text else None
    if _CANCELS.search(text) and (_MAY_STOP - {"patience"}).isdisjoint(_WORD.findall(text)):
        return Closing(None)
    if stops is not None and _MAY_STOP.isdisjoint(_WORD.findall(text)):
        why = stops[1] or _STALLED.search(text) or _REACHED.match(text)
        return Closing(None) if why else None
    if _SAYS.search(text) is None:
        return None
    if whole := _WHOLE.match(text):
        return None if (seconds := spoken_seconds(whole[1])) is None else Closing(seconds)
    text = _REASON.sub("", text) if "reached" in text else text
    text = _BEST_AFTER.sub("", text) if "best" in text else text
    text = _MOMENT.sub("", text)
    end = _SENTENCE.search(text)
    text, more = (text[: end.start()], text[end.start() :]) if end else (text, "")
    text = _AMOUNT.sub("", text)
    time = _DURATION.search(text)
    said = text if time is None else text[: time.start()]
    seen = frozenset(_WORD.findall(said if _NEXT & {*said.split()} else _OF_WHAT.sub("", said)))
    # `Total training time: 3.2 h`, `Training time 1:02:03`
    says = seen & OVER or (time is not None and (seen & _OF_ALL or _IN_HOURS.search(text)))
    if not (seen & _TRAINING and says and seen <= _TRAINING | OVER | _BESIDE):
        return None
    more = more.replace("training time", "time")
    said_later = [part for part in more.split() if _IN_A_PATH.search(part) is None]
    later = _WORD.findall(" ".join(said_later))
    # `best accuracy at epoch 3`, `Total epochs: 10`
    goes_on = not _NEXT.isdisjoint(later) and not {"best", "total"} & {*later}
    goes_on = goes_on and _REACHED.match(more) is None
    if goes_on or any(word.endswith("ing") and word != _SAVES for word in later):
        return None
    seconds = None if time is None else spoken_seconds(text[time.end() :].strip(" .!=-"))
    if time is None and _TIMED.issuperset(later) and (after := _DURATION.search(more)):
        seconds = spoken_seconds(more[after.end() :].replace("(s)", "s").strip(" .!)"))
    return None if _DIGIT.search(said) or (time and seconds is None) else Closing(seconds)


def is_over(text: str) -> bool:
    """Returns whether a line only says `Done!`, or that its event is `done`, but not what is done.

    A time beside it may be that of the whole program, of its last part or of anything else, and the
    time that a training took that of an epoch's.
    """
    if len(text) > _LONGEST_WORD:
        return False
    return bool(_WORD_ALONE.fullmatch(text) or _TIME_ALONE.fullmatch(text))


def total_time(text: str) -> float | None:
    """Returns the seconds of `Total time: 33.4 min`, which is a training's after its end only.

    They may stand in another unit behind it: `Training time: 236.5 seconds (3.94 minutes)`.
    """
    found = _TOTAL_TIME.match(text)
    return None if found is None else spoken_seconds(found[1].lower().strip(" .|*=-"))


def _stops_early(text: str) -> bool:
    """Returns whether a line says only that the training stops before its last planned epoch."""
    text = _BEST_AFTER.sub("", text)
    said = _COUNTED.sub("", text)
    if said != text:
        said = _PATIENCE.sub("", said)  # `Early stopping at epoch 72 for patience 10.0`
    if _DIGIT.search(said) is not None or said.endswith(":"):
        return False
    return _BESIDE_A_STOP.issuperset(_WORD.findall(said))
