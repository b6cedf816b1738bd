"""Numbers of decompositions: a program that is not installed stays with the reason, and every number has its bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import decompositions
from benchmarks.baselines.contenders import Spec, rounds
from benchmarks.decompositions import Number, Options, document, in_products, ratio, seconds_of

TENSOR = {"generator": "uniform", "shape": [5, 6, 7], "nnz": 60, "seed": 1}


def test_contenders_take_turns_and_one_that_is_missing_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyttb.py").write_text('raise ModuleNotFoundError("No module named pyttb")')
    monkeypatch.syspath_prepend(tmp_path)
    kernels = {f"mttkrp.{mode}": {"method": "rows"} for mode in range(3)}
    specs = {
        "plain": Spec("heddle", TENSOR, 2, kernels=kernels),
        "tree": Spec("heddle", TENSOR, 2, {"reuse": "((0 1) 2)"}),
        "pyttb": Spec("pyttb", TENSOR, 2),
    }
    turns, ended = rounds(specs, 2, 2)
    assert {name: [len(turn.seconds) for turn in found] for name, found in turns.items()} == {
        "plain": [2, 2],
        "tree": [2, 2],
        "pyttb": [],
    }
    assert ended["pyttb"].reason == "ModuleNotFoundError: No module named pyttb"
    assert ended["plain"].facts["methods"]["mttkrp.1"] == "rows"
    assert ended["tree"].facts["reuse"] == "((0 1) 2)"
    assert seconds_of(turns["pyttb"]) is None
    assert 0 < in_products(turns["plain"]) < 1


def test_the_memory_of_shared_entries_and_of_sorted_copies_is_counted_once() -> None:
    kernels = {name: {f"mttkrp.{mode}": {"method": name} for mode in range(3)} for name in ("rows", "sorted")}
    _, ended = rounds({name: Spec("heddle", TENSOR, 2, kernels=own) for name, own in kernels.items()}, 1, 1)
    # Three coordinates once and numbers for each of three modes, beside two coordinates in each of three copies; each
    # mode has where its rows begin, and all are of 4 bytes. Values are there once, or three times.
    index = 4 * (6 * 60 + 5 + 6 + 7 + 3)
    assert {name: (one.facts["index_bytes"], one.facts["bytes"]) for name, one in ended.items()} == {
        "rows": (index, index + 8 * 60),
        "sorted": (index, index + 3 * 8 * 60),
    }


def test_what_was_found_is_kept_beside_its_bound() -> None:
    found = [Number("a", "×", 3, 4.0, [{"order": 3}]), Number("b", "%", 15, 20.0, [], limit=True)]
    found.append(Number("c", "×", 50, None, [], reason="not installed"))
    made = document(found, Options(1, 1, 1, 1, 1), 2.0)
    assert [(one["kept"], one["reason"]) for one in made["numbers"]] == [
        (True, ""),
        (False, ""),
        (None, "not installed"),
    ]
    assert made["machine"]["cores"] > 0
    assert ratio(None, 1.0) is None


def test_every_section_is_one_that_can_be_asked_for() -> None:
    assert list(decompositions.SECTIONS) == ["sweeps", "shared", "atomic", "driver", "sorting", "pyttb", "page"]
