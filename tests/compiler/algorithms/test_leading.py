"""The start from leading eigenvectors, held to NumPy on the unfolded tensor."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.algorithm import Algorithm, Parameters, Start
from heddle.algorithms.start import hash_of, start_factors
from heddle.algorithms.tensor_input import tensor_input
from tests.compiler.algorithms import oracle
from tests.errors.expect import refusal


def start_of(tensor: object, rank: int) -> list[np.ndarray]:
    return start_factors(Algorithm("cp-als", Parameters(rank, start=Start("nvecs"))), tensor_input(tensor), None, None)


@pytest.mark.parametrize(("shape", "rank"), [((9, 8, 7), 3), ((90, 70, 12), 5), ((80, 6, 5, 4), 6), ((70, 75), 4)])
def test_they_span_what_numpy_finds(shape: tuple[int, ...], rank: int) -> None:
    """Small modes by the whole matrix, modes above 64 by the iteration; values decide, as vectors may be mixed."""
    rng = np.random.default_rng(len(shape))
    tensor = rng.random(shape) * (rng.random(shape) < 0.3)
    for mode, factor in enumerate(start_of(tensor, rank)):
        unfolded = np.moveaxis(tensor, mode, 0).reshape(shape[mode], -1)
        gram = unfolded @ unfolded.T
        count = min(rank, shape[mode])
        found = factor[:, :count]
        assert np.allclose(found.T @ found, np.eye(count), atol=1e-9)
        values = np.linalg.eigvalsh(gram)[::-1][:count]
        assert np.allclose(gram @ found, found * values, atol=1e-7 * values[0])
        assert (found[np.abs(found).argmax(axis=0), np.arange(count)] > 0).all()
        assert ((factor[:, count:] >= 0) & (factor[:, count:] < 1)).all()
        assert factor.shape == (shape[mode], rank)


def test_it_starts_a_decomposition_that_replays() -> None:
    tensor, _ = oracle.planted((80, 15, 14), 3, seed=2, noise=0.01)
    one, other = (hd.cp_als(tensor, 3, sweeps=30, start="nvecs") for _ in range(2))
    assert one.fit > 0.98
    assert hash_of(one.factors) == hash_of(other.factors)
    assert one.document["parameters"]["start"] == {"kind": "nvecs"}  # type: ignore[index]


def test_modes_that_are_too_long_are_refused_before_anything_is_made() -> None:
    columns = ([0, 1], [0, 9_999_999], [0, 2])
    diagnostic = refusal(lambda: hd.cp_als((columns, [1.0, 2.0], (2, 10_000_000, 3)), 2, start="nvecs"))
    assert diagnostic.code == "algorithm/start-too-large"
    assert diagnostic.message == (
        "The start nvecs needs eigenvectors of mode 1, which has 10,000,000 indices; they are computed for at most "
        "100,000. Start with uniform."
    )


def test_counts_cannot_start_from_vectors_with_signs() -> None:
    tensor = np.random.default_rng(0).integers(0, 3, (6, 5, 4)).astype(float)
    diagnostic = refusal(lambda: hd.cp_apr(tensor, 2, start="nvecs"))
    assert diagnostic.code == "algorithm/start"
    assert "has negative numbers; cp-apr needs a start without, as uniform." in diagnostic.message
