"""The benchmark of comprehensions: each case verified on small sizes, with the numbers that its report has."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from benchmarks.comprehensions import __main__ as command
from benchmarks.comprehensions.case import Case
from benchmarks.comprehensions.cases import CASES
from benchmarks.comprehensions.measuring import LEAST, SLOW, Contender, interleaved, measure
from benchmarks.comprehensions.typed_programs import TYPED_PROGRAMS, WANTED


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", [case.name for case in CASES if case not in TYPED_PROGRAMS])
def test_every_case_is_verified_and_timed(name: str) -> None:
    case = next(one for one in CASES if one.name == name)
    found = measure(case, 0.01, shrunk=16)
    assert min(found["samples"].values()) >= 3
    assert {"numpy", "heddle, rules", "heddle, naive"} <= found["seconds"].keys()
    assert ("heddle, loops" in found["seconds"]) == ("loops" not in found["left_out"])
    assert found["best"].startswith("heddle, ")
    assert found["rules_over_best"] >= 1
    assert ("sparse_over_dense" in found) == bool(case.pruned)


@pytest.mark.combinations(5)
@pytest.mark.parametrize("case", TYPED_PROGRAMS, ids=lambda case: case.name)
def test_programs_as_people_type_them_are_verified_and_timed(case: Case) -> None:
    """Their kernels are tested as products of statements: a sample says that the benchmark has them."""
    assert case in CASES
    found = measure(case, 0.01, shrunk=16)
    assert found["wanted"] == WANTED
    assert {"numpy", "heddle, rules"} <= found["seconds"].keys()


def test_what_is_slow_is_measured_in_the_first_rounds_alone() -> None:
    calls: list[str] = []
    first = {"slow": SLOW + 1, "fast": 1e-6}
    samples = interleaved({name: Contender(partial(calls.append, name), one) for name, one in first.items()}, 60)
    assert len(samples["slow"]) == calls.count("slow") == LEAST
    assert len(samples["fast"]) == calls.count("fast") - 1 > LEAST


def test_rounds_end_with_the_time() -> None:
    samples = interleaved({"one": Contender(lambda: None, 0)}, -1)
    assert len(samples["one"]) == LEAST


def test_the_command_writes_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CASES", CASES[:1])
    path = tmp_path / "found.json"
    assert command.main(["--seconds", "0.01", "--shrunk", "16", "--output", str(path)]) == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    assert [one["name"] for one in found["cases"]] == list(found["compile_ms"]) == ["tmm 128 x 256 x 32"]
    assert found["cases"][0]["wanted"] == 1.0
