"""Coordinates, CSR and CSC to CSR and CSC without sorting keys: entries are counted into place, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.dtypes import same_fill
from heddle.fills.fill import Fill
from heddle.formats.format import Format, Level
from heddle.runtime.extras import Extra
from heddle.runtime.packing.row_conversions.row_sort import Rows, sorted_rows
from heddle.runtime.packing.row_conversions.row_transpose import transpose_rows
from heddle.runtime.storage.padded_rows import compressed_rows
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Entries, offsets
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

_LARGEST_POSITION = 2**31 - 1
_LEVELS = (Level("dense"), Level("compressed"))
_LEAST = 4096
"""Fewer entries are packed faster than SciPy is imported."""
_GLANCE = 1024
"""Neighbours that tell nearly always whether entries are in order."""


def of_padded_rows(operand: Tensor, format: Format, dtype: str, fill: Fill) -> Tensor | None:
    """An ``operand`` that pads its rows (ELL, sliced ELL, blocks) or is a sum of such parts; None as
    :func:`in_compressed_rows`."""
    if operand.dtype != dtype or not same_fill(operand.fill, fill, dtype) or len(operand.shape) != 2:
        return None
    parts = operand.parts if isinstance(operand, Composite) else (operand,)
    rows = compressed_rows(parts)
    if rows is None:
        return None
    by_rows, shape = Format(_LEVELS, parts[0].format.order[:2]), operand.shape
    made = Tensor(
        shape, by_rows, dtype, (LevelArrays(), LevelArrays(rows.pos, rows.crd)), rows.values, fill, checked=True
    )
    return made if by_rows == format else in_compressed_rows(made, format, dtype, fill)


@dataclass(frozen=True, slots=True, eq=False)
class _Matrix:
    """Rows (``order`` 0, 1) or columns (1, 0), in order and without duplicates, with 32-bit indices."""

    shape: tuple[int, int]
    order: tuple[int, ...]
    rows: Rows


def in_compressed_rows(operand: object, format: Format, dtype: str, fill: Fill) -> Tensor | None:
    """``operand`` in CSR or CSC; None where that is not the ``format``, or where the general way must look at it:
    another dtype or fill, a matrix out of order, indices that need 64 bits, few entries, neither a C compiler nor SciPy
    that would count."""
    if format.levels != _LEVELS:
        return None
    matrix = _count(operand, format.order) if isinstance(operand, Entries) else _canonical(operand, fill)
    if matrix is None or matrix.rows[2].dtype != np.dtype(dtype):
        return None
    rows = matrix.rows if matrix.order == format.order else _transpose(matrix)
    if rows is None:
        return None
    pos, crd, values = rows
    return Tensor(matrix.shape, format, dtype, (LevelArrays(), LevelArrays(pos, crd)), values, fill, checked=True)


def _transpose(matrix: _Matrix) -> Rows | None:
    rows = transpose_rows(*matrix.rows, matrix.shape[matrix.order[1]])
    if rows is not None or not Extra.RUN.installed:
        return rows
    scipy = _in_scipy(matrix.order, matrix.rows, matrix.shape)
    return _arrays(scipy.tocsc() if matrix.order == (0, 1) else scipy.tocsr())


def _count(entries: Entries, order: tuple[int, ...]) -> _Matrix | None:
    """Entries in rows or columns; those with equal coordinates are added up. Entries in order are not moved."""
    count = entries.values.size
    if len(entries.shape) != 2 or count < _LEAST or max(*entries.shape, count) > _LARGEST_POSITION:
        return None
    rows, columns = (entries.columns[dimension].astype(np.int32, copy=False) for dimension in order)
    sizes = (entries.shape[order[0]], entries.shape[order[1]])
    arrays: Rows
    if _ascend(rows[:_GLANCE]) and _ascend(rows):
        ordered = bool(((rows[1:] > rows[:-1]) | (columns[1:] > columns[:-1])).all())
        arrays = offsets(rows, sizes[0], "int32"), np.ascontiguousarray(columns), np.ascontiguousarray(entries.values)
    else:
        outcome = sorted_rows(rows, columns, entries.values, sizes)
        if outcome is None:
            return None
        arrays, ordered = outcome[0], not outcome[1]
    shape = (entries.shape[0], entries.shape[1])
    if not ordered and not Extra.RUN.installed:
        return None
    return _Matrix(shape, order, arrays if ordered else _sum(order, arrays, shape))


def _ascend(numbers: NDArray[Any]) -> bool:
    return bool((numbers[1:] >= numbers[:-1]).all())


def _sum(order: tuple[int, ...], arrays: Rows, shape: tuple[int, int]) -> Rows:
    """Each row in order, without duplicates."""
    pos, crd, values = arrays
    matrix = _in_scipy(order, (pos, crd.copy(), values.copy()), shape)  # the arrays may be the caller's
    matrix.sum_duplicates()
    return _arrays(matrix)


def _canonical(operand: object, fill: Fill) -> _Matrix | None:
    """The operand's memory, when it is CSR or CSC in order and without duplicates."""
    if isinstance(operand, Tensor):
        if operand.format.levels != _LEVELS or not same_fill(operand.fill, fill, operand.dtype):
            return None
        pos, crd = operand.levels[1].pos, operand.levels[1].crd
        assert pos is not None
        assert crd is not None
        if max(*operand.shape, crd.size) > _LARGEST_POSITION:
            return None
        rows = np.ascontiguousarray(pos, dtype=np.int32), np.ascontiguousarray(crd, dtype=np.int32), operand.vals
        return _Matrix((operand.shape[0], operand.shape[1]), operand.format.order, rows)
    if not isinstance(operand, CompressedMatrix) or not operand.canonical:
        return None
    if max(*operand.shape, operand.crd.size) > _LARGEST_POSITION:
        return None
    pos, crd = (array.astype(np.int32, copy=False) for array in (operand.pos, operand.crd))
    return _Matrix(operand.shape, operand.order, (pos, crd, operand.values))


def _arrays(matrix: Any) -> Rows:
    """``pos``, ``crd`` and values of a CSR or CSC that SciPy has made, whose arrays may be wider than needed."""
    count = int(matrix.indptr[-1])
    pos, crd = (np.ascontiguousarray(array, dtype=np.int32) for array in (matrix.indptr, matrix.indices[:count]))
    return pos, crd, np.ascontiguousarray(matrix.data[:count])


def _in_scipy(order: tuple[int, ...], arrays: Rows, shape: tuple[int, int]) -> Any:
    """SciPy's matrix on ``pos``, ``crd`` and values: CSR for the order (0, 1), CSC for (1, 0)."""
    import scipy.sparse

    build: Any = scipy.sparse.csr_array if order == (0, 1) else scipy.sparse.csc_array
    pos, crd, values = arrays
    return build((values, crd, pos), shape=shape)
