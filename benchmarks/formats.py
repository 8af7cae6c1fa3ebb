"""`sixdim score` beside a naive script, format by format: how much faster it reads a large log.

`python benchmarks/formats.py [MEGABYTES] [FORMAT ...]` (default 20 and all). For every format a
log is made: the format's own progress line with running counters and figures, and what it
prints at the end of an epoch. The naive script is a loop over the lines with one search for
each field, behind one test for a word of the line. Processor seconds of the reading alone (a
gigabyte does not care how long Python takes to start), the best of three.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
STEPS = 500
"""Progress lines of one epoch."""
_ROUNDS = 3
_NUMBER = r"(-?\d[\d.e+-]*)"
_SCRIPT = """
import re, sys, time
begin = time.process_time()
found = {field: [] for field in FIELDS}
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    if WORD in line:
        for field, numbers in found.items():
            match = re.search(field, line)
            if match:
                numbers.append(float(match.group(1).replace(",", "")))
print({field: (len(numbers), sum(numbers)) for field, numbers in found.items()})
print(time.process_time() - begin, file=sys.stderr)
"""
_SCORE = """
import sys, time
from sixdim.parsers.reader import registry
from sixdim.tui import cli
from sixdim.tui.commands import score
registry.formats()
begin = time.process_time()
code = cli.main(["score", "--format", sys.argv[2], sys.argv[1]])
print(time.process_time() - begin, file=sys.stderr)
sys.exit(code)
"""


class Log(NamedTuple):
    """What a format's log looks like, as format strings over `figures`.

    Attributes:
        word: Text by which the script knows a progress line.
        line: The progress line.
        fields: What the script searches in it; `#` stands for a number.
        end: What follows an epoch.
        head: What the log begins with.
    """

    word: str
    line: str
    fields: tuple[str, ...]
    end: str = ""
    head: str = ""


_PREFIX = "{date} - INFO - "
_PADDLE = "[{date}] ppcls INFO: "
_GLOG = "I0802 {time}.537974 140419828713280 "
_COCO = (
    " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = {a:.3f}\n"
    " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = {a:.3f}"
)
LOGS = {
    "airank": Log(
        "eval_accuracy:",
        "- AI-Rank-log {unix:.3f} eval_accuracy:{p:.6f}, total_epoch_cnt:{g}",
        ("AI-Rank-log #", "eval_accuracy:#", "total_epoch_cnt:#"),
    ),
    "bearpaw": Log(
        "\t",
        "0.100000\t{l:.6f}\t{m:.6f}\t{p:.6f}\t{q:.6f}\t",
        (r"^#", r"^\S+\t#", r"^\S+\t\S+\t#", r"\t#\t\S+\t$", r"\t#\t$"),
        head="Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t",
    ),
    "bert-mlperf": Log(
        "training_steps",
        "{{'training_steps': {g}, 'average_loss': {m:.6f}, 'step_loss': {l:.6f}, "
        "'learning_rate': {lr:.6e}, 'seq/s': {r:.4f}}}",
        ("'training_steps': #", "'step_loss': #", "'seq/s': #"),
        "{{'global_steps': {g}, 'eval_loss': {m:.4f}, 'eval_mlm_accuracy': {a:.6f}}}",
    ),
    "caffe": Log(
        "iter/s",
        _GLOG
        + "solver.cpp:239] Iteration {g} ({x:.5f} iter/s, {t:.3f}s/100 iters), loss = {l:.5f}\n"
        + _GLOG
        + "solver.cpp:258]     Train net output #0: loss = {l:.5f} (* 1 = {l:.5f} loss)\n"
        + _GLOG
        + "sgd_solver.cpp:112] Iteration {g}, lr = {lr:.5f}",
        ("Iteration #", r"\(# iter/s", "loss = #"),
        _GLOG
        + "solver.cpp:347] Iteration {g}, Testing net (#0)\n"
        + _GLOG
        + "solver.cpp:414]     Test net output #0: accuracy = {a:.4f}",
    ),
    "composer": Log(
        "Train ",
        "[epoch={e}][batch={s}/5005]:\n"
        "\t Train time/epoch: {e}\n"
        "\t Train trainer/global_step: {g}\n"
        "\t Train loss/train/total: {l:.4f}\n"
        "\t Train throughput/samples_per_sec: {r:.4f}",
        (r"epoch: #", "global_step: #", "total: #", "samples_per_sec: #"),
        "[Eval batch=4/4] Eval on eval data:\n\t Eval metrics/eval/MulticlassAccuracy: {a:.4f}",
    ),
    "csra": Log(
        "loss:",
        "Epoch {n}[{s}/50110]: loss:{l:.5f}, lr:{lr:.5f}, batch time:{t:.4f}, data time:{x:.4f}",
        ("Epoch #", r"\[#/", "loss:#", "batch time:#"),
        "Epoch {n} training ends, total {r:.2f}s\nTest on Epoch {n}\nmAP: {a:.4f}",
    ),
    "dawnbench": Log(
        "\t",
        "{g}\t{hours:.8f}\t{p:.3f}\t{q:.3f}",
        (r"^#", r"^\d+\t#", r"^\d+\t\S+\t#", r"#$"),
        head="epoch\thours\ttop1Accuracy\ttop5Accuracy",
    ),
    "deepspeed": Log(
        "SamplesPerSec",
        "[{date},537] [INFO] [timer.py:199:stop] epoch={e}/micro_step={s}/global_step={s}, "
        "RunningAvgSamplesPerSec={r:.10f}, CurrSamplesPerSec={r:.10f}, MemAllocated=3.96GB, "
        "MaxMemAllocated=22.95GB",
        ("epoch=#", "global_step=#", "CurrSamplesPerSec=#"),
        "ppl: {m:.4f}",
    ),
    "detectron2": Log(
        "total_loss",
        "[03/11 {time} d2.utils.events]:  eta: {eta}  iter: {g}  total_loss: {l:.3f}  "
        "loss_cls: {m:.4f}  loss_box_reg: {a:.4f}  time: {t:.4f}  data_time: {x:.4f}  "
        "lr: {lr:.8f}  max_mem: 2723M",
        ("iter: #", "total_loss: #", " time: #"),
        "[03/11 {time} d2.evaluation.testing]: copypaste: Task: bbox\n"
        "[03/11 {time} d2.evaluation.testing]: copypaste: AP,AP50,AP75,APs,APm,APl\n"
        "[03/11 {time} d2.evaluation.testing]: copypaste: {p:.4f},{q:.4f},40.1,20.2,41.3,50.4",
    ),
    "detectron2-json": Log(
        "iteration",
        '{{"data_time": {x:.6f}, "eta_seconds": {r:.6f}, "iteration": {g}, "loss_cls": {m:.6f}, '
        '"lr": {lr:.8f}, "time": {t:.6f}, "total_loss": {l:.6f}}}',
        ('"iteration": #', '"total_loss": #', '"time": #'),
    ),
    "dllogger": Log(
        "Iteration: ",
        "DLL {date}.839221 - Epoch: {e} Iteration: {s}  train.loss : {l:.5f}  "
        "train.total_ips : {r:.2f} img/s",
        ("Epoch: #", "Iteration: #", "train.loss : #", "total_ips : #"),
        "DLL {date}.839221 - Epoch: {e}  train.loss : 2.5  train.total_ips : 845.10 img/s  "
        "val.top1 : {p:.2f} %",
    ),
    "dlrm": Log(
        "step_time",
        "Epoch:[{e}/90] [{s}/64014]  eta: {eta}  step_time: {t:.6f}  loss: {l:.8f}  lr: {x:.4f}",
        (r"Epoch:\[#/", r"\[#/64014", "loss: #", "step_time: #"),
        "Epoch {e} step {s}. auc {a:.6f}\n"
        "Finished epoch {e} in 0:10:00. Average speed {r:.1f} records/s.",
    ),
    "fairmot": Log(
        "train: ",
        "mot/exp| train: [{n}][{s}/5005]|Tot: 0:00:10 |ETA: {eta} |loss {l:.4f} |hm_loss {m:.4f} "
        "|Data {x:.3f}s({x:.3f}s) |Net {t:.3f}s|Fps {r:.3f}",
        (r"train: \[#\]", r"\]\[#/", r"\|loss #", "Net #", "Fps #"),
    ),
    "fairseq": Log(
        "num_updates",
        "{date} | INFO | train_inner | epoch {n:03d}: {s:>6} / 16370 loss={l:.3f}, ppl={m:.2f}, "
        "wps={r:.1f}, ups={x:.2f}, wpb=74822, bsz=2574, num_updates={g}, lr={lr:.6f}, wall={g}",
        ("epoch #", ": +#", "loss=#", "wps=#"),
        "{date} | INFO | valid | epoch {n:03d} | valid on 'valid' subset | loss {m:.3f} | "
        "ppl {l:.2f} | num_updates {g}\n"
        "{date} | INFO | train | epoch {n:03d} | loss {l:.3f} | wps {r:.1f} | num_updates {g}",
    ),
    "generic": Log(
        "images/sec",
        "epoch {e} step {s}/5005: loss {l:.4f}, acc {p:.2f} %, {r:.1f} images/sec",
        ("epoch #", "step #", "loss #", "# images/sec"),
        "validation of epoch {e}: acc {p:.2f} %",
    ),
    "hrnet": Log(
        "Iter:",
        "Epoch: [{e}/484] Iter:[{s}/5005], Time: {t:.2f}, lr: [{lr:.8f}], Loss: {l:.6f}, "
        "FPS: {r:.4f}",
        (r"Epoch: \[#/", r"Iter:\[#/", "Loss: #", "FPS: #", "Time: #"),
        "Loss: {l:.3f}, MeanIU:  {a:.4f}, Best_mIoU:  {a:.4f}",
    ),
    "huggingface": Log(
        "'loss'",
        "{{'loss': {l:.4f}, 'grad_norm': {x:.6f}, 'learning_rate': {lr:.8e}, 'epoch': {f:.2f}}}",
        ("'loss': #", "'grad_norm': #", "'epoch': #"),
        "{{'eval_loss': {m:.6f}, 'eval_accuracy': {a:.6f}, 'epoch': {f:.2f}}}",
    ),
    "ixpylogger": Log(
        "loss_value",
        "26/03/{day:02d}-{time} [epoch: {e} step: {s}      ] [learning_rate: {lr:.6f}] "
        "[loss_value: {l:.6f}] [fps: {r:.3f}]",
        ("epoch: #", "step: #", "loss_value: #", "fps: #"),
        "26/03/{day:02d}-{time} [epoch: {e} step: {s}      ] [mean_dice: {a:.4f}]",
    ),
    "jsonl-epoch": Log(
        "train_loss",
        '{{"train_lr": {lr:.8f}, "train_loss": {l:.6f}, "test_loss": {m:.6f}, '
        '"test_acc1": {p:.4f}, "test_acc5": {q:.4f}, "epoch": {g}, "n_parameters": 22050664}}',
        ('"train_loss": #', '"test_acc1": #', '"epoch": #'),
    ),
    "keras": Log(
        "ETA",
        "{s:>4}/5005 [=======>......................] - ETA: {eta} - loss: {l:.4f} - "
        "accuracy: {a:.4f}",
        ("^ *#/", "loss: #", "accuracy: #"),
        "5005/5005 [==============================] - 512s 102ms/step - loss: {l:.4f} - "
        "accuracy: {a:.4f} - val_loss: {m:.4f} - val_accuracy: {a:.4f}\nEpoch {n}/90",
        "Epoch 1/90",
    ),
    "keras_timehistory": Log(
        "TimeHistory",
        _GLOG + "keras_utils.py:145] TimeHistory: {t:.2f} seconds, {r:.2f} examples/second "
        "between steps {g} and {g10}",
        ("TimeHistory: #", "# examples", "and #"),
    ),
    "lightning": Log(
        "Epoch ",
        "Epoch {e}:  43%|####3     | {s}/5010 [00:37<00:50, {x:.2f}it/s, loss={l:.2f}, v_num=5]",
        ("Epoch #", r"\| #/", "loss=#", ", #it/s"),
        "Validation DataLoader 0: 100%|##########| 4/4 [00:01<00:00,  3.00it/s]",
    ),
    "lightning-csv": Log(
        ",",
        "{e},{g},{l:.6f},,",
        (r"^#", r"^\d+,#", r",#,,"),
        "{e},{g},,{l:.6f},{m:.6f}",
        "epoch,step,train_loss_step,train_loss_epoch,val_loss",
    ),
    "llamafactory": Log(
        "current_steps",
        '{{"current_steps": {g}, "total_steps": 1700000, "loss": {l:.4f}, "lr": {lr:.8e}, '
        '"epoch": {f:.2f}, "percentage": {a:.2f}, "elapsed_time": "{run}", '
        '"remaining_time": "{eta}", "throughput": {r:.2f}, "total_tokens": {g}}}',
        ('"current_steps": #', '"loss": #', '"throughput": #'),
    ),
    "llmc": Log(
        "tok/s",
        "step {g:>7}/1956000 | loss {l:.6f} ({z:+.2f}z)| norm {x:.4f} ({z:+.2f}z)| lr {lr:.2e} | "
        "{ms:.2f} ms | {p:.1f}% bf16 MFU | {r:.0f} tok/s",
        ("step +#", "loss #", "# ms", "# tok/s", "#% bf16"),
        "val loss {m:.6f}",
    ),
    "megatron": Log(
        "lm loss",
        " [{date}] iteration {g:>8}/ 2500000 | consumed samples: {g640:>12} | "
        "elapsed time per iteration (ms): {ms:.1f} | learning rate: {lr:.6E} | "
        "global batch size:    64 | lm loss: {l:.6E} | loss scale: 1.0 | grad norm: {x:.3f} | "
        "number of skipped iterations:   0 | number of nan iterations:   0 |",
        ("iteration +#", r"\(ms\): #", "lm loss: #"),
        " validation loss at iteration {g} | lm loss value: {l:.6E} | lm loss PPL: {x:.6E} | ",
    ),
    "mindspore": Log(
        "loss is",
        "epoch: {n} step: {s1}, loss is {l:.7f}",
        ("epoch: #", "step: #", "loss is #"),
        "epoch time: {ms:.3f} ms, per step time: {t:.3f} ms\n"
        "epoch: {n}, acc: 0.1: {{'acc': {a:.6f}}}, eval_cost:1.00",
    ),
    "mlperf": Log(
        ":::MLLOG",
        ':::MLLOG {{"namespace": "", "time_ms": 1592669{g6:06d}, "event_type": "POINT_IN_TIME", '
        '"key": "eval_accuracy", "value": {a:.5f}, "metadata": {{"file": "a.py", "lineno": 55, '
        '"epoch_num": {n}}}}}',
        ('"time_ms": #', '"value": #', '"epoch_num": #'),
        head=':::MLLOG {{"namespace": "", "time_ms": 1592668281196, "event_type": "INTERVAL_START",'
        ' "key": "run_start", "value": null, "metadata": {{}}}}',
    ),
    "mmcv": Log(
        "time:",
        "{date},123 - mmdet - INFO - Epoch [{n}][{s}/7330]\tlr: {lr:.3e}, eta: {eta}, "
        "time: {t:.3f}, data_time: {x:.3f}, memory: 3800, loss_cls: {m:.4f}, loss: {l:.4f}",
        (r"Epoch \[#\]", r"\]\[#/", " time: #", " loss: #"),
        "{date},123 - mmdet - INFO - Epoch(val) [{n}][5000]\tbbox_mAP: {a:.4f}, "
        "bbox_mAP_50: {a:.4f}",
    ),
    "mmcv-json": Log(
        '"train"',
        '{{"mode": "train", "epoch": {n}, "iter": {s1}, "lr": {lr:.6f}, "memory": 3800, '
        '"data_time": {x:.5f}, "loss_cls": {m:.5f}, "loss": {l:.5f}, "time": {t:.5f}}}',
        ('"epoch": #', '"iter": #', '"loss": #', '"time": #'),
        '{{"mode": "val", "epoch": {n}, "iter": 5000, "lr": 0.02, "bbox_mAP": {a:.4f}}}',
    ),
    "modded_nanogpt": Log(
        "step_avg",
        "step:{g}/17700000 train_time:{g95}ms step_avg:{ms:.2f}ms",
        ("step:#", "train_time:#", "step_avg:#"),
        "step:{g}/17700000 val_loss:{l:.4f} train_time:{g95}ms step_avg:{ms:.2f}ms",
    ),
    "mxnet": Log(
        "Speed",
        "INFO:root:Epoch[{e}] Batch [{s}-{s10}]\tSpeed: {r:.2f} samples/sec\taccuracy={a:.6f}",
        (r"Epoch\[#\]", r"-#\]", "Speed: #", "accuracy=#"),
        "INFO:root:Epoch[{e}] Train-accuracy={a:.6f}\nINFO:root:Epoch[{e}] Time cost={r:.3f}\n"
        "INFO:root:Epoch[{e}] Validation-accuracy={a:.6f}",
    ),
    "nanogpt": Log(
        "iter ",
        "iter {g}: loss {l:.4f}, time {ms:.2f}ms, mfu {p:.2f}%",
        ("iter #", "loss #", "time #", "mfu #"),
        "step {g}: train loss {l:.4f}, val loss {m:.4f}",
        "tokens per iteration will be: 491,520",
    ),
    "nemo": Log(
        "Training epoch",
        "Training epoch {e}, iteration {s}/9999 | lr: {lr:.4g} | consumed_samples: {g32} | "
        "global_batch_size: 32 | global_step: {g} | reduced_train_loss: {l:.4f} | "
        "train_step_timing in s: {t:.4f}",
        ("epoch #", "iteration #", "reduced_train_loss: #", "timing in s: #"),
    ),
    "nv_transformer": Log(
        "tokens/s",
        "Transformer | epoch {e} | step {s} |avg loss {l:.3f} |avg tokens {m:.3f} |"
        "tokens/s {r:.3f} |walltime {g:.3f} |",
        ("epoch #", "step #", "avg loss #", "tokens/s #"),
        "Epoch time: {r:.3f}\nValidation loss on subset valid: {m:.4f}",
    ),
    "oneflow": Log(
        "samples/s",
        "train: epoch {e}, iter {s}, loss: {l:.6f}, samples/s: {r:.3f} {unix:.6f}",
        ("epoch #", "iter #", "loss: #", "samples/s: #", "#$"),
        "validation: epoch {e}, iter {s}, top_1: {a:.6f}, top_k: {a:.6f}, samples/s: {r:.3f} "
        "{unix:.6f}",
    ),
    "paddleclas": Log(
        "train step",
        _PADDLE + "epoch:{e:<4}train step:{s:<5}lr: {lr:.6f}, loss: {l:7.4f} top1: {a:.4f} "
        "top5: {a:.4f} batch_cost: {t:.5f} s, reader_cost: {x:.5f} s, ips: {r:.5f} samples/sec.",
        ("epoch:#", "step:#", "loss: +#", "batch_cost: #", "ips: #"),
        _PADDLE + "END epoch:{e:<4}train loss: {l:7.4f} top1: {a:.4f} batch_cost: {t:.5f} s, "
        "reader_cost: {x:.5f} s, batch_cost_sum: 32.1 s, ips: {r:.5f} samples/sec.\n"
        + _PADDLE
        + "END epoch:{e:<4}valid loss: {l:7.4f} top1: {a:.4f} top5: {a:.4f}",
    ),
    "paddlenlp": Log(
        "ips",
        "{date},123 - INFO - tobal step: {g}, epoch: {e}, batch: {s}, loss: {l:.9f}, "
        "avg_reader_cost: {x:.5f} sec, avg_batch_cost: {t:.5f} sec, avg_samples: 96.00000, "
        "ips: {r:.5f} sequences/sec",
        ("epoch: #", "batch: #", "loss: #", "avg_batch_cost: #", "ips: #"),
        "eval loss: {m:.6f}, acc: {a:.6f}, ",
    ),
    "paddleocr": Log(
        "global_step",
        "[{date}] ppocr INFO: epoch: [{n}/500], global_step: {g}, lr: {lr:.6f}, loss: {l:.6f}, "
        "avg_reader_cost: {x:.5f} s, avg_batch_cost: {t:.5f} s, avg_samples: 16.0, "
        "ips: {r:.5f} samples/s, eta: {eta}",
        (r"epoch: \[#", "global_step: #", "loss: #", "avg_batch_cost: #", "ips: #"),
        "[{date}] ppocr INFO: cur metric, acc: {a:.6f}, norm_edit_dis: {a:.6f}, fps: {r:.3f}",
    ),
    "paddlerec": Log(
        "batch_id",
        _PREFIX + "epoch: {e}, batch_id: {s}, auc: {a:.6f},loss: [{l:.6f}], "
        "avg_reader_cost: {x:.5f} sec, avg_batch_cost: {t:.5f} sec, avg_samples: 512.00000, "
        "ips: {r:.5f} ins/s",
        ("epoch: #", "batch_id: #", r"loss: \[#", "ips: #"),
        _PREFIX + "epoch: {e} done, auc: {a:.6f}, epoch time: {r:.2f} s",
    ),
    "paddleseg": Log(
        "[TRAIN]",
        "{date} [INFO]\t[TRAIN] epoch: {n}, iter: {g}/2000000, loss: {l:.4f}, lr: {lr:.6f}, "
        "batch_cost: {t:.4f}, reader_cost: {x:.5f}, ips: {r:.4f} samples/sec | ETA {eta}",
        ("epoch: #", "iter: #", "loss: #", "batch_cost: #", "ips: #"),
        "{date} [INFO]\t[EVAL] #Images: 500 mIoU: {a:.4f} Acc: {a:.4f} Kappa: {a:.4f}",
    ),
    "perflog": Log(
        "STEP_END",
        '[PerfLog] {{"event": "STEP_END", "value": {{"loss": {l:.6f}, "global_steps": {g}, '
        '"seq/s": {r:.4f}}}, "metadata": {{"file": "a.py", "lineno": 55, '
        '"time_ms": 1646380{g6:06d}, "rank": 0}}}}',
        ('"loss": #', '"global_steps": #', '"seq/s": #', '"time_ms": #'),
        '[PerfLog] {{"event": "EVALUATION", "value": {{"global_steps": {g}, '
        '"eval_mlm_accuracy": {a:.6f}}}, "metadata": {{"time_ms": 1646380{g6:06d}, "rank": 0}}}}',
    ),
    "ptimagenet": Log(
        "Epoch: [",
        "Epoch: [{e}][{s:>4}/5005]\tTime {t:6.3f} ({u:6.3f})\tData {x:6.3f} ({x:6.3f})\t"
        "Loss {l:.4e} ({m:.4e})\tAcc@1 {p:6.2f} ({q:6.2f})\tAcc@5 {p:6.2f} ({q:6.2f})",
        (r"Epoch: \[#\]", r"\]\[ *#/", "Time +#", "Loss #", "Acc@1 +#"),
        "Test: [  0/196]\tTime  3.1 ( 3.1)\tLoss {l:.4e} ({m:.4e})\tAcc@1 {p:6.2f} ({q:6.2f})\n"
        " *   Acc@1 {p:.3f} Acc@5 {q:.3f}",
    ),
    "ssd": Log(
        "Iteration:",
        "Iteration: {g:>6}, Loss function: {l:.3f}, Average Loss: {m:.3f}, "
        "avg. samples / sec: {r:.2f}",
        ("Iteration: +#", "Loss function: #", "sec: #"),
        _COCO,
    ),
    "swin": Log(
        "Train: ",
        "[{date} swin_base] (main.py 212): INFO Train: [{e}/300][{s}/6250]\teta {eta} "
        "lr {lr:.6f}\t time {t:.4f} ({u:.4f})\tloss {l:.4f} ({m:.4f})\tgrad_norm {x:.4f} (1.3000)"
        "\tmem 9999MB",
        (r"Train: \[#/", r"\]\[#/", " time #", "loss #"),
        "[{date} swin_base] (main.py 281): INFO  * Acc@1 {p:.3f} Acc@5 {q:.3f}\n"
        "[{date} swin_base] (main.py 230): INFO EPOCH {e} training takes 0:10:00",
    ),
    "tf_cnn_benchmarks": Log(
        "images/sec",
        "{g}\timages/sec: {r:.1f} +/- {x:.1f} (jitter = {a:.1f})\t{l:.3f}",
        ("^#", "images/sec: #", r"\)\t#"),
        "Accuracy @ 1 = {a:.4f} Accuracy @ 5 = {a:.4f} [49920 examples]",
    ),
    "timm": Log(
        "Train: ",
        "Train: {e} [{s:>4}/12510 ({p:3.0f}%)]  Loss: {l:.3f} ({m:.2f})  "
        "Time: {t:.3f}s, {r:>7.2f}/s  ({u:.3f}s, {r:>7.2f}/s)  LR: {lr:.3e}  "
        "Data: {x:.3f} ({x:.3f})",
        ("Train: #", r"\[ *#/", "Loss: #", "Time: #", "s, +#/s"),
        "Test: [  48/48]  Time: {t:.3f} ({u:.3f})  Loss:  {l:.4f} ({m:.4f})  "
        "Acc@1: {p:.4f} ({p:.4f})  Acc@5: {q:.4f} ({q:.4f})",
    ),
    "timm-csv": Log(
        ",",
        "{g},{l:.6f},{m:.6f},{p:.4f},{q:.4f}",
        (r"^#", r"^\d+,#", r"^\d+,\S+?,#", r",#,[^,]+$", r",#$"),
        head="epoch,train_loss,eval_loss,eval_top1,eval_top5",
    ),
    "torchtitan": Log(
        "step:",
        "[titan] {date},123 - root - INFO - step: {g:>2}  loss: {l:7.4f}  grad_norm: {x:7.4f}  "
        "memory: 66.91GiB(84.48%)  tps: {r:,.0f}  tflops: {p:.2f}  mfu: {p:.2f}%",
        ("step: +#", "loss: +#", r"tps: ([\d,]+)", "tflops: #", "mfu: #"),
        "[titan] {date},123 - root - INFO - validate step: {g}  loss: {m:7.4f}  "
        "memory: 66.91GiB(84.48%)  tps: {r:,.0f}",
    ),
    "torchvision": Log(
        "eta: ",
        "Epoch: [{e}]  [{s:>4}/5005]  eta: {eta}  lr: {lr:.6f}  img/s: {r!r}  "
        "loss: {l:.4f} ({m:.4f})  acc1: {p:.4f} ({q:.4f})  time: {t:.4f}  data: {x:.4f}",
        (r"Epoch: \[#\]", r"\[ *#/", "img/s: #", "loss: #", "time: #"),
        "Epoch: [{e}] Avg img/s: {r!r}\n * Acc@1 {p:.3f} Acc@5 {q:.3f}",
    ),
    "trainer-state": Log(
        '"',
        '    {{\n      "epoch": {f:.2f},\n      "learning_rate": {lr:.8e},\n'
        '      "loss": {l:.4f},\n      "step": {g}\n    }},',
        ('"epoch": #', '"loss": #', '"step": #'),
        head='{{\n  "global_step": 3000,\n  "is_world_process_zero": true,\n  "log_history": [',
    ),
    "ttsr": Log(
        ":",
        "training fps = {r!r}\nepoch: {e} batch: {s}\nrec_loss: {l!r}\nper_loss: {m!r}",
        ("epoch: #", "batch: #", "rec_loss: #", "per_loss: #"),
    ),
    "yolo": Log(
        "it/s",
        "   {e:>4}/299      10.9G    {l:7.4f}    {m:7.4f}          0         90        640:   "
        "5%|#         | {s1}/5010 [00:10<02:11,  {x:.2f}it/s]",
        ("^ *#/", "#/5010", ", +#it/s"),
        "                 all        128        929      {a:.4f}      {a:.4f}      {a:.4f}"
        "      {a:.4f}",
        "     Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size",
    ),
    "yolo-csv": Log(
        ",",
        "{g},{t:.5f},{l:.5f},{a:.5f},{a:.5f},{a:.5f}",
        (r"^#", r"^\d+,#", r"^\d+,\S+?,#", r",#,[^,]+,[^,]+$", r",#$"),
        head="epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B),metrics/mAP50-95(B)",
    ),
}


def figures(epoch: int, index: int, rng: random.Random, steps: int = STEPS) -> dict[str, object]:
    """What the lines print: counters (`e`, `n`, `s`, `g`, …), clocks and seeded figures."""
    step, total = 10 * index, 10 * (epoch * steps + index)
    minute, second = divmod(total // 10, 60)
    time = f"{minute // 60 % 24:02}:{minute % 60:02}:{second:02}"
    day = 1 + minute // 1440 % 28
    month = 1 + minute // (1440 * 28) % 12
    loss = 7.3 * 0.99 ** (epoch + index / steps) * (1 + rng.random() / 50)
    left = 6500 - 11 * index
    return {
        "e": epoch,
        "n": epoch + 1,
        "s": step,
        "s1": step + 1,
        "s10": step + 10,
        "g": total,
        "g10": total + 10,
        "g6": total // 10 % 1_000_000,
        "g32": 32 * total,
        "g95": 95 * total,
        "g640": 640 * total,
        "f": epoch + index / steps,
        "date": f"2023-{month:02}-{day:02} {time}",
        "day": day,
        "time": time,
        "unix": 1.6e9 + total / 10 + 0.123,
        "hours": total / 36_000,
        "run": timedelta(seconds=total * 7 // 20),
        "eta": f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}",
        "lr": 0.1 * 0.99**epoch,
        "l": loss,
        "m": loss * 1.01,
        "t": rng.uniform(0.3, 0.5),
        "u": rng.uniform(0.35, 0.45),
        "ms": rng.uniform(300, 500),
        "x": rng.uniform(0.1, 9),
        "z": rng.uniform(-2, 2),
        "r": rng.uniform(4600, 5700),
        "a": rng.random(),
        "p": rng.uniform(10, 60),
        "q": rng.uniform(60, 90),
    }


def lines(log: Log, steps: int = STEPS) -> Iterator[str]:
    """An endless log with so many progress lines in an epoch."""
    rng = random.Random(7)
    if log.head:
        yield log.head.format_map(figures(0, 0, rng, steps))
    epoch = 0
    while True:
        for index in range(steps):
            yield log.line.format_map(figures(epoch, index, rng, steps))
        if log.end:
            yield log.end.format_map(figures(epoch, steps - 1, rng, steps))
        epoch += 1


def write(path: Path, log: Log, size: int) -> int:
    """Writes whole lines until `size` bytes are reached; returns how many lines."""
    written = count = 0
    with path.open("w", encoding="utf-8", buffering=1 << 20) as out:
        for text in lines(log):
            written += out.write(text + "\n")
            count += 1 + text.count("\n")
            if written >= size:
                break
    return count


def naive(log: Log) -> str:
    """The extraction script for a log's lines."""
    fields = tuple(field.replace("#", _NUMBER) for field in log.fields)
    return _SCRIPT.replace("FIELDS", repr(fields)).replace("WORD", repr(log.word))


def seconds(*arguments: str) -> float:
    """Processor seconds of one run, as it tells at the end."""
    command = [sys.executable, "-c", *arguments]
    run = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    return float(run.stderr.split()[-1])


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    chosen = sys.argv[2:] or sorted(LOGS)
    print("| format | naive s | sixdim s | naive / sixdim | µs a line |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sixdim-bench-") as folder:
        path = Path(folder) / "train.log"
        for name in chosen:
            count = write(path, LOGS[name], megabytes * 1_000_000)
            plain = min(seconds(naive(LOGS[name]), str(path)) for _ in range(_ROUNDS))
            ours = min(seconds(_SCORE, str(path), name) for _ in range(_ROUNDS))
            print(
                f"| {name} | {plain:.2f} | {ours:.2f} | {plain / ours:.1f} "
                f"| {ours / count * 1e6:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
