"""Logs of text that is no training: no format claims them, and no figure is stated."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

import pytest

from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.inputs.generated import read
from tests.support.logs import scored

_SETTINGS = """arch: resnet50
batch_size: 256
epochs: 90
lr: 0.1
workers: 8
loss: ce
accuracy: 0.75
step: 100
num_train_samples: 1281167"""
_JSON = '{\n  "batch_size": 256,\n  "epochs": 90,\n  "lr": 0.1,\n  "accuracy": 0.7\n}'
_YAML = "train:\n  epochs: 10\n  loss: 0.5\n  lr: 0.001\nval:\n  batch_size: 64\n  accuracy: 0.9"
_TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 10, in <module>
    main()
  File "train.py", line 7, in main
    x = y / 0
ZeroDivisionError: division by zero"""
_PROSE = """all the memory available to the process
all arguments it got from the command line
Exiting a thread without first unlocking
best practice is to epoch by epoch"""
# The same text again and again: one line, or a block of them.
REPEATED = {
    "torchrun": "torchrun --nnodes=4 --nproc_per_node=8 train.py",
    "torchrun and arguments": "+ torchrun --nnodes=4 train.py --batch-size 256 --epochs 90",
    "launch": "python -m torch.distributed.launch --nproc_per_node=8 train.py --epochs=3",
    "mpirun": "mpirun -np 8 -H host1:4,host2:4 python train.py --batch_size 64",
    "accelerate": "accelerate launch --num_processes 8 run_clm.py",
    "a script": "train.py",
    "exports": "export NCCL_DEBUG=INFO\nexport OMP_NUM_THREADS=8\ncd /workspace/resnet50",
    "three lines": "Loading checkpoint shards\nUsing cache dir /tmp\nBuilding model resnet50",
    "a word": "hello",
    "arguments": "Namespace(batch_size=256, epochs=90, lr=0.1, gpu=None, world_size=8)",
    "settings": _SETTINGS,
    "settings in a line": "batch_size = 256, epochs = 90, lr = 0.1, gpus = 8",
    "settings as JSON": _JSON,
    "settings as YAML": _YAML,
    "traceback": _TRACEBACK,
    "prose": _PROSE,
    "time": "real\t0m1.234s\nuser\t0m0.1s\nsys\t0m0.02s",
    "epoch headers": "Epoch 1/10",
}
# Lines of one form whose numbers change.
NUMBERED = {
    "pip": "Requirement already satisfied: a{n}>=1.{n} in /usr/lib (from torch) (1.{n}.3)",
    "pip's bars": "     |████████▍          | {n}0 kB {n}.4 MB/s eta 0:00:{n}",
    "web server": '10.0.0.{n} - - [10/Oct/2023:13:55:{n} +0000] "GET /epoch/{n}" 200 23{n}',
    "its errors": "2023/10/10 13:55:{n} [error] 12#12: *{n} connect() failed (111), time: 0.0{n}",
    "numbered": "{n}: item number {n}",
    "numbered keys": "{n}: size: {n}3",
    "numbered values": "{n}: 0.{n}",
    "numbered classes": "{n}: class_{n}  images {n}7  acc {n}.5",
    "numbered source": "{n}:     print('loss', loss)",
    "markdown": "{n}. Step {n}: train the model for {n} epochs with loss 0.{n}",
    "files": "-rw-r--r-- 1 root root {n}005 Jan  3 12:{n} img_000{n}.jpg",
    "images": "/data/imagenet/train/n0{n}/n0{n}_{n}.JPEG",
    "classes": "class {n}: {n}00 images, {n} val",
    "classes found": "Found {n}00 images belonging to {n} classes.",
    "nvidia-smi": "| N/A  {n}C  P0  {n}W / 300W | {n}00MiB / 16160MiB | {n}% Default |",
    "NCCL": "host1:123:4{n} [3] NCCL INFO Channel {n}/32 : 0[0] -> 1[1] via P2P/IPC",
    "NCCL's tests": "    {n}048576    262144     float     sum      -1    82.{n}    39.9      0",
    "checkpoints": "├── epoch_{n}.pth ({n}0 MB)",
    "compiler": "[{n}/99] Building CXX object src/CMakeFiles/a.dir/file{n}.cpp.o",
    "container build": "Step {n}/99 : RUN apt-get install p{n}",
    "wget": "  {n}50K .......... .......... .......... .......... .......... {n}%  {n}.2M {n}s",
    "ping": "64 bytes from 8.8.8.8: icmp_seq={n} ttl=117 time=10.{n} ms",
    "iperf": "[  4]  {n}.00-{n}.50   sec   112 MBytes   94{n} Mbits/sec    0    2{n} KBytes",
    "pytest": "tests/test_a{n}.py::test_{n} PASSED [ {n}%]",
    "a model": "conv2d_{n} (Conv2D)       (None, {n}, {n}, 64)        {n}6928",
    "ranks": "[rank {n}] initialised with device cuda:{n}",
    "kernel": "Nov 22 17:31:{n} host kernel: [1{n}.000000] usb {n}-1: new USB device number {n}",
    "database": "2023-01-01 10:00:{n} UTC [123] LOG:  duration: 1.{n} ms  statement: SELECT {n}",
    "requests": '{{"level":"info","msg":"request","path":"/x/{n}","duration_ms":{n}}}',
    "per class": "plane{n}: 7{n}.5%",
}
PREFIXES: dict[str, Callable[[int], str]] = {
    "bare": lambda n: "",
    "srun": lambda n: f"{n % 4}: ",
    "pdsh": lambda n: f"node-{n % 4}: ",
    "compose": lambda n: f"trainer-{n % 4}  | ",
    "clock": lambda n: f"10:00:{n} ",
    "job": lambda n: "[my-exp-7] ",
    "docker": lambda n: f"2024-01-01T10:00:{n}.123456789Z ",
}
LOGS = {
    **{name: text.split("\n") * 30 for name, text in REPEATED.items()},
    **{name: [form.format(n=n) for n in range(10, 60)] for name, form in NUMBERED.items()},
}


