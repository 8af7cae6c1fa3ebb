"""Tables of Stable-Baselines and OpenAI baselines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from sixdim.parsers.formats.rl_tables import _bounds
from tests.support.logs import detected, facts, only, read, scored

SB3 = """\
----------------------------------
| eval/              |           |
|    mean_ep_length  | 200       |
|    mean_reward     | {reward:<10}|
| rollout/           |           |
|    ep_rew_mean     | 22.1      |
| time/              |           |
|    fps             | 1234      |
|    time_elapsed    | {time:<10}|
|    iterations      | {n:<10}|
|    total_timesteps | {steps:<10}|
| train/             |           |
|    loss            | 6.5       |
----------------------------------
"""
HER = """\
-------------------------------------------
| epoch              | {e:<19}|
| stats_o/mean       | 0.22              |
| test/episode       | 20.0              |
| test/mean_Q        | -4.5              |
| test/success_rate  | {rate:<18}|
| train/episode      | 100.0             |
-------------------------------------------
"""


def table(n: int, time: int, *, evaluated: bool = True) -> str:
    form = SB3 if evaluated else SB3[: SB3.index("| eval/")] + SB3[SB3.index("| rollout/") :]
    return form.format(reward=10.5 * n, n=n, steps=2000 * n, time=time)


def test_stable_baselines() -> None:
    text = "".join(table(n, 10 * n, evaluated=n == 7) for n in range(1, 8))
    assert detected(text) == "rl-tables"
    events = read(text, "rl-tables")
    # `fps` is a mean since the start; a rate is that since a table 20 seconds ago or more.
    assert [(i.step, i.throughput, i.loss) for i in only(events, Iteration)][:4] == [
        (2000, None, 6.5),
        (4000, None, 6.5),
        (6000, 200, 6.5),
        (8000, 200, 6.5),
    ]
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (200, "steps/s")
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("mean_reward", 73.5)


DIFFUSION = """\
------------------------
| grad_norm | 0.906    |
| loss      | {loss:<8} |
| loss_q0   | 1.02     |
| mse       | 0.5      |
| samples   | {samples:<8} |
| step      | {step:<8} |
------------------------
saving model 0...
"""


def test_guided_diffusion_whose_steps_are_exact_below_a_thousand() -> None:
    rows = [
        ("980", "7.85e+03"),
        ("990", "7.93e+03"),
        ("1e+03", "8.01e+03"),
        ("1.01e+03", "8.1e+03"),
    ]
    text = "".join(
        DIFFUSION.format(loss=0.25 * n, samples=samples, step=step)
        for n, (step, samples) in enumerate(rows, 1)
    )
    assert detected(text) == "rl-tables"
    lines = only(read(text, "rl-tables"), Iteration)
    assert [(i.step, i.loss) for i in lines] == [
        (980, 0.25),
        (990, 0.5),
        (None, 0.75),
        (None, 1.0),
    ]
    assert [m.name for m in lines[0].values] == ["grad_norm", "loss_q0", "mse"]
    assert scored(text)["dimensions"]["accuracy"]["value"] is None


@pytest.mark.parametrize(("seconds", "rate"), [(19, None), (20, 100)])
def test_seconds_that_are_too_few_for_their_rounding(seconds: int, rate: float | None) -> None:
    events = read(table(1, 3) + table(2, 3 + seconds, evaluated=False), "rl-tables")
    assert only(events, Iteration)[-1].throughput == rate
    both = read(table(1, 3) + table(2, 3 + seconds), "rl-tables")
    assert only(both, Iteration)[-1].throughput is None  # it has an evaluation


def test_an_evaluation_is_read_where_it_is_not_rounded() -> None:
    text = "Eval num_timesteps=2000, episode_reward=10.52 +/- 6.02\nEpisode length: 9.5 +/- 6.0\n"
    events = read(text + table(1, 3) + table(2, 5), "rl-tables")
    assert [e.metrics[0].value for e in only(events, Evaluation)] == [10.52, 21.0]


def test_epochs_of_baselines() -> None:
    text = "".join(HER.format(e=e, rate=0.25 * e) for e in range(4))
    assert detected(text) == "rl-tables"
    events = read(text, "rl-tables")
    assert [e.epoch for e in only(events, EpochEnd)] == [0, 1, 2, 3]
    last = only(events, Evaluation)[-1]
    assert [(m.name, m.value) for m in last.metrics] == [("success_rate", 0.75), ("mean_Q", -4.5)]
    assert scored(text)["run"]["epochs"] == 4


def test_a_table_of_other_names_is_no_log() -> None:
    text = "-----------\n| name      | value     |\n| lr        | 0.5       |\n-----------\n"
    assert detected(text * 5) == ""


def rollout(steps: int, seconds: float, *, before: int = 0) -> str:
    fps = int((steps - before) / seconds)
    return (
        f"-----------------\n| time/ | |\n|    fps | {fps} |\n|    time_elapsed | {int(seconds)} |\n"
        f"|    total_timesteps | {steps} |\n-----------------\n"
    )


def test_a_short_run_s_times_are_its_steps_over_the_rate_since_the_start() -> None:
    text = rollout(2000, 1.6) + rollout(4000, 3.7) + rollout(6000, 5.5)
    rates = [i.throughput for i in only(read(text, "rl-tables"), Iteration)]
    assert rates[0] is None
    assert rates[1:] == pytest.approx([2000 / 2.1, 2000 / 1.8], rel=0.01)


def test_of_a_resumed_run_whole_seconds_alone_say_the_time() -> None:
    text = rollout(102_000, 1.6, before=100_000) + rollout(104_000, 3.7, before=100_000)
    assert [i.throughput for i in only(read(text, "rl-tables"), Iteration)] == [None, None]


def test_a_table_of_an_evaluation_divides_no_interval() -> None:
    tested = "| eval/ | |\n|    mean_reward | 9 |\n| time/ | |\n|    total_timesteps | 7600 |\n---------\n"
    text = "".join(rollout(2000 * n, 10.0 * n) + (tested if n == 3 else "") for n in range(1, 9))
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(200, rel=0.01)


@pytest.mark.parametrize("said", ["line", "table"])
def test_an_evaluation_between_two_tables_is_no_training(said: str) -> None:
    """2,000 steps take 10 s, and each evaluation 30 s: two thirds of the tables have none between."""
    tested = {
        "line": "Eval num_timesteps=7600, episode_reward=9.00 +/- 1.00\n",
        "table": "| eval/ | |\n|    mean_reward | 9 |\n| time/ | |\n|    total_timesteps | 7600 |\n------\n",
    }[said]
    text = "".join(
        rollout(2000 * n, 10.0 * n + 30 * (n // 3)) + (tested if n % 3 == 2 else "")
        for n in range(1, 31)
    )
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(200, rel=0.05)


def test_the_reward_of_the_latest_episodes() -> None:
    table = """\
