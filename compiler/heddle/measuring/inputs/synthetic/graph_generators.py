"""Graphs by how many neighbours their vertices have: power laws and lognormal degrees, with communities, and relations
(docs/sources.toml X30, X35)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from heddle.counts import repeat
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
    chosen_cells,
)
from heddle.measuring.inputs.synthetic.structured_generators import DENSE_SHARE, complete, rows_of

Parameters = Mapping[str, float]
NOTHING = np.empty(0, dtype=np.int64)
_HALVINGS = 60


def degrees_power(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Row lengths whose density falls as length^-α between ``least`` and ``most``, scaled to their mean."""
    alpha, least, most = (parameters[name] for name in ("alpha", "least", "most"))
    if least > most:
        raise bad_parameter(
            f"degrees-power needs least ≤ most, found {least:g} and {most:g}",
            f"least of at most {most:g}",
            f"{least:g}",
        )
    # The inverse of the distribution function of a power law that is cut at both ends.
    low, high = least ** (1 - alpha), most ** (1 - alpha)
    drawn = (low + rng.random(shape[0]) * (high - low)) ** (1 / (1 - alpha))
    return _with_degrees(rng, drawn, shape, parameters)


def degrees_lognormal(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Row lengths whose logarithm is normal with deviation σ, none above ``most``, scaled to their mean."""
    return _with_degrees(rng, rng.lognormal(0.0, parameters["sigma"], shape[0]), shape, parameters)


def _with_degrees(rng: np.random.Generator, drawn: Array, shape: Shape, parameters: Parameters) -> Columns:
    rows, columns = shape
    mean, most = parameters["mean"], min(int(parameters["most"]), columns)
    if mean * rows > LARGEST_NNZ:
        actual = f"{rows:,} rows of {mean:g} entries"
        raise bad_parameter(f"This graph has {actual}, more than {LARGEST_NNZ:,}", "fewer rows", actual)
    if rows == 0 or columns == 0:
        return NOTHING, NOTHING
    lengths = _scale(drawn, mean, most)
    return in_communities(rng, lengths, columns, int(parameters["communities"]), parameters["mixing"])


def _scale(drawn: Array, mean: float, most: int) -> Array:
    """Whole lengths in proportion to ``drawn``, none above ``most``, with this mean where ``most`` allows it."""
    low, high = 0.0, most / float(drawn.min())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(middle * drawn, most).mean() < mean else (low, middle)
    exact = np.minimum(high * drawn, most)
    # Rounded so that the sum is kept: a row gets what the running sum has grown by.
    lengths: Array = np.diff(np.floor(np.cumsum(exact) + 0.5), prepend=0).astype(np.int64)
    return np.minimum(lengths, most)


def in_communities(rng: np.random.Generator, lengths: Array, columns: int, communities: int, mixing: float) -> Columns:
    """Rows with so many entries each. Rows and columns lie in as many ranges as there are communities; of a row's
    entries the share 1 − ``mixing`` lies in the range of its own community, as far as there is room, and the others
    anywhere. Without mixing a row has no more entries than its community has columns."""
    rows = lengths.size
    count = max(1, min(communities, rows, columns))
    row_ends, column_ends = (np.arange(count + 1) * size // count for size in (rows, columns))
    # Rows that fill so much of the matrix have no community to speak of.
    wide = lengths > DENSE_SHARE * columns if mixing else np.zeros(rows, dtype=bool)
    inside = rng.binomial(lengths, 1.0 - mixing)
    inside[wide] = 0
    cells = [NOTHING]
    for place in range(count):
        first, width = int(column_ends[place]), int(column_ends[place + 1] - column_ends[place])
        minimum = np.minimum(inside[row_ends[place] : row_ends[place + 1]], width)
        row, column = rows_of(rng, minimum, width)
        cells.append((row + row_ends[place]) * columns + column + first)
    if mixing:
        row, column = rows_of(rng, np.where(wide, lengths, 0), columns)
        cells = [complete(rng, np.concatenate([*cells, row * columns + column]), lengths, columns)]
    cell_numbers = np.concatenate(cells)
    cell_numbers.sort()
    return cell_numbers // columns, cell_numbers % columns


def relations(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Edges (relation, from, to): relation r has a share of (r + 1)^-zipf of them, at uniform places."""
    count, cells = shape[0], shape[1] * shape[2]
    if count == 0 or cells == 0:
        return NOTHING, NOTHING, NOTHING
    share = np.arange(1, count + 1, dtype=float) ** -parameters["zipf"]
    ends = np.floor(np.cumsum(parameters["nnz"] * share / share.sum()) + 0.5)
    edges = np.minimum(np.diff(ends, prepend=0).astype(np.int64), cells)
    cells_by_relation = [chosen_cells(rng, cells, int(some)) for some in edges]
    within = np.concatenate(cells_by_relation)
    return repeat(np.arange(count), [group.size for group in cells_by_relation]), within // shape[2], within % shape[2]


def _of_edges(rng: np.random.Generator, shape: Shape, parameters: Parameters, columns: Columns) -> Array | None:
    """1 for every edge, where they have no weights."""
    assert columns is not None
    return None if parameters["weighted"] else np.ones(columns[0].size)


MEAN = Parameter("mean", "Entries of a row, on average", "number", 8, 0, 100_000)
MOST = Parameter("most", "Entries of the longest row", "integer", 1024, 1, LARGEST_NNZ)
COMMUNITIES = (
    Parameter("communities", "Communities", "integer", 1, 1, 4096),
    Parameter("mixing", "Share outside its community", "number", 0.3, 0, 1),
)
GRAPHS = (
    Generator(
        "degrees-power",
        "Power-law degrees",
        "A graph whose row lengths follow a power law: many short rows, few very long ones. In communities, if asked.",
        2,
        (
            Parameter("alpha", "Exponent α", "number", 2.4, 1.01, 10),
            Parameter("least", "Shortest row before scaling", "number", 1, 0.01, 100_000),
            MOST,
            MEAN,
            *COMMUNITIES,
            SEED,
        ),
        degrees_power,
    ),
    Generator(
        "degrees-lognormal",
        "Lognormal degrees",
        "A graph whose row lengths are lognormal: most rows of middle length, some ten times as long. In communities, "
        "if asked.",
        2,
        (
            Parameter("sigma", "Deviation σ", "number", 1.0, 0, 5),
            MOST,
            Parameter("mean", "Entries of a row, on average", "number", 28, 0, 100_000),
            *COMMUNITIES,
            SEED,
        ),
        degrees_lognormal,
    ),
    Generator(
        "relations",
        "Relations",
        "Edges of several kinds between the same vertices, (relation, from, to); few relations have most of the edges.",
        3,
        (
            NNZ,
            Parameter("zipf", "Zipf's exponent over relations", "number", 1.2, 0, 10),
            Parameter("weighted", "Random weights of edges, else 1", "boolean", 1, 0, 1),
            SEED,
        ),
        relations,
        _of_edges,
    ),
)
