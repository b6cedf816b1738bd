"""Small tensors to show a format with: the running example of the course, and its kin of other orders."""

from __future__ import annotations

import numpy as np

from heddle.explorer.views.trace.trace_operands import EXAMPLE
from heddle.runtime.tensors.coordinates import Entries

VECTOR = (0, 6, 0, 9, 0, 0, 5, 0)
CUBE = 8
CUBE_ENTRIES = 40
SIDE = 3
SIDE_ENTRIES = 20
SEED = 8


def example_entries(order: int, dtype: str) -> Entries:
    """The matrix of 4 × 6 with 7 nonzeros; 8 × 8 × 8 with 40 nonzeros; always the same."""
    match order:
        case 0:
            return Entries((), (), np.array([6], dtype=dtype))
        case 1:
            return _of_array(np.array(VECTOR, dtype=dtype))
        case 2:
            return _of_array(np.array(EXAMPLE, dtype=dtype))
        case 3:
            return _scatter((CUBE,) * 3, CUBE_ENTRIES, dtype)
        case _:
            return _scatter((SIDE,) * order, SIDE_ENTRIES, dtype)


def example_name(order: int) -> str:
    shape = " × ".join(map(str, example_entries(order, "float64").shape))
    return f"running example, {shape}" if order else "running example"


def _of_array(array: np.ndarray) -> Entries:
    columns = np.nonzero(array)
    return Entries(array.shape, columns, array[columns])


def _scatter(shape: tuple[int, ...], count: int, dtype: str) -> Entries:
    """Whole numbers from 1 to 9. Half of the entries lie in two slices, so that fibres differ and some are empty."""
    generator = np.random.default_rng(SEED)
    cells = np.arange(np.prod(shape)).reshape(shape)
    crowded = generator.permutation(cells[1 : shape[0] : 4].reshape(-1))[: count // 2]
    others = generator.permutation(np.setdiff1d(cells, crowded))[: count - crowded.size]
    chosen = np.sort(np.concatenate([crowded, others]))
    return Entries(shape, np.unravel_index(chosen, shape), generator.integers(1, 10, chosen.size).astype(dtype))
