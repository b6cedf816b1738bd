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


class Tensor(np.ndarray):
    """An array with what tensors have and arrays have not."""

    def contiguous(self) -> NDArray[Any]:
        return np.ascontiguousarray(self)


float32, float64, int32, int64 = np.float32, np.float64, np.int32, np.int64
einsum, permute, broadcast_to, maximum, minimum = np.einsum, np.transpose, np.broadcast_to, np.maximum, np.minimum
amax, amin, exp, tanh, sqrt, bmm = np.max, np.min, np.exp, np.tanh, np.sqrt, np.matmul


def from_numpy(array: NDArray[Any]) -> NDArray[Any]:
    assert isinstance(array, np.ndarray)
    return array.view(Tensor)


def asarray(array: Any, dtype: Any) -> NDArray[Any]:
    return np.asarray(array, dtype).view(Tensor)


def as_tensor(array: Any, dtype: Any = None) -> NDArray[Any]:
    return np.asarray(array, dtype).view(Tensor)


def softmax(array: NDArray[Any], dim: int) -> NDArray[Any]:
    powers = np.exp(array - array.max(axis=dim, keepdims=True))
    return powers / powers.sum(axis=dim, keepdims=True)


def _convolve(
    image: NDArray[Any], weights: NDArray[Any], stride: tuple[int, ...], dilation: tuple[int, ...], groups: int
) -> Any:
    rank = len(stride)
    reach = tuple((size - 1) * step + 1 for size, step in zip(weights.shape[2:], dilation, strict=True))
    windows = np.lib.stride_tricks.sliding_window_view(image, reach, axis=tuple(range(2, 2 + rank)))
    cut = (slice(None), slice(None), *(slice(None, None, step) for step in (*stride, *dilation)))
    summed = ((1, *range(2 + rank, 2 + 2 * rank)), (1, *range(2, 2 + rank)))
    parts = zip(np.split(windows[cut], groups, 1), np.split(weights, groups, 0), strict=True)
    made = [np.moveaxis(np.tensordot(window, filters, axes=summed), -1, 1) for window, filters in parts]
    return np.concatenate(made, 1).view(Tensor)


def _group_norm(image: NDArray[Any], groups: int, weight: Any = None, bias: Any = None, *, eps: float) -> NDArray[Any]:
    parts = image.reshape(len(image), groups, -1)
    normal = (parts - parts.mean(2, keepdims=True)) / np.sqrt(parts.var(2, keepdims=True) + eps)
    shape = (-1, *(1 for _ in image.shape[2:]))
    scale, shift = (1, 0) if weight is None else (weight.reshape(shape), bias.reshape(shape))
    return normal.reshape(image.shape) * scale + shift


def _embedding_bag(indices: NDArray[Any], table: NDArray[Any], mode: str) -> NDArray[Any]:
    assert mode == "sum"
    return table[indices].sum(axis=1)


def sparse_csr_tensor(pos: Any, crd: Any, values: Any, size: tuple[int, int]) -> Any:
    return scipy.sparse.csr_array((values, crd, pos), shape=size)


def empty(shape: tuple[int, int]) -> NDArray[Any]:
    return np.empty(shape, dtype=np.float32)


def no_grad() -> nullcontext[None]:
    return nullcontext()


def _parameter(array: NDArray[Any], requires_grad: bool) -> NDArray[Any]:
    assert not requires_grad
    return array


nn = SimpleNamespace(
    Parameter=_parameter,
    functional=SimpleNamespace(
        conv1d=_convolve, conv2d=_convolve, embedding_bag=_embedding_bag, group_norm=_group_norm
    ),
)
