"""Rounds of a real machine, quiet, loaded and starved: who could not have its cores is flagged, and nobody else."""

from __future__ import annotations

import pytest

from tests.backend.recorded_rounds.recorded import CONDITIONS, Recording, recordings

ALL = [recording for condition in CONDITIONS for recording in recordings(condition)]
FLAGGED = 0.2
"""A share of the rounds on which no verdict may rest."""


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: f"{recording.condition} {recording.name}")
def test_contenders_of_several_threads_are_flagged_where_they_lacked_cores(recording: Recording) -> None:
    result = recording.result
    for entry in result["entries"]:
        share = entry["flagged_share"]
        assert share == len(entry["flagged"]) / result["load"]["rounds"]  # type: ignore[index]
        if entry["threads"] == 1:
            assert share == 0
        elif recording.condition == "quiet":
            assert share < 0.05
        else:
            assert share > 2 * FLAGGED, entry["id"]


@pytest.mark.parametrize("recording", ALL, ids=lambda recording: f"{recording.condition} {recording.name}")
def test_every_contender_has_a_control_of_its_own(recording: Recording) -> None:
    for place, entry in enumerate(recording.result["entries"]):
        control = entry["control"]
        assert control is not None
        assert control["low"] <= control["value"] <= control["high"]
        pairs = sum(each is not None for each in recording.program["contenders"][place]["again"])
        assert pairs == recording.program["rounds"] if place == 0 else pairs >= recording.program["rounds"] // 2


def test_the_recordings_hold_what_misled() -> None:
    """MKL takes a third of the time of a kernel on one thread, and on a loaded machine longer than it: that verdict was
    told as conclusive."""

    def ratio(condition: str) -> float:
        entries = {entry["id"]: entry for entry in recordings(condition)[1].result["entries"]}
        return entries["mkl"]["median_ns"] / entries["heddle"]["median_ns"]  # type: ignore[operator]

    assert ratio("quiet") < 0.4
    assert ratio("loaded") > 1.3
