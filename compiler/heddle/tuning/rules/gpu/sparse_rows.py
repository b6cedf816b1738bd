"""Results that are made row by row, on a GPU: products and sums of sparse operands (SpGEMM, sparse addition)."""

from __future__ import annotations

from heddle.schedule.gpu_templates import rows_of_few_threads, thread_per_iteration
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.sparse_product import propose_gathered
from heddle.tuning.rules.sparse_sum import propose_merged


def gpu_sparse_product(program: Program) -> Proposal | None:
    gathering = propose_gathered(program)
    if gathering is None:
        return None
    gather, left = gathering
    row = program.list_stored_variables(left)[0]
    if program.is_dense(program.target):
        reason = f"A thread for each row of {program.target.tensor}, into which no other thread adds."
        return gather.then(Proposal(thread_per_iteration(row, program.names()), (reason,)))
    reason = "Few threads with many rows each, because each needs a workspace as long as a row."
    return gather.then(Proposal(rows_of_few_threads(row, program.names()), (reason, *_list_counts(program))))


def gpu_sparse_sum(program: Program) -> Proposal | None:
    merging = propose_merged(program)
    if merging is None:
        return None
    merge, fullest = merging
    if not program.has_rows(fullest):
        return None
    reason = f"A thread for each row of {program.target.tensor}: lanes cannot share the merge of a row."
    return merge.then(
        Proposal(thread_per_iteration(program.list_stored_variables(fullest)[0], program.names()), (reason,))
    ).then(Proposal((), _list_counts(program)))


def _list_counts(program: Program) -> tuple[str, ...]:
    if program.is_dense(program.target):
        return ()
    return ("A first launch counts the entries of each row, so that the threads know where their rows begin.",)
