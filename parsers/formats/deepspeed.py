"""DeepSpeed's own lines, and those of the DeepSpeed-Chat scripts that call it.

Lines that other trainers print, too, have low weights. `SamplesPerSec` counts the samples of all
devices. It is the mean since the training began, as is `RunningAvgSamplesPerSec` in later versions,
where `CurrSamplesPerSec` is the rate of a single step. In reinforcement learning they cover only
the training part of a step; there, the throughput is the end-to-end rate.
"""

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    Scope,
)
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import fact, ignored, line, progress, starts

_RATES = ("CurrSamplesPerSec", "SamplesPerSec")
_TIMED = NamedRecord(
    unit="samples/s", scope=Scope.JOB, mean_throughput="mean", further=further(*_RATES)
)
_MEANS = _TIMED._replace(mean_throughput="throughput")
_LATER = _TIMED._replace(mean_throughput="")
"""For later epochs, as the means are not those since the epoch began."""
_REINFORCED = NamedRecord(further=further())


_SUPERVISED = "Epoch: {{epoch:int}}, Step: {{step:int}}, Rank: {}, loss = {{loss:float}}"


def _timed(head: str, rate: str) -> KeyValues:
    numbers = {"throughput": rate, "mean": "RunningAvgSamplesPerSec"}
    return KeyValues(head, delimiter=",", separator="=", numbers=numbers, required=(rate,))


def _losses(head: str, actor: str, critic: str) -> KeyValues:
    return KeyValues(head, delimiter="|", numbers={"loss": actor}, required=(actor, critic))


class DeepSpeed(Reader):
    name = "deepspeed"
    title = "DeepSpeed and DeepSpeed-Chat"
    example = (
        "epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=172.6, "
        "CurrSamplesPerSec=171.4, MemAllocated=3.96GB, MaxMemAllocated=22.95GB"
    )
    unread = (
        "`step=…, skipped=…, lr=…` lines, timers (`time (ms) |`), FLOPs profiles, memory "
        "reports, ZeRO's configuration"
    )

    _evaluating: int | None = None
    _generates = False
    _label: tuple[int | None, int | None] = None, None
    """Epoch and step of the last line of reinforcement learning."""
    _is_over = False

    @line(
        (
            _timed(
                "epoch={epoch:int}/micro_step={step:int}/global_step={global_step:int},",
                "CurrSamplesPerSec",
            ),
            _timed("{epoch:int}/{step:int},", "CurrSamplesPerSec"),
        ),
        0.25,
        "iteration",
        _TIMED,
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        record = self._record(f["epoch"], _TIMED)
        return record.read(self, line, f) if record else ()

    @line(_timed("{epoch:int}/{step:int},", "SamplesPerSec"), 0.25, "iteration", _MEANS)
    def _mean(self, line: Line, f: Fields) -> Events:
        record = self._record(f["epoch"], _MEANS)
        return record.read(self, line, f) if record else ()

    def _record(self, epoch: int, first: NamedRecord) -> NamedRecord | None:
        """Returns what a timer's line means; None where other lines have the place and the rate.

        In reinforcement learning the actor and the critic have a timer each, whose epoch is 0.
        """
        if self._generates:
            return None
        return _LATER if epoch else first

    pipeline = progress(
        "steps: {step:int} loss: {loss:float} {}iter time (s): {duration:float} "
        "samples/sec: {throughput:float}",
        NamedRecord(unit="samples/s", scope=Scope.JOB),
        0.5,
    )
    supervised = (
        progress(_SUPERVISED.format("0"), NamedRecord(), 0.3),
        ignored(_SUPERVISED.format("{rank:int}"), 0.3, "iteration"),
    )

    @line(
        (
            _losses("epoch: {epoch:int}|step: {step:int}|", "act_loss", "cri_loss"),
            _losses("Epoch: {epoch:int} | Step: {step:int} |", "Actor Loss", "Critic Loss"),
        ),
        0.5,
        "iteration",
        _REINFORCED,
    )
    def _reinforced(self, line: Line, f: Fields) -> Events:
        self._generates = True
        self._label = f["epoch"], f["step"]
        return _REINFORCED.read(self, line, f)

    @line(
        "End-to-End => Latency: {latency:float}s, {}Samples/sec: {throughput:float}, Time/seq {}"
        " Batch Size: {:int}, ...",
        0.5,
        "iteration",
    )
    @line(
        KeyValues(
            "|E2E latency={latency:float}s |",
            delimiter="|",
            separator="=",
            numbers={"throughput": "CurSamplesPerSec"},
            required=("CurSamplesPerSec",),
        ),
        0.5,
        "iteration",
    )
    def _end_to_end(self, line: Line, f: Fields) -> Events:
        self._generates = True
        event = Iteration(line.origin(), *self._label, duration=f["latency"])
        yield event._replace(throughput=f["throughput"], unit="samples/s", scope=Scope.JOB)

    epochs = fact("Beginning of Epoch {:int}/{epochs_planned:int}, Total {}Batches {:int}", 0.1)

    @line("Average reward score: {value:float} | EMA reward score: {:float}", 0.2, "reward")
    @line(
        ("average reward score: {value:float}", "Average reward score: {value:float}"),
        0.2,
        "reward",
    )
    def _reward(self, line: Line, f: Fields) -> Events:
        score = Metric("average reward score", f["value"])
        yield Iteration(line.origin(), *self._label, values=(score,))

    @line("***** Evaluating {}, Epoch {epoch:int}/{epochs:int} *****", 0.5, "evaluation")
    def _evaluation_of(self, line: Line, f: Fields) -> Events:
        self._evaluating = f["epoch"]
        yield RunInfo(line.origin(), "epochs_planned", f["epochs"])

    @line(
        ("ppl: {perplexity:float}", "ppl: {perplexity:float}, loss: {loss:float}"),
        0.2,
        "evaluation",
    )
    def _perplexity(self, line: Line, f: Fields) -> Events:
        return self._evaluated(line, figures(f))

    @line(
        "chosen_last_scores (higher is better) : {score:float}, {}acc (higher is better) : "
        "{acc:float}",
        0.5,
        "evaluation",
    )
    def _preference(self, line: Line, f: Fields) -> Events:
        accuracy = Metric("acc", f["acc"], "fraction")
        return self._evaluated(line, (accuracy, Metric("chosen_last_scores", f["score"])))

    def _evaluated(self, line: Line, metrics: tuple[Metric, ...]) -> tuple[Event, ...]:
        # The heading counts finished epochs; the progress lines number them from 0.
        finished, self._evaluating = self._evaluating, None
        epoch, step = finished - 1 if finished else None, 0 if finished == 0 else None
        return (Evaluation(line.origin(), metrics, epoch=epoch, step=step),)

    world = fact("dist_world_size={devices:int}", 0.1)
    header = starts("***** Running training *****", 0.02)

    @line("Process {pid:int} exits successfully.", 0.1, "end")
    def _exit(self, line: Line, f: Fields) -> Events:
        if not self._is_over:  # every process of a node prints this line
            yield RunEnd(line.origin())
        self._is_over = True
