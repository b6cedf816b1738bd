"""What a generator of tensors is: its parameters, and the functions that make coordinates and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part

Array = NDArray[Any]
Shape = tuple[int, ...]
Columns = tuple[Array, ...]

# Entries that a generator makes at most: some 1.5 GiB while it works.
LARGEST_NNZ = 30_000_000
PERMUTED_SHARE = 0.4
"""Above this share of all cells, cells are drawn from a permutation of them; below, by rejection of duplicates."""

LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """A ``boolean`` one is 1 for true and 0 for false."""

    name: str
    title: str
    kind: Literal["integer", "number", "boolean"]
    default: float
    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Generator:
    """``make(rng, shape, parameters)`` gives the coordinates of the entries; None means that every cell has one.

    ``values(rng, shape, parameters, columns)`` gives their values; random ones where it is None, or gives None.
    ``filled(rng, shape, parameters)`` gives the values of all cells in order, where every cell has one.
    """

    name: str
    title: str
    summary: str
    order: int | None
    parameters: tuple[Parameter, ...]
    make: Callable[[np.random.Generator, Shape, Mapping[str, float]], Columns | None]
    values: Callable[[np.random.Generator, Shape, Mapping[str, float], Columns], Array | None] | None = None
    filled: Callable[[np.random.Generator, Shape, Mapping[str, float]], Array] | None = None


SEED = Parameter("seed", "Seed", "integer", 1, 0, LARGEST_SEED)
NNZ = Parameter("nnz", "Nonzeros", "integer", 65536, 0, LARGEST_NNZ)


def bad_parameter(message: str, expected: str, actual: str, tensor: str | None = None) -> CompileError:
    location = Location(Part.INPUT, tensor=tensor)
    return CompileError(Diagnostic("input/bad-parameter", f"{message}.", location, expected=expected, actual=actual))


def distinct(rng: np.random.Generator, draw: Callable[[int], Array], wanted: int) -> Array:
    """``wanted`` different cells, sorted. Skewed draws repeat themselves: after 32 rounds what is there must do."""
    cells = np.empty(0, dtype=np.int64)
    for _ in range(32):
        if cells.size >= wanted:
            break
        cells = sorted_unique(np.concatenate([cells, draw(wanted - cells.size + max(16, wanted // 16))]))
    if cells.size > wanted:
        cells = np.delete(cells, rng.choice(cells.size, cells.size - wanted, replace=False))
    return cells


def chosen_cells(rng: np.random.Generator, cells: int, wanted: int) -> Array:
    """So many different ones of as many ``cells``, sorted."""
    if wanted > PERMUTED_SHARE * cells:
        return np.sort(rng.permutation(cells)[:wanted])
    return distinct(rng, lambda count: rng.integers(0, cells, count), wanted)


def sorted_unique(cells: Array) -> Array:
    """As ``np.unique``, whose hash table takes seconds for a million cells where a sort takes a tenth of one."""
    cells = np.sort(cells)
    return cells[np.diff(cells, prepend=-1) > 0]
