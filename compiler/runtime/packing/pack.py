"""Packing: NumPy, SciPy sparse, coordinates or another tensor -> the level arrays of a format.

Everything is vectorised over the entries. Operands whose memory already is in the format, and aligned where they are
dense arrays, are taken over without a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from compiler.formats.format import Format
from compiler.formats.parser import parse_format
from compiler.index_width import index_dtype, needs_wide
from compiler.runtime.memory import buffers
from compiler.runtime.memory.allocation_limit import require_values
from compiler.runtime.packing.block_rows import in_block_rows
from compiler.runtime.packing.compressed_rows import in_compressed_rows
from compiler.runtime.packing.from_compressed_rows import from_compressed_rows
from compiler.runtime.packing.slots import SLOTS, diagonals
from compiler.runtime.packing.slotted import in_slots, rows_of
from compiler.runtime.storage.device_arrays import is_resident
from compiler.runtime.tensors.coordinates import Entries, offsets, sort_and_sum
from compiler.runtime.tensors.device_operands import taken
from compiler.runtime.tensors.operands import Operand, as_dtype, as_entries, as_operand, dtype_name
from compiler.runtime.tensors.tensor import LevelArrays, Tensor

Array = NDArray[Any]
Fill = int | float | bool


def pack(
    operand: object,
    format: Format | str = "",
    dtype: str | None = None,
    name: str = "operand",
    fill: Fill | None = None,
    *,
    align: bool = True,
) -> Tensor:
    """Packs ``operand`` into ``format``.

    Args:
        operand: a NumPy array (or nested lists, or a number), a SciPy sparse matrix or array, a :class:`Tensor`, or the
            tuple ``(coordinates, values, shape)``: one integer array of coordinates per dimension, as many values, and
            the sizes by dimension. Duplicates are summed,
            explicit zeros of sparse operands are kept, zeros of dense ones are not stored in sparse formats. What lies
            on a GPU already (CuPy, cupyx.scipy.sparse) is taken where it is, and refused where its format differs.
        format: a :class:`Format` or its text (``"csr"``); the empty text means dense.
        dtype: the value type to store; None keeps the operand's. Only conversions that lose nothing are made.
        name: what messages call the operand.
        fill: the value of what is not stored, which dense operands leave out; None keeps a tensor's, else 0.
        align: whether a dense array that is not aligned to 64 bytes is copied to memory that is, which vector code is
            faster with (SpMM in cache: 1.6 times); without it the array itself is taken.

    Returns:
        A tensor of the operand's shape, with int32 positions and coordinates unless these do not fit.

    Raises:
        CompileError: ``runtime/unsupported-operand``, ``runtime/order-mismatch``, ``runtime/dtype-mismatch``,
            ``runtime/coordinate-out-of-range``, ``runtime/too-large``, ``runtime/resident``.
    """
    known = as_operand(operand, name)
    shape = known.shape
    layout = _format_of(format, len(shape), name)
    if layout.dimensions != len(shape):
        raise CompileError(
            Diagnostic(
                code="runtime/order-mismatch",
                message=f"{name} has {_count(len(shape), 'dimension')}, but its format stores "
                f"{_count(layout.dimensions, 'level')}.",
                location=Location(Part.INPUT, tensor=name),
                expected=_count(layout.dimensions, "dimension"),
                found=f"an operand of shape {shape}",
            )
        )
    if fill is None:
        fill = known.fill if isinstance(known, Tensor) else 0
    if is_resident(known):
        return taken(known, layout, dtype, name, fill)
    target = dtype or dtype_name(known.dtype)
    tensor = _without_copy(known, layout, target, fill)
    if tensor is not None and (not align or not isinstance(known, np.ndarray) or buffers.is_aligned(tensor.vals)):
        return tensor
    if isinstance(known, np.ndarray) and layout.is_dense:
        return _pack_dense_array(known, layout, target, name)
    if not isinstance(known, Entries) and (tensor := in_compressed_rows(known, layout, target, fill)) is not None:
        return tensor
    if layout.slots:
        return in_slots(pack(known, rows_of(layout), target, name, fill), layout, name)
    if layout.blocks and fill == 0 and (tensor := in_block_rows(known, layout, target)) is not None:
        return tensor
    if (tensor := from_compressed_rows(known, layout, target, fill)) is not None:
        return tensor
    entries = as_entries(known, name, fill)
    entries = Entries(entries.shape, entries.columns, as_dtype(entries.values, target, name))
    if (tensor := in_compressed_rows(entries, layout, target, fill)) is not None:
        return tensor
    stored = sort_and_sum(_by_level(entries, layout), tuple(range(len(layout.levels))))
    return Tensor(shape, layout, target, *_build(stored, layout, name, fill), fill, checked=True)


def _by_level(entries: Entries, format: Format) -> Entries:
    """The entries with a column for each level; a blocked dimension has one for its blocks and one for inside them."""
    blocks = format.blocks
    columns = []
    for level, dimension in zip(format.levels, format.order, strict=True):
        column = entries.columns[dimension]
        if dimension in blocks:
            column = column // blocks[dimension] if level.size is None else column % blocks[dimension]
        columns.append(column)
    return Entries(format.level_sizes(entries.shape), tuple(columns), entries.values)


def _format_of(format: Format | str, order: int, name: str) -> Format:
    if isinstance(format, Format):
        return format
    return parse_format(format or ",".join(["dense"] * order), order, name)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# ------------------------------------------------------------------------------------------- taking memory over


def _without_copy(operand: Operand, format: Format, dtype: str, fill: Fill) -> Tensor | None:
    """A tensor on the operand's own memory, None when its layout or types differ."""
    if isinstance(operand, Entries) or np.dtype(operand.dtype) != np.dtype(dtype):
        return None
    if isinstance(operand, Tensor):
        return operand if operand.format == format and (operand.fill == fill or format.is_dense) else None
    if isinstance(operand, np.ndarray):
        if not format.is_dense:
            return None
        stored = operand.transpose(format.order)
        if not (stored.flags.c_contiguous and stored.flags.aligned and stored.dtype.isnative):
            return None
        levels = tuple(LevelArrays() for _ in format.levels)
        return Tensor(operand.shape, format, dtype, levels, stored.reshape(-1), checked=True)
    kinds = tuple(level.kind for level in format.levels)
    wanted = {"csr": (0, 1), "csc": (1, 0)}.get(operand.format)
    if wanted != format.order or kinds != ("dense", "compressed"):
        return None
    if not operand.has_canonical_format or not operand.data.flags.c_contiguous:
        return None
    # SciPy may keep wider indices than needed, or longer arrays; both are put right without touching the operand.
    stored_count = int(operand.indptr[-1])
    index = index_dtype(needs_wide((*operand.shape, stored_count)))
    pos = np.ascontiguousarray(operand.indptr, dtype=index)
    crd = np.ascontiguousarray(operand.indices[:stored_count], dtype=index)
    return Tensor(
        tuple(operand.shape),
        format,
        dtype,
        (LevelArrays(), LevelArrays(pos, crd)),
        operand.data[:stored_count],
        fill,
        checked=True,
    )


