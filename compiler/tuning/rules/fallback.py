"""Whatever no other rule knows: the default order of loops, the outermost on threads where no two of them meet."""

from __future__ import annotations

from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import least_work, on_threads


def driven_threads(program: Program) -> Proposal | None:
    """The outermost level of the first sparse operand on threads; refused where its iterations meet."""
    sparse = program.sparse
    if not sparse or not sparse[0].indices or program.blocked(sparse[0]):
        return None
    if program.order[:1] != program.stored(sparse[0])[:1]:
        return None
    return on_threads(program, sparse[0], program.names())


def outer_threads(program: Program) -> Proposal | None:
    """The outermost loop on threads: of dense programs, of blocked operands; refused where its iterations meet."""
    if not program.order or program.machine.threads < 2:
        return None
    works = [work for access in program.sparse if (work := program.work(access)) is not None]
    if works and max(works) < least_work(program.machine):
        return None
    first = program.order[0]
    reason = f"The iterations of {first} write different places of the result: they go to the threads."
    return Proposal((f"parallelize({first}, CPUThread, NoRaces)",), (reason,))


def dense_lanes(program: Program) -> Proposal | None:
    """A contiguous dense dimension innermost, in vector lanes, on one thread: of operands whose outer level is summed
    over (CSC, another mode of a tensor), and of coordinates."""
    driver = program.driver
    column = program.column(driver) if driver is not None else None
    if driver is None or column is None:
        return None
    order = (*program.stored(driver), column)
    first = (f"reorder({', '.join(order)})",) if order != program.order else ()
    reason = (
        f"{driver.tensor} comes in an order that visits results more than once: one thread adds them up, "
        f"{column} in vector lanes."
    )
    return Proposal((*first, f"parallelize({column}, CPUVector, NoRaces)"), (reason,))


def default_loops(program: Program) -> Proposal | None:
    """No command at all."""
    return Proposal((), ("No rule knows better than the default order of loops.",))