--------------------------------------
| episodes                | {n:<8} |
| mean 100 episode reward | {reward:<8} |
| steps                   | {n:<8} |
--------------------------------------
"""
    card = scored("".join(table.format(n=200 * n, reward=n) for n in range(1, 9)))
    assert card["run"]["format"] == "rl-tables"
    assert card["dimensions"]["accuracy"]["metric"] == "mean_reward"
    assert card["dimensions"]["accuracy"]["value"] == 8


@pytest.mark.parametrize("tables", [46, 2000])
def test_tables_close_together_all_have_the_rate_of_those_before(tables: int) -> None:
    """At 40 steps in 2.5 s each whole `fps` says little: 16 steps/s, of tables 20 s apart."""
    text = "".join(rollout(40 * n, 2.5 * n) for n in range(1, tables + 1))
    rates = [i.throughput for i in only(read(text, "rl-tables"), Iteration)]
    assert rates[3:] == pytest.approx([16] * (tables - 3), rel=0.06)
    speed = scored(text)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(16, rel=0.03)
    assert "5 windows" in speed["reason"]


def test_tables_whose_rounded_time_gives_no_rate_are_not_cut_short() -> None:
    """A new table each 3 s; from 100 s on whole seconds are printed, and a few rates are unknown."""
    table = "-" * 20 + "\n| TimestepsSoFar | {} |\n| TimeElapsed | {} |\n| EpRewMean | 1 |\n"
    text = "".join(table.format(2048 * n, f"{3.04 * n:.3g}") for n in range(1, 151))
    rates = [i.throughput for i in only(read(text, "rl-tables"), Iteration)]
    assert rates.count(None) > 1
    card = scored(text)
    assert [one["kind"] for one in card["warnings"]] == ["incomplete"]
    assert card["dimensions"]["speed"]["value"] == pytest.approx(2048 / 3.04, rel=0.05)


def ddpg(n: int, rate: str) -> str:
    rows = {
        "rollout/return": "12.5",
        "total/duration": f"{400 * n:.2e}",
        "total/epochs": str(n),
        "total/steps": str(20_000 * n),
        "total/steps_per_second": rate,
    }
    rule = "-" * 40 + "\n"
    return rule + "".join(f"| {k:<23} | {v:<9} |\n" for k, v in rows.items()) + rule


def test_baselines_ddpg() -> None:
    """The speed of the tables in the middle is 20,000 steps in 400 s."""
    text = "".join(ddpg(n, "50.0") for n in range(1, 40))
    assert detected(text) == "rl-tables"
    rates = [i.throughput for i in only(read(text, "rl-tables"), Iteration)]
    assert rates[-1] == pytest.approx(50, rel=0.06)
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(50, rel=0.02)


@pytest.mark.parametrize(
    ("printed", "bounds"),
    [
        ("656", (656, 657)),
        ("70.6", (70.55, 70.65)),
        ("1.49e+04", (14_850, 14_950)),
        ("2e+03", (1_995, 2_005)),
        ("-", None),
    ],
)
def test_what_a_printed_number_may_be(printed: str, bounds: tuple[float, float] | None) -> None:
    assert _bounds(printed) == (bounds and pytest.approx(bounds))


def test_a_rate_of_the_last_update_says_nothing_about_the_time() -> None:
    """PPO2 of OpenAI baselines: 2048 steps in 8 s each, but the last update may take 7 or 9 s."""
    table = (
        "------------------------\n| fps             | {fps} |\n| nupdates        | {n} |\n"
        "| time_elapsed    | {time:.3g} |\n| total_timesteps | {steps:.3g} |\n"
        "------------------------\n"
    )
    text = "".join(
        table.format(fps=2048 // (7 + n % 3), n=n, time=8.0 * n, steps=2048 * n)
        for n in range(1, 401)
    )
    card = scored(text)
    assert card["run"]["format"] == "rl-tables"
    assert card["dimensions"]["speed"]["value"] == pytest.approx(256, rel=0.02)


def test_trpo_names_the_time_in_another_way() -> None:
    table = "-" * 20 + "\n| TimestepsSoFar | {} |\n| TimeElapsed | {} |\n| EpRewMean | {} |\n"
    text = "".join(table.format(1024 * n, 8 * n, n) for n in range(1, 30))
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(128, rel=0.02)


def test_the_console_of_spinning_up() -> None:
    """Its counts have three digits: of 4,000 steps in 20 s, 1,004,000 are printed as 1e+06."""
    table = (
        "---------------------------------------\n|             Epoch | {n:15} |\n"
        "|      AverageEpRet | {reward:>15} |\n|  AverageTestEpRet | {test:>15} |\n"
        "| TotalEnvInteracts | {steps:>15} |\n|              Time | {time:>15} |\n"
        "---------------------------------------\n"
    )
    text = "".join(
        table.format(
            n=n,
            reward=f"{0.5 * n:.3g}",
            test=f"{n:.3g}",
            steps=f"{4000 * n:.3g}",
            time=f"{20 * n:.3g}",
        )
        for n in range(1, 301)
    )
    assert detected(text) == "rl-tables"
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(200, rel=0.03)
    assert (card["run"]["epochs"], card["dimensions"]["accuracy"]["value"]) == (300, 300)


SB3_CSV = """\
time/total_timesteps,time/time_elapsed,time/fps,rollout/ep_rew_mean,train/loss,eval/mean_reward
2048,2,1024,10.5,,
4096,4,1024,12.5,0.75,
5000,,,,0.5,20.25
6144,6,1024,14.5,0.5,
"""


def test_the_rows_of_progress_csv_are_read_as_the_tables_are() -> None:
    assert detected(SB3_CSV) == "rl-csv"
    names = SB3_CSV.splitlines()[0].split(",")
    tables = "".join(
        "".join(f"| {name} | {cell} |\n" for name, cell in zip(names, row, strict=True) if cell)
        + "-" * 40
        + "\n"
        for row in (line.split(",") for line in SB3_CSV.splitlines()[1:])
    )
    said = scored(SB3_CSV)["dimensions"]
    assert said["speed"] == {**scored(tables)["dimensions"]["speed"]}
    assert (said["accuracy"]["metric"], said["accuracy"]["value"]) == ("mean_reward", 20.25)
    steps = [(e.step, e.loss) for e in only(read(SB3_CSV, "rl-csv"), Iteration)]
    assert steps == [(2048, None), (4096, 0.75), (6144, 0.5)]


def test_the_progress_of_diffusion_models() -> None:
    """Their file has exact counts, and columns without a cell in some rows."""
    header = "grad_norm,loss,loss_q0,samples,step,loss_q1\n"
    rows = "".join(f"0.5,0.{9 - n},0.75,{256 * (1000 * n + 1)},{1000 * n},\n" for n in range(4))
    assert detected(header + rows) == "rl-csv"
    events = only(read(header + rows, "rl-csv"), Iteration)
    assert [(i.epoch, i.step, i.loss) for i in events] == [
        (None, 0, 0.9),
        (None, 1000, 0.8),
        (None, 2000, 0.7),
        (None, 3000, 0.6),
    ]
    assert scored(header + rows)["dimensions"]["speed"]["value"] is None


def test_the_progress_csv_of_openai_baselines_deepq() -> None:
    """Its only figure is the mean reward; its file has no times."""
    text = "% time spent exploring,episodes,mean 100 episode reward,steps\n"
    text += "99,100,9.8,1168\n98,200,10.5,2390\n97,300,12.25,3693\n"
    assert detected(text) == "rl-csv"
    card = scored(text)
    assert card["dimensions"]["accuracy"]["value"] == 12.25
    assert card["dimensions"]["speed"]["value"] is None


def test_the_bar_above_the_tables_gives_the_planned_steps() -> None:
    """As `learn(progress_bar=True)` of Stable-Baselines draws it above its tables."""
    text = "".join(
        f"  {share}% ━━━╸━━━━━━ {share * 100:,}/10,000  [ 0:00:{share:02} < 0:01:30 , 100 it/s ]\n"
        + table(share, share, evaluated=False).replace("1234 ", "100  ")
        for share in (10, 20, 30)
    )
    assert detected(text) == "rl-tables"
    assert facts(read(text, "rl-tables"))["steps_planned"] == 10_000


def test_the_lines_about_the_environment_show_the_format_before_the_first_table() -> None:
    """The first table may come minutes later: until then a bar is all that follows them."""
    text = "Using cpu device\nWrapping the env with a `Monitor` wrapper\n"
    assert detected(text + "Wrapping the env in a DummyVecEnv.\n") == "rl-tables"
