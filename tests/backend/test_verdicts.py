"""What a run allows to say, in words; and where its measurements contradict themselves, that nothing follows."""

from __future__ import annotations

from typing import Any, cast

import pytest

from backend.figures.speedup import speedup
from backend.result_table import result_table
from backend.schema.run import Identity, Quotient, RunResult
from backend.verdicts import compared, concluded, times_text
from tests.backend.fake_child import ENTRY, RESULT


def entry(identity: Identity, label: str, median: float, paired: float | None = None, verdict: str = "slower") -> Any:
    value = median / 44.5
    near = {"value": value, "low": value * 0.99, "high": value * 1.01, "paired": paired or value, "verdict": verdict}
    ratio = None if identity == "heddle" else compared(identity, label, cast(Quotient, near))
    times = {"median_ns": 1e3 * median, "low_ns": 990 * median, "high_ns": 1010 * median}
    return {**ENTRY, "id": identity, "label": label, **times, "ratio_to_heddle": ratio}


def result(*others: Any, **more: Any) -> RunResult:
    return cast(RunResult, {**RESULT, "entries": [entry("heddle", "Heddle", 44.5), *others], **more})


def test_it_says_in_words_who_is_slower() -> None:
    found = concluded(result(entry("mkl", "MKL", 9.67), entry("scipy", "SciPy", 92.0, verdict="faster")))
    assert found["conclusion"] == {
        "noisy": False,
        "headline": "Heddle takes 4.6 times as long as MKL. SciPy takes 2.1 times as long as Heddle.",
        "reasons": [],
    }


@pytest.mark.parametrize(
    ("identity", "label", "median", "verdict", "words"),
    [
        ("unscheduled", "-", 53.4, "faster", "Without its schedule the kernel takes 1.20 times as long as with"),
        ("unscheduled", "-", 22.2, "slower", "With its schedule the kernel takes 2.0 times as long as without"),
        ("unscheduled", "-", 44.5, "inconclusive", "The schedule makes no difference that this run can tell"),
        ("scipy", "SciPy", 44.9, "inconclusive", "Between Heddle and SciPy this run can tell no difference"),
    ],
)
def test_a_statement_reads_as_a_sentence(
    identity: Identity, label: str, median: float, verdict: str, words: str
) -> None:
    assert entry(identity, label, median, verdict=verdict)["ratio_to_heddle"]["statement"] == words


def test_ratios_that_contradict_each_other_are_noise() -> None:
    """As it was seen: 9.67 µs beside 44.5 µs, and 0.58 by the median of the quotients."""
    found = concluded(result(entry("mkl", "MKL", 9.67, paired=0.58)))
    assert found["conclusion"]["noisy"]
    assert found["conclusion"]["headline"] == "Noisy: not conclusive."
    assert found["conclusion"]["reasons"] == [
        "MKL takes 0.22 times as long as Heddle by the medians, but 0.58 times round by round.",
        "Something else was using the machine. Repeat the run when it is quieter.",
    ]
    ratio = found["entries"][1]["ratio_to_heddle"]
    assert ratio is not None
    assert (ratio["verdict"], ratio["statement"]) == ("inconclusive", "Noisy: not conclusive")


@pytest.mark.parametrize(
    ("low", "high", "noisy"), [(0.85, 1.12, True), (0.85, 1.0, True), (1.0, 1.12, True), (0.92, 1.08, False)]
)
def test_a_kernel_that_is_not_as_fast_as_itself_is_noise(low: float, high: float, noisy: bool) -> None:
    control = {"value": 1.0, "low": low, "high": high, "resolution": 0.02, "quiet": True}
    found = concluded(result(entry("mkl", "MKL", 9.67), control=control))
    assert found["conclusion"]["noisy"] == noisy
    assert (f"({low:.2f} to {high:.2f})" in found["conclusion"]["reasons"][0]) if noisy else True


def test_table_figure_and_words_show_one_ratio() -> None:
    found = concluded(result(entry("mkl", "MKL", 9.67)))
    table = result_table(cast(dict[str, Any], found))
    assert "0.22 ×" in table
    assert "Heddle takes 4.6 times as long as MKL" in table
    bars = {bar["name"]: 1 + bar["x"][0] for bar in speedup(found, "mkl")["data"]}
    assert bars["Heddle"] == pytest.approx(9.67 / 44.5)


def test_noise_is_said_by_table_and_figure_too() -> None:
    found = concluded(result(entry("mkl", "MKL", 9.67, paired=0.58)))
    assert "Noisy: not conclusive.\nMKL takes 0.22 times" in result_table(cast(dict[str, Any], found))
    assert speedup(found)["layout"]["title"]["text"].startswith("Noisy: not conclusive. Speed relative to")


def test_results_of_before_get_the_definition_of_today() -> None:
    """They hold the median of the quotients, no second opinion and no words."""
    old = entry("mkl", "MKL", 9.67)
    old["ratio_to_heddle"] = {"value": 0.22, "low": 0.21, "high": 0.23, "verdict": "slower"}
    ratio = concluded(result(old))["entries"][1]["ratio_to_heddle"]
    assert ratio is not None
    assert ratio["value"] == pytest.approx(9.67 / 44.5)
    assert ratio["low"] < ratio["value"] < ratio["high"]
    assert ratio["statement"] == "Heddle takes 4.6 times as long as MKL"
    old["ratio_to_heddle"]["value"] = 0.58
    assert concluded(result(old))["conclusion"]["noisy"]


def test_what_is_concluded_stays() -> None:
    found = concluded(result(entry("mkl", "MKL", 9.67)))
    assert concluded(found) is found


def test_times_have_the_digits_that_tell() -> None:
    assert [times_text(ratio) for ratio in (1.034, 4.56, 31.7)] == [
        "1.03 times as long", "4.6 times as long", "32 times as long",
    ]  # fmt: skip
