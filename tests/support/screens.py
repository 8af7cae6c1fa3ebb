"""Snapshots with plausible figures for the tests of the screen, and a feed that plays them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot

from sixdim.metrics.card.forecast.forecast import Band, Forecast
from sixdim.metrics.card.snapshot import Note, Progress, Snapshot, SpeedRow
from sixdim.metrics.values.card import Card, Caution, Dimension, State, Status, unknown
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.parsers.reading import Reading
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.search.text import LogText, NoTextError
from sixdim.tui.session.live.feed import MOVE, Feed, Frame
from tests.support.processes.pty_session import PATIENCE

T = TypeVar("T")

WINDOW = {
    6: 4910.795658460139,
    7: 4980.222383258538,
    8: 5032.905842259754,
    9: 4925.753353494863,
    10: 4845.4628560647725,
}
MARKS = {8: "highest", 10: "lowest"}
TRIMMED = 4938.923798404513
HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m[@click=app.quit]x[/@click] [/x] \x1b]0;pwn\x07end"


def throughput_of(label: int) -> float:
    """The worked example's figures where it prints them, plausible ones elsewhere."""
    return WINDOW.get(label, 4905.0 + 37.0 * ((label * 7) % 5 - 2) - (260.0 if label == 0 else 0.0))


def accuracy_of(label: int) -> float:
    """A learning curve that crosses 75.9 at epoch 64 and ends at the worked example's 77.36."""
    if label >= 64:
        return 77.36
    return round(75.6 * (1 - 0.93 ** (label + 1)) - (1.2 if label % 6 == 3 else 0.0), 3)


def card_at(epochs: int, *, frozen: bool = False) -> Card:
    """The card after so many finished epochs."""
    full = epochs > 10
    labels = [label for label in range(6, 11) if label < epochs]
    running = [WINDOW[label] for label in labels]
    value = TRIMMED if full else (sum(running) / len(running) if running else None)
    state = State.FINAL if full else State.RUNNING if running else State.WAITING
    last = accuracy_of(epochs - 1) if epochs else None
    best = max((accuracy_of(label) for label in range(epochs)), default=None)
    return Card(
        status=Status.CONVERGED if frozen else Status.TRAINING if epochs else Status.WAITING,
        run={
            "format": "torchvision",
            "model": "resnet50",
            "unit": "img/s",
            "scope": "job",
            "devices": 8,
            "epochs": epochs,
            "samples_per_epoch": 1281167,
        },
        target={
            "condition": "acc1>75.9",
            "source": "log",
            "epoch": 64 if frozen else None,
            "value": 77.36 if frozen else None,
        },
        dimensions={
            "speed": Dimension(
                value,
                "img/s",
                state,
                "" if full else f"{5 - len(labels)} more epochs to come",
                {
                    "protocol": "deepspark",
                    "window": list(labels),
                    "dropped": [8, 10] if full else [],
                },
            ),
            "accuracy": Dimension(
                last,
                "%",
                State.FINAL if frozen else State.RUNNING if epochs else State.WAITING,
                "",
                {"metric": "acc1", "best": best},
            ),
            "linearity": unknown("needs a single-device run: --baseline LOG"),
            "power": Dimension(165.6, "W", State.FINAL, "", {"devices": [0], "readings": 5}),
            "memory": Dimension(30670.6, "MiB", State.FINAL, "", {"devices": [0], "readings": 5}),
            "stability": unknown("needs 4 more runs that reach the target", details={"runs": 1}),
        },
        end_to_end=Dimension(4534.980939933562, "img/s", State.FINAL)
        if frozen
        else Dimension(None, "img/s", State.WAITING, "comes with the end of training"),
        run_end=None,
        warnings=(),
        provenance={"sixdim": "0.1.0", "log": "train.log"},
    )


def readings(devices: int = 8) -> tuple[Reading, ...]:
    """Eight boards at work, one of them held back, one that does not tell its power."""
    return tuple(
        Reading(
            device,
            source="ixsmi",
            name="BI-V100",
            power_w=None if device == 5 else 161.0 + device,
            power_limit_w=250.0,
            memory_mib=30670.0 + device % 2,
            memory_total_mib=32768.0,
            utilisation=98.0,
            temperature_c=61.0 + device,
            throttle=("power cap",) if device == 3 else (),
            missing=(("power_w", "not supported"),) if device == 5 else (),
        )
        for device in range(devices)
    )


