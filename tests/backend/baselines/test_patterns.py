"""Which operation an assignment is, found in its structure and not in its text."""

import pytest

from heddle.measuring.baselines.patterns import (
    Axes,
    Factor,
    MatrixMatrix,
    MatrixSum,
    MatrixVector,
    RelationalProduct,
    SampledProduct,
    recognise,
)
from heddle.notation.parser import parse

A, AT, B, BT, S = Factor("A"), Factor("A", True), Factor("B"), Factor("B", True), Factor("S")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("y(i) = A(i,j) * x(j)", MatrixVector(A, "x")),
        ("y(p) = x(q) * A(p,q)", MatrixVector(A, "x")),
        ("y(j) = A(i,j) * x(i)", MatrixVector(AT, "x")),
        ("C(i,k) = A(i,j) * B(j,k)", MatrixMatrix(A, B)),
        ("C(i,k) = B(j,k) * A(i,j)", MatrixMatrix(A, B)),
        ("C(i,k) = A(j,i) * B(k,j)", MatrixMatrix(AT, BT)),
        ("C(i,j) = A(i,j) + B(i,j)", MatrixSum(((1, A), (1, B)))),
        ("C(i,j) = A(i,j) - B(j,i)", MatrixSum(((1, A), (-1, BT)))),
        ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", SampledProduct(S, A, B)),
        ("C(i,j) = A(i,k) * S(i,j) * B(j,k)", SampledProduct(S, A, BT)),
        (
            "Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)",
            RelationalProduct(Axes("A", (0, 1, 2)), Axes("X", (0, 1)), Axes("W", (0, 1, 2))),
        ),
        (
            "Y(i,l) = W(l,r,k) * X(k,j) * A(i,j,r)",
            RelationalProduct(Axes("A", (2, 0, 1)), Axes("X", (1, 0)), Axes("W", (1, 2, 0))),
        ),
        ("Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,k)", None),
        ("Y(i,l) = A(r,i,j) * X(i,k) * W(r,k,l)", None),
        ("Y(i,l) = A(r,i,j) * X(j,l) * W(r,j,l)", None),
        ("C(i,j) = A(i,j) * B(i,j)", None),
        ("y(i) = 2 * A(i,j) * x(j)", None),
        ("y(i) = -A(i,j) * x(j)", None),
        ("y(i) = A(i,j) * x(j) + z(i)", None),
        ("y(i) = A(i,j) * x(i)", None),
        ("y(i) = A(i,j) / x(j)", None),
        ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", None),
        ("a = x(i) * y(i)", None),
        ("y(i) = sum(j, A(i,j) * x(j))", MatrixVector(A, "x")),
        ("C(i,j) = sum(k, A(i,k) * B(k,j))", MatrixMatrix(A, B)),
        ("y(i) = sum(j, A(i,j) * x(j) + z(j))", None),
    ],
)
def test_operations(text: str, pattern: object) -> None:
    assert recognise(parse(text)) == pattern
