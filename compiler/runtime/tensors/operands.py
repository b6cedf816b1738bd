"""What a person may pass as an operand, recognised and checked: arrays, SciPy sparse, coordinates, tensors, numbers."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import Diagnostic, Location, OperandError, Part
from compiler.fills.dtypes import differing, same_fill
from compiler.fills.fill import Fill
from compiler.index_width import index_dtype, needs_wide
from compiler.plan import DTYPES
from compiler.runtime.storage.device_arrays import is_resident
from compiler.runtime.tensors.compressed_matrix import CompressedMatrix, checked_blocks, checked_matrix, outside
from compiler.runtime.tensors.coordinates import Entries
from compiler.runtime.tensors.tensor import Tensor

Array = NDArray[Any]
# SciPy is imported by whoever made the matrix; its classes are only looked at, so that importing Heddle stays fast.
Operand = Any

SUPPORTED_DTYPES = DTYPES
_ACCEPTED = "a NumPy or CuPy array, a SciPy sparse array, a heddle Tensor, a number, or (coordinates, values, shape)"


def as_operand(operand: object, name: str, *, validate: bool = True) -> Operand:
    """``operand`` as a NumPy array, a :class:`CompressedMatrix`, a :class:`Tensor`, :class:`Entries`, or what lies on a
    GPU. Its arrays are checked, unless the caller vouches for them by ``validate=False``.

    Raises:
        OperandError: ``runtime/unsupported-operand``, ``runtime/coordinate-out-of-range``,
            ``runtime/malformed-matrix``, ``runtime/malformed-tensor``.
    """
    if isinstance(operand, Entries | CompressedMatrix):
        return operand
    if isinstance(operand, Tensor):
        operand.validate(name)
        return operand
    if isinstance(operand, np.ndarray):
        return _checked_dtype(operand, name)
    if is_scipy_sparse(operand):
        return _from_scipy(operand, name, validate)
    if is_resident(operand):
        return _checked_dtype(operand, name)
    if _looks_like_coordinates(operand):
        assert isinstance(operand, tuple)
        return _from_tuple(operand, name, validate)
    if isinstance(operand, bool | int | float | complex | np.generic | list | tuple):
        try:
            return _checked_dtype(np.asarray(operand), name)
        except ValueError as error:
            raise _unsupported(name, f"nested lists of uneven lengths ({error})") from None
    raise _unsupported(name, f"a {type(operand).__module__}.{type(operand).__qualname__}")


def is_scipy_sparse(operand: object) -> bool:
    """True for SciPy's sparse matrices and arrays."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(operand))


def as_entries(operand: Operand, name: str, fill: Fill = 0) -> Entries:
    """Coordinates and values; of a dense array those that differ from ``fill``."""
    if isinstance(operand, Entries):
        return operand
    if isinstance(operand, Tensor):
        if not same_fill(operand.fill, fill, dtype_name(operand.dtype)):
            raise fill_mismatch(name, fill, operand.fill)
        columns, values = operand.to_coo()
        return Entries(operand.shape, columns, values)
    if isinstance(operand, np.ndarray):
        if operand.ndim == 0:
            return Entries((), (), operand.reshape(1))
        columns = np.nonzero(operand if fill == 0 else differing(operand, fill))
        return Entries(operand.shape, columns, operand[columns])
    assert isinstance(operand, CompressedMatrix)
    return operand.entries()


def _from_scipy(operand: Any, name: str, validate: bool) -> CompressedMatrix | Entries:
    _checked_dtype(operand, name)
    match operand.format:
        case "csr" | "csc":
            return checked_matrix(operand, name, validate)
        case "bsr":
            return checked_blocks(operand, name, validate)
        case _:
            try:
                coo = operand.tocoo(copy=False)
                return _entries(coo.shape, coo.coords, coo.data, name, validate)
            except (ValueError, IndexError, TypeError, OverflowError) as error:
                if isinstance(error, OperandError):
                    raise
                raise _unsupported(name, f"a SciPy array whose own arrays do not fit ({error})") from None


