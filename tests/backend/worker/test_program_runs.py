"""Runs of several statements: verified against NumPy in every result, and timed."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.diagnostics import CompileError
from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.measuring.verification.verified import references_of
from heddle.measuring.verification.verify import compare
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack_operands

TABLES = """def f(float(E,D) T, int(B,L) I, float a) -> (O, C) {
    O(i,j) +=! T(I(i,k), j)
    C(i,j) = a * C(i,j) + O(i,j) }"""


def run(document: dict[str, Any]) -> dict[str, bool]:
    plan = parse_plan({"version": 2, "target": "interpreter", **document})
    result = lower(plan)
    result.raise_errors()
    assert result.assignment is not None
    assert result.signature is not None
    inputs = make_inputs(plan, result.assignment, result.signature, {})
    call = Kernel(result).bind(**pack_operands(inputs.operands, result.signature))
    call.run()
    tensors = {**call.shown, result.signature.result.name: call.output}
    references = references_of(plan, result.assignment, result.signature, inputs.operands, inputs.sizes)
    return {name: compare(tensors[name].to_numpy(), one, tensors[name].dtype)["ok"] for name, one in references.items()}


def test_every_result_of_a_program_is_verified() -> None:
    tensors = {"T": {"shape": [9, 4]}, "I": {"shape": [5, 3]}}
    assert run({"language": "comprehension", "expression": TABLES, "tensors": tensors}) == {"O": True, "C": True}


def test_statements_of_index_notation_are_verified() -> None:
    expression = "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)"
    assert run({"expression": expression, "tensors": {"A": {"shape": [5, 4]}}}) == {"y": True}


def test_a_size_that_nothing_gives_is_asked_for() -> None:
    with pytest.raises(CompileError, match="The size D of T is unknown: no input has it"):
        run({"language": "comprehension", "expression": TABLES, "tensors": {"I": {"shape": [5, 3]}}, "sizes": {"E": 4}})
