"""Loops over parts with as many entries each, and over the rows of a part."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

BALANCED = (
    Refused(
        "schedule/balance-order",
        "`reorder(i1, i0)`: which rows i1 visits depends on i0, the part that they belong to. Keep i0 outside i1.",
        "reorder(i1, i0)",
        "Remove reorder(i1, i0)",
        schedule=("balance(i, i0, i1, A, 4)", "reorder(i1, i0)"),
    ),
    Refused(
        "schedule/balance-order",
        "`fuse(i0, i1, f)`: f stands for i0 and i1 at once, but which rows i1 visits depends on i0, the part that they "
        "belong to. Keep i0 outside i1.",
        "fuse(i0, i1, f)",
        "Remove fuse(i0, i1, f)",
        schedule=("balance(i, i0, i1, A, 4)", "fuse(i0, i1, f)"),
    ),
    Refused(
        "schedule/bound-of-balanced",
        "`bound(i1, b, 8, MaxExact)`: i1 runs over the rows of a part that balance(i, i0, i1, A, 4) made, and parts "
        "have different numbers of rows: no single number bounds it.",
        "i1",
        "Remove bound(i1, b, 8, MaxExact)",
        schedule=("balance(i, i0, i1, A, 4)", "bound(i1, b, 8, MaxExact)"),
    ),
    Refused(
        "schedule/bound-of-balanced",
        "`bound(r0, b, 8, MaxConstraint)`: r0 runs over the rows of a part that balance(i, i0, i1, A, 4) made, and "
        "parts have different numbers of rows: no single number bounds it.",
        "r0",
        "Remove bound(r0, b, 8, MaxConstraint)",
        schedule=("balance(i, i0, i1, A, 4)", "split(i1, r0, r1, 2)", "bound(r0, b, 8, MaxConstraint)"),
    ),
    Refused(
        "schedule/precompute-balanced",
        "`precompute(A(i,j) * x(j), i0, p, w)`: i1 visits the rows of a part that balance(i, i0, i1, A, 4) made, and "
        "their number differs from one i0 to the next: a workspace over both has no size. Keep i0 outside.",
        "i0",
        "Remove precompute(A(i,j) * x(j), i0, p, w)",
        schedule=("balance(i, i0, i1, A, 4)", "precompute(A(i,j) * x(j), i0, p, w)"),
    ),
)
