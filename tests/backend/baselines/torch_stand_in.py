"""What the baselines call of PyTorch, which is not in the environment: arrays stay NumPy's, SciPy multiplies."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

__version__ = "0"


def set_num_threads(count: int) -> None:
    assert count > 0


def from_numpy(array: NDArray[Any]) -> NDArray[Any]:
    assert isinstance(array, np.ndarray)
    return array


def sparse_csr_tensor(pos: Any, crd: Any, values: Any, size: tuple[int, int]) -> Any:
    return scipy.sparse.csr_array((values, crd, pos), shape=size)


def empty(shape: tuple[int, int]) -> NDArray[Any]:
    return np.empty(shape, dtype=np.float32)


def no_grad() -> nullcontext[None]:
    return nullcontext()


def _parameter(array: NDArray[Any], requires_grad: bool) -> NDArray[Any]:
    assert not requires_grad
    return array


nn = SimpleNamespace(Parameter=_parameter)
