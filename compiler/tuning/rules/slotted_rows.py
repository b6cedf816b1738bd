"""A matrix in slots of blocks of rows times vectors: SpMV on sliced ELL and on DIA by blocks (PERFORMANCE, SpMV 1).

The rows of a block are the lanes of one vector register, which is held across all slots and stored once.
"""

from __future__ import annotations

from compiler.iteration_graph.slots import SlottedLoops, slotted_loops
from compiler.notation.nodes import Access
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import on_threads


def rows_in_slots(program: Program) -> tuple[Access, SlottedLoops] | None:
    """The matrix in slots that alone decides the product, and its loops, where its rows are those of the result and no
    dense loop lies beneath."""
    factors = program.factors
    if factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return None
    (driver,) = program.sparse
    loops = slotted_loops(program.signature.tensors[driver.tensor].format, program.order)
    if loops is None or program.beside(driver) or program.target.indices != program.stored(driver)[:1]:
        return None
    return driver, loops


def slotted_rows(program: Program) -> Proposal | None:
    found = rows_in_slots(program)
    if found is None:
        return None
    driver, loops = found
    inside, names = loops.inside, program.names(also=program.order)
    lane, sums = names.fresh(f"{inside}w"), names.fresh("w")
    product = " * ".join(f"{access.tensor}({','.join(access.indices)})" for access in program.factors or ())
    commands = (
        f"precompute({product}, {inside}, {lane}, {sums})",
        f"parallelize({lane}, CPUVector, NoRaces)",
        f"parallelize({inside}, CPUVector, NoRaces)",
    )
    reason = f"The rows of a block of {driver.tensor} are vector lanes: sums stay in registers and are stored once"
    if program.signature.tensors[driver.tensor].format.sorts is not None:
        reason += ", each at the row that its place names, which no other place does"
    return Proposal(commands, (f"{reason}.",)).then(on_threads(program, driver, names, row=loops.block))
