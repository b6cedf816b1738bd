"""CP-OPT beside SciPy's L-BFGS-B on dense arrays, and its steps by themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

import heddle as hd
from heddle.algorithms.loops.lbfgs import direction, remember, search
from tests.compiler.algorithms import oracle

Array = np.ndarray


def least(tensor: Array, start: list[Array]) -> float:
    """Half the least squared distance that SciPy comes to."""
    sizes = [factor.shape for factor in start]

    def objective(point: Array) -> tuple[float, Array]:
        parts = np.split(point, np.cumsum([rows * rank for rows, rank in sizes])[:-1])
        factors = [part.reshape(size) for part, size in zip(parts, sizes, strict=True)]
        rest = oracle.cells(factors) - tensor
        gradient = [oracle.mttkrp(rest, factors, mode).ravel() for mode in range(len(factors))]
        return float(0.5 * (rest**2).sum()), np.concatenate(gradient)

    begin = np.concatenate([factor.ravel() for factor in start])
    options = {"maxiter": 3000, "ftol": 1e-15, "gtol": 1e-9}
    return float(minimize(objective, begin, jac=True, method="L-BFGS-B", options=options).fun)


@pytest.mark.parametrize("shape", [(6, 7, 8), (9, 8), (4, 5, 3, 6)])
def test_the_distance_is_that_of_scipy(shape: tuple[int, ...]) -> None:
    tensor, _ = oracle.planted(shape, 2, seed=3, noise=0.3)
    rng = np.random.default_rng(1)
    start = [rng.random((size, 2)) for size in shape]
    found = hd.cp_opt(tensor, 2, tolerance=1e-13, start=start)
    last = found.history[-1]
    assert last.objective == pytest.approx(least(tensor, start), rel=1e-6)
    assert last.objective == pytest.approx(0.5 * np.linalg.norm(tensor - found.kruskal.to_dense()) ** 2, rel=1e-9)
    assert (last.violation or 1) < 1e-3
    fits = [sweep.fit for sweep in found.history]
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(fits))


def test_a_tree_serves_all_modes() -> None:
    tensor, _ = oracle.planted((6, 5, 4, 7), 2, seed=3, noise=0.3)
    plain = hd.cp_opt(tensor, 2, sweeps=8, tolerance=0)
    found = hd.cp_opt(tensor, 2, sweeps=8, tolerance=0, reuse="((0 1) (2 3))")
    assert [sweep.fit for sweep in found.history] == pytest.approx([sweep.fit for sweep in plain.history], abs=1e-9)
    assert "tree.0-1" in found.history[0].phases


def test_resumed_and_replayed_to_the_same_bits() -> None:
    tensor, _ = oracle.planted((6, 7, 8), 2, seed=3, noise=0.3)
    whole = hd.cp_opt(tensor, 3, sweeps=9, tolerance=0)
    for sweeps in (1, 4, 8):
        part = hd.cp_opt(tensor, 3, sweeps=sweeps, tolerance=0)
        resumed = hd.cp_opt(tensor, 3, sweeps=9, tolerance=0, resume=part)
        assert all(own.tobytes() == other.tobytes() for own, other in zip(whole.factors, resumed.factors, strict=True))
    replayed = hd.run(whole.document, tensor)
    assert all(own.tobytes() == other.tobytes() for own, other in zip(whole.factors, replayed.factors, strict=True))


def test_where_no_step_is_better_it_ends() -> None:
    rng = np.random.default_rng(0)
    factors = [rng.random((size, 1)) for size in (4, 5, 6)]
    found = hd.cp_opt(oracle.cells(factors), 1, tolerance=0, start=factors)
    assert found.stopped == "tolerance"
    assert found.fit > 1 - 1e-7


def rosenbrock(point: Array) -> tuple[float, Array]:
    x, y = point
    slope = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
    return float((1 - x) ** 2 + 100 * (y - x * x) ** 2), slope


def test_steps_find_the_least_of_a_curved_valley() -> None:
    point = np.array([-1.2, 1.0])
    value, gradient = rosenbrock(point)
    pairs: list[tuple[Array, Array]] = []
    for _ in range(60):
        found = search(rosenbrock, point, value, gradient, direction(gradient, pairs), 1.0 if pairs else 1e-3)
        if found is None:
            break
        pairs = remember(pairs, found[0] - point, found[2] - gradient)
        point, value, gradient = found
    assert np.allclose(point, 1, atol=1e-5)
    assert len(pairs) == 5
    assert search(rosenbrock, point, value, gradient, gradient, 1.0) is None
