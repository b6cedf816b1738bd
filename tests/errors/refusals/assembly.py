"""Workspaces and sparse results that a schedule cannot have."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

PRODUCT, ALL_CSR = "A(i,j) = B(i,k) * C(k,j)", {"A": "csr", "B": "csr", "C": "csr"}

ASSEMBLY = (
    Refused(
        "schedule/append-order",
        (
            "A is assembled in the order i→j, each coordinate once, but every iteration of k would append to the same "
            "A(i, …) again. Collect the values in a workspace first, or store A dense."
        ),
        "A",
        "Insert precompute(B(i,k) * C(k,j), j, jw, w)",
        schedule=("reorder(i, k, j)",),
        expression=PRODUCT,
        formats=ALL_CSR,
    ),
    Refused(
        "schedule/append-parallel",
        (
            "the iterations of j append to the same part of A one after the other, so they cannot run on CPUThread "
            "at the same time. Parallelize i on CPUThread: its iterations own rows of A alone."
        ),
        "parallelize(j, CPUThread, NoRaces)",
        "Store A dense",
        schedule=("parallelize(j, CPUThread, NoRaces)",),
        expression="A(i,j) = B(i) * c(j)",
        formats={"A": "csr", "B": "sparse"},
    ),
    Refused(
        "schedule/workspace-parallel",
        (
            "the iterations of k list the coordinates that they write in w, which only one worker can do. "
            "Parallelize a "
            "loop around the workspace."
        ),
        "parallelize(k, CPUThread, Atomics)",
        "Store A dense",
        schedule=("precompute(B(i,k) * C(k,j), j, jw, w)", "parallelize(k, CPUThread, Atomics)"),
        expression=PRODUCT,
        formats=ALL_CSR,
    ),
    Refused(
        "schedule/workspace-visits",
        (
            "`parallelize(i, CPUThread, NoRaces)`: i visits the coordinates that w collects, one after the other. "
            "Parallelize a loop around the workspace."
        ),
        "i",
        "Remove parallelize(i, CPUThread, NoRaces)",
        schedule=(
            "reorder(k, i, j)",
            "precompute(B(i,k) * C(k,j), {i, j}, {iw, jw}, w)",
            "parallelize(i, CPUThread, NoRaces)",
        ),
        expression=PRODUCT,
        formats={**ALL_CSR, "B": "csc"},
    ),
    Refused(
        "schedule/workspace-tiles",
        (
            "j visits the coordinates of w, a map of several coordinates, one after the other; they cannot be cut into "
            "tiles or fused. Schedule the loops of the producer instead."
        ),
        "A",
        "Store A dense",
        schedule=("reorder(k, i, j)", "precompute(B(i,k) * C(k,j), {i, j}, {iw, jw}, w)", "split(j, j0, j1, 4)"),
        expression=PRODUCT,
        formats={**ALL_CSR, "B": "csc"},
    ),
    Refused(
        "schedule/nothing-to-assemble",
        "`assemble(y, Insert)`: y is dense: it stores every coordinate, so there is nothing to assemble.",
        "y",
        "Remove assemble(y, Insert)",
        schedule=("assemble(y, Insert)",),
        warning=True,
    ),
    Refused(
        "schedule/workspace-order",
        (
            "w is a map whose coordinates are visited in the order iv → jv, but the loops come in the order jv → iv. "
            "Reorder them before w is made."
        ),
        "A",
        "Store A dense",
        schedule=(
            "precompute(B(i,j) + C(i,j), {i, j}, {iw, jw}, w)",
            "reorder(j, i)",
            "precompute(w(i,j), {j, i}, {jv, iv}, v)",
        ),
        expression="A(i,j) = B(i,j) + C(i,j)",
        formats={**ALL_CSR, "A": "coo"},
    ),
    Refused(
        "schedule/workspace-positions",
        (
            "p visits the positions of B, but w lists coordinates of its own: both must be merged. Leave out pos, or "
            "precompute the whole of what is appended."
        ),
        "A",
        "Store A dense",
        schedule=("precompute(C(i,j), j, jw, w)", "pos(j, p, B)"),
        expression="A(i,j) = abs(B(i,j)) * C(i,j)",
        formats=ALL_CSR,
    ),
    Refused(
        "schedule/precompute-part",
        (
            "`precompute(A(i,k), i_inner, c)`: A(i,k) is not a part of what is computed: A(i,j) * x(j). Name factors "
            "of one product or terms of one sum, as they are written."
        ),
        "A(i,k)",
        "Remove precompute(A(i,k), i_inner, c)",
        schedule=("precompute(A(i,k), i_inner, c)",),
        expression="y(i) = A(i,j) * x(j)",
        formats={"A": "bcsr(2,2)"},
    ),
    Refused(
        "schedule/precompute-positions",
        (
            "`precompute(B(i,j) * x(j), i, iw, w)`: p walks positions of B that lie below i, and would move into a "
            "producer that has a copy of i. Precompute before pos, or keep i outside."
        ),
        "i",
        "Remove precompute(B(i,j) * x(j), i, iw, w)",
        schedule=("pos(j, p, B)", "precompute(B(i,j) * x(j), i, iw, w)"),
        expression="y(i) = B(i,j) * x(j)",
        formats={"B": "csr"},
    ),
    Refused(
        "schedule/precompute-positions",
        (
            "`precompute(b(i) * c(i), t, tw, w)`: p walks positions of b that lie below t, and would move into a "
            "producer that has a copy of t. Precompute before pos, or keep t outside."
        ),
        "t",
        "Remove precompute(b(i) * c(i), t, tw, w)",
        schedule=("divide(i, t, u, 16)", "pos(u, p, b)", "precompute(b(i) * c(i), t, tw, w)"),
        expression="s = b(i) * c(i)",
        formats={"b": "sparse"},
    ),
    Refused(
        "schedule/precompute-positions",
        (
            "`precompute(2, {i, p}, {iw, pw})`: p walks positions of B that lie below i, and their number differs from "
            "one i to the next: a workspace over both has no size. Precompute before pos, or keep i outside."
        ),
        "{i, p}",
        "Remove precompute(2, {i, p}, {iw, pw})",
        schedule=("pos(j, p, B)", "precompute(2, {i, p}, {iw, pw})"),
        expression="C(i,j) = 2 * B(i,j)",
        formats={"B": "csr"},
    ),
    Refused(
        "schedule/precompute-positions",
        (
            "`precompute(B(i,k,l) * c(k) * d(l), p0, p0w, w)`: p walks positions of B that lie below k, and their "
            "number differs from one k to the next: a workspace over them, whose producer sums over k, has no size. "
            "Precompute before pos, or keep k outside."
        ),
        "p0",
        "Remove precompute(B(i,k,l) * c(k) * d(l), p0, p0w, w)",
        schedule=("pos(l, p, B)", "split(p, p0, p1, 4)", "precompute(B(i,k,l) * c(k) * d(l), p0, p0w, w)"),
        expression="y(i) = B(i,k,l) * c(k) * d(l)",
        formats={"B": "csf"},
    ),
    Refused(
        "schedule/workspace-blocks",
        (
            "w lists coordinates j_inner inside blocks, but A is stored by j: one loop cannot follow both. "
            "Precompute the whole of what is appended, or store A in the same blocks."
        ),
        "C",
        "Store C dense",
        schedule=("precompute(B(i,j), j_inner, c, w)",),
        expression="C(i,j) = A(i,j) - B(i,j)",
        formats={"A": "coo", "B": "bcsr(3,2)", "C": "dense, compressed, dense(3), dense(2) : 0,1,0,1"},
    ),
    Refused(
        "schedule/counting-loop",
        (
            "`parallelize(qi, CPUThread, Atomics)`: qi is the loop over i in the pass that counts the coordinates of "
            "A, and both passes run the same way: i runs on CPUThread with NoRaces since command 2."
        ),
        "parallelize(qi, CPUThread, Atomics)",
        "Remove parallelize(qi, CPUThread, Atomics)",
        schedule=(
            "assemble(A, Insert)",
            "parallelize(i, CPUThread, NoRaces)",
            "parallelize(qi, CPUThread, Atomics)",
        ),
        expression="A(i,j) = B(i,j) + C(i,j)",
        formats=ALL_CSR,
    ),
    Refused(
        "schedule/unknown-tensor",
        "`precompute(A(i,j) * b(j), j, jw)`: there is no tensor b. Available: A, x, y.",
        "A(i,j) * b(j)",
        "Remove precompute(A(i,j) * b(j), j, jw)",
        schedule=("precompute(A(i,j) * b(j), j, jw)",),
    ),
    Refused(
        "schedule/precompute-part",
        (
            "`precompute(x(j) + 1, j, jw)`: x(j) + 1 is not a part of what is computed: A(i,j) * x(j). Name factors of "
            "one product or terms of one sum, as they are written."
        ),
        "x(j) + 1",
        "Remove precompute(x(j) + 1, j, jw)",
        schedule=("precompute(x(j) + 1, j, jw)",),
    ),
    Refused(
        "schedule/precompute-expression",
        (
            "`precompute(A(i,j) *, j, jw)`: A(i,j) * is not an expression: expected a tensor, a number or `(`, found "
            "end of text"
        ),
        "A(i,j) *",
        "Remove precompute(A(i,j) *, j, jw)",
        schedule=("precompute(A(i,j) *, j, jw)",),
    ),
    Refused(
        "schedule/precompute-names",
        "`precompute(A(i,j) * x(j), {i, j}, iw)`: {i, j} needs one new name for each variable, found iw.",
        "iw",
        "Write precompute(A(i,j) * x(j), {i, j}, {i, j})",
        schedule=("precompute(A(i,j) * x(j), {i, j}, iw)",),
    ),
    Refused(
        "schedule/precompute-loops",
        (
            "`precompute(A(i,j) * x(j), {i, j}, {iw, jw})`: A(i,j) * x(j) is not computed directly inside the loops "
            "over i, j: a workspace lies between them. Precompute over the loops around A(i,j) * x(j)."
        ),
        "{i, j}",
        "Remove precompute(A(i,j) * x(j), {i, j}, {iw, jw})",
        schedule=("precompute(A(i,j) * x(j), {i, j}, {iw, jw})",),
        expression="y(i) = b(i) + A(i,j) * x(j)",
    ),
    Refused(
        "schedule/assemble-result",
        "`assemble(A, Insert)`: A is not what the kernel computes: only the result y is assembled.",
        "A",
        "Write assemble(y, Insert)",
        schedule=("assemble(A, Insert)",),
    ),
    Refused(
        "schedule/already-assembled",
        "`assemble(y, Append)`: command 1 already says how y is assembled.",
        "assemble(y, Append)",
        "Remove assemble(y, Append)",
        schedule=("assemble(y, Insert)", "assemble(y, Append)"),
        formats={"A": "csr", "y": "sparse"},
    ),
    Refused(
        "schedule/vector-workspace",
        (
            "`parallelize(i, CPUVector, NoRaces)`: every iteration of i computes its own w, and the lanes of a "
            "vector cannot each have an array. Run i on CPUThread, or a loop inside w's on vector lanes."
        ),
        "CPUVector",
        "Write parallelize(i, CPUThread, NoRaces)",
        schedule=("precompute(B(i,k) * C(k,j), j, j, w)", "parallelize(i, CPUVector, NoRaces)"),
        expression=PRODUCT,
        formats={"B": "csr"},
    ),
)
