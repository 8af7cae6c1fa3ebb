"""The protocols of DLPerf, one row each.

They follow the extraction scripts of Oneflow-Inc/DLPerf c89430b.
"""

from functools import partial

from sixdim.metrics.values.protocol import Inverse, Protocol, Records, Reduce

_BATCH = ("global_batch",)
_MILLI = ("global_batch", 1000.0)
_DLPERF = partial(Protocol, records=Records.ITERATION, unit="samples/s", prints="round 2")
"""What all of DLPerf's scripts share: two decimals, median over runs."""
_ELAPSED = partial(_DLPERF, reduce=Reduce.ELAPSED, scale=_BATCH)
"""Global batch x iterations / time between two lines."""
_LATENCY = partial(_DLPERF, scale=(1000.0,), unit="ms", prints="%.3f")
"""Milliseconds of an iteration, to three decimals."""

_NGC_PYTORCH = _ELAPSED(
    "ngc-pytorch",
    "NVIDIADeepLearningExamples/PyTorch/resnet50v1.5/extract_pytorch_logs_time.py",
    metric="train.loss",
)._replace(skip=20, take=100, beyond=5)

_ROWS = (
    _DLPERF(
        "mindspore",
        "MindSpore/*/extract_mindspore_logs_time.py with the report's 100 and 200 (its defaults "
        "are 20 and 120: --skip 20); lines of all ranks",
        records=Records.EPOCH,
        metric="per step time",
    )._replace(skip=100, take=100, in_steps=True, inverse=Inverse.MEAN, scale=_MILLI),
    _NGC_PYTORCH,
    _NGC_PYTORCH._replace(
        name="ngc-pytorch-bert",
        source="NVIDIADeepLearningExamples/PyTorch/BERT/extract_pytorch_logs_time.py with "
        "100 iterations (its default takes 90: --take 90)",
        metric="average_loss",
    ),
    _DLPERF(
        "pytorch",
        "PyTorch/resnet50v1.5/extract_pytorch_logs_time.py: lines of all ranks counted as one",
        metric="Time|duration",
    )._replace(beyond=5, skip=20, take=100, inverse=Inverse.MEAN, scale=_BATCH),
    _DLPERF("tensorflow", "TensorFlow/resnet50v1.5/extract_tensorflow_logs.py")._replace(
        skip=1, take=5
    ),
    _ELAPSED(
        "tensorflow-time",
        "TensorFlow/resnet50v1.5/extract_tensorflow_logs_time.py: a line every 100 steps",
    )._replace(skip=1, take=5, every=100),
    _ELAPSED(
        "tensorflow-bert",
        "TensorFlow/bert/extract_tensorflow_logs_time.py",
        metric="throughput|loss|train_loss|duration",
    )._replace(skip=20, take=100),
    _DLPERF(
        "ngc-tensorflow",
        "NVIDIADeepLearningExamples/TensorFlow/…/resnet50v1.5/extract_tensorflow_logs.py: "
        "the 20 iterations of warm-up print nothing",
        metric="imgs_per_sec|total_ips|throughput",
    )._replace(take=100),
    _ELAPSED(
        "ngc-tensorflow-time",
        "NVIDIADeepLearningExamples/TensorFlow/…/resnet50v1.5/extract_tensorflow_logs_time.py",
        metric="imgs_per_sec|total_ips|throughput",
    )._replace(take=100),
    _DLPERF(
        "ngc-tensorflow-bert",
        "NVIDIADeepLearningExamples/TensorFlow/…/BERT/extract_tensorflow_logs.py: a line "
        "every 10 iterations",
        metric="throughput_train|throughput",
    )._replace(skip=2, take=10),
    _ELAPSED(
        "ngc-tensorflow-bert-time",
        "NVIDIADeepLearningExamples/TensorFlow/…/BERT/extract_tensorflow_logs_time.py",
        metric="throughput_train|throughput",
    )._replace(skip=20, take=100, in_steps=True),
    _DLPERF(
        "ngc-mxnet",
        "NVIDIADeepLearningExamples/MxNet/…/extract_mxnet_logs.py: median over ranks of each step",
    )._replace(skip=20, take=100, per_rank=True, over_ranks=True),
    _ELAPSED(
        "ngc-mxnet-time",
        "NVIDIADeepLearningExamples/MxNet/…/extract_mxnet_logs_time.py",
    )._replace(skip=20, take=100, per_rank=True, scale=("batch",)),
    _DLPERF("mxnet", "MxNet/Classification/RN50v1b/extract_mxnet_logs.py (GluonCV)")._replace(
        skip=20, take=100
    ),
    _DLPERF(
        "mxnet-bert",
        "MxNet/BERT/extract_mxnet_logs.py (GluonNLP): latency to 0.1 ms, median over ranks",
        metric="latency",
    )._replace(
        skip=100,
        take=100,
        per_rank=True,
        over_ranks=True,
        each="round 1",
        inverse=Inverse.EACH,
        scale=_MILLI,
    ),
    _DLPERF(
        "mxnet-arcface",
        "MxNet/InsightFace/ArcFace/extract_mxnet_logs.py: a line every 20 iterations",
    )._replace(skip=1, take=5, scale=("nodes",)),
    _DLPERF(
        "mxnet-partialfc",
        "MxNet/InsightFace/PartailFC/extract_mxnet_logs.py: from the 20th line to the end",
        metric="Total|throughput",
    )._replace(skip=19),
    _DLPERF(
        "paddle",
        "PaddlePaddle/resnet50v1.5/extract_paddle_logs.py: mean of speeds",
        metric="elapse|batch_cost|duration",
    )._replace(skip=20, take=100, inverse=Inverse.EACH, scale=_BATCH),
    _ELAPSED(
        "paddle-time",
        "PaddlePaddle/resnet50v1.5/extract_paddle_logs_time.py",
        metric="elapse|batch_cost|duration",
    )._replace(skip=20, take=100),
    _DLPERF(
        "paddle-bert",
        "PaddlePaddle/bert/extract_paddle_logs.py: steps/s x devices of a node x batch, "
        "without nodes",
        metric="speed|avg_speed",
    )._replace(skip=20, take=100, scale=("cards", "batch")),
    _ELAPSED(
        "oneflow", "OneFlow/*/extract_cnn_result.py: iter 20 to iter 120", skip=20, take=100
    )._replace(in_steps=True, prints=""),
    _ELAPSED(
        "oneflow-bert", "OneFlow/*/extract_bert_result.py: step 19 to step 119", skip=19, take=100
    )._replace(in_steps=True, prints=""),
    _DLPERF(
        "oneflow-insightface",
        "OneFlow/Recognition/insightface/extract_oneflow_logs.py: counted lines 20 to 120",
    )._replace(beyond=5, skip=19, take=101),
    _LATENCY(
        "oneflow-wdl",
        "OneFlow/ClickThroughRate/WideDeepLearning/extract_info_from_log.py: from iter 100, the "
        "first printed, to the line 1000 iterations later",
        metric="time",
        reduce=Reduce.ELAPSED,
        inverse=Inverse.MEAN,
    )._replace(skip=100, take=1000, in_steps=True),
    _LATENCY(
        "oneflow-wdl-models",
        "OneFlow/ClickThroughRate/WideDeepLearning/extract_info_from_log.py --repo models: all "
        "lines but the first and the last",
        metric="duration",
    )._replace(skip=1, skip_end=1),
    _LATENCY(
        "hugectr",
        "HugeCTR/tools/extract_hugectr_logs.py: all lines after that of iter 100",
        metric="duration",
        beyond=100,
    ),
)
DLPERF = tuple(
    row._replace(name=f"dlperf-{row.name}", source=f"DLPerf {row.source}") for row in _ROWS
)
