"""Results that are made row by row, on a GPU: products and sums of sparse operands (SpGEMM, sparse addition)."""

from __future__ import annotations

from heddle.schedule.gpu_templates import block_per_row, rows_of_few_threads, thread_per_iteration
from heddle.schedule.primitives.precompute import Precompute
from heddle.schedule.syntax.parser import parse_command
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.sparse_product import propose_gathered
from heddle.tuning.rules.sparse_sum import propose_merged

MERGED_BY_A_THREAD = 64
"""Entries of a row at most; what collects longer ones shares them out."""


def gpu_sparse_product(program: Program) -> Proposal | None:
    gathering = propose_gathered(program)
    if gathering is None:
        return None
    gather, left = gathering
    row = program.list_stored_variables(left)[0]
    if program.is_dense(program.target):
        reason = f"A thread for each row of {program.target.tensor}, into which no other thread adds."
        return gather.then(Proposal(thread_per_iteration(row, program.names()), (reason,)))
    right = next(access for access in program.sparse if access is not left)
    if all(program.kinds(access) == ("dense", "compressed") for access in (left, right)):
        loops = _list_producer_loops(gather, program.list_stored_variables(left)[1])
        reason = (
            f"The threads of a block, or of a warp where that does, collect each row of {program.target.tensor} in a "
            f"hash table: warps take entries of {left.tensor}, their lanes those of a row of {right.tensor}."
        )
        tables = "Rows are put in order by how many products they have, so that short ones have small tables."
        return gather.then(Proposal(block_per_row(row, loops), (reason, tables, *_list_counts(program))))
    reason = "Few threads with many rows each, because each needs a workspace as long as a row."
    return gather.then(Proposal(rows_of_few_threads(row, program.names()), (reason, *_list_counts(program))))


def gpu_sparse_sum(program: Program) -> Proposal | None:
    merging = propose_merged(program)
    if merging is None:
        return None
    merge, fullest = merging
    if not program.has_rows(fullest):
        return None
    row, *_, column = program.list_stored_variables(fullest)
    known = program.statistics.get(fullest.tensor)
    if known is not None and known.longest > MERGED_BY_A_THREAD and _may_collect(program):
        names = program.names()
        copy, workspace = names.fresh(f"{column}w"), names.fresh("w")
        terms = " + ".join(f"{access.tensor}({','.join(access.indices)})" for access in program.terms or ())
        precompute = f"precompute({terms}, {column}, {copy}, {workspace})"
        reason = (
            f"Rows of {fullest.tensor} have up to {known.longest:,} entries: the threads of a block, or of a warp "
            f"where that does, collect each row of {program.target.tensor} in a hash table, operand by operand."
        )
        return Proposal((precompute, *block_per_row(row, (copy,))), (reason, *_list_counts(program)))
    reason = f"A thread for each row of {program.target.tensor}: lanes cannot share the merge of a row."
    return merge.then(Proposal(thread_per_iteration(row, program.names()), (reason,))).then(
        Proposal((), _list_counts(program))
    )


def _may_collect(program: Program) -> bool:
    """Whether the rows of a sum may be collected in hash tables: entries of one dtype, by rows, of matrices that are 0
    elsewhere."""
    terms = program.terms or ()
    tensors = [program.signature.tensors[access.tensor] for access in (program.target, *terms)]
    alike = len({tensor.dtype for tensor in tensors}) == 1
    rows = all(program.kinds(access) == ("dense", "compressed") for access in (program.target, *terms))
    unique = all(level.unique for tensor in tensors for level in tensor.format.levels)
    return alike and rows and unique and all(tensor.fill == 0 for tensor in tensors)


def _list_producer_loops(gather: Proposal, inner: str) -> tuple[str, str]:
    """The loops that collect a row: over the entries of the left operand, and over those of a row of the right one,
    which has the name that ``precompute`` gives it."""
    (precompute,) = (
        c for c in (parse_command(text, 0).command for text in gather.schedule) if isinstance(c, Precompute)
    )
    return inner, precompute.copies[0]


def _list_counts(program: Program) -> tuple[str, ...]:
    if program.is_dense(program.target):
        return ()
    return ("A first launch counts the entries of each row, so that the threads know where their rows begin.",)
