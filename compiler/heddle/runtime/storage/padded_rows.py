"""Padded matrices (ELL, sliced ELL, blocks, and sums of such parts) to compressed rows by compiled C: each row is
counted, then filled, without coordinates of the places that hold nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heddle.formats.format import Level
from heddle.index_width import LARGEST_NARROW
from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.storage.stored_tensor import StoredTensor

Array = NDArray[Any]

_LEAST = 4096
"""Fewer places are unfolded faster than C is loaded."""
_SIGNS = {"float64": (1 << 63) - 1, "float32": (1 << 31) - 1, "complex64": 0x7FFFFFFF7FFFFFFF}
"""All bits but those of signs."""


class Rows(NamedTuple):
    """``pos``, ``crd`` in order, and values, with 32-bit indices."""

    pos: Array
    crd: Array
    values: Array


class _Pieces(NamedTuple):
    """Pieces of rows: ``width`` places each, or those of a lane of a slice of ``height`` rows, which begin at ``pos``.
    ``row``: to which row each belongs (None: in order)."""

    number: int
    height: int
    width: int
    pos: Array | None
    row: Array | None
    crd: Array
    values: Array


def compressed_rows(parts: Sequence[StoredTensor]) -> Rows | None:
    """The rows of the sum of ``parts``, of which no two have an entry at one coordinate; columns where the first level
    stores these. None for other formats, few places, indices of 64 bits, and where there is no C compiler."""
    first = parts[0] if parts else None
    if first is None or sum(part.vals.size for part in parts) < _LEAST:
        return None
    if first.order != 2 or first.resident or max(*first.shape, sum(part.vals.size for part in parts)) > LARGEST_NARROW:
        return None
    if len(parts) == 1 and _is_blocked(first):
        return _of_blocks(first)
    pieces = [_pieces_of(part) for part in parts]
    known = [piece for piece in pieces if piece is not None]
    orders = {part.format.order[:2] for part in parts}
    if len(known) < len(pieces) or len(orders) > 1 or any(piece.crd.dtype != np.int32 for piece in known):
        return None
    return _of_pieces(known, *_sizes(first))


def _sizes(tensor: StoredTensor) -> tuple[int, int]:
    row, column = tensor.format.order[:2]
    return tensor.shape[row], tensor.shape[column]


def _pieces_of(tensor: StoredTensor) -> _Pieces | None:
    levels, arrays, rows = tensor.format.levels, tensor.levels, _sizes(tensor)[0]
    kinds = tuple(level.kind for level in levels)
    crd, values = arrays[-1].crd, tensor.vals
    if crd is None or not levels[-1].unique or (tensor.format.cuts and len(levels) == 2):
        return None
    match kinds:
        case ("dense", "padded"):
            return _Pieces(rows, 1, int(arrays[1].extra["width"][0]), None, None, crd, values)
        case ("compressed", "padded"):
            row = arrays[0].crd
            assert row is not None
            return _Pieces(row.size, 1, int(arrays[1].extra["width"][0]), None, row, crd, values)
        case ("dense", "compressed"):
            return _Pieces(rows, 1, 0, arrays[1].pos, None, crd, values)
        case ("compressed", "compressed"):
            row = arrays[0].crd
            assert row is not None
            return _Pieces(row.size, 1, 0, arrays[1].pos, row, crd, values)
        case ("dense" | "sorted", "slots", "dense", "optional"):
            height = levels[2].size
            assert height is not None
            return _Pieces(rows, height, 0, arrays[1].pos, arrays[0].extra.get("rows"), crd, values)
        case _:
            return None


def _of_pieces(pieces: list[_Pieces], rows: int, columns: int) -> Rows | None:
    dtype, text = pieces[0].values.dtype, c_files.text_of("padded_rows.c")
    names = "count_pieces", "fill_pieces", "order_rows"
    count, fill, order = (native_helpers.moving(text, name, dtype.itemsize, "int32") for name in names)
    if count is None or fill is None or order is None:
        return None
    pos = np.zeros(rows + 1, np.int32)
    for piece in pieces:
        count(*_dimensions(piece, columns), *map(_pointer, (piece.pos, piece.row, piece.crd, pos[1:])))
    next_places = _first_places(pos)
    crd, values = buffers.empty(int(pos[-1]), "int32"), buffers.empty(int(pos[-1]), dtype)
    for piece in pieces:
        arrays = (piece.pos, piece.row, piece.crd, piece.values, next_places, crd, values)
        fill(*_dimensions(piece, columns), *map(_pointer, arrays))
    order(library.dimension(rows), *map(_pointer, (pos, crd, values)))
    return Rows(pos, crd, values)


def _dimensions(piece: _Pieces, columns: int) -> list[Any]:
    return [library.dimension(size) for size in (piece.number, columns, piece.height, piece.width)]


def _first_places(counts: Array) -> Array:
    """``counts`` behind a zero become ``pos``; where each row begins, to be counted up."""
    np.cumsum(counts, out=counts)
    return counts[:-1].copy()


def _is_blocked(tensor: StoredTensor) -> bool:
    """Rows of dense blocks that are padded with zeros (``bcsr(b,c)``, ``bcsr(b)``)."""
    format = tensor.format
    inside = format.levels[2:]
    return (
        format.levels[:2] == (Level("dense"), Level("compressed"))
        and format.order in ((0, 1, 0, 1), (0, 1, 0))
        and all(level == Level("dense", size=level.size) for level in inside)
        and tensor.fill == 0
    )


def _of_blocks(tensor: StoredTensor) -> Rows | None:
    rows, columns = _sizes(tensor)
    height, width = tensor.format.blocks[0], tensor.format.blocks.get(1, 1)
    block_pos, block_crd, dtype = tensor.levels[1].pos, tensor.levels[1].crd, tensor.vals.dtype
    if block_pos is None or block_crd is None or block_crd.dtype != np.int32:
        return None
    macros: dict[str, str | int] = {"HEIGHT": height, "WIDTH": width}
    if dtype.name != "complex128":
        macros["MASK"] = f"{_SIGNS.get(dtype.name, (1 << 8 * dtype.itemsize) - 1)}u"
    text = c_files.defining(macros, c_files.text_of("padded_rows.c"))
    count, fill = (
        native_helpers.moving(text, name, dtype.itemsize, "int32") for name in ("count_blocks", "fill_blocks")
    )
    if count is None or fill is None:
        return None
    sizes, pos = [library.dimension(size) for size in (rows, columns)], np.zeros(rows + 1, np.int32)
    count(*sizes, *map(_pointer, (block_pos, block_crd, tensor.vals, pos[1:])))
    np.cumsum(pos, out=pos)
    crd, values = buffers.empty(int(pos[-1]), "int32"), buffers.empty(int(pos[-1]), dtype)
    fill(*sizes, *map(_pointer, (block_pos, block_crd, tensor.vals, pos, crd, values)))
    return Rows(pos, crd, values)


def _pointer(array: Array | None) -> Any:
    return None if array is None else library.pointer(array)
