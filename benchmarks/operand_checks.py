"""What it takes to look at the arrays of a CSR matrix before a kernel reads them, one command:

python -m benchmarks.operand_checks [--rounds 40] [--threads N]

Beside it, in turns, a maximum over ``indices`` that the same compiler builds with the same flags and that has as many
threads: what any pass over the coordinates takes. Rows are short and long, matrices in cache and far larger. The
overhead is that of a whole call from Python, from the SciPy matrix to its checked arrays.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from heddle.runtime.native import cache, library, native_helpers, toolchain
from heddle.runtime.tensors.interop.compressed_matrix import checked_matrix, look_at_rows

MAXIMUM = Path(__file__).with_name("maximum.c")
SIZES = ((20, 5), (200, 5), (1000, 8), (18_000, 5), (90_000, 5), (2_000_000, 5), (1_000_000, 20), (200_000, 100))
"""Rows, and entries of each."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--threads", type=int, help="those of both; unset: as many as kernels have, by size")
    options = parser.parse_args()
    if options.threads is not None:
        native_helpers.threads = lambda _: options.threads  # type: ignore[assignment]
    entry = library.load(
        cache.shared_library(MAXIMUM.read_text(encoding="utf-8"), "1", toolchain.discover()), "maximum"
    )
    print("     rows of each  maximum µs   check µs  ratio  ns an entry   call µs")
    for rows, length in SIZES:
        matrix = uneven(rows, length)
        crd = matrix.indices
        threads = native_helpers.threads(rows + crd.size) if crd.size >= 1 << 16 else 1
        out = np.zeros(1, np.int32)
        arguments = (*map(library.dimension, (threads, crd.size)), library.pointer(crd), library.pointer(out))
        calls: tuple[Callable[[], Any], ...] = (
            lambda arguments=arguments: entry(*arguments),
            lambda matrix=matrix: look_at_rows(matrix.indptr, matrix.indices, matrix.shape[1]),
            lambda matrix=matrix: checked_matrix(matrix, "A"),
        )
        assert calls[1]() == 0
        maximum, check, whole = fastest(calls, options.rounds * max(1, 100_000 // crd.size))
        print(
            f"{rows:>9,} {length:>7} {maximum * 1e6:>11.1f} {check * 1e6:>10.1f} {check / maximum:>6.2f} "
            f"{check / crd.size * 1e9:>12.3f} {whole * 1e6:>9.1f}"
        )


def uneven(rows: int, length: int) -> Any:
    """A matrix whose rows have about ``length`` entries, in order."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.poisson(length, rows), 1, 3 * length)
    pos = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    step = 3
    crd = ((np.arange(pos[-1]) - np.repeat(pos[:-1], lengths)) * step).astype(np.int32)
    return sp.csr_array((np.ones(crd.size), crd, pos), shape=(rows, 9 * length + 1))


def fastest(calls: tuple[Callable[[], Any], ...], rounds: int) -> list[float]:
    """The least seconds of each call, which take turns."""
    least = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            start = time.perf_counter()
            call()
            least[place] = min(least[place], time.perf_counter() - start)
    return least


if __name__ == "__main__":
    main()
