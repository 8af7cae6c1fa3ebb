"""MLPerf's logs in the corpus have the run times and the quality that were published for them."""

from __future__ import annotations

import pytest

from tests.support.corpus import log, read
from tests.support.inputs.mlperf_records import ends
from tests.support.logs import evaluations

CORPUS = "corpus/mlperf_mllog"


@pytest.mark.parametrize(
    ("file", "minutes", "status", "quality"),
    [
        ("v0.5_Google_8xV100_tf_resnet_0", "137.98", "finished", 0.74994140625),
        ("v0.7_Google_tpuv3_jax_resnet_0", "0.478", "finished", 0.76074),
        ("v0.7_Intel_cpx8s_tf_resnet_1", "1146.583", "finished", 0.7592599987983704),
        ("v0.7_NVIDIA_dgxa100_pytorch_bert_1", "55.831", "finished", 0.7123026847839355),
        ("v0.7_NVIDIA_dgxa100_pytorch_transformer_6", "10.395", "finished", 0.2587392330169678),
        ("v0.7_NVIDIA_dgxa100_tf_minigo_0", "312.841", "finished", 0.578125),
        ("v1.0_Habana_gaudi_tf_resnet_0", "62.413", "finished", 0.7602799534797668),
        ("v2.0_Azure_a100x8_pytorch_maskrcnn_0", "44.123", "finished", 0.3789784558400752),
        ("v2.0_Baidu_a100x8_paddle_bert_6", "20.146", "aborted", 0.7199364834728595),
        ("v2.0_Habana_gaudi2_tf_resnet_0", "18.216", "finished", 0.7605859041213989),
        ("v2.0_MosaicML_a100x8_composer_resnet_0", "23.554", "finished", 0.7614200115203857),
        ("v5.0_GigaComputing_b200x8_nemo_llama2lora_0", "10.902", "finished", 0.9216858086558436),
        ("v5.0_GigaComputing_b200x8_nemo_llama2lora_4", "9.451", "finished", 0.9248647524442287),
    ],
)
def test_published_run_times(file: str, minutes: str, status: str, quality: float) -> None:
    name, events = read(log(f"{CORPUS}/{file}.log").read_bytes())
    assert name == "mlperf"
    ((duration, said),) = ends(events)
    assert duration is not None
    digits = len(minutes.partition(".")[2])
    assert (
        abs(duration / 60 - float(minutes)) <= 0.5 * 10**-digits + 1e-9
        or f"{duration / 60:.{digits + 1}f}"[:-1] == minutes
    )
    assert said == status
    assert evaluations(events)[-1].metrics[0].value == quality


@pytest.mark.parametrize(
    ("stem", "published"),
    [
        ("v0.7_NVIDIA_dgxa100_mxnet_resnet", 39.78),
        ("v2.0_Azure_a100x8_hugectr_dlrm", 1.8490666666666666),
        ("v2.0_Azure_a100x8_mxnet_resnet", 29.37418888888889),
        ("v5.0_GigaComputing_b200x8_pytorch_retinanet", 22.5599944444),
    ],
)
def test_published_results_of_five_runs(stem: str, published: float) -> None:
    seconds = []
    for number in range(5):
        _, events = read(log(f"{CORPUS}/{stem}_{number}.log").read_bytes())
        ((duration, _),) = ends(events)
        assert duration is not None
        seconds.append(duration)
    kept = sorted(seconds)[1:-1]
    minutes = sum(kept) / len(kept) / 60
    assert minutes == pytest.approx(published, abs=0.005 if published == 39.78 else 1e-9)
