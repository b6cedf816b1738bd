"""CP-APR beside an oracle on dense arrays, with the same start: updates, conditions of an optimum, likelihood."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import heddle as hd
from tests.compiler.algorithms import oracle

SHAPES = ((6, 7, 8), (9, 11), (4, 5, 3, 6))


def counts(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    factors = [rng.random((size, 2)) ** 3 for size in shape]
    return rng.poisson(3 * oracle.cells(factors)).astype(float)


def starts(shape: tuple[int, ...], rank: int) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [rng.random((size, rank)) for size in shape]


@pytest.mark.combinations(2, "shape", "rank")
@pytest.mark.parametrize("rank", [1, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_sweep_is_that_of_the_oracle(shape: tuple[int, ...], rank: int) -> None:
    tensor, start = counts(shape), starts(shape, rank)
    found = hd.cp_apr(tensor, rank, sweeps=30, start=start)
    weights, factors, violations, objective = oracle.cp_apr(tensor, start, 30, 1e-4)
    assert [sweep.violation for sweep in found.history] == pytest.approx(violations, abs=1e-12)
    last = found.history[-1]
    assert last.objective == pytest.approx(objective, rel=1e-12)
    order = np.argsort(-weights, kind="stable")
    np.testing.assert_allclose(found.weights, weights[order], rtol=1e-9)
    for own, other in zip(found.factors, factors, strict=True):
        np.testing.assert_allclose(own, other[:, order], rtol=0, atol=1e-9)
    assert found.weights.sum() == pytest.approx(tensor.sum(), rel=1e-3)
    dense = found.kruskal.to_dense()
    assert found.fit == pytest.approx(1 - np.linalg.norm(tensor - dense) / np.linalg.norm(tensor), abs=1e-9)


def test_it_ends_where_the_conditions_hold() -> None:
    found = hd.cp_apr(counts((6, 7, 8)), 2, tolerance=1e-3)
    assert found.stopped == "tolerance"
    assert (found.history[-1].violation or 1) < 1e-3
    objectives = [sweep.objective or 0.0 for sweep in found.history]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(objectives))


def test_zeros_that_should_grow_are_set() -> None:
    tensor, start = counts((6, 7, 8)), starts((6, 7, 8), 2)
    start[0][np.argmax(tensor.sum(axis=(1, 2)))] = 0
    found = hd.cp_apr(tensor, 2, sweeps=3, start=start)
    texts = [event.text for sweep in found.history for event in sweep.events]
    assert texts[0] == "2 entries that were zero, but should grow, were set to 0.01."


def test_resumed_and_replayed_to_the_same_bits() -> None:
    tensor = counts((6, 7, 8))
    whole = hd.cp_apr(tensor, 3, sweeps=6, tolerance=0)
    resumed = hd.cp_apr(tensor, 3, sweeps=6, tolerance=0, resume=hd.cp_apr(tensor, 3, sweeps=2, tolerance=0))
    replayed = hd.run(whole.document, tensor)
    for own, other, third in zip(whole.factors, resumed.factors, replayed.factors, strict=True):
        assert own.tobytes() == other.tobytes() == third.tobytes()
    assert {name.split(".")[0] for name in whole.choices} == {"mttkrp", "ratio", "inner", "likelihood", "tensor-norm"}


def test_modes_that_are_not_updated_stay() -> None:
    tensor, start = counts((6, 7, 8)), starts((6, 7, 8), 2)
    start[1] /= start[1].sum(axis=0)
    found = hd.cp_apr(tensor, 2, sweeps=3, tolerance=0, start=start, update=[0, 2])
    np.testing.assert_allclose(found.state.factors[1], start[1], rtol=1e-15)
