"""CP-ALS beside an oracle on dense arrays, with the same start."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.dense.fit import comparable
from heddle.algorithms.dense.solve import solve
from heddle.algorithms.kruskal import Kruskal
from tests.compiler.algorithms import oracle

SHAPES = ((9, 11, 13), (2, 14, 9), (6, 5, 7, 4), (4, 5, 3, 4, 2))
CASES = [(shape, rank, noise) for shape in SHAPES for rank in (1, 2, 3, 8) for noise in (0.0, 0.3)]
"""32 cases of order 3 to 5, one with a mode of length 2."""


def starts(shape: tuple[int, ...], rank: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.random((size, rank)) for size in shape]


@pytest.mark.combinations(6, "shape", "rank", "noise")
@pytest.mark.parametrize(("shape", "rank", "noise"), CASES)
def test_the_fits_are_those_of_the_oracle(shape: tuple[int, ...], rank: int, noise: float) -> None:
    tensor, _ = oracle.planted(shape, min(rank, 2), seed=rank, noise=noise)
    start = starts(shape, rank)
    found = hd.cp_als(tensor, rank, sweeps=8, tolerance=0, start=start)
    _, _, fits = oracle.cp_als(tensor, start, 8)
    stored = np.count_nonzero(tensor)
    unusual = any(sweep.events for sweep in found.history)
    for sweep, fit in zip(found.history, fits, strict=True):
        allowed = 1e-5 if unusual else comparable(min(fit, 1 - 1e-8), stored)
        assert abs(sweep.fit - fit) <= max(allowed, 1e-9) or (not sweep.resolved and fit >= sweep.fit - 1e-7)


@pytest.mark.parametrize(
    ("shape", "rank"), [((20, 30, 25), 3), ((9, 8, 10, 7), 2), ((5, 6, 7, 5, 6), 2), ((30, 20), 1)]
)
def test_what_was_planted_is_found(shape: tuple[int, ...], rank: int) -> None:
    tensor, factors = oracle.planted(shape, rank, seed=5, support=0.6)
    found = hd.cp_als(tensor, rank, sweeps=400, tolerance=1e-12, start="normal", seed=6)
    assert found.stopped == "tolerance"
    assert found.fit >= 1 - 1e-6
    assert found.score(Kruskal(np.ones(rank), factors)) >= 1 - 1e-6
    assert np.abs(found.kruskal.to_dense() - tensor).max() <= 1e-6 * np.abs(tensor).max()


def test_the_tensor_may_be_given_in_many_ways() -> None:
    tensor, _ = oracle.planted((7, 9, 8), 2, seed=1)
    places = np.nonzero(tensor)
    values = tensor[places]
    mixed = np.random.default_rng(0).permutation(values.size)
    twice = tuple(np.concatenate([column[mixed], column[:4]]) for column in places)
    halves = np.concatenate([values[mixed], np.zeros(4)])

    class Coordinates:
        """As the package sparse has them."""

        coords = np.stack(places)
        data = values
        shape = (7, 9, 8)

    given = [tensor, (places, values, (7, 9, 8)), Coordinates(), hd.pack(tensor, "csf"), (twice, halves, (7, 9, 8))]
    found = [hd.cp_als(one, 2, sweeps=3, tolerance=0) for one in given]
    assert [one.summed for one in found] == [0, 0, 0, 0, 4]
    for one in found[1:]:
        for own, other in zip(found[0].factors, one.factors, strict=True):
            assert own.tobytes() == other.tobytes()


def test_factors_that_are_not_updated_stay_to_the_bit() -> None:
    tensor, _ = oracle.planted((7, 9, 8), 2, seed=1, noise=0.1)
    start = starts((7, 9, 8), 2)
    found = hd.cp_als(tensor, 2, sweeps=5, tolerance=0, start=start, update=[0, 2])
    _, _, fits = oracle.cp_als(tensor, start, 5, update=[0, 2])
    assert found.state.factors[1].tobytes() == start[1].tobytes()
    assert np.allclose([sweep.fit for sweep in found.history], fits, rtol=0, atol=1e-9)


def test_a_ridge_is_added_to_each_system() -> None:
    tensor, _ = oracle.planted((7, 9, 8), 2, seed=1, noise=0.1)
    start = starts((7, 9, 8), 3)
    found = hd.cp_als(tensor, 3, sweeps=5, tolerance=0, start=start, ridge=0.5)
    _, _, fits = oracle.cp_als(tensor, start, 5, ridge=0.5)
    assert np.allclose([sweep.fit for sweep in found.history], fits, rtol=0, atol=1e-9)


def test_a_singular_system_is_solved_otherwise_and_said() -> None:
    tensor, _ = oracle.planted((2, 9, 8), 1, seed=2)
    found = hd.cp_als(tensor, 6, sweeps=4, tolerance=0)
    texts = [event.text for sweep in found.history for event in sweep.events if event.kind == "solver"]
    assert any(text.startswith("The matrix of the system ") for text in texts)  # rounding decides how it is solved
    assert found.fit >= 1 - 1e-6


def test_a_system_of_rank_one_is_solved_for_the_minimum_norm() -> None:
    rows = np.full((2, 6), 12.0)
    _, text = solve(np.ones((6, 6)), rows, "cholesky")
    assert text is not None
    assert text.endswith(": solved for the minimum norm, with rank 1 of 6.")
    assert np.allclose(rows, 2.0)


def test_empty_slices_are_rows_of_zeros() -> None:
    tensor, _ = oracle.planted((9, 9, 8), 2, seed=1)
    tensor[4] = 0
    tensor[:, 0] = 0
    found = hd.cp_als(tensor, 2, sweeps=10, tolerance=0)
    assert not found.factors[0][4].any()
    assert not found.factors[1][0].any()
    assert all(np.isfinite(factor).all() for factor in found.factors)


def test_the_result_is_arranged() -> None:
    tensor, _ = oracle.planted((9, 7, 8), 3, seed=4)
    found = hd.cp_als(tensor, 3, sweeps=20, tolerance=0)
    assert (np.diff(found.weights) <= 0).all()
    for factor in found.factors:
        assert np.allclose(np.linalg.norm(factor, axis=0), 1)
    negative = sum((factor[np.abs(factor).argmax(axis=0), range(3)] < 0).astype(int) for factor in found.factors)
    assert (negative <= 1).all()
    assert np.isclose(found.kruskal.norm(), np.linalg.norm(found.kruskal.to_dense()))


def test_it_ends_as_asked() -> None:
    tensor, _ = oracle.planted((9, 7, 8), 3, seed=4, noise=0.2)
    assert hd.cp_als(tensor, 2, sweeps=3, tolerance=0).stopped == "sweeps"
    assert hd.cp_als(tensor, 2, sweeps=300, tolerance=0.1).stopped == "tolerance"
    asked = hd.cp_als(tensor, 2, sweeps=300, tolerance=0, watch=lambda sweep: sweep.number == 4)
    assert (asked.stopped, len(asked.history)) == ("asked", 4)
    timed = hd.cp_als(tensor, 2, sweeps=10_000, tolerance=0, seconds=0)
    assert (timed.stopped, len(timed.history)) == ("seconds", 1)


def test_phases_are_those_of_each_mode() -> None:
    tensor, _ = oracle.planted((9, 7, 8), 2, seed=4)
    (sweep,) = hd.cp_als(tensor, 2, sweeps=1).history
    wanted = [f"{phase}.{mode}" for mode in range(3) for phase in ("mttkrp", "solve", "scale")]
    assert list(sweep.phases) == [*wanted, "fit"]
    assert 0 < sum(sweep.phases.values()) <= sweep.seconds
    assert set(sweep.conditions) == {0, 1, 2}


def test_a_tensor_too_large_to_be_dense() -> None:
    """800 GB as an array; here the memory of its entries."""
    rng = np.random.default_rng(0)
    shape = (1000, 1001, 1002, 100)
    columns = tuple(rng.integers(0, size, 5000) for size in shape)
    found = hd.cp_als((columns, rng.random(5000), shape), 4, sweeps=2, tolerance=0)
    assert len(found.history) == 2
    assert [factor.shape for factor in found.factors] == [(size, 4) for size in shape]
    assert 0 < found.fit < 1


@pytest.mark.parametrize("shape", [(1, 5, 6), (5, 1, 1), (2, 2, 2, 2), (1, 1, 7)])
def test_modes_of_length_one_and_two(shape: tuple[int, ...]) -> None:
    tensor = np.random.default_rng(0).random(shape)
    start = starts(shape, 2)
    found = hd.cp_als(tensor, 2, sweeps=4, tolerance=0, start=start)
    _, _, fits = oracle.cp_als(tensor, start, 4)
    assert np.isfinite(found.fit)
    assert found.fit >= fits[-1] - 1e-6
    assert [factor.shape for factor in found.factors] == [(size, 2) for size in shape]


def test_numbers_of_numpy_are_numbers() -> None:
    tensor = np.random.default_rng(0).integers(0, 3, (4, 5, 6)).astype(np.int16)
    plain = hd.cp_als(tensor.astype(float), 2, sweeps=3, tolerance=0.0, seed=4, update=[0, 1])
    found = hd.cp_als(
        tensor, np.int64(2), sweeps=np.int32(3), tolerance=np.float32(0), seed=np.int8(4), update=np.array([0, 1])
    )
    assert found.document == plain.document
    assert all(a.tobytes() == b.tobytes() for a, b in zip(found.factors, plain.factors, strict=True))
