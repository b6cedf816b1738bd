"""Packing throughput in million entries per second, one command:

python benchmarks/packing.py [--entries 10000000]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.sparse as sp

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from compiler.formats.format import Format, Level
from compiler.runtime.convert import convert
from compiler.runtime.pack import pack

DENSE, COMPRESSED = Level("dense"), Level("compressed")
CSR, CSC = Format((DENSE, COMPRESSED), (0, 1)), Format((DENSE, COMPRESSED), (1, 0))
DCSR, CSF = Format((COMPRESSED, COMPRESSED), (0, 1)), Format((COMPRESSED,) * 3, (0, 1, 2))


def best_seconds(action: Callable[[], object], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000_000)
    count = parser.parse_args().entries
    rng = np.random.default_rng(0)
    size = max(count // 10, 1)
    rows, columns = rng.integers(0, size, count), rng.integers(0, size, count)
    values = rng.random(count)
    entries = ((rows, columns), values, (size, size))
    cube = ((rows, columns, rng.integers(0, 1000, count)), values, (size, size, 1000))
    packed = pack(entries, CSR)
    scipy_coo = sp.coo_array((values, (rows, columns)), shape=(size, size))
    cases: dict[str, Callable[[], object]] = {
        "CSR from coordinates": lambda: pack(entries, CSR),
        "CSC from coordinates": lambda: pack(entries, CSC),
        "DCSR from coordinates": lambda: pack(entries, DCSR),
        "CSF (order 3) from coordinates": lambda: pack(cube, CSF),
        "CSR to CSC": lambda: convert(packed, CSC),
        "for comparison: SciPy COO to canonical CSR": lambda: scipy_coo.tocsr().sum_duplicates(),
    }
    for name, action in cases.items():
        seconds = best_seconds(action)
        print(f"{name:45s} {seconds:7.3f} s  {count / seconds / 1e6:7.1f} M entries/s")


if __name__ == "__main__":
    main()
