"""``hd.cache`` says what is kept of compiled kernels, and forgets it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.native import cache_folder, toolchain


def test_the_cache_is_where_the_environment_says_and_can_be_emptied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # zig's C library takes it seconds to build: it stays where it is.
    shared = cache_folder.cache_root()
    monkeypatch.setattr(toolchain, "make_folder", lambda name: shared / name)
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path / "kernels"))
    assert hd.cache.path() == tmp_path / "kernels"
    hd.cache.clear()
    assert (hd.cache.info().files, hd.cache.info().bytes, hd.cache.info().evaluations) == (0, 0, 0)
    np.testing.assert_array_equal(hd.evaluate("y(i) = 3 * x(i) * x(i)", x=np.ones(2)).vals, [3, 3])
    kept = hd.cache.info()
    assert kept.files > 0
    assert kept.bytes > 0
    assert kept.evaluations == 1
    hd.cache.clear()
    assert list((tmp_path / "kernels").iterdir()) == []
    np.testing.assert_array_equal(hd.evaluate("y(i) = 3 * x(i) * x(i)", x=np.ones(2)).vals, [3, 3])
