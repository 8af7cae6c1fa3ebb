"""The named protocols: one row each, with where its rule comes from.

Those of DLPerf are in `dlperf.py`. Perf's are those of PaddlePaddle/Perf e7a07c4, whose rules are
written nowhere and were found by searching for the window that gives the published digits.
"""

from sixdim.metrics.protocols.dlperf import DLPERF
from sixdim.metrics.values.protocol import (
    DEEPSPARK,
    EXAMPLE,
    Inverse,
    OverRuns,
    Protocol,
    Records,
    Reduce,
)

_ITERATION = Records.ITERATION
_TIPC = Protocol(
    "paddle-tipc",
    "PaddlePaddle test_tipc/benchmark analysis.py, skip_steps 10 (ResNet50, BERT)",
    _ITERATION,
    skip=10,
    least=11,
    trim=5,
    trim_share=0.05,
    scale=("devices",),
    prints="round 3",
)
_FITTED = "PaddlePaddle/Perf, found by fitting: "
_SUMMARY = (
    "train.compute_ips|train.total_ips|train.ips|train_throughput|training_sequences_per_second"
    "|avg_ips"
)


def _tipc(name: str, skip: int, what: str) -> Protocol:
    source = f"PaddlePaddle test_tipc/benchmark analysis.py, skip_steps {skip} ({what})"
    return _TIPC._replace(name=f"paddle-tipc-{name}", source=source, skip=skip)


def _perf(name: str, rule: str, metric: str, skip: int) -> Protocol:
    source = _FITTED + rule
    return Protocol(f"perf-{name}", source, _ITERATION, metric, skip=skip, prints="%.6g")


_ROWS = (
    DEEPSPARK,
    EXAMPLE,
    Protocol(
        "custom",
        "the flags: --records --metric --skip --take --trim --reduce --scale (they change any "
        "other protocol, too)",
        _ITERATION,
    ),
    *DLPERF,
    _TIPC,
    _tipc("transformer", 5, "Transformer"),
    _tipc("hrnet", 2, "HRNet"),
    _perf("paddle-32", "Paddle on 32 cards, mean(ips[10:])", "throughput", 10)._replace(
        scale=("devices",), prints="round 3"
    ),
    _perf("ngc-pytorch", "mean(train.total_ips[9:]) on one card", "train.total_ips", 9),
    _perf("ngc-pytorch-8", "mean(train.total_ips[8:]) on eight cards", "train.total_ips", 8),
    _perf("ngc-tensorflow", "mean(total_ips[5:])", "total_ips", 5),
    _perf("ngc-tensorflow-bert", "mean(throughput_train)", "throughput_train", 0),
    _perf("transformer", "mean(tokens/s[149:]) on one card", "throughput", 149),
    _perf("transformer-8", "mean(tokens/s[44:]) on eight cards", "throughput", 44),
    _perf("mmseg", "global batch / mean(time[5:])", "time|duration", 5)._replace(
        inverse=Inverse.MEAN, scale=("global_batch",), unit="samples/s", prints="round 3"
    ),
    Protocol(
        "summary",
        "the log's own closing figure: DLLogger's Summary, MXNet's table, AI-Rank's avg_ips",
        Records.SUMMARY,
        "train.total_ips|" + _SUMMARY.removeprefix("train.compute_ips|"),
        reduce=Reduce.LAST,
    ),
    Protocol(
        "ai-rank",
        "AI-Rank result tables: the run's own summary, of one device train.compute_ips, of several "
        "train.total_ips",
        Records.SUMMARY,
        _SUMMARY,
        job_metric="train.total_ips",
        reduce=Reduce.LAST,
    ),
    Protocol(
        "mlperf",
        "MLPerf training rules: run_stop - run_start; over runs the mean without the fastest and "
        "the slowest",
        Records.RUN,
        "run_time",
        scale=(1 / 60,),
        unit="min",
        prints="%.4f",
        over_runs=OverRuns.OLYMPIC,
    ),
)

PROTOCOLS = {row.name: row for row in _ROWS}
