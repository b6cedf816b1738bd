"""The same bits for any number of threads, for each run, and for runs that were stopped and resumed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.start import hash_of
from heddle.algorithms.state import State
from tests.compiler.algorithms import oracle
from tests.search_path import search_path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import numpy as np
import heddle as hd
from heddle.algorithms.start import hash_of
rng = np.random.default_rng(0)
for shape, rank in (((200, 300, 400), 16), ((40, 50, 60, 30), 33)):
    columns = tuple(rng.integers(0, size, 40_000) for size in shape)
    found = hd.cp_als((columns, rng.random(40_000), shape), rank, sweeps=3, tolerance=0, seed=1)
    threads = any("CPUThread" in command for one in found.choices.values() for command in one.kernel.schedule)
    print(hash_of(found.factors), found.fit.hex(), threads)
"""


def outcome(threads: int) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": search_path()}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.takes_turns(8, among="whole programs")
def test_any_number_of_threads_gives_the_same_bytes() -> None:
    one = outcome(1)
    assert one.count("True") == 2, "the kernels must use threads, or this shows nothing"
    assert all(outcome(threads) == one for threads in (2, 3, 5))


def test_stopped_and_resumed_at_every_sweep(tmp_path: Path) -> None:
    tensor, _ = oracle.planted((12, 15, 14), 3, seed=2, noise=0.1)
    whole = hd.cp_als(tensor, 4, sweeps=6, tolerance=0, seed=5)
    again = hd.cp_als(tensor, 4, sweeps=6, tolerance=0, seed=5)
    assert hash_of(again.factors) == hash_of(whole.factors)
    for sweep in range(1, 6):
        part = hd.cp_als(tensor, 4, sweeps=sweep, tolerance=0, seed=5)
        part.state.save(tmp_path / "state")
        resumed = hd.cp_als(tensor, 4, sweeps=6, tolerance=0, seed=5, resume=State.load(tmp_path / "state"))
        assert hash_of(resumed.factors) == hash_of(whole.factors)
        assert resumed.weights.tobytes() == whole.weights.tobytes()
        assert [one.fit for one in (*part.history, *resumed.history)] == [one.fit for one in whole.history]


def test_the_resolved_document_gives_the_same_bytes() -> None:
    tensor, _ = oracle.planted((12, 15, 14), 3, seed=2, noise=0.1)
    first = hd.cp_als(tensor, 8, sweeps=4, tolerance=0)
    kernels = first.document["kernels"]
    assert isinstance(kernels, dict)
    assert set(kernels) == {"mttkrp.0", "mttkrp.1", "mttkrp.2", "tensor-norm"}
    second = hd.run(first.document, tensor)
    assert second.document == first.document
    assert hash_of(second.factors) == hash_of(first.factors)


@pytest.mark.parametrize("race", ["Temporary", "Atomics"])
def test_pinned_kernels_give_the_same_factors(race: str) -> None:
    tensor, _ = oracle.planted((12, 15, 14), 3, seed=2, noise=0.1)
    schedule = ["fuse(i, j, f)", "fuse(f, k, g)", "pos(g, p, X)", "split(p, p0, p1, 128)"]
    pinned = {"tensors": {"X": {"format": "coo"}}, "schedule": [*schedule, f"parallelize(p0, CPUThread, {race})"]}
    usual = hd.cp_als(tensor, 3, sweeps=4, tolerance=0)
    found = hd.cp_als(tensor, 3, sweeps=4, tolerance=0, kernels={"mttkrp.1": pinned}, reproducible=False)
    assert found.choices["mttkrp.1"].method is None
    for own, other in zip(found.factors, usual.factors, strict=True):
        assert np.allclose(own, other, rtol=0, atol=1e-9)
