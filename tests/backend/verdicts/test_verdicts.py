"""What a run allows to say, in words; and where its measurements contradict themselves, that nothing follows."""

from __future__ import annotations

from typing import Any, cast

import pytest
from pydantic import TypeAdapter

from heddle.measuring.schema import Entry, Identity, Load, Quotient
from heddle.measuring.verdicts import RULES, Side, conclude, judge, judge_ratio, times_text, was_quiet
from heddle_server.command_line.result_table import result_table
from heddle_server.figures.speedup import speedup
from heddle_server.schema.run import RunResult
from heddle_server.services.runs.stored_result import read_stored
from tests.backend.fake_child import ENTRY, RESULT


def entry(identity: Identity, label: str, median: float, paired: float | None = None, verdict: str = "slower") -> Any:
    value = median / 44.5
    near = {"value": value, "low": value * 0.99, "high": value * 1.01, "paired": paired or value, "verdict": verdict}
    ratio = None if identity == "heddle" else judge_ratio(identity, label, cast(Quotient, near))
    times = {"median_ns": 1e3 * median, "low_ns": 990 * median, "high_ns": 1010 * median}
    return {**ENTRY, "id": identity, "label": label, **times, "ratio_to_heddle": ratio}


def result(*others: Any, **more: Any) -> RunResult:
    return cast(RunResult, {**RESULT, "entries": [entry("heddle", "Heddle", 44.5), *others], **more})


def test_it_says_in_words_who_is_slower() -> None:
    found = conclude(result(entry("mkl", "MKL", 9.67), entry("scipy", "SciPy", 92.0, verdict="faster")))
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


@pytest.mark.parametrize(
    ("ratio", "rounds", "words"),
    [(0.85, 1.0, "takes 0.85 times as long as Heddle by the medians, but 1.0 times round by round."),
     (312.0, 6.2, "takes 312 times as long as Heddle by the medians, but 6.2 times round by round."),
     (0.0031, 0.1, "takes 0.0031 times as long as Heddle by the medians, but 0.10 times round by round.")],
)  # fmt: skip
def test_ratios_that_contradict_each_other_are_said_in_digits(ratio: float, rounds: float, words: str) -> None:
    quotient: Quotient = {"value": ratio, "low": 0.5, "high": 2.0, "paired": rounds, "verdict": "inconclusive"}
    assert judge(quotient, Side("MKL"), Side("Heddle")).reasons == (f"MKL {words}",)


def test_ratios_that_contradict_each_other_are_noise() -> None:
    """As it was seen: 9.67 µs beside 44.5 µs, and 0.58 by the median of the quotients."""
    found = conclude(result(entry("mkl", "MKL", 9.67, paired=0.58)))
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
    found = conclude(result(entry("mkl", "MKL", 22.2), control=control))
    assert found["conclusion"]["noisy"] == noisy
    assert (f"({low:.2f} to {high:.2f})" in found["conclusion"]["reasons"][0]) if noisy else True


def test_table_figure_and_words_show_one_ratio() -> None:
    found = conclude(result(entry("mkl", "MKL", 9.67)))
    table = result_table(cast(dict[str, Any], found))
    assert "0.22 ×" in table
    assert "Heddle takes 4.6 times as long as MKL" in table
    bars = {bar["name"]: 1 + bar["x"][0] for bar in speedup(found, "mkl")["data"]}
    assert bars["Heddle"] == pytest.approx(9.67 / 44.5)


def test_noise_is_said_by_table_and_figure_too() -> None:
    found = conclude(result(entry("mkl", "MKL", 9.67, paired=0.58)))
    assert "Noisy: not conclusive.\nMKL takes 0.22 times" in result_table(cast(dict[str, Any], found))
    assert speedup(found)["layout"]["title"]["text"].startswith("Noisy: not conclusive. Speed relative to")
    in_part = conclude(result(entry("mkl", "MKL", 9.67, paired=0.58), entry("scipy", "SciPy", 92.0)))
    assert speedup(in_part)["layout"]["title"]["text"].startswith("Not conclusive for MKL. Speed relative to")


