"""The suite `conversions`: packing from coordinates and between formats, compared with SciPy where it has the
conversion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.suite.case import Case
from heddle.tuning.facts.padding import places_in_blocks, places_sorted

_FROM_ROWS = {
    "csr-csc": "csc",
    "csr-dcsr": "dcsr",
    "csr-dia": "dia",
    "csr-ell": "ell",
    "csr-bcsr": "bcsr(4,4)",
    "csr-bcsr-columns": "bcsr(8)",
    "csr-sell": "sell(8)",
    "csr-sell-sorted": "sell(8,512)",
    "csr-sell-runs": "sell-runs(32)",
    "csr-dia-blocks": "dia(32)",
    "csr-hyb": "hyb(1,5)",
    "csr-hyb-ranges": "hyb(8,5,64)",
    "csr-hyb-whole": "hyb(1,5,whole)",
}
CONVERSIONS = ("coo-csr", "shuffled-csr", *_FROM_ROWS)
_MAX_PADDED = 16
"""Formats that pad are left out where they would store more than so many times the entries."""


def measure_conversion(case: Case) -> dict[str, Any]:
    """Medians with intervals, and million entries per second of ours. The values of both sides are compared first."""
    from benchmarks.suite import matrices
    from benchmarks.suite.timing import timed
    from heddle.measuring.rounds import Protocol, measure

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
    entries, count = max(matrix.nnz, 1), matrix.shape[0]
    rows = np.repeat(np.arange(count), np.diff(matrix.indptr))
    match conversion:
        case "csr-dia" | "csr-dia-blocks":
            diagonals = np.count_nonzero(np.bincount(matrix.indices - rows + count - 1))
            return float(diagonals) * count / entries
        case "csr-ell":
            return float(np.diff(matrix.indptr).max(initial=0)) * count / entries
        case "csr-bcsr":
            return 4 * places_in_blocks(rows, matrix.indices // 4, 4)
        case "csr-bcsr-columns":
            return places_in_blocks(rows, matrix.indices, 8)
        case "csr-sell":
            return places_sorted(rows, count, 8, 8)
        case "csr-sell-sorted":
            return places_sorted(rows, count, 8, 512)
        case "csr-sell-runs":
            return places_sorted(rows, count, 32, 32)
        case _:
            return 1.0


def _pair(conversion: str, matrix: Any) -> tuple[Callable[[], Any], Callable[[], Any] | None]:
    import heddle as hd

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
    blocks = {"csr-bcsr": (4, 4), "csr-bcsr-columns": (8, 1)}.get(conversion)
    others = {"csr-csc": matrix.tocsc, "csr-dia": matrix.todia}
    if blocks is not None and all(size % block == 0 for size, block in zip(matrix.shape, blocks, strict=True)):
        others[conversion] = lambda: matrix.tobsr(blocks)
    return lambda: hd.convert(packed, _FROM_ROWS[conversion]), others.get(conversion)


def _canonical(coo: Any) -> Any:
    made = coo.tocsr()
    made.sum_duplicates()
    return made
