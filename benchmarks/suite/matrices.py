"""Matrices of different structure: generators that hit a number of nonzeros, and the real ones that Heddle ships."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from heddle.measuring.inputs.synthetic.generators import GENERATORS, generate
from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.tensors.coordinates import Entries
from heddle_server.datasets.stand_ins import GRAPHS, Graph

DATASETS = Path(__file__).resolve().parents[2] / "backend" / "heddle_server" / "datasets"
SIZES = {"tiny": 4_000, "small": 100_000, "medium": 2_000_000, "large": 20_000_000}
"""Nonzeros, about: for a trial, in the cache of a core, around the last cache, out of every cache."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """``make(nonzeros)`` gives coordinates and shape; ``real`` ones have the size that they have."""

    name: str
    title: str
    make: Callable[[int], Any]
    real: bool = False


def load(matrix: Matrix, nonzeros: int, dtype: str) -> Any:
    """Canonical CSR with 32-bit indices and values in (0, 1]; the same each time."""
    made = matrix.make(nonzeros).tocsr()
    made.sum_duplicates()
    made.sort_indices()
    made.data = (1.0 - np.random.default_rng(1).random(made.nnz)).astype(dtype)
    made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
    return made


def _coo(rows: Any, columns: Any, shape: tuple[int, int]) -> Any:
    return scipy.sparse.coo_array((np.ones(rows.size), (rows, columns)), shape=shape)


def _stencil(nonzeros: int, dimensions: int, corners: bool) -> Any:
    """Neighbours on a grid: 5 points in the plane, 27 in space."""
    points = 27 if corners else 2 * dimensions + 1
    side = max(3, round((nonzeros / points) ** (1 / dimensions)))
    line = scipy.sparse.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(side, side))
    eye = scipy.sparse.eye_array(side)
    grid = line
    for _ in range(dimensions - 1):
        wide = scipy.sparse.kron(line, grid) if corners else scipy.sparse.kron(line, _identity(grid))
        grid = wide if corners else wide + scipy.sparse.kron(eye, grid)
    return grid


def _identity(grid: Any) -> Any:
    return scipy.sparse.eye_array(grid.shape[0])


def _banded(nonzeros: int) -> Any:
    rows = max(16, nonzeros // 9)
    return scipy.sparse.diags_array([1.0] * 9, offsets=range(-4, 5), shape=(rows, rows))


def _generated(name: str, per_row: int) -> Callable[[int], Any]:
    """By one of the service's generators, without the limits that it sets to what visitors ask for."""
    generator = next(one for one in GENERATORS if one.name == name)
    defaults = {parameter.name: parameter.default for parameter in generator.parameters}

    def make(nonzeros: int) -> Any:
        side = max(16, nonzeros // per_row)
        columns = generator.make(np.random.default_rng(7), (side, side), {**defaults, "nnz": nonzeros})
        assert columns is not None
        return _coo(*columns, (side, side))

    return make


def _blocks(nonzeros: int) -> Any:
    """Dense blocks of 4 by 4 at random coordinates."""
    count, rng = max(1, nonzeros // 16), np.random.default_rng(3)
    side = max(4, count // 6)
    first, last = np.indices((4, 4))
    rows = (4 * rng.integers(0, side, count)[:, None] + first.ravel()).ravel()
    columns = (4 * rng.integers(0, side, count)[:, None] + last.ravel()).ravel()
    return _coo(rows, columns, (4 * side, 4 * side))


def _one_full(nonzeros: int, row: bool) -> Any:
    """Five diagonals, and one row or column in which everything is stored."""
    side = max(16, nonzeros // 6)
    band = scipy.sparse.diags_array([1.0] * 5, offsets=range(-2, 3), shape=(side, side)).tocoo()
    full, place = np.arange(side), np.full(side, side // 3)
    rows = np.concatenate([band.coords[0], place if row else full])
    columns = np.concatenate([band.coords[1], full if row else place])
    return _coo(rows, columns, (side, side))


def _uniform(nonzeros: int, rows: int, columns: int) -> Any:
    rng = np.random.default_rng(5)
    return _coo(rng.integers(0, rows, nonzeros), rng.integers(0, columns, nonzeros), (rows, columns))


def _shipped(name: str) -> Callable[[int], Any]:
    def make(nonzeros: int) -> Any:
        entries = read_mtx(DATASETS / f"{name}.mtx")
        return _coo(*entries.columns, (entries.shape[0], entries.shape[1]))

    return make


MATRICES = (
    Matrix("stencil-2d", "5-point stencil", lambda n: _stencil(n, 2, corners=False)),
    Matrix("stencil-3d", "27-point stencil", lambda n: _stencil(n, 3, corners=True)),
    Matrix("banded", "9 diagonals", _banded),
    Matrix("rmat", "R-MAT, 16 a row", _generated("rmat", 16)),
    Matrix("uniform", "uniform, 8 a row", _generated("uniform", 8)),
    Matrix("blocks", "4 by 4 blocks", _blocks),
    Matrix("dense-row", "5 diagonals and a full row", lambda n: _one_full(n, row=True)),
    Matrix("dense-column", "5 diagonals and a full column", lambda n: _one_full(n, row=False)),
    Matrix("hypersparse", "most rows empty", lambda n: _uniform(n, 8 * n, 8 * n)),
    Matrix("short-wide", "64 rows", lambda n: _uniform(n, 64, max(64, n // 4))),
    Matrix("tall-skinny", "64 columns", lambda n: _uniform(n, max(64, n // 4), 64)),
    Matrix("square-dense", "half full", lambda n: _uniform(n, isqrt(2 * n), isqrt(2 * n))),
    Matrix("bcsstk13", "fluid flow, real", _shipped("bcsstk13"), real=True),
    Matrix("cryg2500", "crystal growth, real", _shipped("cryg2500"), real=True),
    Matrix("zenios", "optimisation, real", _shipped("zenios"), real=True),
    Matrix("jagmesh7", "finite elements, real", _shipped("jagmesh7"), real=True),
)


def _stand_in(graph: Graph) -> Matrix:
    scale = f", 1/{graph.scale} of its vertices" if graph.scale > 1 else ""

    def make(nonzeros: int) -> Any:
        found = generate(graph.name, graph.input(), (graph.vertices, graph.vertices), "float32")
        assert isinstance(found, Entries)
        return _coo(*found.columns, (graph.vertices, graph.vertices))

    return Matrix(graph.name, f"graph like {graph.name}{scale}", make, real=True)


GRAPH_MATRICES = tuple(_stand_in(graph) for graph in GRAPHS)
"""Of the suite ``compositions`` alone: the largest takes seconds to make."""
BY_NAME = {matrix.name: matrix for matrix in (*MATRICES, *GRAPH_MATRICES)}
