"""A dense product at the stored coordinates of a sparse operand: SDDMM (benchmarks/archive/kernels.md).

The reduction runs over a dense variable. Where both operands store it contiguously its iterations go to vector lanes.
"""

from __future__ import annotations

from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.prefetching import asked_ahead
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import on_threads

LEAST_AHEAD = 1 / 8
"""Size of an operand, in caches of a core, from which its rows are prefetched: the sum over lanes keeps a core from
running ahead on its own (uniform columns, 0.3 MB: 1.09 times as fast, 3 MB: 1.2 times)."""

LONGEST = 256
"""Products of a sum that are worth a kernel of their own: their loop is unrolled, without a remainder."""


def propose_sampled(program: Program) -> Proposal | None:
    driver, depth = program.driver, program.depth
    if driver is None or depth is None:
        return None
    using = [access for access in program.factors or () if depth in access.indices]
    names = program.names()
    if all(program.list_stored_variables(access)[-1] == depth for access in using):
        contiguous = f"The products over {depth} are contiguous in every operand: summed in vector lanes."
        constant, lanes = _constant(program, depth, names)
        summed = Proposal((f"parallelize({lanes}, CPUVector, ParallelReduction)",), (contiguous,))
        summed = constant.then(summed).then(_ahead(program, driver, using))
        return summed.then(on_threads(program, driver, names, cost=1 / program.lanes))
    threads = on_threads(program, driver, names)
    strided = next(access for access in using if program.list_stored_variables(access)[-1] != depth)
    spelled = f"{strided.tensor}({','.join(strided.indices)})"
    reason = f"{spelled} stores {depth} with a stride, so its sum stays scalar; store it the other way round."
    return Proposal((), (reason,)).then(threads)


def _ahead(program: Program, driver: Access, using: list[Access]) -> Proposal:
    """The rows that the innermost coordinates decide, where they do not fit the caches next to the core."""
    inner = program.list_stored_variables(driver)[-1]
    located = next((access for access in using if inner in access.indices), None)
    if located is None:
        return Proposal((), ())
    return asked_ahead(program, driver, located, to_text(located), program.machine.core_caches(LEAST_AHEAD))


def _constant(program: Program, depth: str, names: Names) -> tuple[Proposal, str]:
    """The sum's length as a constant where it is known and small (1.4 times faster in cache), and its loop."""
    size = program.sizes.get(depth)
    if size is None or not 1 < size <= LONGEST:
        return Proposal((), ()), depth
    bounded = names.fresh(f"{depth}b")
    reason = f"{depth} has {size} coordinates: with a constant size the sum needs no counting loop and no remainder."
    return Proposal((f"bound({depth}, {bounded}, {size}, MaxExact)",), (reason,)), bounded
