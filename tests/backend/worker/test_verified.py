"""The check that runs and searches share: every result of a kernel, not the last one alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verified import references_of, verify
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack_operands
from heddle.signature import Signature

PROGRAM = """def f(float(N) x) -> (A, B) {
    A(i) = x(i) + x(i)
    B(i) = A(i) * x(i) }"""

Ran = tuple[BoundCall, Mapping[str, Reference], Signature]


@pytest.fixture(scope="module")
def ran() -> Ran:
    document = {"language": "comprehension", "expression": PROGRAM, "tensors": {"x": {"shape": [6]}}}
    plan = parse_plan({"version": 2, "target": "interpreter", **document})
    result = lower(plan)
    result.raise_errors()
    assert result.assignment is not None
    assert result.signature is not None
    inputs = make_inputs(plan, result.assignment, result.signature, {})
    call = Kernel(result).bind(**pack_operands(inputs.operands, result.signature))
    call.run()
    return (
        call,
        references_of(plan, result.assignment, result.signature, inputs.operands, inputs.sizes),
        result.signature,
    )


def test_every_result_has_its_reference(ran: Ran) -> None:
    call, references, signature = ran
    assert list(references) == ["A", "B"]
    assert verify(call, references, signature)["ok"]


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_wrong_result_is_found_wherever_it_stands(ran: Ran, name: str) -> None:
    call, references, signature = ran
    wrong = replace(references[name], values=references[name].values + 1)
    found = verify(call, {**references, name: wrong}, signature)
    assert not found["ok"]
    assert found["max_error"] > found["tolerance"]