def _pack_dense_array(array: Array, format: Format, dtype: str, name: str) -> Tensor:
    values = buffers.empty(array.size, dtype)
    stored = array.transpose(format.order)
    as_dtype(array[:0] if array.ndim else array, dtype, name)
    values.reshape(stored.shape)[...] = stored
    return Tensor(array.shape, format, dtype, tuple(LevelArrays() for _ in format.levels), values, checked=True)


# ------------------------------------------------------------------------------------------------ building levels


def _build(entries: Entries, format: Format, name: str, fill: Fill) -> tuple[tuple[LevelArrays, ...], Array]:
    """Level arrays and values from sorted entries by level: each level turns parent positions into its own positions,
    one per entry.

    ``positions`` is None while the entries are numbered 0, 1, 2 … themselves.
    """
    count, values = int(entries.values.size), entries.values
    columns, sizes = list(entries.columns), entries.shape
    levels: list[LevelArrays] = []
    positions: Array | None = np.zeros(count, dtype=np.int64)
    index = index_dtype(needs_wide((*sizes, count)))
    parents = 1
    for number, level in enumerate(format.levels):
        column = columns[number]
        match level.kind:
            case "dense":
                positions = (
                    column.astype(np.int64) if parents == 1 else _numbered(positions, count) * sizes[number] + column
                )
                parents *= sizes[number]
                levels.append(LevelArrays())
            case "compressed":
                before = _numbered(positions, count)
                group = _group(format, number)
                if group == len(format.levels):
                    pos, crd, positions, children = offsets(before, parents, index), column, None, count
                else:
                    fresh = np.ones(count, dtype=bool)
                    fresh[1:] = before[1:] != before[:-1]
                    for told_apart in columns[number:group]:
                        fresh[1:] |= told_apart[1:] != told_apart[:-1]
                    pos, crd = offsets(before[fresh], parents, index), column[fresh]
                    positions, children = np.cumsum(fresh) - 1, int(crd.size)
                levels.append(LevelArrays(pos, np.ascontiguousarray(crd, dtype=index)))
                parents = children
            case "singleton":
                if positions is not None:
                    column = _one_for_each_parent(column, positions, parents, name, number + 1)
                levels.append(LevelArrays(crd=np.ascontiguousarray(column, dtype=index)))
            case "padded" | "hashed":
                before = _numbered(positions, count)
                fresh = np.ones(count, dtype=bool)
                fresh[1:] = (before[1:] != before[:-1]) | (column[1:] != column[:-1])
                slots = SLOTS[level.kind](before[fresh], column[fresh], parents, sizes[number], name, index)
                positions = slots.positions[np.cumsum(fresh) - 1]
                if level.kind == "hashed":  # the levels below follow the slots, not the coordinates
                    by_slot = np.argsort(positions, kind="stable")
                    positions, values = positions[by_slot], values[by_slot]
                    columns = [one[by_slot] for one in columns]
                levels.append(LevelArrays(crd=slots.crd, extra={"width": slots.width}))
                parents *= int(slots.width[0])
            case "offset":
                distance = column.astype(np.int64) - _numbered(positions, count)
                distances, slot = diagonals(distance, parents, sizes[number], index)
                positions = _numbered(positions, count) * distances.size + slot
                extra = {"width": np.array([distances.size], index), "offsets": distances}
                levels.append(LevelArrays(extra=extra))
                parents *= int(distances.size)
            case "bitmap":
                positions = _numbered(positions, count) * sizes[number] + column
                parents *= sizes[number]
                mask = np.zeros(require_values(parents, "uint8", name), dtype=np.uint8)
                mask[positions] = 1
                levels.append(LevelArrays(extra={"mask": mask}))
            case _:
                raise InternalError(f"Packing does not know the level kind {level.kind}")
    dtype = entries.values.dtype.name
    if positions is None:
        return tuple(levels), buffers.aligned_copy(values)
    stored = buffers.zeros(require_values(parents, dtype, name), dtype)
    if fill != 0:
        stored[...] = fill
    stored[positions] = values
    return tuple(levels), stored


