"""Sparse operands added row by row (benchmarks/archive/kernels.md)."""

from __future__ import annotations

from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import on_threads

MERGED = 8.0
"""Cost of an entry that is merged: branches that nothing predicts, and a coordinate to store."""


def sparse_sum(program: Program) -> Proposal | None:
    merging = propose_merged(program)
    if merging is None:
        return None
    merge, fullest = merging
    if not program.has_rows(fullest):
        return merge
    threads = on_threads(program, fullest, program.names(), cost=MERGED)
    if program.is_dense(program.target):
        return merge.then(threads)
    if not threads.schedule:
        appended = Proposal(
            (f"assemble({program.target.tensor}, Append)",),
            ("One pass: memory for the entries of all operands together is enough, whichever of them overlap.",),
        )
        return merge.then(threads).then(appended)
    counted = Proposal(
        (f"assemble({program.target.tensor}, Insert)",),
        ("A first pass counts the entries of each row, so that threads know where their rows begin.",),
    )
    return merge.then(counted).then(threads)


def propose_merged(program: Program) -> tuple[Proposal, Access] | None:
    """How the operands of a sum in one storage order are merged, and the fullest of them."""
    terms = program.terms
    if terms is None or len(program.sparse) != len(terms):
        return None
    order = program.list_stored_variables(program.target)
    if any(program.list_stored_variables(access) != order or program.is_blocked(access) for access in terms):
        return None
    fullest = max(terms, key=lambda access: _nonzeros(program, access))
    if not all(program.has_rows(access) for access in terms):
        poorest = next(access for access in terms if not program.has_rows(access))
        return Proposal((), ("The operands are merged in order, in one pass.",)), poorest
    operands = ", ".join(access.tensor for access in terms)
    return Proposal((), (f"Each row visits the places where any of {operands} has an entry.",)), fullest


def _nonzeros(program: Program, access: Access) -> int:
    known = program.statistics.get(access.tensor)
    return known.nonzeros if known is not None else 0
