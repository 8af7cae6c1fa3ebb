"""The prefixes of transformers, Swin, detectron2, MMEngine, NeMo, glog and ClearML."""

from __future__ import annotations

import pytest

from sixdim.parsers.envelopes.prefix import Envelopes, strip
from sixdim.parsers.text.lines import Line

NOON = 1_640_995_200_000_000 + 12 * 3600 * 1_000_000  # 2022-01-01 12:00:00
DAY = 86_400_000_000

SECOND_OF_JANUARY = (2 * 365 + 1) * 86_400_000_000 + 1_000_000  # 1972 stands for no year


@pytest.mark.parametrize(
    ("prefix", "time_us"),
    [
        ("[INFO|trainer.py:1143] 2022-01-01 12:00:00,250 >> ", NOON + 250_000),
        ("[INFO|2022-01-01 12:00:00] logging.py:157 >> ", NOON),
        ("[WARNING|2022-01-01 12:00:00] llamafactory.hparams.parser:162 >> ", NOON),
        ("[2022-01-01 12:00:00 ViTAEv2_S] (main.py 789): INFO ", NOON),
        ("2022/01/01 12:00:00 - mmengine - INFO - ", NOON),
        ("2022-01-01 12:00:00 - LOGS    - ", NOON),  # CVNets's level
        ("01/02 00:00:01 - mmengine - INFO - ", SECOND_OF_JANUARY),
        ("[01/02 00:00:01] d2.utils.events INFO: ", SECOND_OF_JANUARY),
        ("[01/02 00:00:01 d2.utils.events]: ", SECOND_OF_JANUARY),
        ("01/01/2022 12:00:00 - INFO - llamafactory.extras.callbacks - ", NOON),
        ("[NeMo I 2022-01-01 12:00:00 nemo_logging:393] ", NOON),
        ("[01/02 00:00:01][INFO] logging.py:   99: ", SECOND_OF_JANUARY),
        ("[01/02 00:00:01] ", SECOND_OF_JANUARY),
        ("[0102 00:00:01 @base.py:275] ", SECOND_OF_JANUARY),
        ("[0102 00:00:01 @argtools.py:138] WRN ", SECOND_OF_JANUARY),
        ("01/02 12:00:01 AM ", SECOND_OF_JANUARY),
        ("01/02 12:00:01 AM | ", SECOND_OF_JANUARY),
        ("01/02 12:00:01 PM | ", SECOND_OF_JANUARY + 12 * 3_600_000_000),
        ("01/02 01:00:01 PM | ", SECOND_OF_JANUARY + 13 * 3_600_000_000),
        ("01/01/2022 12:00:00 - INFO - ", NOON),
        ("INFO - 01/01/22 12:00:00 - 0:00:19 - ", NOON),
        ("INFO - 01/01/22 12:00:00 - 2 days, 10:00:19 - ", NOON),
        ("22-01-01 12:00:00,250 - INFO: ", NOON + 250_000),
        ("22-01-01 12:00:00 - ", NOON),
        ("[01.01.22|12:00:00] ", NOON),
        ("[ Sat Jan  1 12:00:00 2022 ] ", NOON),
        ("INFO 2022-01-01 12:00:00 train.py:357 ", NOON),
        ("2022-01-01 12:00:00,250 INFO [train.py:812] ", NOON + 250_000),
        ("2022-01-01 12:00:00,250 | ", NOON + 250_000),
        ("2022-01-01 12:00:00,250 - train.py[line:140] - INFO: ", NOON + 250_000),
        ("[2022-01-01 12:00:00]: train [line:45] INFO  ", NOON),
        ("[2022-01-01 12:00:00,250][train.py][line:71][INFO] ", NOON + 250_000),
        ("[2022-01-01 12:00:00 train.py:84] INFO     ", NOON),
        ("2022-01-01 12:00:00 [train.py: 140] INFO: ", NOON),
        ("[LINE:216] INFO     [2022-01-01 12:00:00,250]  ", NOON + 250_000),
        ("I20220101 12:00:00.000250 91 solver.cpp:218] ", NOON + 250),
        ("1641038400123 host-1 error ", NOON + 123_000),
        ("20220201-12:00:00 ", NOON + 31 * DAY),
        ("[20220201 12:00:00,250] - INFO - ", NOON + 31 * DAY + 250_000),
        ("2022_02_01_12_00_00 ", NOON + 31 * DAY),
        ("2022-02-01_12-00-00 ", NOON + 31 * DAY),
        ("20220201-120000 ", NOON + 31 * DAY),
        ("[Jan 02 00:00:01] ", SECOND_OF_JANUARY),
        ("[Sat Jan  1 12:00:00 2022] INFO: ", NOON),
        ("01-Feb-22 12:00:00 - ", NOON + 31 * DAY),
        ("2022.01.01 12:00:00 ", NOON),
        ("2022.01.01 12:00:00 | ", NOON),
        ("01.02.2022 12:00:00,250 ", NOON + 31 * DAY + 250_000),
        ("[01.02.2022 12:00:00] trainer INFO: ", NOON + 31 * DAY),
        ("[01/Feb/2022:12:00:00 +0100] ", NOON + 31 * DAY - DAY // 24),
        ("01/Feb/2022:12:00:00 +0100 - ", NOON + 31 * DAY - DAY // 24),
        ("2/1/2022, 1:00:00 PM - ", NOON + 31 * DAY + DAY // 24),
        ("1 Feb 2022 12:00:00 - ", NOON + 31 * DAY),
        ("02/01/2022 12:00:00 PM - ", NOON + 31 * DAY),
        ("[2/1/2022, 1:00:00 PM] INFO: ", NOON + 31 * DAY + DAY // 24),
    ],
)
def test_prefix_is_removed_and_its_clock_stays(prefix: str, time_us: int) -> None:
    line = strip(Line(1, 0, prefix + "Loss: 1.5"))
    assert (line.text, line.time_us) == ("Loss: 1.5", time_us)
    assert strip(Line(1, 0, "    " + prefix + "Loss: 1.5")).text == "Loss: 1.5"


@pytest.mark.parametrize(
    "body",
    [
        "| rollout/      |         |",
        "|    ep_rew_mean | 12.5    |",
        "epoch:3 WARNING: the loss is large",
        "train.py:140: UserWarning: slow",
    ],
)
def test_what_only_looks_like_a_sign_after_a_clock_stays(body: str) -> None:
    assert strip(Line(1, 0, f"2022-01-01 12:00:00 {body}")).text == body


def test_host_of_clearml_and_an_empty_body() -> None:
    line = strip(Line(1, 0, "1641038400123 VM-0-6-ubuntu info "))
    assert (line.text, line.host) == ("", "VM-0-6-ubuntu")


@pytest.mark.parametrize(
    "text",
    [
        "[1/100] loss: 1.5",
        "[1][50/7330] time: 0.5",
        "    15/399      12.4G    0.07098",
        "01/02 loss",
        "(3/10) loss: 1.5",
        "[train.py] loss: 1.5",
        "1641038400123 loss 0.5",
        "01/02/2022 12:00:00 loss",  # the day or the month may stand first
        "13/20 00:10:00 loss",  # a count and a time: there is no such month
        "1.2.2022 loss",
        "20220201 loss",
        "20220201 120000 loss",  # two numbers
        "[Jan 02] loss",
        "20221301-12:00:00 loss",  # there is no such month
        "    indented",
        "99/99 99:99:99 x",
    ],
)
def test_what_is_no_prefix_stays(text: str) -> None:
    assert strip(Line(1, 0, text)).text == text


@pytest.mark.parametrize(
    "body",
    [
        "Epoch: [3][10/100] Time 0.5",
        "iteration       10/    1000 | loss",
        "{'loss': 2.5, 'epoch': 0.5}",
        "Training epoch 0, iteration 1/9 |",
        "eta: 0:10:00  iter: 20",
        "(epoch: 1, iters: 20, time: 0.5, data: 0.1) G_GAN: 1.2",
    ],
)
def test_rank_of_srun(body: str) -> None:
    line = strip(Line(1, 0, f"7: {body}"))
    assert (line.text, line.rank) == (body, 7)


@pytest.mark.parametrize(
    "body", ["Epoch 1, batch 50, loss[loss=2.5]", "Computing validation loss", "Done!"]
)
def test_rank_of_icefall(body: str) -> None:
    line = strip(Line(1, 0, f"2022-01-01 12:00:00,250 INFO [train.py:812] (3/8) {body}"))
    assert (line.text, line.rank) == (body, 3)


@pytest.mark.parametrize(
    "clock",
    [
        "2022-01-01 12:00:00,250 - mmdet - INFO - ",
        "2022-01-01T12:00:00.250Z ",
        "2022/01/01 12:00:00 - mmengine - INFO - ",
        "01/01/2022 12:00:00 - INFO - ",
        "I0101 12:00:00.000250 91 solver.cpp:218] ",
    ],
)
def test_rank_of_srun_in_front_of_a_clock(clock: str) -> None:
    line = strip(Line(1, 0, f"3: {clock}Loss: 1.5"))
    assert (line.text, line.rank) == ("Loss: 1.5", 3)


@pytest.mark.parametrize("text", ["7: loss 2.5", "7: 2022 samples", "7: 12/30 done"])
def test_a_step_is_no_rank_of_srun(text: str) -> None:
    line = strip(Line(1, 0, text))
    assert (line.text, line.rank) == (text, None)


@pytest.mark.parametrize("done", ["50/50", "5000/5000"])
def test_a_line_after_the_bar_of_an_evaluation_is_one_of_its_own(done: str) -> None:
    envelopes = Envelopes()
    bar = f"[>>>>>>>>>>>>>>>>>>>>>] {done}, 163.1 task/s, elapsed: 0s, ETA:     0s"
    text = bar + "2022-01-01 12:00:00,250 - mmcls - INFO - Epoch(val) [1][2]\tacc: 22.0"
    assert envelopes.strip(Line(1, 0, text)).text == bar
    (rest,) = envelopes.more
    assert envelopes.strip(rest).text == "Epoch(val) [1][2]\tacc: 22.0"
    assert rest.time_us == NOON + 250_000


def test_what_is_glued_to_the_bar_of_an_evaluation_is_no_line() -> None:
    envelopes = Envelopes()
    text = "[>>>>   ] 20/50, 163.1 task/s, elapsed: 0s, ETA:     0s20, 30"
    assert envelopes.strip(Line(1, 0, text)).text == text
    assert not envelopes.more
