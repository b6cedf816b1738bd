"""``hd.suggest``: what the page suggests for a plan, for operands at hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.library import suggestion
from heddle.tuning.facts.machine import this_machine
from heddle_server.services.compiling.suggestion_worker import suggestion_document

SPMV = "y(i) = A(i,j) * x(j)"
make: Any = scipy.sparse.random_array
A = make((3000, 3000), density=0.01, format="csr", rng=np.random.default_rng(0))


@pytest.fixture(autouse=True)
def known_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two threads, however many this machine or this process has."""
    monkeypatch.setattr(suggestion, "this_machine", lambda threads, measure: this_machine(threads or 2))


def test_a_suggestion_has_a_schedule_that_computes_the_same() -> None:
    chosen = hd.suggest(SPMV, A=A)
    assert chosen.result.plan.schedule == chosen.schedule
    assert chosen.reasons
    x = np.ones(3000)
    assert np.allclose(hd.compile(chosen.result.plan)(A=A, x=x).to_numpy(), A @ x)


def test_it_is_what_the_page_suggests() -> None:
    document: Any = {
        "version": 2,
        "expression": "C(i,k) = A(i,j) * X(j,k)",
        "tensors": {"A": {"format": "csr"}, "X": {"shape": [3000, 16]}},
        "inputs": {"A": {"generator": "uniform", "shape": [3000, 3000], "nnz": 20000, "seed": 1}},
        "run": {"threads": 2},
    }
    theirs = json.loads(suggestion_document(document, {}))
    from heddle.measuring.inputs.make_inputs import make_inputs
    from heddle.plan import parse_plan

    plan = parse_plan(document | {"inputs": {**document["inputs"], "X": {"generator": "dense", "seed": 1}}})
    result = hd.lower(plan)
    assert result.assignment is not None
    assert result.signature is not None
    entries = make_inputs(plan, result.assignment, result.signature, {}).operands["A"]
    ours = hd.suggest(document, A=(entries.columns, entries.values, entries.shape))
    assert theirs["ok"]
    assert [ours.rule, list(ours.schedule)] == [theirs["rule"], theirs["schedule"]]


def test_a_kernel_and_operands_that_nobody_knows_are_taken() -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"}, schedule="split(i, i0, i1, 8)")
    assert hd.suggest(kernel, A=A).schedule != ("split(i, i0, i1, 8)",)
    assert hd.suggest(SPMV).schedule


@pytest.mark.parametrize(("operands", "part"), [({"B": A}, "B"), ({"A": object()}, "A")])
def test_wrong_operands_are_refused(operands: Any, part: str) -> None:
    with pytest.raises(hd.CompileError, match=part):
        hd.suggest(SPMV, **operands)


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(hd.OperandError, match="an expression, a plan"):
        hd.suggest(5)
