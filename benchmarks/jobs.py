"""``python -m benchmarks.jobs``: jobs of users as they write them, beside the natural alternative, in turn.

Each job is a whole program (an algorithm to its end, a layer, a solver), not a kernel: what a call costs, what is
converted, and what is allocated counts. The alternatives are SciPy, NumPy, and Numba where it is installed. Results
are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg

import heddle as hd
from benchmarks.in_turn import laplacian

Run = Callable[[], Any]
ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Job:
    """A program of a user. ``prepare`` gives Heddle's run and the alternatives by name; all return the same array."""

    name: str
    prepare: Callable[[np.random.Generator], tuple[Run, Mapping[str, Run]]]


def graph(rng: np.random.Generator, vertices: int, degree: int) -> scipy.sparse.csr_array:
    """Of so many vertices, whose in-degrees are skewed: squares of uniform numbers choose where an edge leads."""
    rows = rng.integers(vertices, size=degree * vertices)
    columns = (rng.random(degree * vertices) ** 2 * vertices).astype(np.int64)
    matrix = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(vertices, vertices)).tocsr()
    matrix.data[:] = 1.0
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    return scipy.sparse.csr_array(matrix)


def pagerank(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    links, vertices = graph(rng, 100_000, 8), 100_000
    degrees = links.sum(axis=1)
    matrix = scipy.sparse.csr_array((scipy.sparse.diags_array(1 / np.maximum(degrees, 1)) @ links).T)
    dangling = degrees == 0
    step = hd.compile("r(i) = 0.85 * P(i,j) * x(j) + c", like={"P": matrix}, schedule="auto")
    distance = hd.compile("d = abs(a(i) - b(i))", schedule="auto")
    packed = hd.pack(matrix, "csr")

    def ranks() -> np.ndarray:
        rank, following, change = np.full(vertices, 1 / vertices), np.empty(vertices), 1.0
        while change > 1e-10:
            step(P=packed, x=rank, c=(0.15 + 0.85 * rank[dangling].sum()) / vertices, out=following)
            change = float(distance(a=rank, b=following))
            rank, following = following, rank
        return rank

    def natural() -> np.ndarray:
        rank, change = np.full(vertices, 1 / vertices), 1.0
        while change > 1e-10:
            following = 0.85 * (matrix @ rank) + (0.15 + 0.85 * rank[dangling].sum()) / vertices
            rank, change = following, np.abs(following - rank).sum()
        return rank

    return ranks, {"SciPy": natural}


def breadth_first(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    matrix = graph(rng, 100_000, 8)
    matrix = scipy.sparse.csr_array(((matrix + matrix.T) != 0).astype(np.float64))
    vertices = matrix.shape[0]
    step = hd.compile(
        "q(i) = (level(i) < 0) * any(j, A(i,j) * f(j))",
        like={"A": matrix},
        dtypes={"level": "int32", "f": "bool", "A": "bool", "q": "bool"},
        schedule="auto",
    )
    packed = hd.pack(matrix.astype(bool), "csr")

    def levels() -> np.ndarray:
        level, frontier, depth = np.full(vertices, -1, np.int32), np.zeros(vertices, bool), 0
        frontier[0], level[0] = True, 0
        while frontier.any():
            depth += 1
            frontier = step(A=packed, f=frontier, level=level).to_numpy()
            level[frontier] = depth
        return level

    def csgraph() -> np.ndarray:
        order, parents = scipy.sparse.csgraph.breadth_first_order(matrix, 0)
        level = np.full(vertices, -1, np.int32)
        level[0] = 0
        for vertex in order[1:]:
            level[vertex] = level[parents[vertex]] + 1
        return level

    order_alone = lambda: scipy.sparse.csgraph.breadth_first_order(matrix, 0)  # noqa: E731
    return levels, {"csgraph and levels": csgraph, "csgraph's order": order_alone}


def triangles(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    matrix = graph(rng, 20_000, 16)
    lower = scipy.sparse.csr_array(scipy.sparse.tril(((matrix + matrix.T) != 0).astype(np.float64), -1))
    kernel = hd.compile("t = L(i,j) * L(i,k) * L(j,k)", like={"L": lower}, schedule="auto")
    packed = hd.pack(lower, "csr")
    ways: dict[str, Run] = {"SciPy": lambda: (lower @ lower.T).multiply(lower).sum()}
    if importlib.util.find_spec("numba"):
        numba = importlib.import_module("numba")

        def count(pointers: Any, columns: Any) -> int:
            total = 0
            for row in numba.prange(len(pointers) - 1):
                for position in range(pointers[row], pointers[row + 1]):
                    other = columns[position]
                    left, right = pointers[row], pointers[other]
                    while left < pointers[row + 1] and right < pointers[other + 1]:
                        if columns[left] == columns[right]:
                            total += 1
                            left += 1
                            right += 1
                        elif columns[left] < columns[right]:
                            left += 1
                        else:
                            right += 1
            return total

        compiled = numba.njit(parallel=True)(count)
        ways["Numba, parallel"] = lambda: compiled(lower.indptr, lower.indices)
    return lambda: kernel(L=packed).to_numpy(), ways


def gcn_layer(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    adjacency = graph(rng, 20_000, 30)
    features, weights = rng.random((20_000, 128), np.float32), rng.random((128, 128), np.float32) - np.float32(0.5)
    adjacency = adjacency.astype(np.float32)
    kernel = hd.compile("H(i,f) = relu(sum(j, A(i,j) * Z(j,f)))", like={"A": adjacency, "Z": features}, schedule="auto")
    packed = hd.pack(adjacency, "csr")
    return (
        lambda: kernel(A=packed, Z=features @ weights).to_numpy(),
        {"SciPy": lambda: np.maximum(adjacency @ (features @ weights), 0)},
    )


def gcn_layer_as_written(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    adjacency = graph(rng, 20_000, 30).astype(np.float32)
    features, weights = rng.random((20_000, 128), np.float32), rng.random((128, 128), np.float32) - np.float32(0.5)
    packed = hd.pack(adjacency, "csr")
    return (
        lambda: hd.evaluate("H(i,f) = A(i,j) * X(j,k) * W(k,f)", A=packed, X=features, W=weights).to_numpy(),
        {"SciPy": lambda: adjacency @ (features @ weights)},
    )


def gat_layer(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    adjacency = graph(rng, 20_000, 30)
    features, a, b = rng.random((20_000, 128)), rng.random(20_000), rng.random(20_000)
    packed, edges = hd.pack(adjacency, "csr"), adjacency.tocoo()
    rows, columns = edges.row, edges.col

    def layer() -> np.ndarray:
        scores = hd.evaluate("E(i,j) = A(i,j) * max(a(i) + b(j), 0.2 * (a(i) + b(j)))", A=packed, a=a, b=b)
        top = hd.evaluate("m(i) = max(j, E(i,j))", E=scores)
        weights = hd.evaluate("W(i,j) = A(i,j) * exp(E(i,j) - m(i))", A=packed, E=scores, m=top)
        sums = hd.evaluate("s(i) = W(i,j)", W=weights)
        return hd.evaluate("Z(i,f) = W(i,j) * H(j,f) / s(i)", W=weights, H=features, s=sums).to_numpy()

    def natural() -> np.ndarray:
        e = a[rows] + b[columns]
        e = np.maximum(e, 0.2 * e)
        top = np.full(20_000, -np.inf)
        np.maximum.at(top, rows, e)
        w = np.exp(e - top[rows])
        sums = np.bincount(rows, w, minlength=20_000)
        return scipy.sparse.csr_array((w / sums[rows], (rows, columns)), shape=adjacency.shape) @ features

    return layer, {"NumPy and SciPy": natural}


def stencil(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    grid = rng.random((96, 96, 96))
    kernel = hd.compile(
        "def step(float64(N,N,N) u) -> (v) {"
        " v(i,j,k) = u(i+1,j+1,k+1) * 0.4"
        " + 0.1 * (u(i,j+1,k+1) + u(i+2,j+1,k+1) + u(i+1,j,k+1) + u(i+1,j+2,k+1) + u(i+1,j+1,k) + u(i+1,j+1,k+2))"
        " where i in 0:94, j in 0:94, k in 0:94 }",
        language="comprehension",
        schedule="auto",
    )
    inner = slice(1, -1)

    def numpy_step() -> np.ndarray:
        sides = (
            grid[:-2, inner, inner]
            + grid[2:, inner, inner]
            + grid[inner, :-2, inner]
            + grid[inner, 2:, inner]
            + grid[inner, inner, :-2]
            + grid[inner, inner, 2:]
        )
        return 0.4 * grid[inner, inner, inner] + 0.1 * sides

    ways: dict[str, Run] = {"NumPy": numpy_step}
    if importlib.util.find_spec("numba"):
        numba = importlib.import_module("numba")

        def sweep(u: Any) -> Any:
            n = u.shape[0] - 2
            v = np.empty((n, n, n))
            for i in numba.prange(n):
                for j in range(n):
                    for k in range(n):
                        v[i, j, k] = u[i + 1, j + 1, k + 1] * 0.4 + 0.1 * (
                            u[i, j + 1, k + 1]
                            + u[i + 2, j + 1, k + 1]
                            + u[i + 1, j, k + 1]
                            + u[i + 1, j + 2, k + 1]
                            + u[i + 1, j + 1, k]
                            + u[i + 1, j + 1, k + 2]
                        )
            return v

        compiled = numba.njit(parallel=True)(sweep)
        ways["Numba, parallel"] = lambda: compiled(grid)
    return lambda: kernel(u=grid).to_numpy(), ways


def eigenvalues(rng: np.random.Generator) -> tuple[Run, Mapping[str, Run]]:
    matrix, start = laplacian(200), rng.random(40_000)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", like={"A": matrix}, schedule="auto")
    operator = kernel.as_linear_operator(A=matrix, over="x")

    def largest(multiplies: Any) -> np.ndarray:
        return np.sort(scipy.sparse.linalg.eigsh(multiplies, 6, v0=start, return_eigenvectors=False, tol=1e-6))

    return lambda: largest(operator), {"SciPy": lambda: largest(matrix)}


JOBS = (
    Job("PageRank to convergence", pagerank),
    Job("breadth-first levels", breadth_first),
    Job("triangles", triangles),
    Job("GCN layer, relu(sum)", gcn_layer),
    Job("GCN layer, A*X*W", gcn_layer_as_written),
    Job("GAT layer", gat_layer),
    Job("stencil of seven points", stencil),
    Job("eigsh", eigenvalues),
)


def measure(job: Job, rounds: int) -> list[tuple[str, float, float, float]]:
    """Rows of an alternative: its name, seconds of Heddle, its own, and the median of the ratios of a round."""
    ours, others = job.prepare(np.random.default_rng(0))
    expected = np.asarray(ours())
    for name, other in others.items():
        result = other()
        if not isinstance(result, tuple) and not np.allclose(expected, np.asarray(result), rtol=1e-3, atol=1e-4):
            raise AssertionError(f"{job.name}: {name} computes something else")
    samples: dict[str, list[float]] = {name: [] for name in ("", *others)}
    for _ in range(rounds):
        for name, run in {"": ours, **others}.items():
            begin = time.perf_counter()
            run()
            samples[name].append(time.perf_counter() - begin)
    return [
        (
            name,
            float(np.median(samples[""])),
            float(np.median(samples[name])),
            float(np.median(np.divide(samples[name], samples[""]))),
        )
        for name in others
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jobs", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each job, default %(default)s")
    parser.add_argument("--jobs", default="", help="only jobs whose name has this in it")
    options = parser.parse_args()
    print(f"{hd.get_num_threads()} threads, load {os.getloadavg()[0]:.1f}")
    print(f"{'job':26}{'alternative':22}{'Heddle':>12}{'alternative':>14}{'times as fast':>16}")
    for job in JOBS:
        if options.jobs in job.name:
            for name, ours, other, ratio in measure(job, options.rounds):
                print(f"{job.name:26}{name:22}{1e3 * ours:>9.2f} ms{1e3 * other:>11.2f} ms{ratio:>16.2f}", flush=True)


if __name__ == "__main__":
    main()
