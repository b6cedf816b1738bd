"""The final comparison on samples that are made up: ties, gains and the control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from heddle.measuring.statistics import ratio_of
from heddle.measuring.verdicts import Side
from heddle.plan import Plan
from heddle_server.command_line.tune import table
from heddle_server.tuning.bench import FEW, SAMPLES, samples_of
from heddle_server.tuning.final import Finalist, Samples, final_line

if TYPE_CHECKING:
    from heddle.measuring.schema import Control

ROUNDS = 40


def finalist(role: str, schedule: tuple[str, ...]) -> Finalist:
    return Finalist(role.title(), role, Plan("y(i) = x(i)", schedule=schedule), lambda: None)


def sides(again: Samples | None, first: Samples, finalists: Sequence[Finalist] | None = None) -> list[Side]:
    """All with the control of the first, which was timed again."""
    ratio = None if again is None else ratio_of(again, first)
    control = None if ratio is None else {**ratio, "resolution": 0.02, "quiet": True}
    return [Side(one.label, cast("Control | None", control)) for one in finalists or FINALISTS]


FINALISTS = [finalist("found", ("a(i)",)), finalist("rules", ("b(i)",)), finalist("loops", ())]


def noisy(rng: np.random.Generator, median: float) -> Samples:
    return median * np.exp(rng.normal(0, 0.05, ROUNDS))


def test_equal_kernels_tie_in_93_of_100_sessions() -> None:
    ties = quiet = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        samples = [noisy(rng, 100.0), noisy(rng, 100.0), noisy(rng, 300.0)]
        line = final_line(FINALISTS, samples, sides(noisy(rng, 100.0), samples[0]), {})
        ties += line["entries"][0]["tie"] and line["entries"][1]["tie"]
        quiet += line["control"]["quiet"]
        assert not line["entries"][2]["tie"]
    assert ties >= 93
    assert quiet >= 93


def test_the_gain_is_over_the_rules_and_the_best_is_no_library() -> None:
    rng = np.random.default_rng(1)
    library = Finalist("SciPy", "library", None, lambda: None)
    samples = [noisy(rng, median) for median in (100.0, 200.0, 400.0, 50.0)]
    finalists = [*FINALISTS, library]
    line = final_line(finalists, samples, sides(None, samples[0], finalists), {})
    assert line["best"] == 0
    assert 1.8 < line["gain"]["value"] < 2.2
    assert [entry["ratio"]["verdict"] for entry in line["entries"]] == ["tie", "faster", "faster", "slower"]
    assert line["control"] is None


def test_the_table_says_ties_and_a_control_that_failed() -> None:
    rng = np.random.default_rng(2)
    samples = [noisy(rng, median) for median in (100.0, 101.0, 300.0)]
    rows = table([final_line(FINALISTS, samples, sides(noisy(rng, 200.0), samples[0]), {})])
    assert rows[0].endswith("Found: the fastest found")
    assert rows[2].endswith("Rules: Noisy: not conclusive")
    assert rows[4].endswith("Loops: Noisy: not conclusive")
    assert "an impossible difference: the machine was noisy" in rows[-2]
    assert rows[-1].startswith("the rules' schedule beside the fastest: 1.0")
    assert rows[-1].endswith(": Noisy: not conclusive")
    quiet = table([final_line(FINALISTS, samples, sides(noisy(rng, 100.0), samples[0]), {})])
    assert quiet[2].endswith("Rules: tied with the fastest found")
    assert "times as long as the fastest found" in quiet[4]
    first = table([final_line(FINALISTS, [samples[1] * 3, *samples[1:]], sides(noisy(rng, 300.0), samples[1]), {})])
    assert first[-1] == "the rules' schedule is the fastest"


def test_no_gain_is_told_that_the_control_spans() -> None:
    """As it was seen: 10.88 × (2.06 to 15.40) was remembered beside an A/A control of 0.15 to 4.81."""
    rng = np.random.default_rng(3)
    samples = [noisy(rng, median) for median in (100.0, 1088.0, 30_000.0)]
    again = 100.0 * np.exp(rng.normal(0, 8.0, ROUNDS))
    line = final_line(FINALISTS, samples, sides(again, samples[0]), {})
    assert not line["control"]["quiet"]
    assert (line["gain"]["verdict"], line["entries"][0]["gain"]) == ("inconclusive", None)
    assert [entry["tie"] for entry in line["entries"]] == [True, False, False]
    assert line["entries"][1]["gain"] == 1.0
    told = final_line(FINALISTS, samples, sides(noisy(rng, 100.0), samples[0]), {})
    assert 10 < told["entries"][0]["gain"] < 12


def test_what_lacked_its_cores_is_neither_tied_nor_slower() -> None:
    rng = np.random.default_rng(5)
    samples = [noisy(rng, median) for median in (100.0, 800.0, 101.0)]
    found, rules, loops = sides(noisy(rng, 100.0), samples[0])
    line = final_line(FINALISTS, samples, [found, replace(rules, flagged_share=0.3), loops], {})
    assert line["entries"][1]["statement"] == "Not conclusive: Rules did not have its cores"
    assert (line["entries"][1]["tie"], line["entries"][0]["gain"]) == (False, None)
    assert line["entries"][2]["tie"]


def test_logs_of_before_are_shown_as_they_were_judged() -> None:
    rng = np.random.default_rng(4)
    samples = [noisy(rng, median) for median in (100.0, 200.0, 100.5)]
    line = final_line(FINALISTS, samples, sides(None, samples[0]), {})
    for entry in line["entries"]:
        del entry["statement"]
    del line["gain"]["statement"]
    rows = table([line])
    assert rows[0].endswith("Found: tied with the fastest")
    assert rows[-1].endswith(")")


def test_what_is_hopeless_gets_few_samples() -> None:
    calls: list[int] = []
    samples = samples_of(lambda: calls.append(1), float("inf"))
    assert len(samples) == SAMPLES
    assert len(samples_of(lambda: calls.append(1), 0.0)) == 1
    assert FEW < SAMPLES
