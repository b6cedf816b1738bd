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
    values = tensor.vals
    if _dense_tail(tensor):  # most of a block may be padding: nobody needs the coordinates of that
        nonzero = np.flatnonzero(_is_stored(tensor))
        columns, held = _unfold(tensor, nonzero)
        values = values[nonzero]
    else:
        columns, held = _unfold(tensor)
        if tensor.format.levels and LEVEL_KINDS[tensor.format.levels[-1].kind].pads_with_values:
            held = _is_stored(tensor) if held is None else _is_stored(tensor) & held
    if held is not None:
        places = np.flatnonzero(held)
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


def _is_stored(tensor: StoredTensor) -> Mask:
    """Of each value, whether it is another one than the fill."""
    return tensor.vals != 0 if tensor.fill == 0 else differing(tensor.vals, tensor.fill)


def _dense_tail(tensor: StoredTensor) -> int:
    """How many of the last levels store every coordinate below each position of the level in front of them."""
    count = 0
    for level in reversed(tensor.format.levels):
        if level.kind != "dense":
            break
        count += 1
    return count


def _unfold(tensor: StoredTensor, positions: Array | None = None) -> tuple[tuple[Array, ...], Mask | None]:
    """The coordinates of ``positions`` (None: of all), and which of them hold an entry (None: all)."""
    columns, held = _by_level(tensor) if positions is None else _at_positions(tensor, positions)
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


def _by_level(tensor: StoredTensor, count: int | None = None) -> tuple[list[Array], Mask | None]:
    """By level, the coordinates of all positions of the last of ``count`` levels (None: of all), and which of them hold
    an entry (None: all)."""
    columns: list[Array] = []
    held: Mask | None = None
    format = tensor.format
    kinds = [LEVEL_KINDS[level.kind] for level in format.levels]
    parents, sizes = 1, format.level_sizes(tensor.shape)
    for number, (kind, arrays) in list(enumerate(zip(kinds, tensor.levels, strict=True)))[:count]:
        block = sizes[number - 1] if number else 1
        stored = StoredLevel(arrays, sizes[number], parents, tuple(columns), block)
        columns, held = _with_level(kind.expand(stored), columns, held)
        parents = int(columns[-1].size)
    return columns, held


def _at_positions(tensor: StoredTensor, positions: Array) -> tuple[list[Array], Mask | None]:
    """The same at some positions of the last level, where the last levels are dense: what these are below follows from
    the numbers of the positions."""
    sizes, count = tensor.format.level_sizes(tensor.shape), _dense_tail(tensor)
    head, tail = len(sizes) - count, sizes[len(sizes) - count :]
    columns, held = _by_level(tensor, head)
    inside = positions
    below: list[Array] = []
    for size in reversed(tail):
        inside, coordinates = np.divmod(inside, max(size, 1))
        below.insert(0, coordinates)
    return [*(column[inside] for column in columns), *below], None if held is None else held[inside]


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
