"""From level arrays back to coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import InternalError
from compiler.runtime.storage.stored_tensor import StoredTensor

Array = NDArray[Any]


def to_coordinates(tensor: StoredTensor) -> tuple[tuple[Array, ...], Array]:
    """Coordinates by dimension and values, in storage order.

    Padding is left out, and so are the zeros of innermost levels that store whole dimensions, diagonals or runs, which
    cannot be told from it. Explicit zeros of the other kinds are kept.
    """
    (columns, held), values = _unfolded(tensor), tensor.vals
    kept: Array | None = None if held is None else np.flatnonzero(held)
    if tensor.format.levels and tensor.format.levels[-1].kind in ("dense", "offset", "shifted", "runs"):
        differing = values if tensor.fill == 0 else values != tensor.fill
        kept = np.flatnonzero(differing if held is None else (differing != 0) & held)
    if kept is not None:
        columns, values = tuple(column[kept] for column in columns), values[kept]
    return columns, values


def position_coordinates(tensor: StoredTensor) -> tuple[Array, ...]:
    """By dimension, the coordinate of each position of the values, padding included: there the coordinate may lie
    outside its dimension."""
    return _unfolded(tensor)[0]


def _unfolded(tensor: StoredTensor) -> tuple[tuple[Array, ...], NDArray[np.bool_] | None]:
    """The coordinates of all positions, and which of them hold an entry (None: all)."""
    columns: list[Array] = []
    held: NDArray[np.bool_] | None = None
    parents, sizes = 1, tensor.format.level_sizes(tensor.shape)
    for number, (level, arrays) in enumerate(zip(tensor.format.levels, tensor.levels, strict=True)):
        size = sizes[number]
        parent: Array | None = None
        here: NDArray[np.bool_] | None = None
        match level.kind:
            case "dense" | "bitmap" | "sorted":
                parent, own = np.repeat(np.arange(parents), size), np.tile(np.arange(size, dtype=np.int64), parents)
                here = arrays.extra["mask"] != 0 if level.kind == "bitmap" else None
            case "compressed":
                assert arrays.pos is not None
                assert arrays.crd is not None
                parent, own = np.repeat(np.arange(parents), np.diff(arrays.pos)), arrays.crd.astype(np.int64)
            case "singleton":
                assert arrays.crd is not None
                own = arrays.crd.astype(np.int64)
            case "padded" | "hashed":
                assert arrays.crd is not None
                parent = np.repeat(np.arange(parents), int(arrays.extra["width"][0]))
                own = arrays.crd.astype(np.int64)
                here = (own >= 0) & (own < size)
            case "slots":
                assert arrays.pos is not None
                counts = np.diff(arrays.pos)
                parent = np.repeat(np.arange(parents), counts)
                own = np.arange(parent.size) - np.repeat(arrays.pos[:-1].astype(np.int64), counts)
            case "diagonals":
                width = int(arrays.extra["width"][0])
                parent, own = np.repeat(np.arange(parents), width), np.tile(np.arange(width), parents)
            case "optional" | "runs":
                assert arrays.crd is not None
                own = arrays.crd.astype(np.int64)
                here = own < size
            case "shifted":
                block, slot, inside = columns[-3:]
                own = block * sizes[number - 1] + inside + arrays.extra["offsets"].astype(np.int64)[slot]
                here = (own >= 0) & (own < size)
            case "offset":
                offsets = arrays.extra["offsets"].astype(np.int64)
                parent = np.repeat(np.arange(parents), offsets.size)
                own = np.tile(offsets, parents) + columns[-1][parent]
                here = (own >= 0) & (own < size)
            case _:
                raise InternalError(f"Unpacking does not know the level kind {level.kind}")
        if parent is not None:
            columns, held = [column[parent] for column in columns], None if held is None else held[parent]
        columns.append(own)
        held = here if held is None else held if here is None else held & here
        parents = int(own.size)
    by_dimension: dict[int, Array] = {}
    blocks = tensor.format.blocks
    for level, dimension, column in zip(tensor.format.levels, tensor.format.order, columns, strict=True):
        by_dimension[dimension] = column if level.size is None else by_dimension[dimension] * level.size + column
    for dimension in blocks:  # the last block may be cut
        inside = by_dimension[dimension] < tensor.shape[dimension]
        held = inside if held is None else held & inside
    if tensor.format.sorts is not None:  # no row stands at the places behind the last one
        rows = tensor.levels[0].extra["rows"].astype(np.int64)
        behind = np.arange(rows.size, sizes[0] * sizes[2])
        by_dimension[tensor.format.sorts] = np.concatenate((rows, behind))[by_dimension[tensor.format.sorts]]
    return tuple(by_dimension[dimension] for dimension in range(tensor.order)), held
