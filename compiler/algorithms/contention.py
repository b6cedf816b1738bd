"""How many atomic updates a method makes in one MTTKRP: what threads may wait for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.algorithms.methods import CHUNK, Method
from compiler.runtime.tensors.coordinates import Entries

Array = NDArray[Any]


def atomic_updates(method: Method, entries: Entries, mode: int, rank: int) -> int:
    """Of single values, for ``entries`` that are sorted by all dimensions."""
    row, count = entries.columns[mode], int(entries.values.size)
    match method.name:
        case "atomic":
            return count * rank
        case "tiled" if mode == 0:
            return _ends(row) * rank
        case "tiled" if mode < len(entries.shape) - 1:
            return int(_begins(row).sum()) * rank
        case "tiled":
            return count * rank
        case "permuted":
            return _ends(row[np.argsort(row, kind="stable")]) * rank
        case _:
            return 0


def _begins(row: Array) -> NDArray[np.bool_]:
    """Which entries are the first of a row in their chunk."""
    begins = np.ones(row.size, dtype=bool)
    begins[1:] = row[1:] != row[:-1]
    begins[::CHUNK] = True
    return begins


def _ends(row: Array) -> int:
    """The first and the last row of each chunk: other threads may have a part of these alone."""
    runs = np.add.reduceat(_begins(row).astype(np.int64), np.arange(0, row.size, CHUNK)) if row.size else row
    return int(np.minimum(runs, 2).sum())
