"""Watching over a decomposition: each record, a request to stop, and checkpoints that another process goes on from."""

from __future__ import annotations

import numpy as np

from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.follow import follow
from heddle.algorithms.history import Sweep
from heddle.algorithms.start import hash_of
from heddle.algorithms.state import State
from tests.compiler.algorithms import oracle

TENSOR, _ = oracle.planted((6, 7, 8), 2, seed=3, noise=0.1)
ALGORITHM = parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 3, "sweeps": 6, "tolerance": 0}})


def test_a_checkpoint_behind_any_sweep_goes_on_to_the_same_bits() -> None:
    kept: list[bytes] = []
    whole = follow(AlgorithmRun(ALGORITHM, TENSOR), checkpoint=kept.append, every=0)
    assert len(kept) == 7
    for place, content in enumerate(kept[:5]):
        records: list[Sweep] = []
        state = State.from_bytes(content)
        resumed = follow(AlgorithmRun(ALGORITHM, TENSOR, resume=state), sweep=records.append)
        assert [record.number for record in records] == list(range(place + 2, 7))
        assert hash_of(resumed.factors) == hash_of(whole.factors)
        assert resumed.weights.tobytes() == whole.weights.tobytes()


def test_stopping_keeps_what_is_there() -> None:
    records: list[Sweep] = []
    found = follow(AlgorithmRun(ALGORITHM, TENSOR), sweep=records.append, stop=lambda: len(records) == 2)
    assert (found.stopped, len(found.history), found.fit) == ("asked", 2, records[-1].fit)
    before = follow(AlgorithmRun(ALGORITHM, TENSOR), stop=lambda: True)
    assert (before.stopped, before.history) == ("asked", [])
    assert all(np.isfinite(factor).all() for factor in before.factors)


def test_only_the_last_checkpoint_where_there_is_little_time() -> None:
    kept: list[bytes] = []
    found = follow(AlgorithmRun(ALGORITHM, TENSOR), checkpoint=kept.append, every=1e9)
    assert [State.from_bytes(content).sweeps for content in kept] == [6]
    assert State.from_bytes(kept[0]).fit == found.fit
