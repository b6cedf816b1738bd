"""Commands that fit, but give an iteration graph that cannot be lowered to the right result."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

GRAPHS = (
    Refused(
        "format/conflicting-blocks",
        (
            "j is cut into blocks of different sizes: by A (bcsr(2,3)) into 3 and B (bcsr(2,2)) into 2. One loop "
            "cannot "
            "follow both. Use blocks of one size along j."
        ),
        "B",
        "Store B as bcsr(2,3)",
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "bcsr(2,3)", "B": "bcsr(2,2)"},
    ),
    Refused(
        "format/unordered",
        (
            "level 1 of A is unordered, so it cannot give the whole sum for one i: it can only be visited alone, "
            "from one end to the other. Sort A by storing it as coo."
        ),
        "A",
        "Store A as coo",
        expression="y(i) = sqrt(sum(j, A(i,j)))",
        formats={"A": "compressed(nonunique, unordered), singleton", "y": "compressed"},
    ),
    Refused(
        "schedule/repeated-sum",
        (
            "`pos(i, p, A)`: the coordinates of level 1 of A repeat, so p would see only parts of the sum that is "
            "computed into a temporary inside it. Leave out pos."
        ),
        "pos(i, p, A)",
        "Remove pos(i, p, A)",
        schedule=("pos(i, p, A)",),
        expression="y(i) = sqrt(sum(j, A(i,j)))",
        formats={"A": "coo"},
    ),
    Refused(
        "schedule/coord-of-level",
        (
            "`coord(p, c)`: level 1 of A is compressed(nonunique), where one search does not find a coordinate at "
            "one position. Leave out coord, or store the level compressed."
        ),
        "p",
        "Remove coord(p, c)",
        schedule=("pos(i, p, A)", "coord(p, c)"),
        formats={"A": "coo"},
    ),
    Refused(
        "schedule/repeated-coordinates",
        (
            "`parallelize(i, CPUThread, NoRaces)`: i takes all entries of A with the same i at once; where they end "
            "is only found on the way, so this loop cannot be divided or unrolled. Fuse it with j, use pos on the "
            "fused "
            "variable and run those positions in parallel, with Atomics."
        ),
        "i",
        "Remove parallelize(i, CPUThread, NoRaces)",
        schedule=("parallelize(i, CPUThread, NoRaces)",),
        formats={"A": "coo"},
    ),
    Refused(
        "format/unordered",
        (
            "`split(j, j0, j1, 4)`: level 2 of A is unordered, so it cannot be cut into tiles of j: it can only be "
            "visited alone, from one end to the other. Sort A by storing it as csr."
        ),
        "split(j, j0, j1, 4)",
        "Store A as csr",
        schedule=("split(j, j0, j1, 4)",),
        formats={"A": "dense, compressed(unordered)"},
    ),
    Refused(
        "schedule/storage-order",
        (
            "`reorder(j, i)`: A is stored i→j, so j cannot be visited before i is known. Keep i outside j, or "
            "store A in the order of the loops."
        ),
        "reorder(j, i)",
        "Store A as csc",
        schedule=("reorder(j, i)",),
    ),
    Refused(
        "schedule/storage-order",
        (
            "`reorder(i, k, j)`: B is stored j→k, so k cannot be visited before j is known. Keep j outside k, or "
            "store B in the order of the loops."
        ),
        "reorder(i, k, j)",
        "Store B as csc",
        schedule=("reorder(i, k, j)",),
        expression="C(i,k) = A(i,j) * B(j,k)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/strided",
        (
            "`reorder(j1, j0)`: j0 would visit the stored coordinates of A (stored i→j) with a stride, because the "
            "other parts of j are not all outside it. Put the loop over single steps innermost among the parts of j."
        ),
        "reorder(j1, j0)",
        "Remove reorder(j1, j0)",
        schedule=("split(j, j0, j1, 4)", "reorder(j1, j0)"),
    ),
    Refused(
        "schedule/too-many-variables",
        "`split(i39, o40, i40, 2)`: the schedule would derive variables 41 times; the limit is 40.",
        "split(i39, o40, i40, 2)",
        "Remove split(i39, o40, i40, 2)",
        schedule=("split(i, o0, i0, 2)", *(f"split(i{n - 1}, o{n}, i{n}, 2)" for n in range(1, 41))),
    ),
    Refused(
        "schedule/not-covering",
        ("`pos(j, p, A)`: p visits only what A stores, but elsewhere there is still ∀p C(i,j) = B(i,j) to compute."),
        "A",
        "Remove pos(j, p, A)",
        schedule=("pos(j, p, A)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/fused-sparse-tile",
        (
            "`split(f, f0, f1, 4)`: f fuses levels of A that are stored compressed; its coordinates cannot be cut "
            "into tiles directly. Insert pos(f, fpos, A) first."
        ),
        "split(f, f0, f1, 4)",
        "Remove split(f, f0, f1, 4)",
        schedule=("fuse(i, j, f)", "split(f, f0, f1, 4)"),
    ),
    Refused(
        "schedule/fuse-sparse",
        (
            "`fuse(i, j0, f)`: a fused loop over sparse levels walks the positions of one tensor, but none here "
            "has i, j as consecutive levels and alone decides what is visited (A stored i→j)."
        ),
        "fuse(i, j0, f)",
        "Remove fuse(i, j0, f)",
        schedule=("split(j, j0, j1, 4)", "fuse(i, j0, f)"),
    ),
    Refused(
        "schedule/fuse-sparse",
        (
            "`fuse(i, j, f)`: a fused loop over sparse levels walks the positions of one tensor, but none here "
            "has i, j as consecutive levels and alone decides what is visited (A stored i→j, B stored i→j)."
        ),
        "fuse(i, j, f)",
        "Remove fuse(i, j, f)",
        schedule=("fuse(i, j, f)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/merge",
        (
            "`parallelize(j, CPUThread, NoRaces)`: j merges A(i, j) and B(i, j): a while-loop that advances "
            "several positions at once cannot be divided or unrolled. Strip-mine it first (split(j, j0, j1, 64)) "
            "and use the tiles."
        ),
        "j",
        "Remove parallelize(j, CPUThread, NoRaces)",
        schedule=("parallelize(j, CPUThread, NoRaces)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/merge",
        (
            "`unroll(j, 4)`: j merges A(i, j) and B(i, j): a while-loop that advances several positions at once "
            "cannot be divided or unrolled. Strip-mine it first (split(j, j0, j1, 64)) and use the tiles."
        ),
        "j",
        "Remove unroll(j, 4)",
        schedule=("unroll(j, 4)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/coord-before-tile",
        (
            "`precompute(B(i,j), w5, w5, ws6)`: which positions of A the coordinates v1w stand for depends on w5. Keep "
            "w5 outside v5."
        ),
        "precompute(B(i,j), w5, w5, ws6)",
        "Remove precompute(B(i,j), w5, w5, ws6)",
        schedule=(
            "pos(i, v0, A)",
            "coord(v0, v1)",
            "reorder(v1, j)",
            "split(v1, v5, w5, 5)",
            "precompute(B(i,j), w5, w5, ws6)",
        ),
        expression="C(i,j) = A(i,j) * B(i,j)",
        formats={"A": "dcsr", "B": "dcsr", "C": "csr"},
    ),
    Refused(
        "schedule/coord-before-tile",
        "`reorder(jc, p0)`: which positions of A the coordinates jc stand for depends on p0. Keep p0 outside jc.",
        "reorder(jc, p0)",
        "Remove reorder(jc, p0)",
        schedule=("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p1, jc)", "reorder(jc, p0)"),
    ),
    Refused(
        "schedule/no-rows",
        "`balance(i, i0, i1, x, 4)`: x does not count its entries by rows of i: its first level would have to be dense "
        "or sorted over i, its second compressed. Such tensors here: A.",
        "x",
        "Write balance(i, i0, i1, A, 4)",
        schedule=("balance(i, i0, i1, x, 4)",),
    ),
    Refused(
        "schedule/no-rows",
        "`balance(i, i0, i1, A, 4)`: A does not count its entries by rows of i: its first level would have to be dense "
        "or sorted over i, its second compressed. No tensor here has such rows; use divide.",
        "A",
        "Remove balance(i, i0, i1, A, 4)",
        schedule=("balance(i, i0, i1, A, 4)",),
        formats={"A": "dcsr"},
    ),
    Refused(
        "schedule/nothing-to-merge",
        "`mergeby(j, Gallop)`: j visits only the stored coordinates of A(i, j); there is nothing to merge. No loop "
        "here merges sparse operands.",
        "j",
        "Remove mergeby(j, Gallop)",
        schedule=("mergeby(j, Gallop)",),
        warning=True,
    ),
    Refused(
        "schedule/nothing-to-merge",
        "`mergeby(i, Gallop)`: i visits every coordinate or position of its range; there is nothing to merge. The loop "
        "that merges is j.",
        "i",
        "Write mergeby(j, Gallop)",
        schedule=("mergeby(i, Gallop)",),
        formats={"A": "csr", "x": "sparse"},
        warning=True,
    ),
    Refused(
        "schedule/gallop",
        "`mergeby(j, Gallop)`: j visits coordinates that only some of A(i, j) and B(i, j) have, so none may be "
        "skipped. Use TwoFinger.",
        "Gallop",
        "Write mergeby(j, TwoFinger)",
        schedule=("mergeby(j, Gallop)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/minimum",
        "`mergeby(j, Minimum)`: j merges A(i, j) and B(i, j), but not as terms of one sum, each 0 where its operands "
        "store nothing, at coordinates stored in order. Use TwoFinger.",
        "Minimum",
        "Write mergeby(j, TwoFinger)",
        schedule=("mergeby(j, Minimum)",),
        expression="C(i,j) = A(i,j) * B(i,j)",
        formats={"A": "csr", "B": "csr"},
    ),
    Refused(
        "schedule/merge-cases",
        "`mergeby(i, TwoFinger)`: i merges so many operands that a case for every set of them is too much text. Use "
        "Minimum.",
        "TwoFinger",
        "Write mergeby(i, Minimum)",
        schedule=("mergeby(i, TwoFinger)",),
        expression="y(i) = " + " + ".join(f"a{number}(i)" for number in range(7)),
        formats=dict.fromkeys([f"a{number}" for number in range(7)], "sparse"),
    ),
    Refused(
        "schedule/already-tagged",
        "`split(j, j0, j1, 4)`: j is already given a merge strategy by command 1. A loop can be tagged once, after "
        "all other commands on it: remove one of the two, or change the loop before it is tagged.",
        "j",
        "Remove split(j, j0, j1, 4)",
        schedule=("mergeby(j, Gallop)", "split(j, j0, j1, 4)"),
        formats={"A": "csr", "x": "sparse"},
    ),
)
