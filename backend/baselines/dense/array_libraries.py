"""What programs over dense arrays call of an array library, and NumPy as such a library."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.baselines.dense.convolutions import Convolution
from compiler.notation.functions import FUNCTIONS

MOST_ELEMENTS = 1 << 26
"""Of an array or a view that a library may have to copy."""


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
    def contiguous(self, array: Any) -> Any: ...

    @abstractmethod
    def convert(self, array: Any, dtype: str) -> Any: ...

    @abstractmethod
    def broadcast(self, array: Any, shape: tuple[int, ...]) -> Any: ...

    @abstractmethod
    def permute(self, array: Any, order: tuple[int, ...]) -> Any: ...

    @abstractmethod
    def take(self, array: Any, indices: Any, axis: int) -> Any:
        """The slices at ``indices``, whose dimensions take the place of ``axis``."""

    @abstractmethod
    def maximum(self, array: Any, axes: tuple[int, ...]) -> Any: ...

    @abstractmethod
    def minimum(self, array: Any, axes: tuple[int, ...]) -> Any: ...

    @abstractmethod
    def function(self, name: str) -> Callable[..., Any]:
        """The function that the language calls ``name``."""

    @abstractmethod
    def einsum(self, subscripts: str, shapes: Sequence[tuple[int, ...]]) -> LibraryCall: ...

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
        """Along the best path, which is found here."""
        operands = [np.broadcast_to(np.empty(()), shape) for shape in shapes]
        path = np.einsum_path(subscripts, *operands, optimize=("optimal", MOST_ELEMENTS))[0]
        return LibraryCall(f'einsum("{subscripts}")', lambda *arrays: np.einsum(subscripts, *arrays, optimize=path))

    def bag(self) -> LibraryCall:
        return LibraryCall(None, lambda table, indices: table[indices].sum(axis=1, dtype=table.dtype))
