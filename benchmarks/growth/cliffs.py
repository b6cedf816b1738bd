"""``./heddle bench cliffs``: programs that once cost many times their natural alternative, beside it, in turn.

A row is a program, what it is compared with, and the ratio that it may cost at most. Both are run in rounds, in
turn; the ratio is that of the least processor times. Results are compared before anything is timed. Rows without
an alternative compare two sizes of one program, per entry: the larger may cost as much more as the row says.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

import heddle as hd
from benchmarks.growth.rows import choose_rows

Run = Callable[[], Any]
Operands = Callable[[np.random.Generator], Mapping[str, Any]]
ROUNDS, LEAST_SECONDS = 7, 0.02


@dataclass(frozen=True, slots=True)
class Cliff:
    """``ratio`` of the processor time of ``run`` to that of ``beside``, per unit of work, may be ``most``.
    ``work`` says how many units each of them does."""

    name: str
    beside: str
    most: float
    prepare: Callable[[np.random.Generator], tuple[Run, Run]]
    work: tuple[float, float] = (1.0, 1.0)


def uniform(rng: np.random.Generator, rows: int, columns: int, count: int) -> Any:
    places = rng.integers(rows, size=count), rng.integers(columns, size=count)
    return sp.csr_array(sp.coo_array((rng.random(count) + 0.5, places), shape=(rows, columns)))


def statement(
    text: str,
    formats: Mapping[str, str],
    operands: Callable[[np.random.Generator], Mapping[str, Any]],
    alternative: Any,
) -> Callable[[np.random.Generator], tuple[Run, Run]]:
    """A kernel on packed operands without a schedule; ``alternative`` takes the same operands by name."""

    def prepare(rng: np.random.Generator) -> tuple[Run, Run]:
        inputs = operands(rng)
        kernel = hd.compile(text, formats)
        packed = {name: hd.pack(value, formats.get(name, "")) for name, value in inputs.items()}

        def run() -> Any:
            return kernel(**packed)

        def beside() -> Any:
            return alternative(**inputs)

        require_equal(run(), beside())
        return run, beside

    return prepare


def require_equal(computed: Any, expected: Any) -> None:
    """Raises AssertionError where they differ."""
    left = computed.to_numpy() if isinstance(computed, hd.Tensor) else np.asarray(computed)
    right = expected.toarray() if sp.issparse(expected) else np.asarray(expected)  # type: ignore[attr-defined]
    np.testing.assert_allclose(left, right, rtol=1e-8, atol=1e-10)


def sum_of_products(count: int) -> Cliff:
    names = [f"A{number}" for number in range(count)]
    return Cliff(
        f"SpMV of {count} terms, csr",
        "the same by SciPy",
        1.2,
        statement(
            "y(i) = " + " + ".join(f"{name}(i,j) * x(j)" for name in names),
            dict.fromkeys(names, "csr"),
            lambda rng: {name: uniform(rng, 4000, 4000, 40_000) for name in names} | {"x": rng.random(4000)},
            lambda x, **matrices: sum(matrix @ x for matrix in matrices.values()),
        ),
    )


def sum_of_matrices(count: int) -> Cliff:
    names = [f"B{number}" for number in range(count)]

    def pairwise(**matrices: Any) -> Any:
        total, *others = matrices.values()
        for matrix in others:
            total = total + matrix
        return total

    return Cliff(
        f"sum of {count} matrices, csr",
        "SciPy, pair by pair",
        1.2,
        statement(
            "A(i,j) = " + " + ".join(f"{name}(i,j)" for name in names),
            dict.fromkeys([*names, "A"], "csr"),
            lambda rng: {name: uniform(rng, 2000, 2000, 20_000) for name in names},
            pairwise,
        ),
    )


def reduction(word: str, alternative: Any) -> Cliff:
    return Cliff(
        f"{word} of rows, csr",
        "SciPy",
        1.5,
        statement(
            f"y(i) = {word}(j, A(i,j))",
            {"A": "csr"},
            lambda rng: {"A": uniform(rng, 20_000, 20_000, 200_000)},
            alternative,
        ),
    )


def transposition(rng: np.random.Generator) -> tuple[Run, Run]:
    matrix = uniform(rng, 20_000, 20_000, 400_000)
    kernel = hd.compile("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}, options={"convert": "automatic"})
    packed = hd.pack(matrix, "csr")

    def beside() -> Any:
        return matrix.T.tocsr()

    assert (kernel(A=packed).to_scipy() - beside()).nnz == 0
    return lambda: kernel(A=packed), beside


def products(degree: int) -> Cliff:
    return Cliff(
        f"csr * csr, {degree} entries a row",
        "SciPy, sorted",
        1.2,
        statement(
            "C(i,k) = A(i,j) * B(j,k)",
            dict.fromkeys("ABC", "csr"),
            lambda rng: {name: uniform(rng, 20_000, 20_000, 20_000 * degree) for name in "AB"},
            multiply_sorted,
        ),
    )


def multiply_sorted(A: Any, B: Any) -> Any:
    product = A @ B
    product.sort_indices()
    return product


def product_with_columns(rng: np.random.Generator) -> tuple[Run, Run]:
    left, right = (uniform(rng, 5000, 5000, 40_000) for _ in range(2))
    kernel = hd.compile("C(i,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csc", "C": "csr"})
    packed = {"A": hd.pack(left, "csr"), "B": hd.pack(right, "csc")}
    columns = sp.csc_array(right)

    def beside() -> Any:
        product = (left @ columns).tocsr()
        product.sort_indices()
        return product

    require_equal(kernel(**packed), beside())
    return lambda: kernel(**packed), beside


def unpacking_blocks(rng: np.random.Generator) -> tuple[Run, Run]:
    """Most places of the blocks are padding, which SciPy keeps until it is told."""
    matrix = uniform(rng, 60_000, 60_000, 500_000)
    packed, blocks = hd.pack(matrix, "bcsr(4,4)"), matrix.tobsr((4, 4))

    def beside() -> Any:
        unpacked = blocks.tocsr()
        unpacked.eliminate_zeros()
        return unpacked

    return lambda: hd.pack(packed, "csr"), beside


def unpacking(format: str) -> Cliff:
    def prepare(rng: np.random.Generator) -> tuple[Run, Run]:
        matrix = uniform(rng, 60_000, 60_000, 1_000_000)
        packed = hd.pack(matrix, format)
        return lambda: hd.pack(packed, "csr"), matrix.tocsc

    return Cliff(f"{format} -> csr", "SciPy, csr to csc", 2.0, prepare)


def packing(order: int, format: str) -> Cliff:
    """Coordinates at random, ten million beside a hundred thousand."""
    counts = 10_000_000, 100_000

    def prepare(rng: np.random.Generator) -> tuple[Run, Run]:
        def entries(count: int) -> Run:
            side = count // 8
            places = rng.integers(side, size=(order, count))
            return lambda: hd.pack((places, np.ones(count), (side,) * order), format)

        large, small = map(entries, counts)
        return large, small

    return Cliff(f"coordinates -> {format}, 10⁷ entries", "10⁵ entries", 1.5, prepare, counts)


def reading(rng: np.random.Generator) -> tuple[Run, Run]:
    matrix = uniform(rng, 100_000, 100_000, 500_000)
    path = Path(tempfile.mkdtemp()) / "matrix.mtx"
    scipy.io.mmwrite(path, matrix)
    return lambda: hd.read(path), lambda: scipy.io.mmread(path)


def reading_lines(rng: np.random.Generator) -> tuple[Run, Run]:
    path = Path(tempfile.mkdtemp()) / "tensor.tns"
    np.savetxt(path, np.c_[rng.integers(1, 1000, (100_000, 3)), rng.random(100_000)], fmt="%d %d %d %.6g")
    return lambda: hd.read(path), lambda: np.loadtxt(path)


def calls(name: str, operand: Callable[[Any], Any], most: float = 4.0) -> Cliff:
    def prepare(rng: np.random.Generator) -> tuple[Run, Run]:
        matrix, vector = uniform(rng, 20, 20, 100), rng.random(20)
        kernel, passed = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}), operand(matrix)

        def run() -> None:
            for _ in range(1000):
                kernel(A=passed, x=vector)

        def beside() -> None:
            for _ in range(1000):
                matrix @ vector

        return run, beside

    return Cliff(f"call, {name}", "SciPy's matrix @ vector", most, prepare)


def narrow(matrix: Any) -> Any:
    """The matrix with indices of int32; SciPy keeps those of its coordinates, int64."""
    indices, positions = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    parts: Any = (matrix.data, indices, positions)
    return sp.csr_array(parts, shape=matrix.shape)


CLIFFS = (
    sum_of_products(1),
    sum_of_products(8),
    sum_of_products(32),
    sum_of_matrices(2),
    sum_of_matrices(6),
    sum_of_matrices(16),
    reduction("max", lambda A: A.max(axis=1).toarray().ravel()),
    reduction("min", lambda A: A.min(axis=1).toarray().ravel()),
    Cliff("transposition, csr -> csr", "SciPy", 1.5, transposition),
    products(2),
    products(4),
    products(16),
    Cliff("csr * csc -> csr", "SciPy, converted and sorted", 1.5, product_with_columns),
    Cliff("bcsr(4,4) -> csr", "SciPy, zeros left out", 1.5, unpacking_blocks),
    unpacking("hyb(4,5)"),
    unpacking("sell(8,64)"),
    packing(2, "csr"),
    packing(3, "csf"),
    packing(3, "coo"),
    Cliff("hd.read of .mtx", "SciPy's mmread", 1.2, reading),
    Cliff("hd.read of .tns", "NumPy's loadtxt", 1.2, reading_lines),
    calls("packed operand", lambda matrix: hd.pack(matrix, "csr")),
    calls("SciPy operand", narrow, most=6.0),
    calls("SciPy operand of int64", lambda matrix: matrix, most=6.0),
)


def measure(cliff: Cliff) -> float:
    """The ratio, of the least processor times of the rounds."""
    runs = cliff.prepare(np.random.default_rng(1))
    repeats = [_repeats(run) for run in runs]
    least = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, run in enumerate(runs):
            start = time.process_time()
            for _ in range(repeats[side]):
                run()
            least[side] = min(least[side], (time.process_time() - start) / repeats[side])
    return (least[0] / cliff.work[0]) / (least[1] / cliff.work[1])


def _repeats(run: Run) -> int:
    run()
    start = time.process_time()
    run()
    return max(1, int(LEAST_SECONDS / max(time.process_time() - start, 1e-6)))


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where a row costs more than it may."""
    chosen = choose_rows("cliffs", __doc__, "--rows", CLIFFS, arguments)
    above = 0
    print(f"{'program':36}{'beside':32}{'ratio':>8}{'at most':>9}")
    for cliff in chosen:
        ratio = measure(cliff)
        above += ratio > cliff.most
        print(f"{cliff.name:36}{cliff.beside:32}{ratio:8.2f}{cliff.most:9.1f}{'  above' if ratio > cliff.most else ''}")
    return 1 if above else 0
