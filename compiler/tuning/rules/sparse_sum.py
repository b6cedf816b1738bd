"""Sparse operands added row by row (PERFORMANCE, sparse addition)."""

from __future__ import annotations

from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import on_threads


def sparse_sum(program: Program) -> Proposal | None:
    terms = program.terms
    if terms is None or len(program.sparse) != len(terms):
        return None
    target = program.target
    order = program.stored(target)
    if any(program.stored(access) != order or program.blocked(access) for access in terms):
        return None
    fullest = max(terms, key=lambda access: _nonzeros(program, access))
    if not all(program.has_rows(access) for access in terms):
        return Proposal((), ("The operands are merged in order, in one pass.",))
    merge = Proposal((), (f"Each row runs where any of {', '.join(access.tensor for access in terms)} has an entry.",))
    threads = on_threads(program, fullest, program.names())
    if program.is_dense(target) or not threads.schedule:
        return merge.then(threads)
    counted = Proposal(
        (f"assemble({target.tensor}, Insert)",),
        ("A first pass counts the entries of each row, so that the threads know where their rows begin.",),
    )
    return merge.then(counted).then(threads)


def _nonzeros(program: Program, access: object) -> int:
    known = program.statistics.get(getattr(access, "tensor", ""))
    return known.nonzeros if known is not None else 0