def fill_mismatch(name: str, expected: Fill, found: Fill) -> OperandError:
    """A packed tensor means another value by what it does not store."""
    return OperandError(
        Diagnostic(
            code="runtime/fill",
            message=f"What {name} does not store is {found}, but {expected} is expected there.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"the fill {expected}",
            found=f"the fill {found}",
            hint=f"Pass the values themselves, or declare the fill {found} for {name} in the plan.",
        )
    )


@functools.cache
def dtype_name(dtype: Any) -> str:
    """``"float64"``: NumPy makes its names again each time, which takes 2 microseconds."""
    return str(np.dtype(dtype).name)


def as_dtype(values: Array, dtype: str, name: str) -> Array:
    """``values`` as ``dtype`` when no value can be lost by it.

    Raises:
        CompileError: ``runtime/dtype-mismatch``.
    """
    if np.can_cast(values.dtype, dtype, casting="safe"):
        return values.astype(dtype, copy=False)
    raise OperandError(
        Diagnostic(
            code="runtime/dtype-mismatch",
            message=f"{name} holds {values.dtype.name} values, but the kernel computes with {dtype}; "
            "that conversion would lose digits.",
            location=Location(Part.INPUT, tensor=name),
            expected=dtype,
            found=values.dtype.name,
            hint=f"Convert it yourself with .astype('{dtype}'), or compile the kernel with "
            f'dtypes={{"{name}": "{values.dtype.name}"}}.',
        )
    )


def _looks_like_coordinates(operand: object) -> bool:
    return (
        isinstance(operand, tuple)
        and len(operand) == 3
        and isinstance(operand[2], tuple)
        and all(isinstance(size, int | np.integer) for size in operand[2])
    )


def _from_tuple(operand: tuple[Any, Any, Any], name: str, validate: bool) -> Entries:
    coordinates, values, shape = operand
    return _entries(shape, coordinates, np.asarray(values), name, validate)


def _entries(shape: Sequence[int], coordinates: Iterable[Any], values: Array, name: str, validate: bool) -> Entries:
    """Coordinates as wide as the ``shape`` asks for, checked."""
    sizes = tuple(int(size) for size in shape)
    columns = tuple(np.asarray(column) for column in coordinates)
    data = _checked_dtype(values, name)
    if len(columns) != len(sizes):
        raise _unsupported(name, f"{len(columns)} coordinate arrays for the shape {sizes}")
    if any(size < 0 for size in sizes):
        raise _unsupported(name, f"a negative dimension in the shape {sizes}")
    for column in columns:
        if column.shape != data.shape or data.ndim != 1:
            raise _unsupported(name, f"a coordinate array of shape {column.shape} for values of shape {data.shape}")
        if column.size and column.dtype.kind not in "iu":
            raise _unsupported(name, f"coordinates of type {column.dtype.name}")
    if validate:
        _check_range(Entries(sizes, columns, data), name)
    index = index_dtype(needs_wide(sizes))
    return Entries(sizes, tuple(column.astype(index, copy=False) for column in columns), data)


def _check_range(entries: Entries, name: str) -> None:
    for dimension, (column, size) in enumerate(zip(entries.columns, entries.shape, strict=True)):
        if not _all_below(column, size):
            number = int(np.flatnonzero((column < 0) | (column >= size))[0])
            raise outside(name, number, int(column[number]), dimension, size)


def _all_below(column: Array, size: int) -> bool:
    """Whether all coordinates are from 0 to ``size`` - 1, in one pass: read as unsigned, what is negative is large."""
    if column.size == 0:
        return True
    bits = 8 * column.itemsize
    unsigned = column.view(column.dtype.str.replace("i", "u"))
    return int(unsigned.max()) < min(size, 1 << (bits - 1 if column.dtype.kind == "i" else bits))


def _checked_dtype(operand: Any, name: str) -> Any:
    if dtype_name(operand.dtype) not in SUPPORTED_DTYPES:
        raise _unsupported(name, f"values of type {operand.dtype}")
    return operand


def _unsupported(name: str, found: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/unsupported-operand",
            message=f"{name} cannot be packed: it is given as {found}.",
            location=Location(Part.INPUT, tensor=name),
            expected=_ACCEPTED,
            found=found,
        )
    )
