"""SciPy's sparse matrices and arrays as operands, none of which SciPy checks when their arrays change.

What SciPy converts by compiled code that trusts the arrays, as DIA and LIL, is converted here by NumPy.
"""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.diagnostics import OperandError
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import (
    CompressedMatrix,
    checked_blocks,
    checked_matrix,
    refuse_malformed,
)
from heddle.runtime.tensors.interop.coordinate_operands import checked_entries
from heddle.runtime.tensors.operand_refusals import checked_dtype, unsupported_error

Array = NDArray[Any]


def is_scipy_sparse(operand: object) -> bool:
    """True for SciPy's sparse matrices and arrays."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(operand))


def from_scipy(operand: Any, name: str, validate: bool = True) -> CompressedMatrix | Entries:
    """A sparse ``operand`` of SciPy with checked arrays; without ``validate`` the caller vouches for them.

    Raises
    ------
    OperandError
        ``runtime/malformed-matrix``, ``runtime/coordinate-out-of-range``, ``runtime/unsupported-operand``.
    """
    checked_dtype(operand, name)
    match operand.format:
        case "csr" | "csc":
            return checked_matrix(operand, name, validate)
        case "bsr":
            return checked_blocks(operand, name, validate)
        case "dia":
            return _from_diagonals(operand, name)
        case "lil":
            return _from_lists(operand, name, validate)
        case _:
            try:
                coo = operand.tocoo(copy=False)
                return checked_entries(coo.shape, coo.coords, coo.data, name, validate)
            except OperandError:
                raise
            except (ValueError, IndexError, TypeError, OverflowError) as error:
                raise unsupported_error(name, f"a SciPy array whose own arrays do not fit ({error})") from None


def _from_diagonals(matrix: Any, name: str) -> Entries:
    """What is not zero: the element of a diagonal that has column j stands at j, whatever its row."""
    rows, columns = (int(size) for size in matrix.shape)
    offsets, data = np.asarray(matrix.offsets), np.asarray(matrix.data)
    if data.ndim != 2 or offsets.shape != data.shape[:1]:
        refuse_malformed(
            name, "dia", f"data has the shape {data.shape} and offsets {offsets.shape}", "a row for each offset"
        )
    if offsets.dtype.kind not in "iu" and offsets.size:
        refuse_malformed(name, "dia", f"offsets is of type {offsets.dtype}", "integers")
    ascending, counts = np.unique(offsets, return_counts=True)
    if (counts > 1).any():
        refuse_malformed(name, "dia", f"offsets holds {ascending[counts > 1][0]} twice", "each diagonal once")
    column = np.arange(min(data.shape[1], columns))
    row = column - offsets.astype(np.int64)[:, None]
    data = data[:, : column.size]
    held = (row >= 0) & (row < rows) & (data != 0)
    return Entries((rows, columns), (row[held], np.broadcast_to(column, row.shape)[held]), data[held])


def _from_lists(matrix: Any, name: str, validate: bool) -> Entries:
    """Lists of columns and of values for each row."""
    rows, data = np.asarray(matrix.rows), np.asarray(matrix.data)
    try:
        lengths = [len(row) for row in rows]
        if rows.shape != matrix.shape[:1] or lengths != [len(row) for row in data]:
            actual = "lists of rows and of data have different lengths"
            refuse_malformed(name, "lil", actual, "as many columns as values in each row")
        count = sum(lengths)
        columns = np.fromiter(chain.from_iterable(rows), np.int64, count)
        values = np.fromiter(chain.from_iterable(data), matrix.dtype, count)
    except (TypeError, OverflowError, ValueError) as error:
        if isinstance(error, OperandError):
            raise
        refuse_malformed(name, "lil", f"a list holds no numbers ({error})", "lists of numbers")
    return checked_entries(matrix.shape, (repeat(np.arange(len(lengths)), lengths), columns), values, name, validate)
