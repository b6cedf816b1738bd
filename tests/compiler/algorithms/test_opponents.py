"""The fits of pyttb's and GenTen's CP-ALS with the same start, where they are installed."""

from __future__ import annotations

import json
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.dense.fit import comparable
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.kruskal import Kruskal
from heddle.algorithms.start import start_factors
from heddle.algorithms.tensor_input import tensor_input
from heddle_server.decomposition_baselines.compare import opponents_of
from tests.compiler.algorithms import oracle

RECORDED = Path(__file__).with_name("pyttb_fits.json")
SHAPES = ((9, 11, 13), (2, 14, 9), (6, 5, 7, 4), (4, 5, 3, 4, 3))


@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_fits_are_those_of_pyttb(shape: tuple[int, ...], rank: int, noise: float) -> None:
    pyttb = pytest.importorskip("pyttb")
    tensor, start = case(shape, rank, noise)
    places = np.argwhere(tensor)
    values = tensor[tensor != 0]
    sparse = pyttb.sptensor(places, values[:, None], shape)
    for sweeps in (1, 5, 20):
        found = hd.cp_als(tensor, rank, sweeps=sweeps, tolerance=0, start=start)
        init = pyttb.ktensor([factor.copy() for factor in start], np.ones(rank))
        model, _, report = pyttb.cp_als(sparse, rank, stoptol=0, maxiters=sweeps, init=init, printitn=0)
        assert abs(found.fit - report["fit"]) <= max(comparable(found.fit, values.size), 1e-9)
    assert found.score(Kruskal(model.weights, model.factor_matrices)) >= 1 - 1e-6


def case(shape: tuple[int, ...], rank: int, noise: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """The tensor of a case and its start."""
    rng = np.random.default_rng(1)
    return oracle.planted(shape, rank, seed=rank, noise=noise)[0], [rng.random((size, rank)) for size in shape]


@pytest.mark.combinations(4, "shape", "rank", "noise")
@pytest.mark.parametrize("noise", [0.05, 0.5])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_fits_are_those_that_pyttb_had(shape: tuple[int, ...], rank: int, noise: float) -> None:
    """In each of 20 sweeps; `record` below has put down what pyttb found where it is installed."""
    tensor, start = case(shape, rank, noise)
    (kept,) = [
        one
        for one in json.loads(RECORDED.read_text())["cases"]
        if (one["shape"], one["rank"], one["noise"]) == (list(shape), rank, noise)
    ]
    assert len(kept["fits"]) == 20
    found = hd.cp_als(tensor, rank, sweeps=20, tolerance=0, start=start)
    for own, fit in zip(found.history, kept["fits"], strict=True):
        assert abs(own.fit - fit) <= max(comparable(own.fit, np.count_nonzero(tensor)), 1e-9)
    theirs = Kruskal(np.array(kept["weights"]), [np.array(factor) for factor in kept["factors"]])
    assert found.score(theirs) >= 1 - 1e-6


def record() -> None:
    """Writes what pyttb finds: python -c "from tests.compiler.algorithms.test_opponents import record; record()"."""
    import pyttb

    cases = []
    for shape, rank, noise in product(SHAPES, (1, 2, 3), (0.05, 0.5)):
        tensor, start = case(shape, rank, noise)
        sparse = pyttb.sptensor(np.argwhere(tensor), tensor[tensor != 0][:, None], shape)
        fits = []
        for sweeps in range(1, 21):
            init = pyttb.ktensor([factor.copy() for factor in start], np.ones(rank))
            model, _, report = pyttb.cp_als(sparse, rank, stoptol=0, maxiters=sweeps, init=init, printitn=0)
            fits.append(float(report["fit"]))
        factors = [[[float(f"{one:.9g}") for one in row] for row in factor] for factor in model.factor_matrices]
        cases.append({"shape": list(shape), "rank": rank, "noise": noise, "fits": fits,
                      "weights": model.weights.tolist(), "factors": factors})  # fmt: skip
    text = ",\n".join(json.dumps(one) for one in cases)
    RECORDED.write_text(f'{{"pyttb": "{version("pyttb")}", "cases": [\n{text}\n]}}\n')


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
    (theirs,) = opponents_of(algorithm, given, start_factors(algorithm, given, None, None), 20, 120.0)
    assert [one["sweep"] for one in theirs["history"]] == list(range(1, 21)), theirs["reason"]
    for own, other in zip(ours.history, theirs["history"], strict=True):
        assert abs(own.fit - other["fit"]) <= max(comparable(own.fit, given.stored), 1e-9)
