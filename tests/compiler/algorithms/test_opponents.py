"""The fits of pyttb's cp_als with the same start, where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hd
from compiler.algorithms.fit import comparable
from compiler.algorithms.kruskal import Kruskal
from tests.compiler.algorithms import oracle

pyttb = pytest.importorskip("pyttb")

SHAPES = ((9, 11, 13), (2, 14, 9), (6, 5, 7, 4), (4, 5, 3, 4, 3))


@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_fits_are_those_of_pyttb(shape: tuple[int, ...], rank: int, noise: float) -> None:
    tensor, _ = oracle.planted(shape, rank, seed=rank, noise=noise)
    rng = np.random.default_rng(1)
    start = [rng.random((size, rank)) for size in shape]
    places = np.argwhere(tensor)
    values = tensor[tensor != 0]
    sparse = pyttb.sptensor(places, values[:, None], shape)
    for sweeps in (1, 5, 20):
        found = hd.cp_als(tensor, rank, sweeps=sweeps, tolerance=0, start=start)
        init = pyttb.ktensor([factor.copy() for factor in start], np.ones(rank))
        model, _, report = pyttb.cp_als(sparse, rank, stoptol=0, maxiters=sweeps, init=init, printitn=0)
        assert abs(found.fit - report["fit"]) <= max(comparable(found.fit, values.size), 1e-9)
    assert found.score(Kruskal(model.weights, model.factor_matrices)) >= 1 - 1e-6
