"""Indices of rows, of which few come up often (Zipf's law), as words do (Vasilache et al. 2018 look them up)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np

from heddle.measuring.inputs.synthetic.generator import SEED, Array, Generator, Parameter, Shape

MOST_ROWS = 10_000_000


def zipf(rng: np.random.Generator, shape: Shape, parameters: Mapping[str, float]) -> Array:
    """Row numbers below ``rows``: that of rank k with a probability like k to the power of minus ``exponent``, 0 for
    all alike. Which row has which rank is drawn, so that those that come up often do not lie side by side."""
    rows = int(parameters["rows"])
    shares = np.cumsum(np.arange(1, rows + 1, dtype=np.float64) ** -parameters["exponent"])
    ranks = np.searchsorted(shares, rng.random(prod(shape)) * shares[-1], side="right")
    return np.asarray(rng.permutation(rows)[np.minimum(ranks, rows - 1)])


ROW_INDICES = (
    Generator(
        "indices",
        "Row numbers (Zipf)",
        "Indices of rows, whole numbers from 0 on, of which few come up often: for tensors that are read as indices.",
        None,
        (
            Parameter("rows", "Rows to choose from", "integer", 1000, 1, MOST_ROWS),
            Parameter("exponent", "Exponent, 0 for all alike", "number", 1.1, 0, 4),
            SEED,
        ),
        lambda rng, shape, parameters: None,
        filled=zipf,
    ),
)
