"""The evaluation on dense arrays itself, against results written out by hand or by another part of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from tests.differential.operands import operand_sets, sparse_array

A = np.array([[6.0, 0, 9], [0, 0, 0]])
B = np.array([[1.0, 2, 3], [4, 5, 6]])
x = np.array([1.0, 2, 3])
b = np.array([10.0, 20])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("y(i) = A(i,j) * x(j)", A @ x),
        ("y(j,i) = A(i,j)", A.T),
        ("y(i) = b(i) + A(i,j) * x(j)", b + A @ x),
        ("y(i) = b(i) - A(i,j) * x(j)", b - A @ x),
        ("y(i) = -(b(i) - A(i,j) * x(j)) / 2", (A @ x - b) / 2),
        ("y(i) = (A(i,j) + B(i,j)) * x(j)", (A + B) @ x),
        ("y(i) = (A(i,j) + b(i)) * b(i)", (A.sum(axis=1) + b) * b),  # b stands outside the sum over j.
        ("y(i) = b(i) / B(i,j)", (b[:, None] / B).sum(axis=1)),
        ("y(i) = b(i) / (B(i,j) + x(j))", (b[:, None] / (B + x)).sum(axis=1)),
        ("y = A(i,j)", A.sum()),
        ("y = 2", 2.0),
        ("y = x(i) * x(i) - 3 * x(j)", x @ x - 3 * x.sum()),
        ("y(i,j) = b(i) * x(j)", np.outer(b, x)),
        ("y(i,j) = x(j)", np.array([x, x])),
    ],
)
def test_by_hand(expression: str, expected: np.ndarray) -> None:
    assignment = parse(expression)
    sizes = {"i": 2} if expression == "y(i,j) = x(j)" else {}
    result = evaluate(assignment, {"A": A, "B": B, "x": x, "b": b}, sizes)
    np.testing.assert_array_equal(result, expected)
    assert result.shape == np.shape(expected)


def test_accumulation_adds_to_what_is_there() -> None:
    operands = {"A": A, "x": x}
    np.testing.assert_array_equal(evaluate(parse("y(i) += A(i,j) * x(j)"), operands, initial=b), b + A @ x)
    np.testing.assert_array_equal(evaluate(parse("y(i) = A(i,j) * x(j)"), operands, initial=b), A @ x)


@pytest.mark.parametrize(
    ("expression", "subscripts"),
    [
        ("C(i,k) = A(i,j) * B(j,k)", "ij,jk->ik"),
        ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", "ij,ik,kj->ij"),
        ("C(i,j) = S(i,j,k) * x(k)", "ijk,k->ij"),
        ("C(i,j) = S(i,k,l) * A(k,j) * B(l,j)", "ikl,kj,lj->ij"),
    ],
)
def test_as_einsum(expression: str, subscripts: str) -> None:
    assignment = parse(expression)
    for operands in operand_sets(assignment):
        result = evaluate(assignment, operands.arrays)
        np.testing.assert_array_equal(result, np.einsum(subscripts, *operands.arrays.values()), operands.label)


def test_operands_that_disagree_are_noticed() -> None:
    with pytest.raises(ValueError, match="j has size 3 and 2"):
        evaluate(parse("y(i) = A(i,j) * x(j)"), {"A": A, "x": b})


def test_operands_have_the_promised_structure() -> None:
    sets = {one.label: one for one in operand_sets(parse("y(i) = A(i,j) * x(j)"))}
    usual = sets["empty and dense rows"].arrays["A"]
    counts = np.count_nonzero(usual, axis=1)
    assert usual.shape == (7, 5)
    assert (counts[0], counts[3], counts[-1]) == (0, 5, 0)
    assert 0 < counts[1:6].sum() < 25
    assert not sets["no nonzeros"].arrays["A"].any()
    assert sets["all nonzeros"].arrays["A"].all()
    assert sets["j of size 0"].arrays["A"].shape == (7, 0)
    assert sets["i of size 1"].arrays["A"].shape == (1, 5)
    assert set(np.abs(sparse_array(np.random.default_rng(0), (50,), 0.5))) == {0, 1, 2, 3, 4}