def _group(format: Format, number: int) -> int:
    """Where the levels end that share the positions of level ``number`` (0-based): behind the singletons below it."""
    end = number + 1
    while end < len(format.levels) and not format.levels[end - 1].unique and format.levels[end].kind == "singleton":
        end += 1
    return end


def _one_for_each_parent(column: Array, positions: Array, parents: int, name: str, level: int) -> Array:
    """The coordinate of each parent position, of which every one must have exactly one."""
    coordinates = np.full(parents, -1, dtype=np.int64)
    coordinates[positions] = column
    counts = np.bincount(positions, minlength=parents)
    if not ((coordinates[positions] == column).all() and counts.all()):
        wrong = int(np.flatnonzero(counts == 0)[0]) if not counts.all() else None
        raise CompileError(
            Diagnostic(
                code="runtime/not-singleton",
                message=f"Level {level} of {name} is singleton, so each position above it has exactly one coordinate, "
                "but " + (f"position {wrong} has none." if wrong is not None else "one has several."),
                location=Location(Part.INPUT, tensor=name),
                expected="one coordinate for each parent position",
                found="none" if wrong is not None else "several",
                hint="Use a compressed level instead.",
            )
        )
    return coordinates


def _numbered(positions: Array | None, count: int) -> Array:
    return np.arange(count, dtype=np.int64) if positions is None else positions
