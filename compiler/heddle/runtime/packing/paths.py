"""Which way leads from an operand to a format: one table, of which the first that fits and succeeds is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heddle.diagnostics import InternalError
from heddle.fills.dtypes import same_fill
from heddle.formats.format import Format, Level
from heddle.runtime.packing.dense_arrays import packed_array, without_copy
from heddle.runtime.packing.in_parts import divide
from heddle.runtime.packing.level_by_level import in_levels
from heddle.runtime.packing.referenced_rows import in_referenced_rows, is_referenced
from heddle.runtime.packing.request import Request
from heddle.runtime.packing.row_conversions import from_compressed_rows, slotted
from heddle.runtime.packing.row_conversions import row_chunks as row_pieces
from heddle.runtime.packing.row_conversions.block_rows import in_block_rows
from heddle.runtime.packing.row_conversions.compressed_rows import in_compressed_rows, of_padded_rows
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.operands import as_entries
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import as_dtype


@dataclass(frozen=True, slots=True)
class Path:
    """``convert`` stores an operand from ``source`` in a format of ``target`` (None: any); the answer is None where it
    has to decline (few entries, no C compiler, indices too wide). ``over`` is the format in which the operand is stored
    first, if any."""

    source: Callable[[Request], bool] | None
    target: Callable[[Format], bool] | None
    convert: Callable[[Request], Tensor | None]
    over: Callable[[Format], Format] | None = None


def stored_as_requested(request: Request) -> Tensor:
    """The operand of ``request`` in its format.

    Raises
    ------
    CompileError
        ``runtime/dtype-mismatch``, ``runtime/too-large``, ``runtime/not-singleton``, ``runtime/fill``.
    """
    for path in PATHS:
        if path.target is not None and not path.target(request.format):
            continue
        if path.source is not None and not path.source(request):
            continue
        path_request = request
        if path.over is not None:
            first = stored_as_requested(request._replace(format=path.over(request.format)))
            path_request = request._replace(operand=first)
        tensor = path.convert(path_request)
        if tensor is not None:
            return tensor
    raise InternalError(f"No path leads to {request.format}")


def _from_entries(request: Request) -> Tensor:
    """By coordinates: counted into compressed rows, or level by level."""
    entries = as_entries(request.operand, request.name, request.fill)
    entries = Entries(entries.shape, entries.columns, as_dtype(entries.values, request.dtype, request.name))
    rows = in_compressed_rows(entries, request.format, request.dtype, request.fill)
    if rows is not None:
        return rows
    return in_levels(entries, request.format, request.dtype, request.name, request.fill, request.starts)


def _array(request: Request) -> bool:
    return isinstance(request.operand, np.ndarray)


def _is_tensor(request: Request) -> bool:
    return isinstance(request.operand, Tensor)


def _is_stored(request: Request) -> bool:
    """A tensor, an array, or a matrix in compressed rows: no mere coordinates."""
    return not isinstance(request.operand, Entries)


def _zero_filled(request: Request) -> bool:
    return request.fill == 0


def _same_rows(request: Request) -> bool:
    """Compressed rows of the very order, dtype and fill."""
    operand = request.operand
    return (
        isinstance(operand, Tensor)
        and operand.format == slotted.rows_of(request.format)
        and operand.dtype == request.dtype
        and same_fill(operand.fill, request.fill, request.dtype)
    )


def _dense(format: Format) -> bool:
    return format.is_dense


def _is_blocked(format: Format) -> bool:
    return bool(format.blocks)


def _levels(*kinds: str) -> Callable[[Format], bool]:
    """The formats whose levels are of these kinds, without properties and numbers."""
    levels = tuple(Level(kind) for kind in kinds)
    return lambda format: format.levels == levels


def _slots_of(kind: str) -> Callable[[Format], bool]:
    """The formats whose second level is of a ``kind`` that numbers slots."""
    return lambda format: len(format.levels) > 1 and format.levels[1].kind == kind


def _is_composed(format: Format) -> bool:
    return format.composition is not None


PATHS = (
    Path(None, None, without_copy),
    Path(None, row_pieces.is_hyb, row_pieces.in_pieces, over=row_pieces.rows_of),
    Path(None, _is_composed, lambda asked: divide(asked, stored_as_requested)),
    Path(_array, _dense, packed_array),
    Path(
        _is_stored,
        _levels("dense", "compressed"),
        lambda asked: in_compressed_rows(asked.operand, asked.format, asked.dtype, asked.fill),
    ),
    Path(
        _is_tensor,
        _levels("dense", "compressed"),
        lambda asked: of_padded_rows(asked.operand, asked.format, asked.dtype, asked.fill),
    ),
    Path(None, is_referenced, in_referenced_rows),
    Path(None, _slots_of("slots"), slotted.in_slices, over=slotted.rows_of),
    Path(None, _slots_of("diagonals"), slotted.by_diagonals, over=slotted.rows_of),
    Path(_zero_filled, _is_blocked, lambda asked: in_block_rows(asked.operand, asked.format, asked.dtype)),
    Path(_same_rows, _levels("dense", "padded"), from_compressed_rows.pad),
    Path(_same_rows, _levels("dense", "offset"), from_compressed_rows.diagonals),
    Path(_same_rows, _levels("compressed", "compressed"), from_compressed_rows.without_empty_rows),
    Path(None, None, _from_entries),
)