def snapshot_at(epochs: int, *, frozen: bool = False) -> Snapshot:
    """The run after so many finished epochs, the next one under way."""
    done = tuple(
        EpochPoint(
            label=label,
            throughput=throughput_of(label),
            derived=False,
            duration=283.0,
            loss=6.9 * 0.97**label,
            iterations=34,
            first_line=20 + 40 * label,
            last_line=59 + 40 * label,
            complete=True,
        )
        for label in range(epochs)
    )
    left = 65.0 - epochs
    ahead = None if frozen or epochs < 5 else Band(left - 4, left, left + 9)
    return Snapshot(
        name="train.log",
        format="torchvision",
        card=card_at(epochs, frozen=frozen),
        progress=Progress(
            epoch=epochs - 1 if frozen else epochs,
            epochs_planned=90,
            step=120,
            steps=334,
            elapsed=283.0 * epochs + 90.0 if epochs else None,
            throughput=4951.25,
            loss=2.18,
        ),
        epochs=done,
        evaluations=tuple(
            EvaluationPoint(label, None, accuracy_of(label), 58 + 40 * label)
            for label in range(epochs)
        ),
        metric="acc1" if epochs else "",
        target_value=75.9,
        speed=tuple(
            SpeedRow(
                label,
                WINDOW[label] if label < epochs else None,
                (MARKS.get(label, "") if epochs > 10 else "") if label < epochs else "waiting",
            )
            for label in WINDOW
        ),
        forecast=Forecast(reason="needs 6 evaluations")
        if ahead is None
        else Forecast(ahead, "epoch", epochs - 1, ahead.times(283.0)),
        readings=readings(),
        telemetry_note="recorded by ixsmi",
        notes=(Note("target_reached", "acc1 77.360 meets acc1>75.9 at epoch 64", 2618),)
        if frozen
        else (),
        lines=20 + 40 * epochs,
        bytes=4000 * epochs,
        ended=frozen,
    )


def log_lines(epochs: int, count: int = 300) -> tuple[tuple[int, str], ...]:
    """Progress lines in the shape of the torchvision reference scripts."""
    return tuple(
        (
            number,
            f"Epoch: [{epochs}]  [{(number * 10) % 334:3d}/334]  eta: 0:03:{number % 60:02d}  "
            f"lr: 0.128  img/s: {4900 + number % 97}.{number % 10}  loss: 2.18{number % 10} "
            f"(2.2497)  acc1: 55.{number % 100:02d} (54.13)  time: 0.7591  data: 0.0019",
        )
        for number in range(1 + 40 * epochs, 1 + 40 * epochs + count)
    )


def frame_at(epochs: int, *, frozen: bool = False, replay: bool = False) -> Frame:
    """A frame of the run after so many finished epochs."""
    return Frame(
        snapshot_at(epochs, frozen=frozen),
        log_lines(epochs),
        "replay" if replay else "live",
        speed=60.0 if replay else 1.0,
    )


def hostile_frame(payload: str = HOSTILE) -> Frame:
    """A frame whose every string tries to steer the terminal or the app."""
    frame = frame_at(34)
    shot = frame.snapshot
    card = shot.card._replace(
        run={**shot.card.run, "model": payload, "unit": payload, "scope": payload},
        target={"condition": payload, "epoch": payload},
        dimensions={
            name: figure._replace(
                unit=payload,
                reason=payload,
                details={**figure.details, "protocol": payload},
            )
            for name, figure in shot.card.dimensions.items()
        },
        warnings=(Caution(payload, payload, (7,)),),
    )
    return replace(
        frame,
        snapshot=replace(
            shot,
            name=payload,
            format=payload,
            card=card,
            metric=payload,
            readings=tuple(
                r._replace(name=payload, source=payload, throttle=(payload,)) for r in shot.readings
            ),
            telemetry_note=payload,
            notes=(Note(payload, payload, 9),),
            speed=tuple(row._replace(mark=payload) for row in shot.speed),
        ),
        log_lines=tuple((number, payload) for number in range(1, 40)),
        message=payload,
    )


