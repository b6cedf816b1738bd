"""Random expressions over random formats: refused with one of the known codes, or right on every kind of operands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, note
from hypothesis import strategies as st

import heddle as hd
from heddle.notation.check import check
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    bound_variables,
)
from heddle.notation.parser import parse
from heddle.notation.printer import to_text
from heddle.plan import VERSIONS, plan_from_arguments
from tests.differential.operands import divisors, operand_sets

ORDERS = {"alpha": 0, "a": 1, "b": 1, "A": 2, "B": 2, "T": 3}
VARIABLES = ("i", "j", "k")
PERMITTED = {
    "expression/operand-dtype",
    "format/conflicting-orders",
}

accesses_ = st.sampled_from(sorted(ORDERS)).flatmap(
    lambda tensor: st.permutations(VARIABLES).map(lambda chosen: Access(tensor, tuple(chosen[: ORDERS[tensor]])))
)
literals = st.builds(Literal, st.sampled_from([0, 1, 2, 3, 0.5, 2.0]))


def _reduced(drawn: tuple[str, Expression]) -> st.SearchStrategy[Expression]:
    """An explicit reduction over one of the variables that the operand has, as long as it has any."""
    operator, operand = drawn
    used = sorted({index for access in accesses(operand) for index in access.indices} - set(bound_variables(operand)))
    if not used:
        return st.just(operand)
    return st.sampled_from(used).map(lambda variable: Reduce(operator, variable, operand))


def _grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(Unary, st.just("-"), children),
        st.builds(Binary, st.sampled_from("+-***"), children, children),
        st.builds(Binary, st.just("/"), children, accesses_ | st.just(Literal(4))),
        st.builds(lambda name, x: Call(name, (x,)), st.sampled_from(["abs", "relu", "square"]), children),
        st.builds(lambda name, x, y: Call(name, (x, y)), st.sampled_from(["min", "max"]), children, children),
        st.builds(Binary, st.sampled_from(["<", ">=", "!="]), children, children),
        st.tuples(st.sampled_from(["+", "*", "min", "max", "||", "&&"]), children).flatmap(_reduced),
    )


expressions = st.recursive(accesses_ | accesses_ | literals, _grow, max_leaves=5)


@st.composite
def formats_of(draw: st.DrawFn, assignment: Assignment) -> dict[str, str]:
    """Any levels in any order of the dimensions; what something is divided by stays dense."""
    formats = {}
    for tensor in sorted({access.tensor for access in accesses(assignment.expression)}):
        order = ORDERS[tensor]
        if order and tensor not in divisors(assignment.expression):
            levels = "".join(draw(st.lists(st.sampled_from("dss"), min_size=order, max_size=order)))
            formats[tensor] = f"{levels}:{','.join(map(str, draw(st.permutations(range(order)))))}"
    return formats


@given(st.data(), expressions, st.permutations(VARIABLES), st.integers(0, 2))
def test_random_expressions(data: st.DataObject, expression: Expression, chosen: list[str], order: int) -> None:
    known = {index for access in accesses(expression) for index in access.indices} - set(bound_variables(expression))
    text = to_text(Assignment(Access("y", tuple(one for one in chosen if one in known)[:order]), "=", expression))
    assignment = parse(text)
    check(assignment)
    formats = data.draw(formats_of(assignment), label="formats")
    note(f"{text} {formats}")
    plan = plan_from_arguments(
        text, formats, "", data.draw(st.sampled_from(["interpreter"] * 3 + ["c"]), label="target")
    )
    plan = replace(plan, version=data.draw(st.sampled_from(VERSIONS), label="version"))
    result = hd.lower(plan)
    if not result.ok:
        assert {one.code for one in result.diagnostics} <= PERMITTED, result.diagnostics
        return
    note(result.source.text if result.source else "")
    kernel = hd.Kernel(result)
    names = {access.tensor for access in accesses(expression)}
    for operands in operand_sets(assignment):
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        found = kernel(**{name: operands.arrays[name] for name in names})
        np.testing.assert_allclose(found.to_numpy(), expected, 1e-12 if "/" in text else 0, 0, err_msg=operands.label)
