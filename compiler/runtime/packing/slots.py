"""Slots for levels that give every parent equally many: padded rows, hash tables, diagonals. All are vectorised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.memory.allocation_limit import memory_limit, too_large

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """``crd`` has ``width[0]`` slots for every parent; ``positions`` is the slot of each coordinate that was given."""

    width: Array
    crd: Array
    positions: Array


def padded_slots(parent: Array, column: Array, parents: int, size: int, name: str, index: str) -> Slots:
    """The coordinates of each parent from its first slot on, then the ``size`` of the dimension.

    ``parent`` and ``column`` are sorted, and no pair of them repeats. ``index`` is the dtype of the coordinates.
    """
    counts = np.bincount(parent, minlength=parents)
    width = int(counts.max(initial=0))
    first = np.cumsum(counts) - counts
    positions = parent * width + (np.arange(parent.size) - first[parent])
    crd = np.full(_affordable(parents * width, name), size, dtype=index)
    crd[positions] = column
    return Slots(np.array([width], dtype=index), crd, positions)


def hashed_slots(parent: Array, column: Array, parents: int, size: int, name: str, index: str) -> Slots:
    """Tables with open addressing, at most half full; a free slot holds -1.

    All coordinates probe together: in each round the first that reaches a free slot takes it.
    """
    counts = np.bincount(parent, minlength=parents)
    width = 1 << (2 * int(counts.max(initial=0)) - 1).bit_length() if counts.any() else 1
    crd = np.full(_affordable(parents * width, name), -1, dtype=index)
    positions = np.zeros(parent.size, dtype=np.int64)
    base, start = parent * width, column.astype(np.int64) % width
    pending = np.arange(parent.size)
    step = 0
    while pending.size:
        target = base[pending] + (start[pending] + step) % width
        free = np.flatnonzero(crd[target] < 0)
        taken, first = np.unique(target[free], return_index=True)
        winners = free[first]
        crd[taken] = column[pending[winners]]
        positions[pending[winners]] = taken
        pending = np.delete(pending, winners)
        step += 1
    return Slots(np.array([width], dtype=index), crd, positions)


SLOTS: dict[str, Callable[[Array, Array, int, int, str, str], Slots]] = {"padded": padded_slots, "hashed": hashed_slots}


def diagonals(distance: Array, rows: int, columns: int, index: str) -> tuple[Array, Array]:
    """The offsets that occur in ``distance`` (column minus row), ascending, and the slot of each entry."""
    held = np.zeros(rows + columns + 1, dtype=bool)
    place = distance + rows
    held[place] = True
    numbers = np.cumsum(held) - 1
    return (np.flatnonzero(held) - rows).astype(index), numbers[place]


def _affordable(count: int, name: str) -> int:
    if 4 * count > memory_limit():
        raise too_large(4 * count, memory_limit(), f"{count:,} slots of {name} in this format")
    return count