def test_results_of_before_get_the_definition_of_today() -> None:
    """They hold the median of the quotients, no second opinion and no words."""
    old = entry("mkl", "MKL", 9.67)
    old["ratio_to_heddle"] = {"value": 0.22, "low": 0.21, "high": 0.23, "verdict": "slower"}
    ratio = conclude(result(old))["entries"][1]["ratio_to_heddle"]
    assert ratio is not None
    assert ratio["value"] == pytest.approx(9.67 / 44.5)
    assert ratio["low"] < ratio["value"] < ratio["high"]
    assert ratio["statement"] == "Heddle takes 4.6 times as long as MKL"
    old["ratio_to_heddle"]["value"] = 0.58
    assert conclude(result(old))["conclusion"]["noisy"]


def test_times_have_the_digits_that_tell() -> None:
    assert [times_text(ratio) for ratio in (1.034, 4.56, 31.7)] == [
        "1.03 times as long", "4.6 times as long", "32 times as long",
    ]  # fmt: skip


def interval(value: float, low: float, high: float, paired: float | None = None) -> Quotient:
    return {"value": value, "low": low, "high": high, "paired": paired or value, "verdict": "inconclusive"}


def control(low: float, high: float) -> Any:
    return {"value": 1.0, "low": low, "high": high, "resolution": 0.02, "quiet": low > 0.9}


def beside(identity: Identity, label: str, quotient: Quotient, **facts: Any) -> Any:
    return {**ENTRY, "id": identity, "label": label, "ratio_to_heddle": {**quotient, "statement": ""}, **facts}


def statements(found: RunResult) -> list[str]:
    return [one["ratio_to_heddle"]["statement"] for one in found["entries"] if one["ratio_to_heddle"] is not None]


LOADED: Load = {"involuntary": 900, "pressure": 0.43, "steal": 0.0, "region_ns": None, "rounds": 100, "flagged": 0}


def test_an_interval_beyond_three_is_a_verdict_on_a_busy_machine() -> None:
    """As it was seen: 306 × (70.9 to 349) was "not conclusive", and 0.065 × (0.062 to 0.067) was "noisy" beside "beyond
    doubt"."""
    scipy = beside("scipy", "SciPy", interval(306, 70.9, 349))
    bare = beside("unscheduled", "Heddle, unscheduled", interval(0.065, 0.062, 0.067))
    assert statements(conclude(result(scipy, bare, control=None))) == [
        "SciPy takes at least 70 times as long as Heddle",
        "With its schedule the kernel takes 15.4 times as long as without",
    ]
    unlike = conclude(result(scipy, bare, control=control(0.7, 1.5)))
    assert unlike["conclusion"]["headline"] == (
        "SciPy takes at least 39 times as long as Heddle. "
        "With its schedule the kernel takes at least 8.4 times as long as without."
    )
    busy = conclude(result(scipy, bare, control=control(0.7, 1.5), load=LOADED))
    assert not busy["conclusion"]["noisy"]
    # A long call is put off its core more often than a short one, which no control shows.
    assert busy["conclusion"]["headline"] == (
        "SciPy takes at least 13.3 times as long as Heddle. "
        "With its schedule the kernel takes at least 2.8 times as long as without."
    )
    assert [one["ratio_to_heddle"]["verdict"] for one in busy["entries"][1:] if one["ratio_to_heddle"]] == [
        "faster", "slower",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("quotient", "unlike", "verdict"),
    [
        (interval(4.0, 3.5, 4.5), 1.0, "faster"),
        (interval(4.0, 2.9, 4.5), 1.0, "inconclusive"),
        (interval(4.0, 3.5, 4.5, paired=2.9), 1.0, "inconclusive"),
        (interval(4.0, 3.5, 4.5), 1.2, "inconclusive"),
        (interval(0.25, 0.2, 0.3), 1.0, "slower"),
        (interval(0.25, 0.2, 0.34), 1.0, "inconclusive"),
        (interval(0.25, 0.2, 0.3), 1.2, "inconclusive"),
        (interval(40.0, 30.0, 45.0), 5.0, "faster"),
    ],
)
def test_on_a_busy_machine_the_whole_interval_and_what_the_controls_add_must_be_beyond(
    quotient: Quotient, unlike: float, verdict: str
) -> None:
    ours = Side("Heddle", control(1 / unlike, unlike), load=LOADED)
    assert judge(quotient, Side("MKL", load=LOADED), ours).verdict == verdict


