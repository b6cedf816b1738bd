"""Sweeps beside other programs: one that is not installed stays a row with the reason."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks.decompositions import measured
from compiler.algorithms.tensor_input import tensor_input


def test_what_is_not_installed_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyttb", "pygenten"):
        monkeypatch.setitem(sys.modules, name, None)
    given = tensor_input(np.random.default_rng(0).random((3, 4, 5)))
    rows = {title: (seconds, remark) for title, seconds, remark in measured(given, 2, 1)}
    assert set(rows) == {f"heddle, reuse {one}" for one in ("none", "((0 1) 2)", "(0 (1 2))")} | {"pyttb", "pygenten"}
    assert rows["heddle, reuse none"][0] > 0
    assert rows["pyttb"][0] < 0
    assert rows["pyttb"][1].startswith("left out: ModuleNotFoundError: import of pyttb halted")
