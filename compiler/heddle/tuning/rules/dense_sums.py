"""A sum, maximum or minimum over what dense operands store side by side: ``d = abs(a(i) - b(i))``, ``m(i) = A(i,j)``.

One accumulator waits for each addition before the next (100,000 elements in cache: 2 to 3 times as fast in lanes). The
compiler of C keeps to the order in which the program adds, unless it is told that lanes may.
"""

from __future__ import annotations

from heddle.loop_ir.dtypes import FLOATS
from heddle.notation.nodes import operand_accesses
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.fallback import outer_threads, say_too_little
from heddle.tuning.rules.proposal import Proposal

LEAST_BYTES = 32
"""Of a vector: in vectors of 16 bytes sums are hardly faster, and maxima 1.5 times slower."""

FEWEST = 2
"""Vectors that a sum must fill, where its length is known."""


def dense_sums(program: Program) -> Proposal | None:
    """Needs dense operands alone, and an innermost loop that is summed over and contiguous in each that has it."""
    assignment, inner = program.assignment, program.order[-1:]
    if (
        program.sparse
        or assignment.temporaries
        or assignment.program is not None
        or not program.is_dense(program.target)
    ):
        return None
    if program.machine.vector_bytes < LEAST_BYTES:
        return None
    if not inner or inner[0] not in program.summed or program.signature.result.dtype not in FLOATS:
        return None
    size = program.sizes.get(inner[0])
    if size is not None and size < FEWEST * program.lanes:
        return None
    using = [access for access in operand_accesses(assignment) if inner[0] in access.indices]
    for access in using:
        if access.indices.count(inner[0]) > 1 or program.list_stored_variables(access)[-1:] != inner:
            return None
    reason = f"{inner[0]} is contiguous in every operand that has it: summed in vector lanes."
    schedule = (f"parallelize({inner[0]}, CPUVector, ParallelReduction)",)
    threads = outer_threads(program) if program.order[0] not in program.summed else None
    if threads is None:
        return Proposal(schedule, (reason, *say_too_little(program)))
    return Proposal(schedule, (reason,)).then(threads)
