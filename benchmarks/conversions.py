"""The suite `conversions`: packing from coordinates and between formats, beside SciPy where it has the conversion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.case import Case

CONVERSIONS = ("coo-csr", "shuffled-csr", "csr-csc", "csr-dcsr", "csr-dia", "csr-ell", "csr-bcsr")
_MAX_PADDED = 16
"""Formats that pad are left out where they would store more than so many times the entries."""


def measure_conversion(case: Case) -> dict[str, Any]:
    """Medians with intervals, and million entries per second of ours. The values of both sides are compared first."""
    from backend.worker.rounds import Protocol, measure
    from benchmarks import matrices
    from benchmarks.timing import timed

    matrix = matrices.load(matrices.BY_NAME[case.input], case.nonzeros, case.dtype)
    facts = {"shape": list(matrix.shape), "nonzeros": int(matrix.nnz)}
    padded = padding(case.kernel, matrix)
    if padded > _MAX_PADDED:
        return {**facts, "contenders": {}, "left_out": {"heddle": f"would store {padded:.0f} values for each entry"}}
    ours, theirs = _pair(case.kernel, matrix)
    difference = abs(scipy.sparse.csr_array(ours().to_scipy()) - matrix)
    if difference.nnz and difference.max() > 0:
        raise AssertionError(f"{case.kernel} changes values")
    calls = {"heddle": ours, **({"scipy": theirs} if theirs is not None else {})}
    protocol = Protocol(
        min_rounds=10, min_seconds=case.seconds / 10, cap_seconds=case.seconds, warm_up_seconds=case.seconds / 40
    )
    timings = measure(list(calls.values()), protocol, lambda share: None)
    contenders = {}
    for place, name in enumerate(calls):
        one = timed(timings.samples, place)
        contenders[name] = {**one, "million_entries_per_second": matrix.nnz / one["median_ns"] * 1e3}
    return {
        **facts,
        "rounds": timings.rounds,
        "complete": timings.complete,
        "contenders": contenders,
        "left_out": {} if theirs is not None else {"scipy": "has no such conversion"},
    }


def padding(conversion: str, matrix: Any) -> float:
    """Stored values for each entry, in the formats that store more than the entries."""
    entries = max(matrix.nnz, 1)
    match conversion:
        case "csr-dia":
            rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
            diagonals = np.count_nonzero(np.bincount(matrix.indices - rows + matrix.shape[0] - 1))
            return float(diagonals) * matrix.shape[0] / entries
        case "csr-ell":
            return float(np.diff(matrix.indptr).max(initial=0)) * matrix.shape[0] / entries
        case _:
            return 1.0


def _pair(conversion: str, matrix: Any) -> tuple[Callable[[], Any], Callable[[], Any] | None]:
    import compiler as hd

    if conversion in ("coo-csr", "shuffled-csr"):
        coo = matrix.tocoo()
        rows, columns = coo.coords
        values = coo.data
        if conversion == "shuffled-csr":
            order = np.random.default_rng(2).permutation(matrix.nnz)
            rows, columns, values = rows[order], columns[order], values[order]
        given = ((rows, columns), values, matrix.shape)
        theirs: Any = scipy.sparse.coo_array((values, (rows, columns)), shape=matrix.shape)
        return lambda: hd.pack(given, "csr"), lambda: _canonical(theirs)
    packed: Any = hd.pack(matrix, "csr")
    match conversion:
        case "csr-csc":
            return lambda: hd.convert(packed, "csc"), matrix.tocsc
        case "csr-dia":
            return lambda: hd.convert(packed, "dia"), matrix.todia
        case "csr-bcsr":
            fits = all(size % 4 == 0 for size in matrix.shape)
            return lambda: hd.convert(packed, "bcsr(4,4)"), (lambda: matrix.tobsr((4, 4))) if fits else None
        case "csr-dcsr" | "csr-ell":
            return lambda: hd.convert(packed, conversion.removeprefix("csr-")), None
        case _:
            raise ValueError(f"unknown conversion {conversion}")


def _canonical(coo: Any) -> Any:
    made = coo.tocsr()
    made.sum_duplicates()
    return made
