"""DeepSpeed's own lines, and those of the DeepSpeed-Chat scripts around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line

_RATES = ("CurrSamplesPerSec", "SamplesPerSec")
_TIMED = IterationRecord(
    epoch="epoch",
    step="step",
    throughput=("throughput",),
    unit="samples/s",
    scope=Scope.JOB,
    further=further(figures, _RATES),
)
_UNRATED = replace(_TIMED, throughput=(), further=further(figures))
_PIPELINE = IterationRecord(
    step="step",
    throughput=("throughput",),
    unit="samples/s",
    scope=Scope.JOB,
    loss=("loss",),
    duration=("time",),
)
_SUPERVISED = IterationRecord(epoch="epoch", step="step", loss=("loss",))


class DeepSpeed(Reader):
    """Reads one log.

    The weights are low where other trainers print DeepSpeed's lines among their own.
    `SamplesPerSec` counts the samples of all devices. In reinforcement learning it times the
    training part of a step alone; there the end-to-end rate is the throughput.
    """

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

    def __init__(self) -> None:
        self._devices = 0
        self._evaluating: int | None = None
        self._generates = False
        self._epoch: int | None = None
        self._step: int | None = None
        self._over = False

    def _iteration(self, line: Line, f: Fields) -> Iterable[Event]:
        # The rate of reinforcement learning is another line's.
        return (_UNRATED if self._generates else _TIMED).read(self, line, f)

    def _supervised(self, line: Line, f: Fields) -> Iterable[Event]:
        return _SUPERVISED.read(self, line, f) if f["rank"] == 0 else ()

    def _reinforced(self, line: Line, f: Fields) -> Iterator[Event]:
        self._generates = True
        self._epoch, self._step = f["epoch"], f["step"]
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            loss=f["loss"],
            values=figures(f["pairs"]),
        )

    def _end_to_end(self, line: Line, f: Fields) -> Iterator[Event]:
        self._generates = True
        yield Iteration(
            line.origin(),
            epoch=self._epoch,
            step=self._step,
            throughput=f["throughput"],
            unit="samples/s",
            scope=Scope.JOB,
            duration=f["latency"],
        )

    def _reward(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Iteration(
            line.origin(),
            epoch=self._epoch,
            step=self._step,
            values=(Metric("average reward score", f["value"]),),
        )

    def _evaluation_of(self, line: Line, f: Fields) -> Iterator[Event]:
        self._evaluating = f["epoch"]
        yield RunInfo(line.origin(), "epochs_planned", f["epochs"])

    def _evaluated(self, line: Line, metrics: tuple[Metric, ...]) -> Iterator[Event]:
        # The header counts epochs done, the progress lines label them from 0.
        done, self._evaluating = self._evaluating, None
        yield Evaluation(
            line.origin(),
            metrics,
            epoch=done - 1 if done else None,
            step=0 if done == 0 else None,
        )

    def _perplexity(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._evaluated(line, figures({"perplexity": f["value"]}))

    def _perplexity_and_loss(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._evaluated(line, figures({"perplexity": f["value"], "loss": f["loss"]}))

    def _preference(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = (
            Metric("acc", f["acc"], "fraction"),
            Metric("chosen_last_scores", f["score"]),
        )
        return self._evaluated(line, metrics)

    def _world(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["devices"] != self._devices:
            self._devices = f["devices"]
            yield RunInfo(line.origin(), "devices", self._devices)

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def _exit(self, line: Line, f: Fields) -> Iterator[Event]:
        if not self._over:  # every process of a node exits for itself
            yield RunEnd(line.origin())
        self._over = True

    statements = (
        Statement(
            KeyValues(
                "epoch={epoch:int}/micro_step={step:int}/global_step={global_step:int},",
                delimiter=",",
                separator="=",
                numbers={"throughput": "CurrSamplesPerSec"},
                required=("CurrSamplesPerSec",),
            ),
            _iteration,
            0.25,
            "iteration",
        ),
        Statement(
            KeyValues(
                "{epoch:int}/{step:int},",
                delimiter=",",
                separator="=",
                numbers={"throughput": "SamplesPerSec"},
                required=("SamplesPerSec",),
            ),
            _iteration,
            0.25,
            "iteration",
        ),
        progress(
            Skeleton(
                "steps: {step:int} loss: {loss:float} iter time (s): {time:float} "
                "samples/sec: {throughput:float}"
            ),
            _PIPELINE,
            0.5,
        ),
        Statement(
            Skeleton("Epoch: {epoch:int}, Step: {step:int}, Rank: {rank:int}, loss = {loss:float}"),
            _supervised,
            0.3,
            "iteration",
        ),
        Statement(
            KeyValues(
                "epoch: {epoch:int}|step: {step:int}|",
                delimiter="|",
                numbers={"loss": "act_loss"},
                required=("act_loss", "cri_loss"),
            ),
            _reinforced,
            0.5,
            "iteration",
        ),
        Statement(
            KeyValues(
                "Epoch: {epoch:int} | Step: {step:int} |",
                delimiter="|",
                numbers={"loss": "Actor Loss"},
                required=("Actor Loss", "Critic Loss"),
            ),
            _reinforced,
            0.5,
            "iteration",
        ),
        Statement(
            KeyValues(
                "|E2E latency={latency:float}s |",
                delimiter="|",
                separator="=",
                numbers={"throughput": "CurSamplesPerSec"},
                required=("CurSamplesPerSec",),
            ),
            _end_to_end,
            0.5,
            "iteration",
        ),
        Statement(Skeleton("average reward score: {value:float}"), _reward, 0.2, "reward"),
        Statement(
            Skeleton("***** Evaluating {}, Epoch {epoch:int}/{epochs:int} *****"),
            _evaluation_of,
            0.5,
            "evaluation",
        ),
        Statement(Skeleton("ppl: {value:float}"), _perplexity, 0.2, "evaluation"),
        Statement(
            Skeleton("ppl: {value:float}, loss: {loss:float}"),
            _perplexity_and_loss,
            0.2,
            "evaluation",
        ),
        Statement(
            Skeleton(
                "chosen_last_scores (higher is better) : {score:float}, {}acc (higher is better) : "
                "{acc:float}"
            ),
            _preference,
            0.5,
            "evaluation",
        ),
        Statement(Skeleton("dist_world_size={devices:int}"), _world, 0.1, "header"),
        Statement(
            Skeleton("Beginning of Epoch {epoch:int}/{epochs:int}, Total {}..."),
            Reader.quiet,
            0.3,
            "epoch",
        ),
        Statement(Skeleton("***** Running training *****"), _start, 0.02, "header"),
        Statement(Skeleton("Process {pid:int} exits successfully."), _exit, 0.1, "end"),
    )