def test_the_spans_of_two_controls_add_as_independent_errors_do() -> None:
    mkl, ours = (Side(label, control(0.5, 1.2), load=LOADED) for label in ("MKL", "Heddle"))
    assert judge(interval(8.1, 8.1, 8.1), mkl, ours).verdict == "faster"  # 3 · 2^√2 is 8.0
    assert judge(interval(7.9, 7.9, 7.9), mkl, ours).verdict == "inconclusive"


def test_nothing_is_said_of_a_contender_that_did_not_have_its_cores() -> None:
    mkl = beside("mkl", "MKL", interval(21, 20, 22), threads=2, flagged_share=0.21)
    scipy = beside("scipy", "SciPy", interval(2, 1.9, 2.1))
    found = conclude(result(mkl, scipy, control=control(0.99, 1.01)))
    assert statements(found) == [
        "Not conclusive: MKL did not have its cores", "SciPy takes 2.0 times as long as Heddle",
    ]  # fmt: skip
    assert found["conclusion"] == {
        "noisy": True,
        "headline": "SciPy takes 2.0 times as long as Heddle. Not conclusive: MKL did not have its cores.",
        "reasons": [
            "MKL did not have its cores in 21% of the rounds.",
            "Something else was using the machine. Repeat the run when it is quieter.",
        ],
    }
    mkl["flagged_share"] = 0.2
    assert statements(conclude(result(mkl, scipy, control=control(0.99, 1.01))))[0] == (
        "MKL takes 21 times as long as Heddle"
    )


def test_our_kernel_without_its_cores_leaves_nothing_to_say() -> None:
    ours = cast(Entry, {**entry("heddle", "Heddle", 44.5), "threads": 2, "flagged_share": 0.5})
    found = conclude(
        cast(RunResult, {**result(), "entries": [ours, beside("scipy", "SciPy", interval(0.01, 0.01, 0.01))]})
    )
    assert found["conclusion"]["headline"] == "Not conclusive: Heddle did not have its cores."
    assert not was_quiet(ours, found)
    mkl = cast(Entry, {**beside("mkl", "MKL", interval(0.01, 0.01, 0.01)), "flagged_share": 0.5})
    scipy = beside("scipy", "SciPy", interval(0.01, 0.01, 0.01))
    both = conclude(cast(RunResult, {**result(), "entries": [ours, scipy, mkl]}))
    assert both["conclusion"]["headline"] == "Not conclusive: Heddle and MKL did not have their cores."


def test_a_noisy_control_is_held_against_its_own_contender_alone() -> None:
    mkl = beside("mkl", "MKL", interval(2, 1.9, 2.1), control=control(0.6, 1.7))
    scipy = beside("scipy", "SciPy", interval(2, 1.9, 2.1), control=control(0.98, 1.02))
    found = conclude(result(mkl, scipy, control=control(0.99, 1.01)))
    assert statements(found) == ["Noisy: not conclusive", "SciPy takes 2.0 times as long as Heddle"]
    conclusion = found["conclusion"]
    assert conclusion["headline"] == "SciPy takes 2.0 times as long as Heddle. Beside MKL noisy: not conclusive."
    assert conclusion["reasons"][0] == "MKL timed as two contenders has a ratio of 1.00 (0.60 to 1.70), not of 1."
    doubted = found["entries"][1]["ratio_to_heddle"]
    assert doubted is not None
    assert doubted["doubt"] == conclusion["reasons"][0]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, "In 43% of the time somebody waited for a processor."),
        ({"pressure": 0.1, "steal": 0.06}, "In 6% of the time another virtual machine had the processor."),
        ({"pressure": 0.1}, None),
        ({"pressure": None, "steal": None}, None),
    ],
)
def test_near_one_the_system_must_say_that_the_machine_was_quiet(more: Any, reason: str | None) -> None:
    load = {**LOADED, **more}
    found = conclude(result(beside("scipy", "SciPy", interval(2, 1.9, 2.1)), control=control(0.99, 1.01), load=load))
    assert found["conclusion"]["noisy"] == (reason is not None)
    assert found["conclusion"]["reasons"][:1] == ([] if reason is None else [reason])


