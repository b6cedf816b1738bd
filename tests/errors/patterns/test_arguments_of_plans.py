"""What a plan says of the arguments of a program: read strictly, with the place of each mistake."""

from __future__ import annotations

import pytest

from heddle.plan import parse_plan, plan_hash, to_document
from tests.compiler.patterns.programs import CASES
from tests.errors.expect import refusal

PLAN = {"version": 2, "language": "patterns", "expression": CASES["P3"].text}
ARGUMENTS = {"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "x"}


def test_they_are_part_of_the_document() -> None:
    plan = parse_plan({**PLAN, "arguments": ARGUMENTS, "inputs": {"A": {"dataset": "bcsstk13"}}})
    assert to_document(plan)["arguments"] == ARGUMENTS
    assert parse_plan(to_document(plan)) == plan
    assert plan_hash(plan) != plan_hash(parse_plan(PLAN))
    assert "arguments" not in to_document(parse_plan(PLAN))


@pytest.mark.parametrize(
    ("arguments", "code", "path", "message"),
    [
        (
            {"xs": 3},
            "plan/argument",
            "/arguments/xs",
            "an argument must be a tensor of the plan, as x, or a part",
        ),
        ({"xs": "A.pos.x"}, "plan/argument", "/arguments/xs", "found the text `A.pos.x`"),
        ({"ofset": "A.pos"}, "plan/unknown-parameter", "/arguments/ofset", "which is not a parameter of the program"),
    ],
)
def test_mistakes(arguments: dict[str, object], code: str, path: str, message: str) -> None:
    diagnostic = refusal(lambda: parse_plan({**PLAN, "arguments": arguments}))
    assert diagnostic.code == code
    assert message in diagnostic.message
    assert diagnostic.location is not None
    assert diagnostic.location.path == path


def test_a_near_name_is_offered() -> None:
    assert refusal(lambda: parse_plan({**PLAN, "arguments": {"ofset": "A.pos"}})).candidates == ("offset",)


def test_index_notation_has_none() -> None:
    diagnostic = refusal(lambda: parse_plan({"expression": "y(i) = A(i,j) * x(j)", "arguments": {"A": "A"}}))
    assert (diagnostic.code, diagnostic.found) == ("plan/arguments", "A")
    assert "whose tensors are its operands" in diagnostic.message


def test_data_of_what_nothing_takes() -> None:
    diagnostic = refusal(lambda: parse_plan({**PLAN, "arguments": ARGUMENTS, "inputs": {"B": {"dataset": "x"}}}))
    assert diagnostic.code == "plan/unknown-tensor"
