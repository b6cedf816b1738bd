"""A matrix in slots of blocks of rows times vectors: SpMV on sliced ELL and on DIA by blocks.

The rows of a block are the lanes of one vector register, which is held across all slots and stored once.
"""

from __future__ import annotations

from heddle.iteration_graph.graph.slots import SlottedLoops, slotted_loops
from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import on_threads


def rows_in_slots(program: Program) -> tuple[Access, SlottedLoops] | None:
    """The matrix in slots that alone decides the product, and its loops."""
    driver = lone_matrix(program)
    loops = slotted_loops(program.signature.tensors[driver.tensor].format, program.order) if driver else None
    return (driver, loops) if driver is not None and loops is not None else None


def lone_matrix(program: Program) -> Access | None:
    """The sparse operand that alone decides the product, where its rows are those of the result and no dense loop lies
    beneath."""
    if program.factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return None
    (driver,) = program.sparse
    return (
        None
        if program.list_other_variables(driver) or program.target.indices != program.list_stored_variables(driver)[:1]
        else driver
    )


def slotted_rows(program: Program) -> Proposal | None:
    slot_rows = rows_in_slots(program)
    if slot_rows is None:
        return None
    driver, loops = slot_rows
    reason = f"The rows of a block of {driver.tensor} become vector lanes: sums stay in registers and are stored once"
    if program.signature.tensors[driver.tensor].format.sorts is not None:
        reason += ", each in the row that its place names, which no other place shares"
    return rows_in_lanes(program, driver, loops.block, loops.inside, f"{reason}.")


def rows_in_lanes(
    program: Program, driver: Access, block: str, inside: str, reason: str, unrolled: tuple[str, ...] = ()
) -> Proposal:
    """The sums of the rows ``inside`` a ``block`` in a vector of their own, whose reduction is ``unrolled``; blocks on
    threads."""
    names = program.names(also=program.order)
    lane, sums = names.fresh(f"{inside}w"), names.fresh("w")
    product = " * ".join(f"{access.tensor}({','.join(access.indices)})" for access in program.factors or ())
    commands = (
        f"precompute({product}, {inside}, {lane}, {sums})",
        *unrolled,
        f"parallelize({lane}, CPUVector, NoRaces)",
        f"parallelize({inside}, CPUVector, NoRaces)",
    )
    return Proposal(commands, (reason,)).then(on_threads(program, driver, names, row=block))
