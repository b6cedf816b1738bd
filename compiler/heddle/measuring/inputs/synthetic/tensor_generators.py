"""Generators of tensors for decompositions: of exactly low rank, and with few busy and many quiet slices."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

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
LARGEST_CELLS = 2**62
"""Cells that one number can count."""


def _cells(shape: Shape) -> int:
    cells = prod(shape)
    if cells >= LARGEST_CELLS:
        raise bad_parameter("The tensor has more than 2^62 cells", "a smaller shape", f"{cells:,} cells")
    return cells


def _components(shape: Shape, parameters: Parameters) -> list[list[tuple[Array, Array]]]:
    """Of each component and mode the indices that it has, sorted, and its values there; from the seed alone, because
    places and values are asked for one after the other."""
    rng = np.random.default_rng([int(parameters["seed"]), 0x6B72])
    support = int(parameters["support"])
    return [
        [
            (np.sort(rng.choice(size, min(support, size), replace=False)), rng.standard_normal(min(support, size)))
            for size in shape
        ]
        for _ in range(int(parameters["rank"]))
    ]


def kruskal(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Where any component has a value: outside of it the model is zero, so that the whole tensor is of low rank."""
    rank, support = int(parameters["rank"]), int(parameters["support"])
    most = rank * prod(min(support, size) for size in shape)
    if most > LARGEST_NNZ:
        actual = f"{rank} components of {support} indices in each of {len(shape)} modes"
        message = f"{actual} have up to {most:,} entries, more than {LARGEST_NNZ:,}"
        raise bad_parameter(message, "fewer components or indices", actual)
    if _cells(shape) == 0:
        return tuple(np.empty(0, int) for _ in shape)
    blocks = [
        np.ravel_multi_index(np.ix_(*(places for places, _ in component)), shape).ravel()
        for component in _components(shape, parameters)
    ]
    return np.unravel_index(sorted_unique(np.concatenate(blocks)), shape)


def kruskal_values(rng: np.random.Generator, shape: Shape, parameters: Parameters, columns: Columns) -> Array:
    """Σᵣ Πₙ uₙᵣ(iₙ), plus normal noise on the stored entries whose norm is ``noise`` times theirs."""
    values = np.zeros(columns[0].size)
    if not values.size:
        return values
    for component in _components(shape, parameters):
        product = np.ones(values.size)
        for size, column, (places, weights) in zip(shape, columns, component, strict=True):
            factor = np.zeros(size)
            factor[places] = weights
            product *= factor[column]
        values += product
    noise = rng.standard_normal(values.size)
    scale = parameters["noise"] * _norm(values) / max(_norm(noise), 1e-300)
    return values + scale * noise


def _norm(values: Array) -> float:
    """Not by a library of linear algebra, whose sum has other bits with another number of threads: the same seed gives
    the same tensor everywhere."""
    return float(np.sqrt(np.sum(values * values)))


def zipf(rng: np.random.Generator, shape: Shape, parameters: Parameters) -> Columns:
    """Each index is drawn with a probability that falls as its rank to the power of ``exponent``; which index has which
    rank is drawn as well. Cells that repeat are drawn again, for a while."""
    cells = _cells(shape)
    if cells == 0:
        return tuple(np.empty(0, int) for _ in shape)
    ranks = [np.arange(1, size + 1, dtype=float) ** -parameters["exponent"] for size in shape]
    totals = [np.cumsum(share) for share in ranks]
    names = [rng.permutation(size) for size in shape]

    def draw(count: int) -> Array:
        drawn = [
            name[np.minimum(np.searchsorted(total, rng.random(count) * total[-1], side="right"), name.size - 1)]
            for name, total in zip(names, totals, strict=True)
        ]
        return np.asarray(np.ravel_multi_index(tuple(drawn), shape))

    return np.unravel_index(distinct(rng, draw, min(int(parameters["nnz"]), cells)), shape)


TENSORS = (
    Generator(
        "kruskal",
        "Exactly low rank",
        "A sum of few components, each on a block of a few indices: sparse, and of low rank as a whole but for its "
        "noise.",
        None,
        (
            Parameter("rank", "Rank", "integer", 4, 1, 256),
            Parameter("support", "Indices of a component in each mode", "integer", 12, 1, 10_000),
            Parameter("noise", "Noise, relative", "number", 0, 0, 10),
            SEED,
        ),
        kruskal,
        kruskal_values,
    ),
    Generator(
        "zipf",
        "Few busy slices",
        "Indices by Zipf's law in every mode: few slices have many entries, most have few.",
        None,
        (NNZ, Parameter("exponent", "Exponent", "number", 1, 0, 3), SEED),
        zipf,
    ),
)
