"""Entries in order become ``pos`` arrays, with and without a C compiler."""

import numpy as np
import pytest

from heddle.runtime.native import native_helpers
from heddle.runtime.tensors.coordinates import offsets


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("parents", [1, 700, 90_000])
@pytest.mark.parametrize("children", [0, 3, 5000])
def test_offsets_count_the_children_before_each_parent(
    index: str, parents: int, children: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = np.sort(np.random.default_rng(parents).integers(0, parents, children)).astype(index)
    wanted = np.searchsorted(parent, np.arange(parents + 1))
    found = offsets(parent, parents, index)
    assert found.dtype == index
    np.testing.assert_array_equal(found, wanted)
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    np.testing.assert_array_equal(offsets(parent, parents, index), wanted)
