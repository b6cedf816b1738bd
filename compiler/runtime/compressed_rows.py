"""Coordinates, CSR and CSC to CSR and CSC without sorting keys: entries are counted into place, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from compiler.formats.format import Format, Level
from compiler.runtime.coordinates import Entries, offsets
from compiler.runtime.row_sort import Rows, sorted_rows, transposed
from compiler.runtime.tensor import LevelArrays, Tensor

_LARGEST_POSITION = 2**31 - 1
_LEVELS = (Level("dense"), Level("compressed"))
_LEAST = 4096
"""Fewer entries are packed faster than SciPy is imported."""
_STRETCH = 4096
_NEAR = 1 << 17
"""Of so many columns the ends, where the next entry goes, stay in the cache while entries are spread over them."""


def in_compressed_rows(operand: object, format: Format, dtype: str, fill: int | float | bool) -> Tensor | None:
    """``operand`` in CSR or CSC; None where that is not the ``format``, or where the general way must look at it:
    another dtype or fill, a matrix out of order, indices that need 64 bits, few entries."""
    if format.levels != _LEVELS:
        return None
    made = _counted(operand, format.order) if isinstance(operand, Entries) else _canonical(operand, fill)
    if made is None or made.dtype != np.dtype(dtype) or max(*made.shape, made.nnz) > _LARGEST_POSITION:
        return None
    found = _by(format.order, made)
    count = int(found.indptr[-1])
    arrays = LevelArrays(found.indptr.astype(np.int32, copy=False), found.indices[:count].astype(np.int32, copy=False))
    shape = (int(found.shape[0]), int(found.shape[1]))
    return Tensor(shape, format, dtype, (LevelArrays(), arrays), found.data[:count], fill, checked=True)


def _by(order: tuple[int, ...], matrix: Any) -> Any:
    """A canonical CSR or CSC matrix in CSR (``order`` 0, 1) or CSC (1, 0)."""
    wanted = "csr" if order == (0, 1) else "csc"
    if matrix.format != wanted and _scattered(matrix.indices):
        pos, crd = (np.ascontiguousarray(array, dtype=np.int32) for array in (matrix.indptr, matrix.indices))
        arrays = transposed(pos, crd[: pos[-1]], matrix.data[: pos[-1]], matrix.shape[order[0]])
        if arrays is not None:
            return _matrix(order, arrays, matrix.shape)
    return matrix.asformat(wanted)  # SciPy puts each entry where it belongs at once


def _scattered(indices: Any) -> bool:
    """Whether stretches of neighbouring entries reach so far that each entry put in its place misses the cache."""
    stretches = indices[: indices.size // _STRETCH * _STRETCH].reshape(-1, _STRETCH)
    looked_at = stretches[:: max(stretches.shape[0] // 16, 1), ::64]
    return looked_at.size > 0 and bool(np.median(np.ptp(looked_at, axis=1)) > _NEAR)


def _counted(entries: Entries, order: tuple[int, ...]) -> Any:
    """Entries in rows or columns; those with equal coordinates are added up. Entries in order are not moved."""
    count = entries.values.size
    if len(entries.shape) != 2 or count < _LEAST or max(*entries.shape, count) > _LARGEST_POSITION:
        return None
    rows, columns = (entries.columns[dimension].astype(np.int32, copy=False) for dimension in order)
    sizes = (entries.shape[order[0]], entries.shape[order[1]])
    if (rows[1:] >= rows[:-1]).all():
        made = _matrix(order, (offsets(rows, sizes[0], "int32"), columns, entries.values), entries.shape)
        # Seen by entries, of which there may be far fewer than rows.
        made.has_canonical_format = bool(((rows[1:] > rows[:-1]) | (columns[1:] > columns[:-1])).all())
        return _summed(made)
    arrays = sorted_rows(rows, columns, entries.values, sizes)
    return None if arrays is None else _summed(_matrix(order, arrays, entries.shape))


def _summed(matrix: Any) -> Any:
    """Each row in order, without duplicates."""
    if not matrix.has_canonical_format:
        matrix = matrix.copy()  # its arrays may be the caller's
        matrix.sum_duplicates()
    return matrix


def _canonical(operand: object, fill: int | float | bool) -> Any:
    """A SciPy matrix on the operand's memory, when that is CSR or CSC in order and without duplicates."""
    if isinstance(operand, Tensor):
        if operand.format.levels != _LEVELS or operand.fill != fill:
            return None
        pos, crd = operand.levels[1].pos, operand.levels[1].crd
        assert pos is not None
        assert crd is not None
        return _matrix(operand.format.order, (pos, crd, operand.vals), operand.shape)
    if getattr(operand, "format", None) not in ("csr", "csc") or getattr(operand, "ndim", 0) != 2:
        return None
    matrix: Any = operand
    if not matrix.has_canonical_format:
        return None
    minor = matrix.shape[1] if matrix.format == "csr" else matrix.shape[0]
    # SciPy does not check the indices of matrices that are made from raw arrays.
    inside = not matrix.nnz or 0 <= int(matrix.indices.min()) <= int(matrix.indices.max()) < minor
    return matrix if inside else None


def _matrix(order: tuple[int, ...], arrays: Rows, shape: tuple[int, ...]) -> Any:
    """SciPy's matrix on ``pos``, ``crd`` and values: CSR for the order (0, 1), CSC for (1, 0)."""
    import scipy.sparse

    build: Any = scipy.sparse.csr_array if order == (0, 1) else scipy.sparse.csc_array
    pos, crd, values = arrays
    return build((values, crd, pos), shape=shape)
