"""From level arrays back to coordinates."""

from __future__ import annotations

import numpy as np

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.storage.level_storage import Array, Expanded, Mask, StoredLevel
from compiler.runtime.storage.stored_tensor import StoredTensor


def to_coordinates(tensor: StoredTensor) -> tuple[tuple[Array, ...], Array]:
    """Coordinates by dimension and values, in storage order.

    Padding is left out, and so are the zeros of innermost levels that store whole dimensions, diagonals or runs, which
    cannot be told from it. Explicit zeros of the other kinds are kept.
    """
    (columns, held), values = _unfolded(tensor), tensor.vals
    kept: Array | None = None if held is None else np.flatnonzero(held)
    if tensor.format.levels and LEVEL_KINDS[tensor.format.levels[-1].kind].pads_with_values:
        differing = values if tensor.fill == 0 else values != tensor.fill
        kept = np.flatnonzero(differing if held is None else (differing != 0) & held)
    if kept is not None:
        columns, values = tuple(column[kept] for column in columns), values[kept]
    return columns, values


def position_coordinates(tensor: StoredTensor) -> tuple[Array, ...]:
    """By dimension, the coordinate of each position of the values, padding included: there the coordinate may lie
    outside its dimension."""
    return _unfolded(tensor)[0]


def _unfolded(tensor: StoredTensor) -> tuple[tuple[Array, ...], Mask | None]:
    """The coordinates of all positions, and which of them hold an entry (None: all)."""
    columns: list[Array] = []
    held: Mask | None = None
    format = tensor.format
    kinds = [LEVEL_KINDS[level.kind] for level in format.levels]
    parents, sizes = 1, format.level_sizes(tensor.shape)
    for number, (kind, arrays) in enumerate(zip(kinds, tensor.levels, strict=True)):
        block = sizes[number - 1] if number else 1
        stored = StoredLevel(arrays, sizes[number], parents, tuple(columns), block)
        columns, held = _with_level(kind.expand(stored), columns, held)
        parents = int(columns[-1].size)
    by_dimension: dict[int, Array] = {}
    blocks = format.blocks
    for level, dimension, column in zip(format.levels, format.order, columns, strict=True):
        by_dimension[dimension] = column if level.size is None else by_dimension[dimension] * level.size + column
    for dimension in blocks:  # the last block may be cut
        inside = by_dimension[dimension] < tensor.shape[dimension]
        held = inside if held is None else held & inside
    for kind, arrays, dimension, size in zip(kinds, tensor.levels, format.order, sizes, strict=True):
        if kind.permutes:
            count = size * blocks.get(dimension, 1)
            by_dimension[dimension] = kind.original(by_dimension[dimension], arrays, count)
    return tuple(by_dimension[dimension] for dimension in range(tensor.order)), held


def _with_level(level: Expanded, columns: list[Array], held: Mask | None) -> tuple[list[Array], Mask | None]:
    """The coordinates of the levels down to ``level`` at its positions, and which of these hold an entry."""
    if level.parent is not None:
        columns = [column[level.parent] for column in columns]
        held = None if held is None else held[level.parent]
    if level.held is not None:
        held = level.held if held is None else held & level.held
    return [*columns, level.coordinates], held
