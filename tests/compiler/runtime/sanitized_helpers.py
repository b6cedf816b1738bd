"""Runs the C that the runtime brings itself with one of gcc's sanitizers on; started by a test in a process of its own.

``python -m tests.compiler.runtime.sanitized_helpers address|thread``: every function, for each width of an index and
some of a value, on 1, 2, 3 and 7 threads; what it makes must be what NumPy makes. With ``shared`` behind it, only a
loop whose threads all write the same element.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import heddle as hd
from heddle.algorithms.dense.steps import Steps
from heddle.runtime.native import c_files, cache, library, native_helpers, toolchain
from heddle.runtime.packing.row_conversions.row_sort import sorted_rows, sorted_transpose
from heddle.runtime.packing.row_conversions.row_transpose import transpose_rows
from heddle.runtime.tensors.coordinate_sort import sort_coordinates
from heddle.runtime.tensors.coordinates import offsets
from heddle.runtime.tensors.interop import compressed_matrix
from heddle.runtime.tensors.interop.compressed_matrix import look_at_rows
from tests.compiler.codegen.sanitizers import watched
from tests.compiler.runtime.packing.test_row_formats import matrix
from tests.compiler.runtime.packing.test_row_sort import entries, expected
from tests.compiler.runtime.tensors.test_compressed_matrix import mistakes_in, random_rows

VALUES = ("int8", "float64", "complex128")
FORMATS = (
    "sell(8)",
    "sell(8,64)",
    "sell-runs(8)",
    "bcsr(3,2)",
    "dia",
    "dia(8)",
    "hyb(3,2)",
    "hyb(2,1,5)",
    "hyb(1,2,whole)",
)
# Few entries and many; short rows and long ones; more columns than the cache holds ends of.
SORTED = ((40, 70, 2000), (9000, 9000, 9000), (700, 900, 40_000), (3, 3000, 9000), (30_000, 300_000, 40_000))
THREADS = (1, 2, 3, 7)


def main() -> None:
    sanitizer, shared = sys.argv[1], sys.argv[2:] == ["shared"]
    os.environ.pop("LD_PRELOAD", None)  # what the compiler does need not be watched
    used: set[str] = set()

    def built(text: str, version: str = "", compiler: toolchain.Toolchain | None = None) -> Path:
        used.add(text)
        return watched(text, sanitizer, "-std=gnu11", "-Wno-error")

    if shared:
        regions(built(c_files.text_of("parallel_region.c").replace("places[8 * thread]", "places[0]")), 3)
        return
    cache.shared_library = built  # type: ignore[assignment]
    compressed_matrix._LEAST_SHARED = 0
    for threads in THREADS:
        native_helpers.threads = lambda _, threads=threads: threads  # type: ignore[misc]
        for check in checks():
            check()
    regions(built(c_files.text_of("parallel_region.c")), 3)
    print(len(used), "clean")


def checks() -> Iterator[Callable[[], None]]:
    for index in ("int32", "int64"):
        for dtype in VALUES:
            yield lambda index=index, dtype=dtype: rows_and_columns(index, dtype)
        yield lambda index=index: first_children(index)
        yield lambda index=index: checked_rows(index)
        for dtype in VALUES:
            yield lambda index=index, dtype=dtype: sorted_tensors(index, dtype)
    for rank in (16, 19):
        yield lambda rank=rank: least_squares(rank)
    for dtype in VALUES:
        for format in FORMATS:
            yield lambda format=format, dtype=dtype: converted(format, dtype)


def rows_and_columns(index: str, dtype: str) -> None:
    for rows, columns, count in SORTED if dtype == "float64" else SORTED[:1]:
        given = entries((rows, columns), index, dtype, count)
        made = sorted_rows(*given, (rows, columns))
        assert made is not None
        assert_same(made[0], expected(*given, rows))
        for transpose in (transpose_rows, sorted_transpose):
            turned = transpose(*made[0], columns)
            assert turned is not None
            assert_same(turned, expected(given[1], given[0], given[2], columns))


def sorted_tensors(index: str, dtype: str) -> None:
    """Keys of 64 bits and of more; few values in some dimensions, so that coordinates repeat."""
    for shape in ((900, 3, 70), (5, 2**31 - 1, 9), (2**20, 2**30, 2**30)):
        rng = np.random.default_rng(shape[0])
        columns = [rng.integers(0, min(size, 4000), 20_000).astype(index) for size in shape]
        values = rng.integers(0, 100, 20_000).astype(dtype)
        made = sort_coordinates(columns, list(shape), values, index)
        assert made is not None
        order = np.lexsort(columns[::-1])
        assert_same((*made.columns, made.values), (*(column[order] for column in columns), values[order]))
    tensor = hd.pack((columns, values, shape), "csf")
    assert_same(tensor.to_coo()[0], tuple(column[order] for column in columns))


def least_squares(rank: int) -> None:
    """Dense steps of a decomposition: ranks of whole blocks and others, rows that fill no tile."""
    rng = np.random.default_rng(rank)
    factors, product = [rng.random((1031, rank)), rng.random((rank + 3, rank))], rng.random((1031, rank))
    steps = Steps(factors, {0: product}, last=0)
    steps.gram(1)
    assert steps.solve(0)[0]
    np.testing.assert_allclose(factors[0] @ steps.system, product, rtol=1e-6)
    steps.scale(0, norms=False)
    np.testing.assert_allclose(steps.grams[0], factors[0].T @ factors[0], rtol=1e-9)
    steps.inner()


def first_children(index: str) -> None:
    parents = np.sort(np.random.default_rng(1).integers(0, 700, 5000)).astype(index)
    np.testing.assert_array_equal(offsets(parents, 700, index), np.searchsorted(parents, np.arange(701)))


def checked_rows(index: str) -> None:
    """Random rows, most of which are broken somewhere, also where threads meet."""
    rng = np.random.default_rng(2)
    for _ in range(150):
        pos, crd, size = random_rows(rng, index)
        assert look_at_rows(pos, crd, size) == mistakes_in(pos, crd, size)


def converted(format: str, dtype: str) -> None:
    for shape in ((123, 91), (9, 900)):
        rows = matrix(shape, dtype)
        tensor = hd.convert(hd.pack(rows, "csr"), format)
        np.testing.assert_array_equal(tensor.to_numpy(), rows.toarray())
        np.testing.assert_array_equal(hd.convert(tensor, "csr").to_numpy(), rows.toarray())


def regions(path: Path, threads: int) -> None:
    places, times = np.full(8 * threads, -1), np.zeros(4)
    arguments = (library.dimension(4), library.dimension(threads), library.scalar(0.0, "float64"))
    library.load(path, "regions")(*arguments, library.pointer(places), library.pointer(times))
    np.testing.assert_array_equal(places[::8], 3)


def assert_same(arrays: tuple[Any, ...], wanted: tuple[Any, ...]) -> None:
    for array, right in zip(arrays, wanted, strict=True):
        np.testing.assert_array_equal(array, right)


if __name__ == "__main__":
    main()
