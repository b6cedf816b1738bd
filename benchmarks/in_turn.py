"""``python -m benchmarks.in_turn``: kernels in turn with BLAS, as in every iterative solver, and conjugate gradients.

Kernels that are timed back to back never meet the threads of another library. Here a dot product comes behind each
call: what both take in turn, and what they take alone, are timed in rounds. SciPy's conjugate gradients multiply by
SciPy's matrix, and by a kernel.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import heddle as hd

CSR = {"A": "csr"}
AUTO = {"schedule": "auto"}
KERNELS = {
    "SpMV": ("y(i) = A(i,j) * x(j)", ("x",)),
    "SpMM, 8 columns": ("Y(i,k) = A(i,j) * X(j,k)", ("X",)),
    "SDDMM, 8 columns": ("S(i,j) = A(i,j) * U(i,k) * V(j,k)", ("U", "V")),
}
BATCH, LEAST_BATCHES = 15, 4


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds of a call, of the dot product, and of both in turn."""

    name: str
    kernel: float
    dot: float
    both: float

    @property
    def ratio(self) -> float:
        """Of both in turn to the sum of both alone."""
        return self.both / (self.kernel + self.dot)


def laplacian(side: int) -> scipy.sparse.csr_array:
    """Of five points, on a square."""
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    one = scipy.sparse.eye_array(side)
    return scipy.sparse.csr_array(scipy.sparse.kron(one, line) + scipy.sparse.kron(line, one))


def least_medians(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Of each call the least of the medians of batches, which come in turn: a busy machine disturbs some of them."""
    found = {name: float("inf") for name in calls}
    for _ in range(max(rounds // BATCH, LEAST_BATCHES)):
        for name, call in calls.items():
            samples = []
            for _ in range(BATCH):
                begin = time.perf_counter()
                call()
                samples.append(time.perf_counter() - begin)
            found[name] = min(found[name], float(np.median(samples)))
    return found


def rows(side: int, rounds: int) -> list[Row]:
    matrix, rng = laplacian(side), np.random.default_rng(0)
    size, packed = side * side, hd.pack(matrix, "csr")
    w = rng.random(size)
    found = []
    for name, (expression, dense) in KERNELS.items():
        formats = {**CSR, "S": "csr"} if expression.startswith("S(") else CSR
        kernel = hd.compile(expression, formats=formats, options=AUTO)
        operands = {one: hd.pack(rng.random(size if one == "x" else (size, 8))) for one in dense}
        call = kernel.bind(A=packed, **operands)

        def both(run: Callable[[], None] = call.run) -> None:
            run()
            w @ w

        seconds = least_medians({"kernel": call.run, "dot": lambda: w @ w, "both": both}, rounds)
        found.append(Row(name, seconds["kernel"], seconds["dot"], seconds["both"]))
    return found


def gradients(side: int, iterations: int, repetitions: int = 5) -> dict[str, float]:
    """Seconds of an iteration of conjugate gradients, by who multiplies; the least of so many solutions."""
    matrix = laplacian(side)
    right = np.random.default_rng(1).random(matrix.shape[0])
    kernel = hd.compile(KERNELS["SpMV"][0], formats=CSR, options=AUTO)
    packed = hd.pack(matrix, "csr")
    operator = scipy.sparse.linalg.LinearOperator(
        matrix.shape, matvec=lambda x: kernel(A=packed, x=x).to_numpy(), dtype=np.float64
    )

    def solved(multiplies: Any) -> None:
        scipy.sparse.linalg.cg(multiplies, right, rtol=0.0, maxiter=iterations)

    ways: dict[str, Callable[[], object]] = {
        "SciPy": lambda: solved(matrix),
        "SciPy with a kernel": lambda: solved(operator),
    }
    found = {name: float("inf") for name in ways}
    for _ in range(repetitions):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            found[name] = min(found[name], (time.perf_counter() - begin) / iterations)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.in_turn", description=__doc__)
    parser.add_argument("--side", type=int, default=300, help="of the square, default %(default)s")
    parser.add_argument("--rounds", type=int, default=600, help="calls of each, default %(default)s")
    parser.add_argument("--iterations", type=int, default=200, help="of a solution, default %(default)s")
    options = parser.parse_args()
    print(f"{hd.get_num_threads()} threads, {options.side**2:,} rows, load {os.getloadavg()[0]:.1f}")
    print(f"{'kernel':20}{'alone':>10}{'dot alone':>12}{'in turn with BLAS':>20}{'ratio':>8}")
    for row in rows(options.side, options.rounds):
        alone, dot, both = (1e6 * seconds for seconds in (row.kernel, row.dot, row.both))
        print(f"{row.name:20}{alone:>7.1f} µs{dot:>9.1f} µs{both:>17.1f} µs{row.ratio:>8.2f}")
    print("\nan iteration of conjugate gradients")
    found = gradients(options.side, options.iterations)
    for name, seconds in found.items():
        print(f"{name:20}{seconds * 1e6:>7.1f} µs{found['SciPy'] / seconds:>9.2f} times as fast as SciPy")


if __name__ == "__main__":
    main()
