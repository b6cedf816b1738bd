"""Two sparse matrices multiplied row by row: SpGEMM (Gustavson 1978; benchmarks/archive/kernels.md)."""

from __future__ import annotations

from math import prod

from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import SIMILAR, on_threads

SCATTERED = 4.0
"""Cost of a product that is added to a workspace, and of its share in collecting the row."""

DRIFT = 0.1
"""Half of the entries may have so much more than its share of the products before these are counted."""

MOST_APPENDED = 64_000_000
"""Entries for which memory is allocated beforehand: three quarters of a gigabyte of float64 with their coordinates. One
pass is 1.2 to 1.6 times as fast as two, R-MAT, whose products meet threefold, included."""


def sparse_product(program: Program) -> Proposal | None:
    gathering = propose_gathered(program)
    if gathering is None:
        return None
    gather, left = gathering
    if not program.ordered(program.target):
        name = program.target.tensor
        reason = f"A row of {name} may be in any order: values are summed where {name} stores them, without a list."
        gather = gather.then(Proposal((), (reason,)))
    bound = None if program.is_dense(program.target) else _bound(program, left)
    if bound is not None and bound <= MOST_APPENDED:
        appended = Proposal(
            (f"assemble({program.target.tensor}, Append)",),
            (f"One pass: there is memory for {bound:,} entries, the most that products and places allow.",),
        )
        weights = _weights(program, left)
        return gather.then(appended).then(
            on_threads(program, left, program.names(), cost=SCATTERED, stretches=True, weights=weights)
        )
    threads = on_threads(program, left, program.names(), cost=SCATTERED)
    if program.is_dense(program.target) or not threads.schedule:
        return gather.then(threads)
    counted = Proposal(
        (f"assemble({program.target.tensor}, Insert)",),
        ("A first pass counts the entries of each row, so that threads know where their rows begin.",),
    )
    return gather.then(counted).then(threads)


def propose_gathered(program: Program) -> tuple[Proposal, Access] | None:
    """C(i,j) = A(i,k) * B(k,j) with all three stored by rows, or all by columns: how a row is made, and the operand
    whose rows they are."""
    factors = program.factors
    if factors is None or len(factors) != 2 or len(program.sparse) != 2:
        return None
    if len(program.target.indices) != 2 or any(program.is_blocked(access) for access in factors):
        return None
    row, column = program.list_stored_variables(program.target)
    left = next((access for access in factors if program.list_stored_variables(access)[0] == row), None)
    if left is None or len(left.indices) != 2 or column in left.indices:
        return None
    right = factors[0] if factors[1] is left else factors[1]
    inner = program.list_stored_variables(left)[1]
    if program.list_stored_variables(right) != (inner, column):
        return None
    if program.is_dense(program.target):
        reason = f"Rows of {right.tensor} are added to rows of {program.target.tensor}, entry by entry."
        return Proposal((f"reorder({row}, {inner}, {column})",), (reason,)), left
    names = program.names()
    copy, workspace = names.fresh(f"{column}w"), names.fresh("w")
    product = " * ".join(f"{access.tensor}({','.join(access.indices)})" for access in factors)
    reason = f"Each row of {program.target.tensor} is collected in a workspace, then stored (Gustavson's algorithm)."
    commands = (f"reorder({row}, {inner}, {column})", f"precompute({product}, {column}, {copy}, {workspace})")
    return Proposal(commands, (reason,)), left


def _weights(program: Program, left: Access) -> str | None:
    """The other operand, where equally many entries of ``left`` may mean many more products here than there: rows of
    both vary in length (R-MAT: 1.1 times as fast), or change from the first half to the second (a structure's
    stiffness: 1.16 times). Counting products takes up to a tenth of the time of the whole."""
    right = next(access for access in program.sparse if access is not left)
    known, other = (program.statistics.get(access.tensor) for access in (left, right))
    if known is None or other is None:
        return None
    if any(program.kinds(access) != ("dense", "compressed") for access in (left, right)):
        return None
    unlike = min(known.spread, other.spread) > SIMILAR
    drifts = max(known.spread, other.spread) <= SIMILAR and min(known.drift, other.drift) > DRIFT
    return right.tensor if unlike or drifts else None


def _bound(program: Program, left: Access) -> int | None:
    """Entries that the result has at most: no more than there are products, nor than elements; None when unknown."""
    right = next(access for access in program.sparse if access is not left)
    known, other = (program.statistics.get(access.tensor) for access in (left, right))
    if known is None or other is None:
        return None
    places = prod(program.sizes[variable] for variable in program.target.indices)
    return min(known.nonzeros * other.longest, places)
