"""Where a decomposition cannot begin or go on: without a tensor, or from the state of another algorithm or tensor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.state import State
from tests.errors.decompositions.algorithms import TENSOR, document, run
from tests.errors.expect import refusal


def test_resuming_another_algorithm() -> None:
    state = hd.cp_als(TENSOR, 2, sweeps=1).state
    diagnostic = refusal(lambda: hd.cp_opt(TENSOR, 2, resume=state))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/resume",
        "The state is of cp-als; this decomposition is by cp-opt.",
    )


def test_resuming_with_another_tensor(tmp_path: Any) -> None:
    state = hd.cp_als(TENSOR, 2, sweeps=1).state
    other = AlgorithmRun(parse_algorithm(document()), TENSOR + 1).input.hash
    diagnostic = run(TENSOR + 1, resume=state)
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/resume",
        f"The state belongs to another tensor: it was saved for {state.tensor}, and X is {other}.",
    )
    assert run(TENSOR, 3, resume=state).message == (
        "The state is of shape (2, 3, 4) and rank 2; this decomposition is of shape (2, 3, 4) and rank 3."
    )
    file = tmp_path / "state"
    state.save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-8])
    assert refusal(lambda: State.load(file)).message == (
        f"This file is not the state of a decomposition: it has {len(whole) - 8} bytes, its header says {len(whole)}."
    )
    file.write_bytes(b"PK")
    assert refusal(lambda: State.load(file)).message == (
        "This file is not the state of a decomposition: it does not begin as one."
    )


@pytest.mark.parametrize("algorithm", ["cp_apr", "cp_opt"])
@pytest.mark.parametrize(
    ("before", "after", "found", "wanted"),
    [
        ({"update": [0]}, {}, "mode 0", "modes 0, 1, 2"),
        ({}, {"update": [0, 2]}, "modes 0, 1, 2", "modes 0, 2"),
        ({}, {"order": [2, 1, 0]}, "modes 0, 1, 2", "modes 2, 1, 0"),
        ({"update": [1]}, {"update": [2]}, "mode 1", "mode 2"),
    ],
)
def test_resuming_with_other_modes(
    algorithm: str, before: dict[str, Any], after: dict[str, Any], found: str, wanted: str
) -> None:
    """Both remember something of each mode: going on with that of another would be wrong, also where sizes agree."""
    tensor = np.arange(27.0).reshape(3, 3, 3)
    decompose = getattr(hd, algorithm)
    state = decompose(tensor, 2, sweeps=2, tolerance=0, **before).state
    diagnostic = refusal(lambda: decompose(tensor, 2, sweeps=4, tolerance=0, resume=state, **after))
    name = algorithm.replace("_", "-")
    assert (diagnostic.code, diagnostic.expected, diagnostic.found) == ("algorithm/resume", found, wanted)
    assert diagnostic.message == (
        f"The state updates {found}; this decomposition updates {wanted}, and {name} remembers more than factors of "
        "each mode, in their order."
    )


def test_resuming_for_fewer_sweeps() -> None:
    state = hd.cp_als(TENSOR, 2, sweeps=3, tolerance=0).state
    diagnostic = run(sweeps=2, resume=state)
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/resume",
        "The state is of 3 sweeps; this decomposition ends after 2.",
    )
    assert hd.cp_als(TENSOR, 2, sweeps=3, resume=state).history == []


def test_states_that_no_decomposition_saves() -> None:
    """Files may be from anywhere: what is read of them must be what the algorithm goes on with."""
    state = hd.cp_apr(TENSOR, 2, sweeps=1).state
    nameless = replace(state, modes=None)
    assert refusal(lambda: hd.cp_apr(TENSOR, 2, resume=nameless)).message.startswith(
        "The state does not say which modes it updates; this decomposition updates modes 0, 1, 2"
    )
    for more in ({}, {**state.more, "ratio.1": np.ones((1, 2))}):
        odd = State.from_bytes(replace(state, more=more).to_bytes())
        diagnostic = refusal(lambda odd=odd: hd.cp_apr(TENSOR, 2, resume=odd))  # type: ignore[misc]
        assert (diagnostic.code, diagnostic.message) == (
            "algorithm/state",
            "This file is not the state of a decomposition: what it remembers beside factors is not what cp-apr saves.",
        )
    endless = replace(state, weights=np.array([1.0, np.nan])).to_bytes()
    assert refusal(lambda: State.from_bytes(endless)).message == (
        "This file is not the state of a decomposition: it has numbers that no decomposition comes to."
    )


def test_a_document_alone_is_no_tensor() -> None:
    diagnostic = refusal(lambda: hd.run(document()))
    assert diagnostic.code == "algorithm/no-tensor"
    assert diagnostic.message == "The tensor is missing: a document may name one, but does not hold it."
    assert diagnostic.expected == "the document and a tensor: hd.run(document, X)"
