"""Generators of matrices and tensors with the structures that sparse kernels meet (docs/sources.toml X3, X6)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from heddle.counts import bincount, repeat
from heddle.measuring.inputs.synthetic.generator import (
    LARGEST_NNZ,
    NNZ,
    SEED,
    Array,
    Columns,
    Generator,
    Parameter,
    Shape,
    bad_parameter,
    distinct,
    sorted_unique,
)

Parameters = Mapping[str, float]
# Above this share of a row, its columns are drawn from a permutation of all.
DENSE_SHARE = 0.4


def stencil(shape: Shape, strides: tuple[int, ...]) -> Columns:
    """Each row's own column and its neighbours on a grid whose lines, planes, … are ``strides`` rows apart.

    ``strides`` begins with 1, and each divides the next. A neighbour beyond the edge of the grid is left out.
    """
    rows, columns = shape
    if rows * (2 * len(strides) + 1) > LARGEST_NNZ:
        actual = f"{rows:,} rows of {2 * len(strides) + 1} entries"
        raise bad_parameter(f"This stencil has {actual}, more than {LARGEST_NNZ:,}", "fewer rows", actual)
    row = np.arange(rows)
    row_parts, column_parts = [row], [row]
    for stride, extent in zip(strides, (*strides[1:], None), strict=True):
        for step in (-stride, stride):
            other = row + step
            # On the same line of the grid, or of the same plane, as far as the next dimension goes.
            inside = (other >= 0) & (other < rows) & (True if extent is None else other // extent == row // extent)
            row_parts.append(row[inside])
            column_parts.append(other[inside])
    row, column = np.concatenate(row_parts), np.concatenate(column_parts)
    mask = column < columns
    return row[mask], column[mask]


def stencil_2d(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    return stencil(shape, (1, int(parameters["width"])))


def stencil_3d(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    width = int(parameters["width"])
    return stencil(shape, (1, width, width * int(parameters["depth"])))


def block(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Full square blocks at random cells of a grid of blocks; those at the edge are cut."""
    size, wanted = int(parameters["size"]), int(parameters["blocks"])
    if wanted * size * size > LARGEST_NNZ:
        actual = f"{wanted:,} blocks of {size} × {size}"
        raise bad_parameter(f"{actual} are more than {LARGEST_NNZ:,} entries", "fewer or smaller blocks", actual)
    down, across = -(-shape[0] // size), -(-shape[1] // size)
    cells = down * across
    chosen = (
        distinct(rng, lambda count: rng.integers(0, cells, count), min(wanted, cells)) if cells else np.empty(0, int)
    )
    return filled_blocks(shape, size, chosen // max(across, 1), chosen % max(across, 1))


def block_diagonal(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    size = int(parameters["size"])
    if max(shape) * size > LARGEST_NNZ:
        actual = f"blocks of {size} × {size}"
        raise bad_parameter(
            f"{actual} along this diagonal are more than {LARGEST_NNZ:,} entries", "smaller blocks", actual
        )
    place = np.arange(-(-min(shape) // size))
    return filled_blocks(shape, size, place, place)


def filled_blocks(shape: Shape, size: int, down: Array, across: Array) -> Columns:
    inner = np.arange(size * size)
    row = (down[:, None] * size + inner // size).ravel()
    column = (across[:, None] * size + inner % size).ravel()
    mask = (row < shape[0]) & (column < shape[1])
    return row[mask], column[mask]


def skew(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """X3: row i of the sorted rows has about k cⁱ nonzeros, columns without repetition, rows shuffled
    unless ``shuffle`` is 0.

    The series is built from its top, so that few rows need no more room than many: the longest row has
    nnz (c − 1) / c / (1 − c⁻ⁿ) entries, and no row more than there are columns.
    """
    rows, columns = shape
    c, wanted = parameters["c"], int(parameters["nnz"])
    if rows == 0 or columns == 0:
        return np.empty(0, int), np.empty(0, int)
    share = c ** -np.arange(rows, dtype=float)
    exact = wanted * share / share.sum()
    # Rounded so that the sum is kept: a row gets what the running sum has grown by.
    lengths = np.diff(np.floor(np.cumsum(exact) + 0.5), prepend=0).astype(np.int64)
    lengths = np.minimum(lengths, columns)
    return rows_of(rng, rng.permutation(lengths) if parameters["shuffle"] else lengths, columns)


def hypersparse(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """All entries in few rows; the others are empty."""
    rows, columns = shape
    used = min(int(parameters["rows"]), rows)
    if used == 0 or columns == 0:
        return np.empty(0, int), np.empty(0, int)
    chosen = np.sort(rng.choice(rows, used, replace=False))
    wanted = min(int(parameters["nnz"]), used * columns)
    cells = distinct(rng, lambda count: rng.integers(0, used * columns, count), wanted)
    return chosen[cells // columns], cells % columns


def dense_row(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Uniform, and the middle row is full."""
    row, column = shape[0] // 2, np.arange(shape[1])
    return with_full_line(rng, shape, int(parameters["nnz"]), row * shape[1] + column)


def dense_column(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Uniform, and the middle column is full."""
    return with_full_line(rng, shape, int(parameters["nnz"]), np.arange(shape[0]) * shape[1] + shape[1] // 2)


def with_full_line(rng: np.random.Generator, shape: Shape, wanted: int, line: Array) -> Columns:
    cells = shape[0] * shape[1]
    if cells == 0:
        return np.empty(0, int), np.empty(0, int)
    more = distinct(rng, lambda count: rng.integers(0, cells, count), min(wanted, cells))
    return np.unravel_index(np.union1d(line, more), shape)


def low_rank(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Where the entries of the low-rank tensor are stored: anywhere."""
    cells = prod(shape)
    if cells >= 2**62:
        raise bad_parameter("The tensor has more than 2^62 cells", "a smaller shape", f"{cells:,} cells")
    if cells == 0:
        return tuple(np.empty(0, int) for _ in shape)
    return np.unravel_index(
        distinct(rng, lambda count: rng.integers(0, cells, count), min(int(parameters["nnz"]), cells)), shape
    )


def low_rank_values(rng: np.random.Generator, shape: Shape, parameters: Parameters, columns: Columns) -> Array:
    """Σᵣ Πₙ uₙᵣ(iₙ) with uniform factors, plus noise that is normal and ``noise`` times as large as the values."""
    rank = int(parameters["rank"])
    product = np.ones((columns[0].size, rank))
    for size, column in zip(shape, columns, strict=True):
        product *= rng.random((size, rank))[column]
    values: Array = product.sum(axis=1)
    scale = parameters["noise"] * (float(np.sqrt(np.mean(values**2))) if values.size else 0.0)
    return values + scale * rng.standard_normal(values.size)


def rows_of(rng: np.random.Generator, lengths: Array, columns: int) -> Columns:
    """Rows with so many entries each, their columns drawn uniformly without repetition, in the order of the rows."""
    dense = np.flatnonzero(lengths > DENSE_SHARE * columns)
    others = lengths.copy()
    others[dense] = 0
    full = [row * columns + rng.permutation(columns)[: lengths[row]] for row in dense]
    cells = np.concatenate([complete(rng, np.empty(0, dtype=np.int64), others, columns), *full])
    cells.sort()
    return cells // columns, cells % columns


def complete(rng: np.random.Generator, cells: Array, lengths: Array, columns: int) -> Array:
    """``cells``, and as many more at uniform columns as the rows lack of their ``lengths``. Only the rows that still
    lack some are looked at again."""
    wanted, finished = lengths.copy(), []
    while True:
        rows = cells // columns
        missing = wanted - bincount(rows, minlength=wanted.size)
        lacking = missing > 0
        finished.append(cells[~lacking[rows]])
        if not lacking.any():
            return np.concatenate(finished)
        cells, wanted[~lacking] = cells[lacking[rows]], 0
        row = repeat(np.flatnonzero(lacking), missing[lacking])
        cells = sorted_unique(np.concatenate([cells, row * columns + rng.integers(0, columns, row.size)]))


WIDTH = Parameter("width", "Rows per line of the grid", "integer", 64, 1, 1_000_000)
SHUFFLE = Parameter("shuffle", "Shuffle the rows", "boolean", 1, 0, 1)
SIZE = Parameter("size", "Rows and columns of a block", "integer", 4, 1, 1_000)
STRUCTURED = (
    Generator(
        "stencil2d", "2-D stencil", "Five points: a grid point and its neighbours.", 2, (WIDTH, SEED), stencil_2d
    ),
    Generator(
        "stencil3d",
        "3-D stencil",
        "Seven points: a grid point and its neighbours in three directions.",
        2,
        (WIDTH, Parameter("depth", "Lines per plane of the grid", "integer", 64, 1, 1_000_000), SEED),
        stencil_3d,
    ),
    Generator(
        "block",
        "Blocks",
        "Small full blocks at random places, as from finite elements with several unknowns.",
        2,
        (SIZE, Parameter("blocks", "Blocks", "integer", 1024, 0, LARGEST_NNZ), SEED),
        block,
    ),
    Generator("block-diagonal", "Block diagonal", "Full blocks along the diagonal.", 2, (SIZE, SEED), block_diagonal),
    Generator(
        "skew",
        "Skewed rows",
        "Row lengths shrink by the factor c from row to row, then rows are shuffled: the larger c, the less balanced.",
        2,
        (NNZ, Parameter("c", "Skew c", "number", 1.0025, 1, 2), SHUFFLE, SEED),
        skew,
    ),
    Generator("dense-row", "One dense row", "Uniform, and one row is full.", 2, (NNZ, SEED), dense_row),
    Generator("dense-column", "One dense column", "Uniform, and one column is full.", 2, (NNZ, SEED), dense_column),
    Generator(
        "hypersparse",
        "Hypersparse",
        "Far more rows than nonzeros: only a few rows have any.",
        2,
        (
            Parameter("nnz", "Nonzeros", "integer", 256, 0, LARGEST_NNZ),
            Parameter("rows", "Nonempty rows", "integer", 64, 1, LARGEST_NNZ),
            SEED,
        ),
        hypersparse,
    ),
    Generator(
        "low-rank",
        "Low rank and noise",
        "Values of a tensor of low rank plus noise, stored at random places: a decomposition should recover it.",
        None,
        (
            NNZ,
            Parameter("rank", "Rank", "integer", 4, 1, 256),
            Parameter("noise", "Noise, relative", "number", 0.01, 0, 10),
            SEED,
        ),
        low_rank,
        low_rank_values,
    ),
)
