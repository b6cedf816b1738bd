"""A matrix in slots of blocks of rows times vectors: SpMV on sliced ELL and on DIA by blocks (PERFORMANCE, SpMV 1).

The rows of a block are the lanes of one vector register, which is held across all slots and stored once.
"""

from __future__ import annotations

from compiler.iteration_graph.slots import slotted_loops
from compiler.notation.nodes import Access
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import EVEN, LEAST_WORK, PARTS_PER_THREAD


def slotted_rows(program: Program) -> Proposal | None:
    """Needs the rows to be those of the result, and no dense loop beneath."""
    factors = program.factors
    if factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return None
    (driver,) = program.sparse
    loops = slotted_loops(program.signature.tensors[driver.tensor].format, program.order)
    free = {variable for access in factors for variable in access.indices} - set(driver.indices)
    if loops is None or free or program.target.indices != program.stored(driver)[:1]:
        return None
    block, inside = loops
    names = program.names(also=program.order)
    lane, sums = names.fresh(f"{inside}w"), names.fresh("w")
    product = " * ".join(f"{access.tensor}({','.join(access.indices)})" for access in factors)
    commands = (
        f"precompute({product}, {inside}, {lane}, {sums})",
        f"parallelize({lane}, CPUVector, NoRaces)",
        f"parallelize({inside}, CPUVector, NoRaces)",
    )
    reason = f"The rows of a block of {driver.tensor} are vector lanes: sums stay in registers and are stored once."
    return Proposal(commands, (reason,)).then(_threads(program, driver, block))


def _threads(program: Program, driver: Access, block: str) -> Proposal:
    """Blocks of rows on threads, balanced by slots where some have many more than others."""
    work, known, threads = program.work(driver), program.statistics.get(driver.tensor), program.machine.threads
    if threads < 2:
        return Proposal((), ("One thread: the loops stay sequential.",))
    if work is not None and work < LEAST_WORK:
        return Proposal((), (f"About {work:,.0f} multiplications: too few to wake a second thread for.",))
    if not program.has_rows(driver) or (known is not None and known.spread <= EVEN):
        reason = f"Blocks of rows of {driver.tensor} are alike: the threads take whole blocks."
        return Proposal((f"parallelize({block}, CPUThread, NoRaces)",), (reason,))
    names = program.names(also=program.order)
    outer, inner = names.fresh(f"{block}0"), names.fresh(f"{block}1")
    commands = (
        f"balance({block}, {outer}, {inner}, {driver.tensor}, {PARTS_PER_THREAD * threads})",
        f"parallelize({outer}, CPUThread, NoRaces)",
    )
    return Proposal(commands, (f"Blocks of rows of {driver.tensor} may differ: balanced by slots.",))
