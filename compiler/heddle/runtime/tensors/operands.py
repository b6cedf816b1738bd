"""What a person may pass as an operand, recognised and checked: arrays, SciPy sparse, coordinates, tensors, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.dtypes import differing, same_fill
from heddle.fills.fill import Fill, plain, read_fill
from heddle.runtime.storage.device_arrays import is_resident
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix, checked_matrix
from heddle.runtime.tensors.interop.coordinate_operands import checked_entries
from heddle.runtime.tensors.interop.foreign_arrays import (
    CompressedLines,
    UnreadableArrayError,
    coordinates_of,
    explained,
    leaves,
    lines_of,
    plain_array,
    to_dense,
    to_sparse,
)
from heddle.runtime.tensors.interop.scipy_operands import from_scipy, is_scipy_sparse
from heddle.runtime.tensors.interop.torch_layouts import torch_arrays
from heddle.runtime.tensors.operand_refusals import checked_dtype, checked_resident_dtype, unsupported_error
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name, numbers_as_dtype

Array = NDArray[Any]
# SciPy is imported by whoever made the matrix; its classes are only looked at, so that importing Heddle stays fast.
Operand = Any


def as_operand(operand: object, name: str, dtype: str | None = None, *, validate: bool = True) -> Operand:
    """``operand`` as a NumPy array, a :class:`CompressedMatrix`, a :class:`Tensor`, :class:`Entries`, or what lies on a
    GPU. Its arrays are checked, unless the caller vouches for them by ``validate=False``. Numbers, and lists of them,
    are made in ``dtype`` where it has their values; arrays keep theirs.

    Raises
    ------
    OperandError
        ``runtime/unsupported-operand``, ``runtime/coordinate-out-of-range``, ``runtime/malformed-matrix``,
        ``runtime/malformed-tensor``, ``runtime/dtype-mismatch`` for numbers.
    """
    if type(operand) is np.ndarray and operand.ndim:
        return checked_dtype(operand, name)
    if isinstance(operand, Entries | CompressedMatrix):
        return operand
    if isinstance(operand, Tensor):
        if validate:
            operand.validate(name)
        return operand
    try:
        return _recognise(operand, name, dtype, validate)
    except UnreadableArrayError as error:
        raise unsupported_error(name, str(error), error.hint) from error


def _recognise(operand: Any, name: str, dtype: str | None, validate: bool) -> Operand:
    if is_scipy_sparse(operand):
        return from_scipy(operand, name, validate)
    if isinstance(operand, np.ndarray | np.generic):
        array = plain_array(operand)
        return _number(array, name, dtype, rounds=False) if array.ndim == 0 else checked_dtype(array, name)
    if _looks_like_coordinates(operand):
        return _from_tuple(operand, name, validate)
    if isinstance(operand, bool | int | float | complex):
        return _number(_python_number(operand, dtype), name, dtype, rounds=True)
    if isinstance(operand, list | tuple | range):
        return _from_lists(operand, name, dtype)
    with explained("interface"):
        if is_resident(operand):
            return checked_resident_dtype(operand, name)
        return _from_library(operand, name, dtype, validate)


def _from_library(operand: Any, name: str, dtype: str | None, validate: bool) -> Operand:
    """An array of another library."""
    kind = f"a {type(operand).__module__}.{type(operand).__qualname__}"
    if isinstance(operand, type):
        raise unsupported_error(name, kind)
    arrays = torch_arrays(operand)
    if isinstance(arrays, CompressedLines):
        return checked_matrix(checked_dtype(arrays, name), name, validate)
    if arrays is not None:
        return checked_entries(arrays.shape, arrays.columns, arrays.values, name, validate)
    sparse = to_sparse(operand) if coordinates_of(operand) is None else operand
    if sparse is not None:
        if is_scipy_sparse(sparse):
            return from_scipy(sparse, name, validate)
        stored = coordinates_of(sparse)
        if stored is None:
            raise unsupported_error(name, f"{kind} without coordinates")
        coordinates, values, shape, fill = stored
        stored_fill = None if fill is None else read_fill(plain(fill))
        return replace(checked_entries(shape, coordinates, values, name, validate), fill=stored_fill)
    if (lines := lines_of(operand)) is not None:
        return checked_matrix(checked_dtype(lines, name), name, validate)
    dense = to_dense(operand)
    if dense is None:
        raise unsupported_error(name, kind)
    return _number(dense, name, dtype, rounds=False) if dense.ndim == 0 else checked_dtype(dense, name)


def _number(array: Array, name: str, dtype: str | None, *, rounds: bool) -> Array:
    """A number in ``dtype``, or in its own."""
    numbers: Array = checked_dtype(
        array if dtype is None else numbers_as_dtype(array, dtype, name, rounds=rounds), name
    )
    return numbers


def _python_number(number: complex, dtype: str | None) -> Array:
    """Integers of more than 64 bits are exact as floats where they are powers of two, for one."""
    array = np.asarray(number)
    if array.dtype.kind == "O" and isinstance(number, int) and dtype is not None and np.dtype(dtype).kind in "fc":
        try:
            return np.asarray(float(number)) if float(number) == number else array
        except OverflowError:
            return array
    return array


def _from_lists(operand: Sequence[Any], name: str, dtype: str | None) -> Array:
    """Nested lists as an array; those of Python's numbers alone have no precision of their own."""
    others = [leaf for leaf in leaves(operand) if type(leaf) not in _PYTHON_NUMBERS]
    for leaf in others:
        plain_array(leaf)  # NumPy would forget what is masked
    try:
        array = np.asarray(operand)
    except (ValueError, TypeError, OverflowError) as error:
        raise unsupported_error(name, f"nested lists of uneven lengths ({error})", _tuple_hint(operand)) from None
    if array.dtype.kind in "fc":
        for leaf in leaves(operand):
            if type(leaf) is int and not _is_double(leaf):
                raise unsupported_error(
                    name, f"a list with the integer {leaf} beside other numbers, as {array.dtype.name}"
                )
    if dtype is not None and not others and array.dtype.kind in "biufc":
        array = numbers_as_dtype(array, dtype, name, rounds=True)
    checked_dtype(array, name)
    return array


