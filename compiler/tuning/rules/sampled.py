"""A dense product at the places of a sparse operand: SDDMM (PERFORMANCE, SDDMM).

The reduction runs over a dense variable. Where both operands store it contiguously its iterations go to vector lanes.
"""

from __future__ import annotations

from compiler.names import Names
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import on_threads

LONGEST = 256
"""Products of a sum that are worth a kernel of their own: their loop is unrolled, without a remainder."""


def sampled(program: Program) -> Proposal | None:
    driver, depth = program.driver, program.depth
    if driver is None or depth is None:
        return None
    using = [access for access in program.factors or () if depth in access.indices]
    names = program.names()
    if all(program.stored(access)[-1] == depth for access in using):
        contiguous = f"The products over {depth} are contiguous in every operand: summed in vector lanes."
        constant, lanes = _constant(program, depth, names)
        summed = Proposal((f"parallelize({lanes}, CPUVector, ParallelReduction)",), (contiguous,))
        return constant.then(summed).then(on_threads(program, driver, names, cost=1 / program.lanes))
    threads = on_threads(program, driver, names)
    strided = next(access for access in using if program.stored(access)[-1] != depth)
    spelled = f"{strided.tensor}({','.join(strided.indices)})"
    reason = f"{spelled} stores {depth} with a stride, so that its sum stays scalar; store it the other way round."
    return Proposal((), (reason,)).then(threads)


def _constant(program: Program, depth: str, names: Names) -> tuple[Proposal, str]:
    """The sum's length as a constant where it is known and small (1.4 times faster in cache), and its loop."""
    size = program.sizes.get(depth)
    if size is None or not 1 < size <= LONGEST:
        return Proposal((), ()), depth
    bounded = names.fresh(f"{depth}b")
    reason = f"{depth} has {size} coordinates: with a constant the sum needs no loop that counts, and no remainder."
    return Proposal((f"bound({depth}, {bounded}, {size}, MaxExact)",), (reason,)), bounded
