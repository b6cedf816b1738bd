"""CSR to rows of blocks without sorting: the rows of a row of blocks are merged, by compiled C over their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.formats.format import Format, Level
from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import memory_limit
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

_ORDERS = ((0, 1, 0, 1), (0, 1, 0))
_LARGEST_POSITION = 2**31 - 1
_LEAST = 4096
"""Fewer entries are packed faster than C is loaded."""
_MOST_ROWS = 64
"""Of one block: the merge looks at each of them for the next column."""
_PARTS = 8
"""Ranges of rows that threads count blocks in, each with its own set."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The arrays of a CSR matrix with 32-bit indices, in order and without duplicates."""

    shape: tuple[int, int]
    pos: NDArray[np.int32]
    crd: NDArray[np.int32]
    vals: NDArray[Any]


def in_block_rows(operand: object, format: Format, dtype: str) -> Tensor | None:
    """``operand`` in rows of blocks (``bcsr(b,c)``, ``bcsr(b)``); None where it is no CSR matrix of that dtype, is
    small, or might not fit into memory, and where there is no C compiler: the general way then packs or refuses it.

    Blocks at the end that the shape cuts are padded with zeros.
    """
    matrix = _csr(operand) if _fits(format) else None
    if matrix is None or matrix.vals.dtype != np.dtype(dtype) or matrix.crd.size < _LEAST:
        return None
    height, width = format.blocks[0], format.blocks.get(1, 1)
    values = matrix.crd.size * height * width
    if values * matrix.vals.itemsize > memory_limit() or values > _LARGEST_POSITION or height > _MOST_ROWS:
        return None
    macros = {"HEIGHT": height, "WIDTH": width, "PARTS": _PARTS}
    text = c_files.defining(macros, c_files.text_of("block_rows.c"))
    count, merge = (native_helpers.moving(text, name, matrix.vals.itemsize, "int32") for name in ("count", "merge"))
    if count is None or merge is None:
        return None
    rows, columns = format.level_sizes(matrix.shape)[:2]
    pos, words = np.zeros(rows + 1, dtype=np.int32), -(-columns // 64)
    sets = np.zeros(_PARTS * words, dtype=np.uint64)
    size, dimension = library.dimension(matrix.shape[0]), [library.pointer(array) for array in (matrix.pos, matrix.crd)]
    count(size, library.dimension(words), *dimension, library.pointer(sets), library.pointer(pos[1:]))
    np.cumsum(pos, out=pos)
    crd = np.empty(int(pos[-1]), dtype=np.int32)
    stored = buffers.empty(crd.size * height * width, dtype)
    merge(size, *dimension, *(library.pointer(array) for array in (matrix.vals, pos, crd, stored)))
    levels = (LevelArrays(), LevelArrays(pos, crd), *(LevelArrays() for _ in format.levels[2:]))
    return Tensor(matrix.shape, format, dtype, levels, stored, checked=True)


def _fits(format: Format) -> bool:
    inside = format.levels[2:]
    whole = format.levels[:2] == (Level("dense"), Level("compressed")) and format.order in _ORDERS
    return whole and all(level == Level("dense", size=level.size) for level in inside)


def _csr(operand: object) -> _Rows | None:
    """The operand's memory, when that is CSR in order and without duplicates."""
    if isinstance(operand, Tensor):
        plain = operand.format.levels == (Level("dense"), Level("compressed")) and operand.format.order == (0, 1)
        if not plain or operand.fill != 0 or operand.wide:
            return None
        pos, crd = operand.levels[1].pos, operand.levels[1].crd
        assert pos is not None
        assert crd is not None
        return _Rows((operand.shape[0], operand.shape[1]), pos, crd, operand.vals)
    if not isinstance(operand, CompressedMatrix) or operand.order != (0, 1) or not operand.canonical:
        return None
    if max(*operand.shape, operand.crd.size) > _LARGEST_POSITION:
        return None
    pos, crd = (array.astype(np.int32, copy=False) for array in (operand.pos, operand.crd))
    return _Rows(operand.shape, pos, crd, operand.values)
