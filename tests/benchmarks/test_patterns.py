"""Numbers of programs of patterns: counts of additions are exact, every result is checked before it is timed, and what
was found stands beside its bound."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import patterns
from benchmarks.patterns import Options, Promise, additions, check, main


def test_lengths_are_added_up_as_often_as_the_formulas_say() -> None:
    (found,) = additions(Options(1, 1, 0.0))
    assert (found.found, found.kept) == (0, True)
    assert [one["found"] for one in found.points if one["rows"] == 9] == [36, 9, 0]


def test_a_promise_is_kept_at_its_bound() -> None:
    assert Promise("a", "×", 0.98, 0.98, []).kept
    assert not Promise("a", "×", 1.02, 1.03, [], limit=True).kept
    assert Promise("a", "×", None, 1.03, []).kept is None


def test_a_wrong_result_is_not_timed() -> None:
    with pytest.raises(AssertionError, match="Not equal"):
        check(np.array([1.0, 2.0]), np.array([1.0, 2.5]))


def test_the_command_measures_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "GENERATED", ("banded",))
    monkeypatch.setattr(patterns, "SCHEDULES", ((), ("mapVec(map2)",)))
    monkeypatch.setattr(patterns, "GROUPS", (4,))
    monkeypatch.setattr(patterns, "HANDS", (4,))
    file = tmp_path / "patterns.json"
    assert main(["--nonzeros", "400", "--runs", "1", "--seconds", "0.001", "--json", str(file)]) in (0, 1)
    made = json.loads(file.read_text())
    assert [one["name"] for one in made["promises"]][-1] == "additions of lengths, away from the formulas"
    assert made["machine"]["cores"] > 0
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
