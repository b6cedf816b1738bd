"""From level arrays back to coordinates."""

from __future__ import annotations

import numpy as np

from heddle.fills.dtypes import differing
from heddle.formats.format import Cut
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_storage import Array, Expanded, Mask, StoredLevel
from heddle.runtime.storage.stored_tensor import StoredTensor


def to_coordinates(tensor: StoredTensor) -> tuple[tuple[Array, ...], Array]:
    """Coordinates by dimension and values, in storage order.

    Padding is left out, and so are the zeros of innermost levels that store whole dimensions, diagonals or runs, which
    cannot be told from it. Explicit zeros of the other kinds are kept.
    """
    (columns, held), values = _unfold(tensor), tensor.vals
    places: Array | None = None if held is None else np.flatnonzero(held)
    if tensor.format.levels and LEVEL_KINDS[tensor.format.levels[-1].kind].pads_with_values:
        stored = values if tensor.fill == 0 else differing(values, tensor.fill)
        places = np.flatnonzero(stored if held is None else (stored != 0) & held)
    if places is not None:
        columns, values = tuple(column[places] for column in columns), values[places]
    return columns, values


def position_coordinates(tensor: StoredTensor) -> tuple[Array, ...]:
    """By dimension, the coordinate of each position of the values, padding included: there the coordinate may lie
    outside its dimension."""
    return _unfold(tensor)[0]


def coordinates_by_level(tensor: StoredTensor) -> list[Array]:
    """By level, the coordinate of each position of the values, padding included."""
    return _by_level(tensor)[0]


def behind_part(tensor: StoredTensor) -> tuple[int, int, int] | None:
    """A position whose coordinate inside a part lies behind the end of this part, the dimension and the coordinate: of
    parts with different lengths, which no level knows alone."""
    if not any(cut.even for cut in tensor.format.cuts.values()):
        return None
    columns, held = _by_level(tensor)
    for dimension, cut in tensor.format.cuts.items():
        if not cut.even:
            continue
        starts = tensor.levels[cut.number].extra["starts"].astype(np.int64)
        inside = tensor.format.order.index(dimension, cut.number + 1)
        wrong = columns[inside] >= np.diff(starts)[columns[cut.number]]
        if held is not None:
            wrong &= held
        if wrong.any():
            position = int(np.flatnonzero(wrong)[0])
            return position, dimension, int(columns[inside][position])
    return None


def _unfold(tensor: StoredTensor) -> tuple[tuple[Array, ...], Mask | None]:
    """The coordinates of all positions, and which of them hold an entry (None: all)."""
    columns, held = _by_level(tensor)
    format, sizes = tensor.format, tensor.format.level_sizes(tensor.shape)
    by_dimension: dict[int, Array] = {}
    cuts, starts = format.cuts, dict[int, Array]()
    for number, (dimension, column) in enumerate(zip(format.order, columns, strict=True)):
        by_dimension[dimension] = column if not format.inside(number) else starts[dimension] + column
        if not format.inside(number) and dimension in cuts:
            starts[dimension] = _starts(tensor, dimension, cuts[dimension], column)
    for dimension in cuts:  # the last block or part may be cut
        inside = by_dimension[dimension] < tensor.shape[dimension]
        held = inside if held is None else held & inside
    for level, arrays, dimension, size in zip(format.levels, tensor.levels, format.order, sizes, strict=True):
        kind = LEVEL_KINDS[level.kind]
        if kind.permutes:
            count = size * (cuts[dimension].size or 1 if dimension in cuts else 1)
            by_dimension[dimension] = kind.original(by_dimension[dimension], arrays, count)
    return tuple(by_dimension[dimension] for dimension in range(tensor.order)), held


def _by_level(tensor: StoredTensor) -> tuple[list[Array], Mask | None]:
    """By level, the coordinates of all positions of the last one, and which of them hold an entry (None: all)."""
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
    return columns, held


def positions_by_level(tensor: StoredTensor) -> list[int]:
    """How many positions each level has, from the outermost: the nodes of the coordinate tree."""
    format, counts, columns = tensor.format, list[int](), list[Array]()
    parents, sizes, held = 1, format.level_sizes(tensor.shape), None
    for number, (level, arrays) in enumerate(zip(format.levels, tensor.levels, strict=True)):
        block = sizes[number - 1] if number else 1
        stored = StoredLevel(arrays, sizes[number], parents, tuple(columns), block)
        columns, held = _with_level(LEVEL_KINDS[level.kind].expand(stored), columns, held)
        parents = int(columns[-1].size)
        counts.append(parents)
    return counts


def _starts(tensor: StoredTensor, dimension: int, cut: Cut, outer: Array) -> Array:
    """The first coordinate of each block or part ``outer``."""
    if cut.even:
        starts: Array = tensor.levels[cut.number].extra["starts"].astype(np.int64)[outer]
        return starts
    return outer * cut.sizes(tensor.shape[dimension])[1]


def _with_level(level: Expanded, columns: list[Array], held: Mask | None) -> tuple[list[Array], Mask | None]:
    """The coordinates of the levels down to ``level`` at its positions, and which of these hold an entry."""
    if level.parent is not None:
        columns = [column[level.parent] for column in columns]
        held = None if held is None else held[level.parent]
    if level.held is not None:
        held = level.held if held is None else held & level.held
    return [*columns, level.coordinates], held