def test_a_run_beside_nobody_is_judged_by_its_own_control() -> None:
    assert conclude(result(control=control(0.5, 1.5)))["conclusion"]["headline"] == "Noisy: not conclusive."
    assert conclude(result(control=control(0.99, 1.01)))["conclusion"] == {
        "noisy": False,
        "headline": "",
        "reasons": [],
    }


def test_a_result_says_which_rules_judged_it() -> None:
    fresh = conclude(result(entry("mkl", "MKL", 9.67)))
    assert fresh["judged_by"] == RULES
    assert read_stored(fresh) is fresh
    before = cast(RunResult, {key: value for key, value in fresh.items() if key != "judged_by"})
    before["conclusion"] = {"noisy": True, "headline": "Noisy: not conclusive.", "reasons": []}
    read = read_stored(before)
    assert {**read, "rejudgement": None} == {**before, "judged_by": "1", "rejudgement": None}
    assert read["rejudgement"]["conclusion"] == fresh["conclusion"]
    tables = [result_table(cast(dict[str, Any], each)).splitlines() for each in (fresh, read)]
    assert [[line for line in table if "rules" in line] for table in tables] == [
        ["judged by rules 2"],
        ["judged by rules 1", "by rules 2, which are newer: Heddle takes 4.6 times as long as MKL."],
    ]


def oldest_scipy(value: float, median: float) -> Any:
    """A contender as results had them before ratios were quotients of medians."""
    stored = {"value": value, "low": value * 0.97, "high": value * 1.03, "verdict": "slower"}
    return {**entry("scipy", "SciPy", median), "ratio_to_heddle": stored}


def test_a_stored_verdict_stays_and_one_of_today_stands_beside_it() -> None:
    """The stored 0.1018 "slower" became 0.0841 "inconclusive" when it was read, without a word."""
    oldest = result(oldest_scipy(0.1018, 3.74), control=control(0.7, 1.5))
    oldest["control"] = {**control(0.99, 1.01), "quiet": True}
    read = read_stored(oldest)
    ratio = read["entries"][1]["ratio_to_heddle"]
    assert ratio is not None
    stored = cast(dict[str, Any], oldest["entries"][1]["ratio_to_heddle"])
    assert {name: ratio[name] for name in stored} == stored  # type: ignore[literal-required]
    assert ratio["statement"] == "Heddle takes 9.8 times as long as SciPy"
    assert (read["judged_by"], read["conclusion"]["headline"]) == ("0", f"{ratio['statement']}.")
    today = read["rejudgement"]
    assert today["judged_by"] == RULES
    assert today["ratios"]["scipy"]["value"] == pytest.approx(3.74 / 44.5)
    assert today["conclusion"] == conclude(oldest)["conclusion"]
    # As the API answers it.
    assert TypeAdapter(RunResult).validate_python(read) == read


def test_a_stored_control_that_was_not_quiet_stays_noisy() -> None:
    oldest = result(oldest_scipy(0.1018, 3.74), control={**control(0.7, 1.5), "quiet": False})
    assert read_stored(oldest)["conclusion"]["headline"] == "Noisy: not conclusive."
