"""The dense steps of a sweep in C: what NumPy computes, in parts that no number of threads changes."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.algorithms.dense.steps import Steps


@pytest.mark.parametrize(
    ("rows", "rank"),
    [(1, 1), (3, 7), (7, 3), (511, 4), (5000, 6), (4096, 33), (30, 128), (30, 129), (7, 8), (900, 24), (3000, 64)],
)
def test_a_mode_is_solved_and_scaled(rows: int, rank: int) -> None:
    rng = np.random.default_rng(rank)
    factors = [rng.random((size, rank)) for size in (rows, 2 * rank + 1, rank + 2)]
    product = rng.standard_normal((rows, rank))
    steps = Steps(factors, {0: product}, last=0, ridge=0.25)
    for mode in range(3):
        steps.gram(mode)
    system = steps.grams[1] * steps.grams[2] + 0.25 * np.eye(rank)
    solved, condition = steps.solve(0)
    assert solved
    assert condition >= 1
    wanted = np.linalg.solve(system, product.T).T
    np.testing.assert_allclose(steps.system, system, rtol=1e-12)
    np.testing.assert_allclose(factors[0], wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max())
    before = factors[0].copy()
    assert steps.scale(0, norms=True) == 0
    np.testing.assert_allclose(steps.weights, np.linalg.norm(before, axis=0), rtol=1e-12)
    np.testing.assert_allclose(factors[0] * steps.weights, before, rtol=1e-12)
    np.testing.assert_allclose(steps.grams[0], factors[0].T @ factors[0], rtol=1e-12, atol=1e-12)
    assert (steps.grams[0] == steps.grams[0].T).all()
    model2, inner = steps.inner()
    whole = steps.grams[0] * steps.grams[1] * steps.grams[2]
    assert np.isclose(model2, steps.weights @ whole @ steps.weights)
    assert np.isclose(inner, (product * factors[0] * steps.weights).sum())


@pytest.mark.parametrize(("rows", "rank"), [(7, 3), (513, 5), (5000, 16), (600, 64), (600, 140)])
@pytest.mark.parametrize("norms", [True, False])
def test_the_gram_matrix_of_a_scaled_factor_is_the_one_that_a_resumed_run_makes(
    rows: int, rank: int, norms: bool
) -> None:
    """To the bit: it was made of the columns before they were divided, and runs that went on had other bits."""
    factor = 5 * np.random.default_rng(rows).standard_normal((rows, rank))
    steps = Steps([factor, np.ones((2, rank))], {0: factor.copy()}, last=0)
    steps.scale(0, norms)
    scaled = steps.grams[0].copy()
    steps.gram(0)
    assert steps.grams[0].tobytes() == scaled.tobytes()


@pytest.mark.parametrize("rank", [5, 16, 128])
def test_a_row_is_solved_to_the_same_bits_wherever_it_is(rank: int) -> None:
    """Lanes are rows: neither its place in a tile nor the rows beside it count."""
    rng = np.random.default_rng(rank)
    row, other = rng.standard_normal(rank), rng.random((2 * rank, rank))
    found = set()
    for rows in (1, 2, 7, 25, 600):
        product = rng.standard_normal((rows, rank))
        product[-1] = row
        factors = [np.empty((rows, rank)), other]
        steps = Steps(factors, {0: product}, last=0)
        steps.gram(1)
        assert steps.solve(0)[0]
        found.add(factors[0][-1].tobytes())
    assert len(found) == 1


def test_later_sweeps_divide_by_the_largest_magnitude() -> None:
    factor = np.array([[0.5, -4.0, 0.0], [0.25, 2.0, 0.0]])
    steps = Steps([factor, np.ones((2, 3))], {0: factor.copy()}, last=0)
    assert steps.scale(0, norms=False) == 1
    assert steps.weights.tolist() == [1, 4, 1]
    assert factor.tolist() == [[0.5, -1, 0], [0.25, 0.5, 0]]


def test_systems_that_cholesky_should_not_solve_are_left() -> None:
    factors = [np.ones((4, 2)), np.ones((3, 2))]
    before = factors[0].copy()
    steps = Steps(factors, {0: np.ones((4, 2))}, last=0)
    steps.gram(1)
    solved, condition = steps.solve(0)
    assert not solved
    assert condition > 1e12
    assert (factors[0] == before).all()
    factors[1][0, 0] += 1e-3
    strict = Steps(factors, {0: np.ones((4, 2))}, last=0, worst=1e3)
    strict.gram(1)
    solved, condition = strict.solve(0)
    assert not solved
    assert 1e3 < condition < 1e9
