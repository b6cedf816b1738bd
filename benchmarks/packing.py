"""Packing and conversion compared with SciPy's own, interleaved in one run: million entries per
second, and the ratio of the times.

python benchmarks/packing.py [--entries 10000000] [--only "CSR to CSC"]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from heddle.runtime.packing.convert import convert
from heddle.runtime.packing.pack import pack

ROUNDS = 5
Action = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """``theirs`` does the same with SciPy, indices in order and no duplicates; None where it has no such format."""

    name: str
    entries: int
    ours: Action
    theirs: Action | None = None


def canonical(matrix: sp.csr_array) -> sp.csr_array:
    matrix.sum_duplicates()
    return matrix


def cases(count: int) -> Iterator[Case]:
    rng = np.random.default_rng(0)
    size = max(count // 10, 1)
    rows, columns = rng.integers(0, size, count), rng.integers(0, size, count)
    values = rng.random(count)
    entries = ((rows, columns), values, (size, size))
    cube = ((rows, columns, rng.integers(0, 1000, count)), values, (size, size, 1000))
    coo = sp.coo_array((values, (rows, columns)), shape=(size, size))
    yield Case("COO to CSR", count, lambda: pack(entries, "csr"), lambda: canonical(coo.tocsr()))
    yield Case("COO to CSC", count, lambda: pack(entries, "csc"), lambda: canonical(coo.tocsc()))
    csr = pack(entries, "csr")
    scipy_csr = canonical(coo.tocsr())
    yield Case("CSR to CSC", csr.stored, lambda: convert(csr, "csc"), scipy_csr.tocsc)
    yield Case("SciPy CSR to CSC", csr.stored, lambda: pack(scipy_csr, "csc"), scipy_csr.tocsc)
    yield Case("CSR to COO", csr.stored, lambda: convert(csr, "coo"), scipy_csr.tocoo)
    band = sp.diags_array([np.ones(size)] * 9, offsets=range(-4, 5), shape=(size, size), format="csr")
    packed_band = pack(band, "csr")
    yield Case("CSR to DIA (9 diagonals)", band.nnz, lambda: convert(packed_band, "dia"), band.todia)
    yield Case(
        "CSR to BCSR (4x4, band)", band.nnz, lambda: convert(packed_band, "bcsr(4,4)"), lambda: band.tobsr((4, 4))
    )
    yield Case("COO to DCSR", count, lambda: pack(entries, "dcsr"))
    yield Case("COO to CSF (order 3)", count, lambda: pack(cube, "csf"))


def seconds(action: Action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--only", default="", help="the case with this name alone")
    options = parser.parse_args()
    print(f"{'':26s} {'Heddle':>12s} {'SciPy':>12s}  SciPy's time / Heddle's (median of {ROUNDS} rounds, min to max)")
    for case in cases(options.entries):
        if options.only not in ("", case.name):
            continue
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(seconds(case.ours))
            if case.theirs is not None:
                theirs.append(seconds(case.theirs))
        line = f"{case.name:26s} {case.entries / statistics.median(ours) / 1e6:8.1f} M/s"
        if theirs:
            ratios = [one / own for one, own in zip(theirs, ours, strict=True)]
            line += f" {case.entries / statistics.median(theirs) / 1e6:8.1f} M/s  "
            line += f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(line, flush=True)


if __name__ == "__main__":
    main()
