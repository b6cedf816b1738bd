"""Coordinates, CSR and CSC to CSR and CSC without sorting keys: SciPy counts the entries of each row into place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from compiler.formats.format import Format, Level
from compiler.runtime.coordinates import Entries
from compiler.runtime.tensor import LevelArrays, Tensor

if TYPE_CHECKING:
    import scipy.sparse

_LARGEST_POSITION = 2**31 - 1
_LEVELS = (Level("dense"), Level("compressed"))
_LEAST = 4096
"""Fewer entries are packed faster than SciPy is imported."""


def in_compressed_rows(operand: object, format: Format, dtype: str, fill: int | float | bool) -> Tensor | None:
    """``operand`` in CSR or CSC; None where that is not the ``format``, or where the general way must look at it:
    another dtype or fill, entries out of order, indices that need 64 bits, few entries."""
    if format.levels != _LEVELS:
        return None
    made = _counted(operand, format) if isinstance(operand, Entries) else _canonical(operand, fill)
    if made is None or made.dtype != np.dtype(dtype) or max(*made.shape, made.nnz) > _LARGEST_POSITION:
        return None
    found: Any = made.tocsr() if format.order == (0, 1) else made.tocsc()
    count = int(found.indptr[-1])
    arrays = LevelArrays(found.indptr.astype(np.int32, copy=False), found.indices[:count].astype(np.int32, copy=False))
    shape = (int(found.shape[0]), int(found.shape[1]))
    return Tensor(shape, format, dtype, (LevelArrays(), arrays), found.data[:count], fill, checked=True)


def _counted(entries: Entries, format: Format) -> Any:
    """Entries in rows or columns; those with equal coordinates are added up."""
    if len(entries.shape) != 2 or entries.values.size < _LEAST:
        return None
    import scipy.sparse

    build: Any = scipy.sparse.coo_array
    matrix: Any = build((entries.values, entries.columns), shape=entries.shape)
    return matrix.tocsr() if format.order == (0, 1) else matrix.tocsc()


def _canonical(operand: object, fill: int | float | bool) -> Any:
    """A SciPy matrix on the operand's memory, when that is CSR or CSC in order and without duplicates."""
    if isinstance(operand, Tensor):
        plain = operand.format.levels == _LEVELS and operand.fill == fill
        return _matrix(operand) if plain else None
    if getattr(operand, "format", None) not in ("csr", "csc") or getattr(operand, "ndim", 0) != 2:
        return None
    matrix: Any = operand
    if not matrix.has_canonical_format:
        return None
    minor = matrix.shape[1] if matrix.format == "csr" else matrix.shape[0]
    # SciPy does not check the indices of matrices that are made from raw arrays.
    inside = not matrix.nnz or 0 <= int(matrix.indices.min()) <= int(matrix.indices.max()) < minor
    return matrix if inside else None


def _matrix(tensor: Tensor) -> scipy.sparse.csr_array[Any] | scipy.sparse.csc_array[Any]:
    """The tensor's own memory as SciPy's matrix, whatever its fill."""
    import scipy.sparse

    build: Any = scipy.sparse.csr_array if tensor.format.order == (0, 1) else scipy.sparse.csc_array
    matrix: Any = build((tensor.vals, tensor.levels[1].crd, tensor.levels[1].pos), shape=tensor.shape)
    return matrix  # type: ignore[no-any-return]
