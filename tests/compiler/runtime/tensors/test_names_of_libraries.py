"""What people who know NumPy and SciPy ask a tensor for."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.runtime.tensors.other_names import INSTEAD

TENSOR = hd.pack(scipy.sparse.csr_array(np.eye(3)), "csr")


@pytest.mark.parametrize("name", INSTEAD)
def test_a_name_of_another_library_names_the_way(name: str) -> None:
    assert not hasattr(TENSOR, name)
    with pytest.raises(AttributeError) as caught:
        getattr(TENSOR, name)
    assert str(caught.value) == f"'Tensor' object has no attribute '{name}': {INSTEAD[name]}."


def test_a_name_that_nobody_has_is_missing_plainly() -> None:
    with pytest.raises(AttributeError, match=r"^'Tensor' object has no attribute 'weave'$"):
        getattr(TENSOR, "weave")  # noqa: B009


def test_a_tensor_says_the_name_of_its_format() -> None:
    assert repr(TENSOR) == "Tensor(shape=(3, 3), format=csr, dtype=float64, stored=3)"
    turned = hd.pack(np.eye(3), "dense, dense : 1,0")
    assert repr(turned) == "Tensor(shape=(3, 3), format=dense, dense : 1,0, dtype=float64, stored=9)"
