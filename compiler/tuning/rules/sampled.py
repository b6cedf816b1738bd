"""A dense product at the places of a sparse operand: SDDMM (PERFORMANCE, SDDMM).

The reduction runs over a dense variable. Where both operands store it contiguously its iterations go to vector lanes.
"""

from __future__ import annotations

from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import on_threads


def sampled(program: Program) -> Proposal | None:
    driver, depth = program.driver, program.depth
    if driver is None or depth is None:
        return None
    using = [access for access in program.factors or () if depth in access.indices]
    threads = on_threads(program, driver, program.names())
    if all(program.stored(access)[-1] == depth for access in using):
        command = f"parallelize({depth}, CPUVector, ParallelReduction)"
        reason = f"The products over {depth} are contiguous in every operand: summed in vector lanes."
        return Proposal((command,), (reason,)).then(threads)
    strided = next(access for access in using if program.stored(access)[-1] != depth)
    spelled = f"{strided.tensor}({','.join(strided.indices)})"
    reason = f"{spelled} stores {depth} with a stride, so that its sum stays scalar; store it the other way round."
    return Proposal((), (reason,)).then(threads)
