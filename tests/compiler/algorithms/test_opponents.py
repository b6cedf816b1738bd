"""The fits of pyttb's and GenTen's CP-ALS with the same start, where they are installed."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import compiler as hd
from backend.baselines.decompositions.compare import opponents_of
from compiler.algorithms.document.reader import parse_algorithm
from compiler.algorithms.fit import comparable
from compiler.algorithms.kruskal import Kruskal
from compiler.algorithms.start import started
from compiler.algorithms.tensor_input import tensor_input
from tests.compiler.algorithms import oracle

SHAPES = ((9, 11, 13), (2, 14, 9), (6, 5, 7, 4), (4, 5, 3, 4, 3))


@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_fits_are_those_of_pyttb(shape: tuple[int, ...], rank: int, noise: float) -> None:
    pyttb = pytest.importorskip("pyttb")
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


@pytest.mark.skipif(find_spec("pygenten") is None, reason="pygenten is not installed")
@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_sweep_is_that_of_genten(shape: tuple[int, ...], rank: int, noise: float) -> None:
    """In a process of its own, sweep by sweep from where it stood before: Kokkos ends with its process."""
    tensor, _ = oracle.planted(shape, rank, seed=rank, noise=noise)
    parameters = {"rank": rank, "sweeps": 20, "tolerance": 0, "start": {"kind": "uniform", "seed": 1}}
    algorithm = parse_algorithm({"algorithm": "cp-als", "parameters": parameters, "run": {"baselines": ["genten"]}})
    given = tensor_input(tensor)
    ours = hd.run(algorithm, tensor)
    (theirs,) = opponents_of(algorithm, given, started(algorithm, given, None, None), 20, 120.0)
    assert [one["sweep"] for one in theirs["history"]] == list(range(1, 21)), theirs["reason"]
    for own, other in zip(ours.history, theirs["history"], strict=True):
        assert abs(own.fit - other["fit"]) <= max(comparable(own.fit, given.stored), 1e-9)
