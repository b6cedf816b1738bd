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
        "schedule/parts-order",
        "`reorder(b, j_part, i, c)`: b visits the coordinates of one part of A, and their number differs from one "
        "j_part to the next. Keep j_part outside b.",
        "reorder(b, j_part, i, c)",
        "Remove reorder(b, j_part, i, c)",
        schedule=("split(j_in, b, c, 32)", "reorder(b, j_part, i, c)"),
        formats={"A": "parts(2,even), dense, compressed : 1,0,1"},
    ),
    Refused(
        "schedule/precompute-parts",
        "`precompute(A(i,j) * x(j), i_part, p, w)`: i_in visits the coordinates of one part of A, and their number "
        "differs from one i_part to the next: a workspace over them has no size. Keep i_part outside.",
        "i_part",
        "Remove precompute(A(i,j) * x(j), i_part, p, w)",
        schedule=("precompute(A(i,j) * x(j), i_part, p, w)",),
        formats={"A": "parts(4,even), compressed, compressed : 0,0,1"},
    ),
    Refused(
        "schedule/precompute-balanced",
        "`precompute(A(i,j) * x(j), i0, p, w)`: i1 visits the rows of a part that balance(i, i0, i1, A, 4) made, and "
        "their number differs from one i0 to the next: a workspace over both has no size. Keep i0 outside.",
        "i0",
        "Remove precompute(A(i,j) * x(j), i0, p, w)",
        schedule=("balance(i, i0, i1, A, 4)", "precompute(A(i,j) * x(j), i0, p, w)"),
    ),
    Refused(
        "schedule/no-weights",
        "`balance(i, i0, i1, A, 4, x)`: entries of A cannot be weighted by rows of x: both must be stored as dense "
        "rows over a compressed level, with the rows of x indexed by j. No tensor here has them: leave it out.",
        "x",
        "Remove balance(i, i0, i1, A, 4, x)",
        schedule=("balance(i, i0, i1, A, 4, x)",),
    ),
    Refused(
        "schedule/no-weights",
        "`balance(i, i0, i1, A, 4, A)`: entries of A cannot be weighted by rows of A: both must be stored as dense "
        "rows over a compressed level, with the rows of A indexed by k. Such tensors here: B.",
        "A",
        "Write balance(i, i0, i1, A, 4, B)",
        schedule=("reorder(i, k, j)", "balance(i, i0, i1, A, 4, A)"),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/weights-on-gpu",
        "`parallelize(i0, GPUBlock, NoRaces)`: balance(i, i0, i1, A, 4, B) counts products before the loops, on the "
        "CPU, but a loop runs on a GPU. Leave B out: parts then have equally many entries of A.",
        "parallelize(i0, GPUBlock, NoRaces)",
        "Remove parallelize(i0, GPUBlock, NoRaces)",
        schedule=("reorder(i, k, j)", "balance(i, i0, i1, A, 4, B)", "parallelize(i0, GPUBlock, NoRaces)"),
        expression="C(i,j) = A(i,k) * B(k,j)",
        formats={"A": "csr", "B": "csr"},
        target="interpreter",
    ),
)
