"""Axolotl's tokens per second in the reports of the Trainer."""

from __future__ import annotations

from tests.support.logs import scored


def reports(first: bool, quote: str = "") -> str:
    """Ten reports of 5,000 tokens of each of two devices in 10 s; the 6th includes an evaluation."""
    out = ""
    for n in range(1, 11):
        rate = 200.0 if n == 6 else 500.0
        rated = f"'tokens/train_per_sec_per_gpu': {quote}{rate}{quote}, " if first or n > 1 else ""
        out += f"{{'loss': {9 - n / 2}, 'grad_norm': 1.25, 'learning_rate': 1e-05, {rated}"
        out += f"'tokens/trainable': {10_000 * n}, 'epoch': {n / 10}}}\n"
        if n == 5:
            out += "{'eval_loss': 5.5, 'eval_runtime': 15.0, 'epoch': 0.5}\n"
    return out


def test_a_rate_since_the_report_before_is_the_trainings_without_an_evaluation() -> None:
    for quote in ("", "'"):
        speed = scored(reports(first=False, quote=quote))["dimensions"]["speed"]
        found = speed["value"], speed["unit"], speed["scope"]
        assert found == (500, "tokens/s", "per device")


def test_a_rate_in_the_first_report_is_not_that_of_all_steps_since_the_report_before() -> None:
    assert scored(reports(first=True))["dimensions"]["speed"]["value"] is None


def test_a_training_that_begins_again_has_a_first_report_of_its_own() -> None:
    header = "***** Running training *****\n"
    log = header + reports(first=True) + header + reports(first=False)
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (500, "tokens/s")
