"""The final comparison on samples that are made up: ties, gains and the control."""

from __future__ import annotations

import numpy as np

from backend.tuning.bench import FEW, SAMPLES, samples_of
from backend.tuning.final import Finalist, final_line
from backend.tuning.shell import table
from compiler.plan import Plan

ROUNDS = 40


def finalist(role: str, schedule: tuple[str, ...]) -> Finalist:
    return Finalist(role.title(), role, Plan("y(i) = x(i)", schedule=schedule), lambda: None)


FINALISTS = [finalist("found", ("a(i)",)), finalist("rules", ("b(i)",)), finalist("loops", ())]


def noisy(rng: np.random.Generator, median: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return median * np.exp(rng.normal(0, 0.05, ROUNDS))


def test_equal_kernels_tie_in_93_of_100_sessions() -> None:
    ties = quiet = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        samples = [noisy(rng, 100.0), noisy(rng, 100.0), noisy(rng, 300.0)]
        line = final_line(FINALISTS, samples, noisy(rng, 100.0), {})
        ties += line["entries"][0]["tie"] and line["entries"][1]["tie"]
        quiet += line["control"]["quiet"]
        assert not line["entries"][2]["tie"]
    assert ties >= 93
    assert quiet >= 93


def test_the_gain_is_over_the_rules_and_the_best_is_no_library() -> None:
    rng = np.random.default_rng(1)
    library = Finalist("SciPy", "library", None, lambda: None)
    samples = [noisy(rng, median) for median in (100.0, 200.0, 400.0, 50.0)]
    line = final_line([*FINALISTS, library], samples, None, {})
    assert line["best"] == 0
    assert 1.8 < line["gain"]["value"] < 2.2
    assert [entry["ratio"]["verdict"] for entry in line["entries"]] == ["tie", "faster", "faster", "slower"]
    assert line["control"] is None


def test_the_table_says_ties_and_a_control_that_failed() -> None:
    rng = np.random.default_rng(2)
    samples = [noisy(rng, median) for median in (100.0, 101.0, 300.0)]
    rows = table([final_line(FINALISTS, samples, noisy(rng, 200.0), {})])
    assert "tied with the fastest" in rows[0]
    assert "tied with the fastest" in rows[2]
    assert "3.0" in rows[4] or "2.9" in rows[4]
    assert "an impossible difference: the machine was noisy" in rows[-2]
    assert rows[-1].startswith("gain over the rules' schedule: 1.0")


def test_what_is_hopeless_gets_few_samples() -> None:
    calls: list[int] = []
    samples = samples_of(lambda: calls.append(1), float("inf"))
    assert len(samples) == SAMPLES
    assert len(samples_of(lambda: calls.append(1), 0.0)) == 1
    assert FEW < SAMPLES
