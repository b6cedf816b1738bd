"""What programs over dense arrays call of an array library, and NumPy as such a library."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.baselines.dense.convolutions import Convolution
from heddle.notation.functions import FUNCTIONS

MOST_ELEMENTS = 1 << 26
"""Of an array or a view that a library may have to copy."""


Contraction = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class LibraryCall:
    """``name`` is how a person writes the call, None where it is none worth naming."""

    name: str | None
    function: Callable[..., Any]


class ArrayLibrary(ABC):
    """Arrays understand Python's operators, slices with None, and ``sum(axis, dtype)``."""

    @abstractmethod
    def array(self, array: NDArray[Any]) -> Any:
        """The library's array on the same memory."""

    @abstractmethod
    def contiguous(self, array: Any) -> Any:
        """The same elements, one after the other in memory."""

    @abstractmethod
    def convert(self, array: Any, dtype: str) -> Any:
        """The elements as numbers of the dtype of that name."""

    @abstractmethod
    def broadcast(self, array: Any, shape: tuple[int, ...]) -> Any:
        """A view in which dimensions of size 1 are repeated."""

    @abstractmethod
    def permute(self, array: Any, order: tuple[int, ...]) -> Any:
        """A view whose dimensions come in this order."""

    @abstractmethod
    def take(self, array: Any, indices: Any, axis: int) -> Any:
        """The slices at ``indices``, whose dimensions take the place of ``axis``."""

    @abstractmethod
    def maximum(self, array: Any, axes: tuple[int, ...]) -> Any:
        """The largest elements along the axes."""

    @abstractmethod
    def minimum(self, array: Any, axes: tuple[int, ...]) -> Any:
        """The smallest elements along the axes."""

    @abstractmethod
    def function(self, name: str) -> Callable[..., Any]:
        """The function that the language calls ``name``."""

    @abstractmethod
    def einsum(self, subscripts: str, shapes: Sequence[tuple[int, ...]]) -> LibraryCall:
        """The sum of products that ``subscripts`` say, of arrays of these shapes, along a path that is planned now."""

    @abstractmethod
    def bag(self) -> LibraryCall:
        """Sums of the rows of the first argument that each row of the second looks up."""

    def convolution(self, convolution: Convolution) -> LibraryCall | None:
        """Of image and weights, where the library has a function of its own for it."""
        return None


class NumpyArrays(ArrayLibrary):
    def array(self, array: NDArray[Any]) -> Any:
        return array

    def contiguous(self, array: Any) -> Any:
        return np.ascontiguousarray(array)

    def convert(self, array: Any, dtype: str) -> Any:
        return np.asarray(array).astype(dtype, copy=False)

    def broadcast(self, array: Any, shape: tuple[int, ...]) -> Any:
        return np.broadcast_to(array, shape)

    def permute(self, array: Any, order: tuple[int, ...]) -> Any:
        return np.transpose(array, order)

    def take(self, array: Any, indices: Any, axis: int) -> Any:
        return np.take(array, indices, axis=axis)

    def maximum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return np.max(array, axis=axes)

    def minimum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return np.min(array, axis=axes)

    def function(self, name: str) -> Callable[..., Any]:
        return FUNCTIONS[name].evaluate

    def einsum(self, subscripts: str, shapes: Sequence[tuple[int, ...]]) -> LibraryCall:
        """Along the best path, which is found here; or ``tensordot``, where it is the same and turns out faster."""
        operands = [np.broadcast_to(np.empty(()), shape) for shape in shapes]
        path = np.einsum_path(subscripts, *operands, optimize=("optimal", MOST_ELEMENTS))[0]
        name = f'einsum("{subscripts}")'
        contract: Contraction = lambda *arrays: np.einsum(subscripts, *arrays, optimize=path)  # noqa: E731
        tensordot = _find_tensordot(subscripts)
        if tensordot is None:
            return LibraryCall(name, contract)
        return LibraryCall(f"{name} or tensordot", _Fastest((contract, tensordot)))

    def bag(self) -> LibraryCall:
        return LibraryCall(None, lambda table, indices: table[indices].sum(axis=1, dtype=table.dtype))


class _Fastest:
    """Of contractions that compute the same the one that was fastest in the first call, which is not timed by a run."""

    def __init__(self, candidates: tuple[Contraction, ...]) -> None:
        self._candidates = candidates
        self._chosen: Contraction | None = None

    def __call__(self, *arrays: Any) -> Any:
        if self._chosen is None:
            self._chosen = min(self._candidates, key=lambda candidate: _least_seconds(candidate, arrays))
        return self._chosen(*arrays)


def _least_seconds(contraction: Contraction, arrays: tuple[Any, ...]) -> float:
    least = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        contraction(*arrays)
        least = min(least, time.perf_counter() - start)
    return least


def _find_tensordot(subscripts: str) -> Contraction | None:
    """Two factors of which each index is one of the result or of both factors."""
    terms, _, result = subscripts.partition("->")
    left, *others = terms.split(",")
    if len(others) != 1 or set(left) & set(others[0]) & set(result):
        return None
    (right,) = others
    shared = [letter for letter in left if letter in right]
    single = "".join(letter for letter in left + right if letter not in shared)
    if not shared or sorted(single) != sorted(result):
        return None
    axes = [left.index(letter) for letter in shared], [right.index(letter) for letter in shared]
    order = tuple(single.index(letter) for letter in result)
    return lambda a, b: np.transpose(np.tensordot(a, b, axes=axes), order)