@pytest.mark.parametrize("name", LOGS)
def test_no_format_claims_it_and_nothing_is_stated(name: str) -> None:
    for prefix, front in PREFIXES.items():
        texts = [front(10 + n % 50) + text for n, text in enumerate(LOGS[name])]
        card = read("".join(text + "\n" for text in texts).encode()).card()
        assert card.run["format"] in ("", "generic"), prefix
        stated = {key: figure.value for key, figure in card.dimensions.items()}
        assert stated == dict.fromkeys(card.dimensions), prefix


def test_headers_that_many_programs_print_leave_the_log_to_its_own_words() -> None:
    """`Epoch 1/40` is Keras's, and that of many a loop of somebody's own."""
    text = "".join(
        f"Epoch {n}/40\nloss 0.{90 - n} train_acc 0.5 val_acc 0.{n + 20}\n" for n in range(1, 41)
    )
    card = read(text.encode()).card()
    assert card.run["format"] == "generic"
    assert card.dimensions["accuracy"].value == 0.6


@pytest.mark.parametrize(
    "line",
    [
        "Max accuracy: 9{n}.50%",
        "val loss 0.4{n}",
        "eval loss: 0.4{n}, eval acc: 0.8{n}",
        "args: Namespace(batch_size=64, epochs=1{n})",
        "Epoch {n} ended.",
        "Mean Validation Dice: 0.6{n}",
        "Steps per second: 13{n}",
        "Iteration time: 0.5{n}s",
        "epoch time is 12.{n}",
        "Epoch time 0:00:1{n}",
        "Training time 0:00:1{n}",
        "cost time: 12.{n} ms",
        "Eval epoch time: 3.{n}",
        "Total time for epoch [{n}] : 12.{n}",
    ],
)
def test_a_line_that_other_loops_print_in_each_epoch_makes_no_log_that_of_a_trainer(
    line: str,
) -> None:
    text = "".join(
        f"Epoch {n}/9 | train loss 0.5{n} | val acc 0.8{n}\n{line.format(n=n)}\n"
        for n in range(1, 10)
    )
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["format"], card["run"]["epochs"]) == ("generic", 9)
    of_it = ("dice", 0.69, 0.69) if "Dice" in line else ("acc1", 0.89, 0.89)
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == of_it


def test_a_unit_with_a_colon_or_an_equals_sign_names_the_next_number() -> None:
    for text in ("frame= 840 fps= 33 q=28.0", "loss: 1.0 fps: 33"):
        rates = [one.value for one in named_numbers(text) if one.role == "rate"]
        assert rates == [33]


@pytest.mark.parametrize("clock", ["2024-05-01T10:00:00.123456789Z", "2024-05-01 10:00:00,123"])
def test_no_clock_of_a_line_that_is_held_no_longer_takes_memory(
    monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    """While no format is chosen, two clocks are compared in the lines that are held."""
    monkeypatch.setattr("sixdim.parsers.reader.undecided._MOST_HELD", 100)
    interpreter = Interpreter(formats())

    def memory_after(lines: int) -> int:
        for _ in range(lines):
            assert [*interpreter.feed(f"{clock} hello\n".encode())] == []
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = memory_after(300)
        assert memory_after(800) - before < 50_000  # 800 lines take 200 kB
    finally:
        tracemalloc.stop()
    assert len(interpreter.held) == 100


_EPOCH = "epoch {n}, loss 0.{k}5, train acc 0.{n}4, test acc 0.{n}1"


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        ([_EPOCH.format(n=1, k=9)], False),  # one line may be an accident
        ([_EPOCH.format(n=n, k=9 - n) for n in (1, 2)], True),
        ([_EPOCH.format(n=1, k=9)] * 2, False),
        ([f"epoch {n}, loss 0.{9 - n}5" for n in (1, 2)], False),
        ([f"loss 0.{9 - n}5, test acc 0.{n}1" for n in (1, 2)], False),
    ],
)
def test_two_epochs_with_several_figures_each_are_a_training(lines: list[str], known: bool) -> None:
    """An epoch may take hours, and its line be all that a loop prints."""
    card = read("".join(f"{line}\n" for line in lines).encode()).card()
    assert card.run["format"] == ("generic" if known else "")
    assert card.dimensions["accuracy"].value == (0.21 if known else None)