_PYTHON_NUMBERS = (int, float, bool, complex)


def _is_double(number: int) -> bool:
    try:
        return float(number) == number
    except OverflowError:
        return False


def _tuple_hint(operand: object) -> str | None:
    """What a tuple of arrays was meant to be."""
    if not isinstance(operand, tuple) or len(operand) not in (2, 3):
        return None
    if isinstance(operand[-1], tuple | list) and _has_depth(operand[-1], 1) and _has_depth(operand[0], 2):
        return "The sizes of (coordinates, values, shape) are integers."
    if len(operand) == 2:
        return "Coordinates come first, and with their shape: (coordinates, values, shape)."
    return "Compressed rows come as an object with indptr, indices, data and shape, such as scipy.sparse.csr_array."


def as_entries(operand: Operand, name: str, fill: Fill = 0) -> Entries:
    """Coordinates and values; of a dense array those that differ from ``fill``."""
    if isinstance(operand, Entries):
        if operand.fill is not None and not same_fill(operand.fill, fill, dtype_name(operand.dtype)):
            raise fill_mismatch(name, fill, operand.fill)
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


def fill_mismatch(name: str, expected: Fill, fill: Fill) -> OperandError:
    """A packed tensor means another value by what it does not store."""
    return OperandError(
        Diagnostic(
            code="runtime/fill",
            message=f"What {name} does not store is {fill}, but {expected} is expected there.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"the fill {expected}",
            actual=f"the fill {fill}",
            hint=f"Pass the values themselves, or declare the fill {fill} for {name} in the plan.",
        )
    )


def _looks_like_coordinates(operand: object) -> bool:
    return (
        isinstance(operand, tuple)
        and len(operand) == 3
        and isinstance(operand[2], tuple | list)
        and all(isinstance(size, int | np.integer) for size in operand[2])
        and (isinstance(operand[2], tuple) or _has_depth(operand[0], 2))
    )


def _has_depth(nested: object, depth: int) -> bool:
    try:
        return np.ndim(nested) == depth  # type: ignore[arg-type]
    except ValueError:
        return False


def _from_tuple(operand: tuple[Any, Any, Any], name: str, validate: bool) -> Entries:
    coordinates, values, shape = operand
    try:
        # NumPy makes an array of a sequence to tell its depth: of coordinates only where it is in doubt.
        swapped = np.ndim(values) == 2 and np.ndim(coordinates) == 1
        columns = [plain_array(column) for column in coordinates]
        data = plain_array(values)
    except (ValueError, TypeError) as error:
        raise unsupported_error(name, f"(coordinates, values, shape) whose arrays are none ({error})") from None
    if swapped:
        raise unsupported_error(
            name, "(values, coordinates, shape)", "The coordinates come first: (coordinates, values, shape)."
        )
    return checked_entries(shape, columns, data, name, validate)
