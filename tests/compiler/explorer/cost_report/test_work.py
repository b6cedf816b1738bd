"""The formula of the work is the work that the checked interpreter counts, on any data and under any schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from heddle.explorer.cost_report.cache import Touched, find_touched_lines, lines, misses
from heddle.explorer.cost_report.counted import count_events
from heddle.explorer.cost_report.run import run, wrong
from heddle.explorer.cost_report.work import work_terms, work_text
from heddle.pipeline import lower
from heddle.plan import parse_plan

SIZES = {"i": 9, "j": 7, "k": 6, "l": 5}
SPMV, SPMM, SPGEMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)", "C(i,j) = A(i,k) * B(k,j)"
MTTKRP = "A(i,j) = B(i,k,l) * D(l,j) * C(k,j)"
PROGRAMS: dict[str, tuple[str, dict[str, str], list[str], str]] = {
    "spmv": (SPMV, {"A": "csr"}, [], "nnz(A)"),
    "columns": (SPMV, {"A": "csc"}, [], "nnz(A)"),
    "dense": (SPMV, {}, [], "I * J"),
    "tiles": (SPMV, {"A": "csr"}, ["divide(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)"], "nnz(A)"),
    "positions": (SPMV, {"A": "dcsr"}, ["fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 4)"], "nnz(A)"),
    "sparse-vector": (SPMV, {"A": "csr", "x": "sparse"}, [], "sum i < I, sum j in A ∩ x: 1"),
    "spmm": (SPMM, {"A": "csr"}, ["split(k, k0, k1, 4)"], "nnz(A) * K"),
    "shared-tile": (
        SPMM,
        {"A": "csr"},
        ["split(k, k0, k1, 4)", "reorder(i, k0, j, k1)", "precompute(A(i,j) * B(j,k), k1, k1w, w)"],
        "nnz(A) * K",
    ),
    "union": ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}, [], "sum i < I, sum j in A ∪ B: 1"),
    "intersection": ("C(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "dcsr"}, [], "sum i in B, sum j in A ∩ B: 1"),
    "spgemm": (SPGEMM, {"A": "csr", "B": "csr", "C": "csr"}, [], "sum i < I, sum k in A, sum j in B: 1"),
    "mttkrp": (MTTKRP, {"B": "csf"}, [], "nnz(B) * J"),
    "factored": (
        MTTKRP,
        {"B": "csf"},
        ["precompute(B(i,k,l) * D(l,j), j, j, w)"],
        "nnz(B) * J + segments(B, 2) * J",
    ),
    "two-terms": ("y(i) = b(i) + A(i,j) * x(j)", {"A": "csr"}, [], "nnz(A) + I"),
}


def operand(rng: np.random.Generator, indices: tuple[str, ...], density: float) -> NDArray[Any]:
    shape = [SIZES[index] for index in indices]
    return np.where(rng.random(shape) < density, rng.integers(1, 10, shape), 0).astype(float)


@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000), density=st.sampled_from([0.0, 0.15, 0.5, 1.0]))
def test_the_formula_is_the_count(name: str, seed: int, density: float) -> None:
    expression, formats, schedule, text = PROGRAMS[name]
    tensors = {tensor: {"format": format} for tensor, format in formats.items()}
    plan = {"version": 2, "expression": expression, "tensors": tensors, "schedule": schedule}
    result = lower(parse_plan(plan))
    result.raise_errors()
    assert result.signature is not None
    rng = np.random.default_rng(seed)
    operands = {
        tensor.name: operand(rng, tensor.indices, density if tensor.name in formats else 1.0)
        for tensor in result.signature.inputs
    }
    done = run(result, operands)
    graph = result.lowered_graph
    assert graph is not None
    terms = work_terms(graph, {one: done.tensors[one] for one in operands}, done.sizes)
    assert terms is not None
    assert work_text(terms) == text
    assert sum(term.value for term in terms) == count_events(done).work


def test_formats_with_padding_have_no_formula() -> None:
    plan = {"version": 2, "expression": SPMV, "tensors": {"A": {"format": "ell"}}}
    result = lower(parse_plan(plan))
    done = run(result, {"A": np.eye(4), "x": np.ones(4)})
    assert result.lowered_graph is not None
    operands = {name: done.tensors[name] for name in "Ax"}
    assert work_terms(result.lowered_graph, operands, done.sizes) is None


def matrix() -> NDArray[Any]:
    found = np.zeros((8, 8))
    found[0] = 1  # all of the first row, and the diagonal
    np.fill_diagonal(found, 2)
    return found


@pytest.mark.parametrize(
    ("schedule", "imbalance", "atomics"),
    [
        ([], 1.0, 0),
        (["parallelize(i, CPUThread, NoRaces)"], 8 * 8 / 15, 0),
        (["fuse(i, j, f)", "pos(f, p, A)", "divide(p, p0, p1, 5)", "parallelize(p0, CPUThread, Atomics)"], 1.0, 10),
    ],
)
def test_shares_of_workers_and_their_atomic_updates(schedule: list[str], imbalance: float, atomics: int) -> None:
    plan = {"version": 2, "expression": SPMV, "tensors": {"A": {"format": "csr"}}, "schedule": schedule}
    operands = {"A": matrix(), "x": np.arange(1.0, 9)}
    result = lower(parse_plan(plan))
    done = run(result, operands)
    counts = count_events(done)
    assert counts.imbalance == pytest.approx(imbalance)
    assert counts.work == counts.multiplications == 15
    assert counts.loads["x"] == counts.gathers == 15
    assert counts.elements["x"] == 8
    assert (counts.atomics > 0) == (atomics > 0)
    assert wrong(result, operands, done) is None
    doubled = {**operands, "x": 2 * operands["x"]}
    assert wrong(result, doubled, done) == "element (0,) of the result is 37, expected 74"


def test_the_cache_drops_what_was_used_least_recently() -> None:
    accesses = [*range(8), 7, 7, 0, 8, 0, 1]  # one set of eight lines: 8 takes the place of 1, whose use is longest ago
    seen = Touched(("A", "B"), np.array([int(line == 8) for line in accesses]), np.array(accesses))
    assert misses(seen, 64 * 8) == {"A": 9, "B": 1}
    assert lines(seen) == {"A": 8, "B": 1}
    assert misses(seen, 2 * 64 * 8) == lines(seen), "two sets have room for all"
    assert misses(Touched((), np.array([], dtype=np.int64), np.array([], dtype=np.int64)), 512) == {}


def test_clearing_a_result_touches_its_lines() -> None:
    """Fills were left out: a compiled kernel missed a quarter more often than the simulation said."""
    plan = {"version": 2, "expression": SPMM, "tensors": {"A": {"format": "csr"}}}
    done = run(lower(parse_plan(plan)), {"A": np.zeros((16, 8)), "B": np.ones((8, 8))})
    assert misses(find_touched_lines(done), 4096)["C"] == 16


def test_misses_by_tensor() -> None:
    plan = {"version": 2, "expression": SPMV, "tensors": {}}
    done = run(lower(parse_plan(plan)), {"A": np.ones((8, 8)), "x": np.ones(8)})
    assert misses(find_touched_lines(done), 4096) == {"A": 8, "x": 1, "y": 1}