@dataclass
class ScriptedFeed(Feed):
    """Publishes the frames it is given and keeps the requests it gets."""

    frames: list[Frame]
    controls: frozenset[str] = frozenset()
    requests: list[object] = field(default_factory=list)
    publish: Callable[[Frame], None] | None = None

    def start(self, publish: Callable[[Frame], None]) -> None:
        self.publish = publish
        for frame in self.frames:
            publish(frame)

    def stop(self) -> None:
        self.requests.append("stop")

    def export(self) -> str:
        self.requests.append("export")
        return f"wrote train.card.json {HOSTILE}"

    def lines(self, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
        return tuple((number, f"text of line {number}") for number in sorted(numbers))

    def log_text(self) -> LogText:
        raise NoTextError("train.log is a pipe")

    def toggle_pause(self) -> None:
        self.requests.append("pause")

    def step(self, epochs: int) -> None:
        self.requests.append(("step", epochs))

    def change_speed(self, factor: float) -> None:
        self.requests.append(("speed", factor))

    def go_to_epoch(self, label: int) -> None:
        self.requests.append(("epoch", label))

    def go_to_end(self) -> None:
        self.requests.append("end")

    def select(self, step: int) -> None:
        self.requests.append(("select", step))


def replay_feed(*frames: Frame) -> ScriptedFeed:
    """A feed that obeys every control of a replay."""
    return ScriptedFeed(list(frames), frozenset({MOVE}))


def screen_text(app: SixdimApp) -> list[str]:
    """What a person sees: the text of every row of the screen."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def look_at(
    look: Callable[[SixdimApp], T],
    feed: ScriptedFeed,
    size: tuple[int, int],
    *presses: str,
    **options: Any,
) -> T:
    """Runs the app over a feed, presses keys one by one, and looks at it."""
    return looks_at(look, feed, size, presses, **options)[-1]


def looks_at(
    look: Callable[[SixdimApp], T],
    feed: ScriptedFeed,
    size: tuple[int, int],
    *steps: Iterable[str],
    **options: Any,
) -> list[T]:
    """Runs the app over a feed, and looks at it: once it is open, and after the keys of each step.

    To open the app costs as much as ten keys.
    """

    async def run() -> list[T]:
        app = SixdimApp(feed, **options)
        found: list[T] = []
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            found.append(look(app))
            for step in steps:
                for name in step:
                    await press(pilot, name)
                await app.workers.wait_for_complete()
                await settle(pilot)
                found.append(look(app))
        return found

    return asyncio.run(run())


def on_screen(
    feed: ScriptedFeed, size: tuple[int, int], *presses: str, **options: Any
) -> list[str]:
    """The screen's text after these keys."""
    return look_at(screen_text, feed, size, *presses, **options)


def screens(feed: ScriptedFeed, size: tuple[int, int], *steps: Iterable[str]) -> list[str]:
    """The screen's text once it is open, and after the keys of each step."""
    return looks_at(lambda app: "\n".join(screen_text(app)), feed, size, *steps)


async def seen(app: SixdimApp, pilot: Pilot[int], wanted: str) -> str:
    """The screen, once a text is on it: a frame, or another process, may bring it later."""
    until = time.monotonic() + PATIENCE
    while wanted not in "\n".join(screen_text(app)) and time.monotonic() < until:
        await pilot.pause(0.02)
    text = "\n".join(screen_text(app))
    assert wanted in text, text
    return text


async def settle(pilot: Pilot[int]) -> None:
    """Lets frames, layout and repaints come to rest, by turns of the loop and not by the clock.

    `Pilot.pause` sends a message to every widget, which takes as long as the answer to a key.
    """
    rested = 0
    for _ in range(1000):
        await asyncio.sleep(0)
        if _at_rest(pilot.app):
            rested += 1  # the loop may have calls left that are seen in its next turns alone
            if rested == 5:
                return
        else:
            rested = 0
            pilot.app.screen._on_timer_update()  # paints, without waiting for the timer


def _at_rest(app: App[int]) -> bool:
    """Whether no message waits or is being answered, and nothing is to be laid out or painted."""
    screen = app.screen
    return not (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    ) and not any(
        pump._next_callbacks or not pump._message_queue.empty()
        for pump in (app, *screen.walk_children(with_self=True))
    )


async def press(pilot: Pilot[int], name: str) -> None:
    """One key; a single character is also typed."""
    char = " " if name == "space" else name if len(name) == 1 else None
    key = name if char is None or name.isalnum() else _character_to_key(name)
    pilot.app.post_message(events.Key(key, char))
    await settle(pilot)
