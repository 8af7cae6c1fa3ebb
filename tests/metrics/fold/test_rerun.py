"""A training that is started again inside an epoch: the epoch is that of the second time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.logs import scored


def part(first: int, last: int, rate: float, *, begin: int = 0, end: int = 301) -> Iterator[str]:
    """Epochs of torchvision's scripts, from a step of the first to a step of the last one."""
    yield "Namespace(model='resnet50', batch_size=64, epochs=11)"
    yield "Start training"
    for epoch in range(first, last + 1):
        for step in range(begin if epoch == first else 0, end if epoch == last else 301, 20):
            yield (
                f"Epoch: [{epoch}]  [{step:3d}/301]  eta: 0:01:00  lr: 0.1  img/s: {rate}  "
                f"loss: {6 - epoch / 3:.4f} (4.0)  time: {64 / rate:.4f}  data: 0.001"
            )
        if epoch < last or end == 301:
            yield f" * Acc@1 {20 + epoch}.500 Acc@5 60.000"


def rates(*parts: Iterator[str]) -> list[float]:
    """The throughputs of epochs 6 to 10."""
    text = "".join(f"{line}\n" for one in parts for line in one)
    values: list[float] = scored(text)["dimensions"]["speed"]["values"]
    return values


def test_an_epoch_that_begins_again_after_a_header_is_the_later_one() -> None:
    found = rates(part(0, 7, 64.0, end=221), part(7, 10, 640.0))
    assert found == pytest.approx([64.0, 640.0, 640.0, 640.0, 640.0], rel=1e-3)


def test_an_epoch_that_goes_on_after_a_header_is_both_parts() -> None:
    """221 iterations of 1 s and 80 of 0.1 s: 64 samples each."""
    found = rates(part(0, 7, 64.0, end=221), part(7, 10, 640.0, begin=240))
    assert found[1] == pytest.approx(64 * 301 / (221 + 80 * 0.1), rel=0.001)


def iterations(epoch: int, *, begin: int = 0) -> Iterator[str]:
    """Progress lines of one epoch, without header and evaluation."""
    for step in range(begin, 301, 20):
        yield (
            f"Epoch: [{epoch}]  [{step:3d}/301]  eta: 0:01:00  lr: 0.1  img/s: 64.0  "
            f"loss: {6 - epoch / 3:.4f} (4.0)  time: 1.0000  data: 0.001"
        )


@pytest.mark.parametrize(
    ("epochs", "step", "again"),
    [(2, 280, False), (3, 280, True), (3, 300, False)],
    ids=["one epoch later", "two epochs later", "its last line once more"],
)
def test_the_first_epoch_begins_again_two_epochs_later_at_a_lower_step(
    epochs: int, step: int, again: bool
) -> None:
    parts = [*(iterations(epoch) for epoch in range(epochs)), iterations(0, begin=step)]
    card = scored("".join(f"{line}\n" for one in parts for line in one))
    assert ("resume" in {one["kind"] for one in card["warnings"]}) == again
    assert card["run"]["epochs"] == (0 if again else epochs)


@pytest.mark.parametrize("steps", [40, 90])
def test_epochs_of_one_line_each_begin_again_with_the_first_one(steps: int) -> None:
    """A notebook keeps the last drawing of each bar; its second training has one epoch less."""
    text = "".join(
        f"Epoch {epoch}: 100%|####| {of}/{of} [00:{of:02d}<00:00, 1.00it/s, loss={1 / epoch:.4f}]\n"
        for of, epochs in ((40, 4), (steps, 3))
        for epoch in range(1, epochs + 1)
    )
    assert scored(text)["run"]["epochs"] == 3


@pytest.mark.parametrize(("later", "clock", "epochs"), [(3, True, 1), (2, True, 1), (3, False, 3)])
def test_the_first_epoch_ends_again_after_the_steps_of_another_trial(
    later: int, clock: bool, epochs: int
) -> None:
    """A search trains one model after the other, and names an epoch only when it is over.

    A line without a time stamp may have waited in a buffer.
    """
    lines = [
        f"global step {150 * epoch + step}: loss: 0.{900 - step}"
        if step
        else f"[epoch {epoch}/15] average loss: 1.{9 - epoch}"
        for epoch in (*range(later), 0)
        for step in (50, 100, 150, 0)
    ]
    stamped = (
        f"2025-08-25 09:{n:02d}:00 INFO     {line}" if clock else line
        for n, line in enumerate(lines)
    )
    assert scored("".join(f"{line}\n" for line in stamped))["run"]["epochs"] == epochs


def test_two_epochs_and_a_first_one_of_more_planned_epochs_are_two_trainings() -> None:
    """Keras trains the new layers for two epochs, and then all of them for three."""

    def fit(accuracies: tuple[float, ...]) -> str:
        planned = len(accuracies)
        return "".join(
            f"Epoch {epoch}/{planned}\n"
            f"9/9 - 20s - 2s/step - accuracy: 0.5000 - loss: 0.7000 - val_accuracy: {accuracy} "
            "- val_loss: 0.8000\n"
            for epoch, accuracy in enumerate(accuracies, 1)
        )

    card = scored(fit((0.35, 0.88)) + fit((0.66, 0.75, 0.71)))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.71, 0.75)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    assert "resume" in {one["kind"] for one in card["warnings"]}
