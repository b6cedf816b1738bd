"""Arrays of other libraries as operands, recognised by what they can do: nothing here imports one of them.

Sparse ones are asked for their coordinates (``coords``, ``data`` and ``shape``, as pydata/sparse has them), for COO
(``tocoo``, ``to_coo``), for a SciPy matrix (``to_scipy_sparse``) or for compressed rows (``indptr``, ``indices``,
``data`` and ``shape``); dense ones for an array (``__array__``, DLPack, the
buffer protocol).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import HeddleError

Array = NDArray[Any]
Coordinates = tuple[tuple[Any, ...], Array, tuple[int, ...], Any]
"""Coordinates by dimension, values, shape, and the value of what is not stored: None where nothing says it."""

_TO_SPARSE = ("tocoo", "to_coo", "to_scipy_sparse")
_HOST_DEVICES = (1, 3)
"""Those of DLPack whose memory a processor can read: the CPU's, and what CUDA has pinned."""


class UnreadableArrayError(Exception):
    """An array that does not give its elements; the text says why, and ``hint`` what to pass instead."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.hint = hint


def coordinates_of(operand: object) -> Coordinates | None:
    """What an object with ``coords``, ``data`` and ``shape`` stores; None where it is no such object."""
    coords, data, shape = (getattr(operand, name, None) for name in ("coords", "data", "shape"))
    if not isinstance(coords, np.ndarray | tuple | list) or not isinstance(shape, tuple) or data is None:
        return None
    return tuple(coords), plain_array(data), shape, getattr(operand, "fill_value", None)


@dataclass(frozen=True, slots=True, eq=False)
class CompressedLines:
    """As SciPy's CSR or CSC: what an object has that says no more of itself than its arrays."""

    format: str
    shape: tuple[int, ...]
    indptr: Array
    indices: Array
    data: Array

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.data.dtype


def lines_of(operand: object) -> CompressedLines | None:
    """What an object with ``indptr``, ``indices``, ``data`` and ``shape`` stores: rows, or columns where its ``format``
    is csc; None where it is no such object."""
    arrays = [getattr(operand, name, None) for name in ("indptr", "indices", "data")]
    shape, format = getattr(operand, "shape", None), getattr(operand, "format", "csr")
    if any(array is None for array in arrays) or not isinstance(shape, tuple) or format not in ("csr", "csc"):
        return None
    indptr, indices, data = (plain_array(np.asarray(array)) for array in arrays)
    if len(shape) not in (1, 2) or data.ndim != 1:
        return None
    return CompressedLines(format, shape, indptr, indices, data)


def to_sparse(operand: object) -> object | None:
    """A sparse ``operand`` as one that shows its coordinates, or as a SciPy matrix; None where it is not sparse.

    Raises
    ------
    UnreadableArrayError
        the conversion of its library fails.
    """
    for name in _TO_SPARSE:
        convert = getattr(operand, name, None)
        if callable(convert):
            with explained(name):
                result: object = convert()
                return result
    # A frame of pandas, all of whose columns are sparse.
    convert = getattr(getattr(operand, "sparse", None), "to_coo", None)
    if callable(convert) and getattr(operand, "ndim", None) == 2:
        with explained("sparse.to_coo"):
            return cast("object", convert())
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(operand, getattr(networkx, "Graph", ())):
        with explained("to_scipy_sparse_array"):
            return cast("object", networkx.to_scipy_sparse_array(operand))
    return None


def to_dense(operand: object) -> Array | None:
    """The elements of an array of any library, without a copy where they can be read as they are; None where
    ``operand`` is not one.

    Raises
    ------
    UnreadableArrayError
        it has elements, but does not give them: on another device, or with a gradient.
    """
    if hasattr(operand, "__array__") or hasattr(operand, "__array_interface__"):
        with explained("__array__"):
            return plain_array(np.asanyarray(operand))
    if hasattr(operand, "__dlpack__"):
        with explained("__dlpack__"):
            device = operand.__dlpack_device__()[0] if hasattr(operand, "__dlpack_device__") else _HOST_DEVICES[0]
            if int(device) not in _HOST_DEVICES:
                raise UnreadableArrayError(f"in the memory of another device (DLPack's number {int(device)})")
            return np.from_dlpack(operand)
    try:
        return np.asarray(memoryview(operand))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        return None


def plain_array(array: Any) -> Array:
    """An ``array`` of NumPy's own class.

    Raises
    ------
    UnreadableArrayError
        some of its elements are masked.
    """
    if type(array) is np.ndarray:
        return array
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        missing = int(np.ma.getmaskarray(array).sum())
        raise UnreadableArrayError(
            f"a masked array, of whose elements {missing} {'has' if missing == 1 else 'have'} no value",
            "Pass .filled(value), or the coordinates and values of those that have one.",
        )
    return np.asarray(array)


class explained:  # noqa: N801
    """A library's own failure, whatever it is, as the reason why an operand is not taken."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, UnreadableArrayError | HeddleError):
            raise UnreadableArrayError(f"an object whose {self._what} fails: {error}") from error


def leaves(nested: Sequence[Any]) -> Iterator[Any]:
    """What is in nested lists and tuples, and neither of both; each list once, so that one may hold itself."""
    pending: list[Any] = [nested]
    seen: set[int] = set()
    while pending:
        element = pending.pop()
        if not isinstance(element, list | tuple | range):
            yield element
        elif id(element) not in seen:
            seen.add(id(element))
            pending += element
