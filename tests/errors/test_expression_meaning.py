"""Expressions that parse but mean nothing that can be computed."""

from __future__ import annotations

import pytest

from heddle.notation.check import check
from heddle.notation.parser import parse
from tests.errors.expect import marked, refusal


@pytest.mark.parametrize(
    ("text", "code", "message", "at"),
    [
        (
            "y(i) = A(i) + A(i,j)",
            "expression/order-conflict",
            "A(i,j) has 2 indices, but A(i) has 1 index: a tensor always has the same number of indices",
            "A(i,j)",
        ),
        (
            "y = b + b(i)",
            "expression/order-conflict",
            "b(i) has 1 index, but b has no indices: a tensor always has the same number of indices",
            "b(i)",
        ),
        ("y(i) = x(i) + y(i)", "expression/result-read", "y is the result and is also read by y(i)", "y(i)"),
        ("y(i,i) = x(i)", "expression/repeated-index", "the result y(i,i) uses the index variable i twice", "i"),
        ("y(x) = x", "expression/name-conflict", "x is both a tensor and an index variable", "x"),
        (
            "y(i) = for(i)",
            "expression/reserved-name",
            "for is a reserved word in the generated C, CUDA or OpenCL code and cannot name a tensor",
            "for",
        ),
        (
            "y(int) = x(int)",
            "expression/reserved-name",
            "int is a reserved word in the generated C, CUDA or OpenCL code and cannot name an index variable",
            "int",
        ),
        (
            f"y = {'x' * 33}",
            "expression/name-too-long",
            f"the name {'x' * 32}... has 33 characters, the limit is 32",
            "x" * 33,
        ),
        (
            "y = " + " + ".join(f"a{number}" for number in range(65)),
            "expression/too-many-operands",
            "the expression has 65 operands, the limit is 64",
            " + ".join(f"a{number}" for number in range(65)),
        ),
        (
            "y = A(a,b,c,d,e,f,g,h,i,j)",
            "expression/too-many-dimensions",
            "A has 10 dimensions, the limit is 9",
            "A(a,b,c,d,e,f,g,h,i,j)",
        ),
        (
            "y = A(a,b,c,d,e,f,g,h,i) * B(j,k,l,m,n,o,p,q)",
            "expression/too-many-index-variables",
            "the expression has 17 index variables, the limit is 16",
            "y = A(a,b,c,d,e,f,g,h,i) * B(j,k,l,m,n,o,p,q)",
        ),
    ],
)
def test_refused(text: str, code: str, message: str, at: str) -> None:
    diagnostic = refusal(lambda: check(parse(text)))
    assert (diagnostic.code, diagnostic.message, marked(text, diagnostic)) == (code, message, at)


def test_the_second_of_two_equal_indices_is_marked() -> None:
    diagnostic = refusal(lambda: check(parse("y(i,j,i) = A(i,j)")))
    assert diagnostic.location is not None
    assert (diagnostic.location.start, diagnostic.location.end) == (6, 7)
    assert diagnostic.hint == ("only the diagonal of y would be written; give it two variables, or make it a vector")


@pytest.mark.parametrize(
    ("text", "title", "repaired"),
    [
        ("y(x) = x", "Rename the index variable x to i", "y(i) = x"),
        ("for(i) = x(i)", "Rename for to for0", "for0(i) = x(i)"),
        ("y(int) = x(int)", "Rename int to int_", "y(int_) = x(int_)"),
    ],
)
def test_renaming_is_offered(text: str, title: str, repaired: str) -> None:
    (fix,) = refusal(lambda: check(parse(text))).fixes
    assert (fix.title, fix.expression) == (title, repaired)
    check(parse(repaired))


def test_a_result_that_is_read_needs_another_name() -> None:
    diagnostic = refusal(lambda: check(parse("y(i) = y(i) + x(i)")))
    assert diagnostic.hint == "give the result another name"


@pytest.mark.parametrize(
    ("text", "code", "message", "at"),
    [
        (
            "t(i) = x(i); t(i) = z(i); y(i) = t(i)",
            "expression/assigned-twice",
            "t is already assigned by t(i) = x(i)",
            "t(i)",
        ),
        (
            "y(i) = x(i); y(i) = z(i)",
            "expression/assigned-twice",
            "y is already assigned by y(i) = x(i)",
            "y(i)",
        ),
        (
            "t(i) = u(i); u(i) = x(i); y(i) = t(i) * u(i)",
            "expression/read-before",
            "u(i) is read here, but u is assigned only by a later statement",
            "u(i)",
        ),
        (
            "t(i) = y(i); y(i) = t(i) * x(i)",
            "expression/read-before",
            "y(i) is read here, but y is assigned only by a later statement",
            "y(i)",
        ),
        (
            "t(i) = x(i); y(i) = x(i)",
            "expression/unread",
            "t is computed but no later statement reads it; the result of the whole is y(i), which the last statement "
            "assigns",
            "t(i)",
        ),
        (
            "t(i) += A(i,j); y(i) = t(i)",
            "expression/temporary-accumulates",
            "+= combines with what t holds before, but t is a temporary and holds nothing",
            "t(i) += A(i,j)",
        ),
        (
            "t(i,k) = x(i); y(i) = t(i,k)",
            "expression/temporary-size",
            "nothing gives the size of k in t(i,k): no operand and no dimension of the result has it",
            "t(i,k)",
        ),
        (
            "t(i) = t(i) + x(i); y(i) = t(i)",
            "expression/result-read",
            "t is assigned here and is also read by t(i)",
            None,
        ),
        (
            "t(i,i) = x(i); y(i) = t(i,i)",
            "expression/repeated-index",
            "the temporary t(i,i) uses the index variable i twice",
            None,
        ),
        (
            "t(i) = x(i); y(i,j) = t(i,j)",
            "expression/order-conflict",
            "t(i,j) has 2 indices, but t(i) has 1 index: a tensor always has the same number of indices",
            "t(i,j)",
        ),
        (
            "; ".join(f"t{number} = {f't{number - 1}' if number else 'x'}" for number in range(9)),
            "expression/too-many-statements",
            "the expression has 9 statements, the limit is 8",
            "t8 = t7",
        ),
    ],
)
def test_several_statements(text: str, code: str, message: str, at: str | None) -> None:
    diagnostic = refusal(lambda: check(parse(text)))
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert at is None or marked(text, diagnostic) == at


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("t(i) = x(i); y(i) = x(i)", "y(i) = x(i)"),
        ("t(i) += A(i,j); y(i) = t(i)", "t(i) = A(i,j); y(i) = t(i)"),
    ],
)
def test_repairs_of_several_statements(text: str, repaired: str) -> None:
    (fix,) = refusal(lambda: check(parse(text))).fixes
    assert fix.expression == repaired
    check(parse(repaired))
