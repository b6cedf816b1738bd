"""Commands that do not fit the loops they are given."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

COMMANDS = (
    Refused(
        "schedule/unknown-variable",
        "`split(k, i0, i1, 4)`: there is no index variable k. Available: i, j.",
        "k",
        "Remove split(k, i0, i1, 4)",
        schedule=("split(k, i0, i1, 4)",),
    ),
    Refused(
        "schedule/unknown-variable",
        "`split(ii, i0, i1, 4)`: there is no index variable ii. Available: i, j. Did you mean i?",
        "ii",
        "Write split(i, i0, i1, 4)",
        schedule=("split(ii, i0, i1, 4)",),
    ),
    Refused(
        "schedule/not-a-loop",
        "`unroll(i, 4)`: i is no longer a loop: split replaced it by i0 and i1. Available: i0, i1, j.",
        "i",
        "Write unroll(i1, 4)",
        schedule=("split(i, i0, i1, 4)", "unroll(i, 4)"),
    ),
    Refused(
        "schedule/not-a-loop",
        "`split(j, j0, j1, 4)`: j is no longer a loop: pos replaced it by p. Available: i, p.",
        "j",
        "Write split(p, j0, j1, 4)",
        schedule=("pos(j, p, A)", "split(j, j0, j1, 4)"),
    ),
    Refused(
        "schedule/name-taken",
        (
            "`split(i, j, i1, 4)`: j is already an index variable; a new variable needs a name of its own, for "
            "example j2."
        ),
        "j",
        "Write split(i, j2, i1, 4)",
        schedule=("split(i, j, i1, 4)",),
    ),
    Refused(
        "schedule/name-taken",
        "`split(i, A, i1, 4)`: A is already a tensor; a new variable needs a name of its own, for example A2.",
        "A",
        "Write split(i, A2, i1, 4)",
        schedule=("split(i, A, i1, 4)",),
    ),
    Refused(
        "schedule/name-taken",
        (
            "`split(i, i0, i0, 4)`: i0 is already an index variable; a new variable needs a name of its own, for "
            "example i02."
        ),
        "i0",
        "Write split(i, i0, i02, 4)",
        schedule=("split(i, i0, i0, 4)",),
    ),
    Refused(
        "schedule/name-taken",
        (
            "`precompute(A(i,j) * x(j), j, w, w)`: w is already an index variable; a new variable needs a name of its "
            "own, for example w2."
        ),
        "w",
        "Write precompute(A(i,j) * x(j), j, w, w2)",
        schedule=("precompute(A(i,j) * x(j), j, w, w)",),
    ),
    Refused(
        "schedule/reserved-name",
        (
            "`split(i, for, i1, 4)`: for is a reserved word in the generated code; choose another name, for "
            "example for_."
        ),
        "for",
        "Write split(i, for_, i1, 4)",
        schedule=("split(i, for, i1, 4)",),
    ),
    Refused(
        "schedule/already-tagged",
        (
            "`split(i, i0, i1, 4)`: i is already unrolled by command 1. A loop can be tagged once, after all other "
            "commands on it: remove one of the two, or change the loop before it is tagged."
        ),
        "i",
        "Remove split(i, i0, i1, 4)",
        schedule=("unroll(i, 4)", "split(i, i0, i1, 4)"),
    ),
    Refused(
        "schedule/already-tagged",
        (
            "`unroll(i, 4)`: i is already parallelized by command 1. A loop can be tagged once, after all other "
            "commands on it: remove one of the two, or change the loop before it is tagged."
        ),
        "i",
        "Remove unroll(i, 4)",
        schedule=("parallelize(i, CPUThread, NoRaces)", "unroll(i, 4)"),
    ),
    Refused(
        "schedule/bad-size",
        "`split(i, i0, i1, 0)`: the size of a tile must be an integer between 1 and 2147483647, not 0.",
        "0",
        "Write split(i, i0, i1, 16)",
        schedule=("split(i, i0, i1, 0)",),
    ),
    Refused(
        "schedule/bad-size",
        (
            "`split(i, i0, i1, 2147483648)`: the size of a tile must be an integer between 1 and 2147483647, not "
            "2147483648."
        ),
        "2147483648",
        "Write split(i, i0, i1, 16)",
        schedule=("split(i, i0, i1, 2147483648)",),
    ),
    Refused(
        "schedule/bad-factor",
        "`unroll(j, 65)`: the unroll factor must be between 2 and 64, not 65.",
        "65",
        "Write unroll(j, 4)",
        schedule=("unroll(j, 65)",),
    ),
    Refused(
        "schedule/bad-factor",
        "`unroll(j, 1)`: the unroll factor must be between 2 and 64, not 1.",
        "1",
        "Write unroll(j, 4)",
        schedule=("unroll(j, 1)",),
    ),
    Refused(
        "schedule/not-directly-nested",
        "`fuse(j, i, f)`: i is not directly inside j: the loops are i → j. Reorder them first.",
        "i",
        "Remove fuse(j, i, f)",
        schedule=("fuse(j, i, f)",),
    ),
    Refused(
        "schedule/not-directly-nested",
        "`fuse(i0, j, f)`: j is not directly inside i0: the loops are i0 → i1 → j. Reorder them first.",
        "j",
        "Write fuse(i0, i1, f)",
        schedule=("split(i, i0, i1, 4)", "fuse(i0, j, f)"),
    ),
    Refused(
        "schedule/not-directly-nested",
        (
            "`fuse(i, j, f)`: j is not directly inside i: a sum between them is computed into a temporary. Fuse "
            "loops on one side of it only."
        ),
        "j",
        "Remove fuse(i, j, f)",
        schedule=("fuse(i, j, f)",),
        expression="y(i) = b(i) - A(i,j) * x(j)",
    ),
    Refused(
        "schedule/not-directly-nested",
        (
            "`reorder(i, j)`: j and i are not in one nest of directly nested loops: a sum between them is "
            "computed into a temporary, and moving a loop across it would change what is added."
        ),
        "j",
        "Remove reorder(i, j)",
        schedule=("reorder(i, j)",),
        expression="y(i) = b(i) - A(i,j) * x(j)",
    ),
    Refused(
        "schedule/listed-twice",
        "`reorder(i, j, i)`: i is listed twice; each loop can be listed once.",
        "i",
        "Remove reorder(i, j, i)",
        schedule=("reorder(i, j, i)",),
        expression="C(i,j) = a(i) * b(j)",
        formats={},
    ),
    Refused(
        "schedule/unknown-tensor",
        "`pos(j, p, B)`: B is not an operand below j. Operands: A, x.",
        "B",
        "Remove pos(j, p, B)",
        schedule=("pos(j, p, B)",),
    ),
    Refused(
        "schedule/pos-of-result",
        "`pos(j, p, C)`: C is the result: it has no positions before j has run. A and B have some.",
        "C",
        "Remove pos(j, p, C)",
        schedule=("pos(j, p, C)",),
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csr", "C": "csr"},
    ),
    Refused(
        "schedule/pos-of-result",
        "`pos(i, p, y)`: y is the result: it has no positions before i has run. Nor has an operand.",
        "y",
        "Remove pos(i, p, y)",
        schedule=("pos(i, p, y)",),
    ),
    Refused(
        "schedule/bad-size",
        "`bound(i, b, -1, MaxExact)`: the bound must be an integer between 0 and 2147483647, not -1.",
        "-1",
        "Remove bound(i, b, -1, MaxExact)",
        schedule=("bound(i, b, -1, MaxExact)",),
    ),
    Refused(
        "schedule/bad-size",
        "`divide(i, i0, i1, 0)`: the number of parts must be an integer between 1 and 2147483647, not 0.",
        "0",
        "Write divide(i, i0, i1, 16)",
        schedule=("divide(i, i0, i1, 0)",),
    ),
    Refused(
        "schedule/bound-never-holds",
        "`bound(i, b, 8, MinExact)`: i starts at 0, as every loop over coordinates does, so it can never start at "
        "8. Use 0, or bound where it ends with MaxExact or MaxConstraint.",
        "8",
        "Write bound(i, b, 0, MinExact)",
        schedule=("bound(i, b, 8, MinExact)",),
    ),
    Refused(
        "schedule/bound-never-holds",
        "`bound(i, b, 0, MaxConstraint)`: i would end at 0, where it starts: the kernel would refuse every operand "
        "that has an element along i. Claim where the range ends.",
        "0",
        "Remove bound(i, b, 0, MaxConstraint)",
        schedule=("bound(i, b, 0, MaxConstraint)",),
    ),
    Refused(
        "schedule/nothing-to-prefetch",
        (
            "`prefetch(A(i,j), 8)`: A(i,j) is not an operand whose place depends on a stored coordinate of another "
            "tensor: all other places are known without a load from memory. Such operands here: x(j)."
        ),
        "A(i,j)",
        "Write prefetch(x(j), 8)",
        schedule=("prefetch(A(i,j), 8)",),
    ),
    Refused(
        "schedule/bad-distance",
        "`prefetch(x(j), 0)`: the distance must be between 1 and 1024 coordinates, not 0.",
        "0",
        "Write prefetch(x(j), 8)",
        schedule=("prefetch(x(j), 0)",),
    ),
    Refused(
        "schedule/already-prefetched",
        "`prefetch(x(j), 4)`: command 1 already prefetches x.",
        "x(j)",
        "Remove prefetch(x(j), 4)",
        schedule=("prefetch(x(j), 8)", "prefetch(x(j), 4)"),
    ),
    Refused(
        "schedule/prefetch-target",
        (
            "x cannot be prefetched on the target cuda, where threads take turns while they wait for memory. Remove "
            "the command."
        ),
        "prefetch(x(j), 8)",
        "Remove prefetch(x(j), 8)",
        schedule=(
            "split(i, i0, i1, 32)",
            "parallelize(i0, GPUBlock, NoRaces)",
            "parallelize(i1, GPUThread, NoRaces)",
            "prefetch(x(j), 8)",
        ),
        target="cuda",
    ),
    Refused(
        "schedule/prefetch-target",
        (
            "x cannot be prefetched in loops on GPU units, where threads take turns while they wait for memory. "
            "Remove the command."
        ),
        "prefetch(x(j), 8)",
        "Remove prefetch(x(j), 8)",
        schedule=("parallelize(i, GPUBlock, NoRaces)", "prefetch(x(j), 8)"),
        target="interpreter",
    ),
)
