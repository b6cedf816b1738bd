"""Rounds of a real machine, quiet, loaded and starved, judged: never against what the quiet machine says, and what is
far from 1 in all three."""

from __future__ import annotations

import functools
from typing import cast

import pytest

from heddle.measuring.schema import Ratio
from heddle.measuring.verdicts import conclude
from heddle_server.schema.run import RunResult
from tests.backend.recorded_rounds.recorded import CONDITIONS, Recording, recordings

ALL = [recording for condition in CONDITIONS for recording in recordings(condition)]
NAMES = [recording.name for recording in recordings("quiet")]


@functools.cache
def told(condition: str, name: str) -> dict[str, Ratio]:
    return ratios(recordings(condition)[NAMES.index(name)].result)


def ratios(result: RunResult) -> dict[str, Ratio]:
    entries = [(entry["id"], entry["ratio_to_heddle"]) for entry in conclude(result)["entries"]]
    return {name: ratio for name, ratio in entries if ratio is not None}


def quiet_value(name: str, contender: str) -> float:
    return told("quiet", name)[contender]["value"]


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: f"{recording.condition} {recording.name}")
def test_no_verdict_is_against_the_quiet_machine(recording: Recording) -> None:
    for contender, ratio in told(recording.condition, recording.name).items():
        value = quiet_value(recording.name, contender)
        if ratio["verdict"] != "inconclusive":
            assert ratio["verdict"] == ("faster" if value > 1 else "slower"), ratio["statement"]


@pytest.mark.parametrize(("condition", "least"), [("quiet", "28"), ("loaded", "9.6"), ("starved", "9.5")])
def test_what_is_far_from_one_is_told_in_every_condition(condition: str, least: str) -> None:
    found = told(condition, "SDDMM on one thread")
    assert found["scipy"]["statement"] == f"SciPy takes at least {least} times as long as Heddle"


@pytest.mark.parametrize("condition", ["loaded", "starved"])
def test_what_lacked_its_cores_has_no_verdict(condition: str) -> None:
    for recording in recordings(condition):
        threads = {one["id"]: one["threads"] for one in recording.program["contenders"]}
        for contender, ratio in told(condition, recording.name).items():
            if max(threads["heddle"], threads[contender]) > 1:
                assert "did not have" in ratio["statement"]


def test_a_quiet_machine_tells_what_is_near() -> None:
    found = told("quiet", "tiny SpMV on two threads")
    assert found["unscheduled"]["statement"] == "With its schedule the kernel takes 2.4 times as long as without"


def test_without_the_flags_a_loaded_machine_would_mislead() -> None:
    """Two threads that wait for their cores are as fast as themselves: their control says nothing."""
    result = recordings("loaded")[NAMES.index("tiny SpMV on two threads")].result
    blind = [{**entry, "flagged": [], "flagged_share": 0.0} for entry in result["entries"]]
    misled = ratios(cast(RunResult, {**result, "entries": blind}))
    assert misled["scipy"]["verdict"] == "slower"
    assert quiet_value("tiny SpMV on two threads", "scipy") > 2.5
