"""Counts of 64 bits, on machines whose indices have 32 as well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle import counts

ROOT = Path(__file__).resolve().parents[2]


def test_they_give_what_numpy_gives() -> None:
    places = np.array([2, 0, 2, 5])
    assert counts.bincount(places, minlength=7).tolist() == [1, 0, 2, 0, 0, 1, 0]
    assert counts.bincount(places, weights=[1.0, 2.0, 0.5, 4.0]).tolist() == [2.0, 0, 1.5, 0, 0, 4.0]
    assert counts.repeat([7, 8], np.array([2, 1], np.uint8)).tolist() == [7, 7, 8]
    assert counts.repeat(np.eye(2), 2, axis=1).tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert counts.repeat([1, 2], np.array([True, False])).tolist() == [1]
    assert counts.repeat([], []).size == counts.bincount([]).size == 0
    values = np.array([100, 100, 3], np.int8)
    assert counts.reduceat(np.add, values, [0, 2], dtype=np.int16).tolist() == [200, 3]
    assert counts.reduceat(np.maximum, values, np.array([1], np.int64)).dtype == np.int8


@pytest.mark.parametrize("call", [counts.bincount, lambda places: counts.repeat(1, places)])
def test_fractions_are_no_counts(call: Any) -> None:
    with pytest.raises(TypeError, match="same_kind"):
        call(np.array([1.0, 2.0]))


def test_numpy_gets_indices_of_its_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where they have 32 bits: NumPy would refuse 64 there."""
    monkeypatch.setattr(counts.np, "intp", np.int32)
    seen: list[Any] = []
    monkeypatch.setattr(counts.np, "repeat", lambda values, repeats, axis: seen.append(repeats.dtype))
    monkeypatch.setattr(counts.np, "bincount", lambda places, weights, minlength: seen.append(places.dtype))
    counts.repeat([1], np.array([3], np.int64))
    counts.bincount(np.array([3], np.int64))
    assert seen == [np.int32, np.int32]


def test_nobody_reduces_segments_past_them() -> None:
    """What the lint of names cannot see: a method."""
    files = [*(ROOT / "compiler").rglob("*.py"), *(ROOT / "backend").rglob("*.py")]
    assert len(files) > 800
    past = [str(path) for path in files if re.search(r"\.reduceat\(", path.read_text(encoding="utf-8"))]
    assert past == [str(ROOT / "compiler/heddle/counts.py")]
