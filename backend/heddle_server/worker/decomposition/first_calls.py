"""Each kernel of a decomposition is called once and compared with NumPy before it may change a factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from heddle.algorithms.decompose import AlgorithmRun
from heddle.counts import bincount, repeat
from heddle.diagnostics import InternalError

Array = NDArray[Any]
WHOLE = 1 << 24
"""Entries times components up to which every row is compared; of larger products, those of ``ROWS`` rows."""
ROWS = 256
PIECE = 1 << 18
"""Numbers at a time, but for results that have more."""


class FirstCall(TypedDict):
    """``rows`` of ``of`` rows were compared; ``max_error`` is relative to the sum of magnitudes of each value."""

    role: str
    rows: int
    of: int
    max_error: float
    tolerance: float


def check_first_calls(run: AlgorithmRun) -> list[FirstCall]:
    """Of each MTTKRP of the tensor, with the factors as they are now; none where products are of ratios instead.

    Raises
    ------
    InternalError
        a kernel's result differs: the decomposition would be wrong.
    """
    return [] if run.products.ratios else [_check(run, mode) for mode in run.modes]


def _check(run: AlgorithmRun, mode: int) -> FirstCall:
    products, entries, factors = run.products, run.input.entries, run.method.factors
    size, rank = factors[mode].shape
    rows = np.arange(size)
    if run.input.stored * rank > WHOLE and size > ROWS:
        rows = np.sort(np.random.default_rng(mode).choice(size, ROWS, replace=False))
    chosen = np.flatnonzero(np.isin(entries.columns[mode], rows))
    others = {other: factor for other, factor in enumerate(factors) if other != mode}
    expected, magnitude = _reference(entries.columns, entries.values, chosen, others, mode, (size, rank))
    for _, call in products.first[mode]:
        call.run()
    products.calls[mode].run()
    actual = products.results[mode]
    # Any order of summation is within this of the sum of magnitudes, times the number of terms.
    terms = bincount(entries.columns[mode][chosen], minlength=size)[rows]
    tolerance = 4 * float(np.finfo(np.float64).eps) * (int(terms.max(initial=0)) + len(factors))
    difference = np.abs(actual[rows] - expected[rows])
    scale = np.where(magnitude[rows] > 0, magnitude[rows], 1.0)
    error = float((difference / scale).max(initial=0.0))
    role = products.names[mode]
    if not error <= tolerance:
        raise InternalError(
            f"{role} differs from NumPy by {error:.2g} of the sum of magnitudes, allowed {tolerance:.2g}"
        )
    return FirstCall(role=role, rows=int(rows.size), of=size, max_error=error, tolerance=tolerance)


def _reference(
    columns: tuple[Array, ...],
    values: Array,
    chosen: Array,
    others: Mapping[int, Array],
    mode: int,
    shape: tuple[int, int],
) -> tuple[Array, Array]:
    """The product over the chosen entries alone, and the same of magnitudes: whole rows of factors, in pieces that the
    caches hold where the result has few rows, added up by a matrix with a one for each entry."""
    size, rank = shape
    total, magnitude = np.zeros(shape), np.zeros(shape)
    step = max(PIECE // rank, size)
    for begin in range(0, chosen.size, step):
        piece = chosen[begin : begin + step]
        terms = repeat(values[piece, None], rank, axis=1)
        for other, factor in others.items():
            terms *= np.take(factor, columns[other][piece], axis=0)
        added = csc_array((np.ones(piece.size), columns[mode][piece], np.arange(piece.size + 1)), (size, piece.size))
        total += added @ terms
        np.abs(terms, out=terms)
        magnitude += added @ terms
    return total, magnitude
