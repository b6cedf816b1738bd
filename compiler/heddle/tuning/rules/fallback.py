"""Whatever no other rule knows: the default order of loops, the outermost on threads where no two of them meet."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import least_work, on_threads, too_little

MOST_BOUND = 64
"""Columns up to which a kernel for just so many pays (hyb of two ranges of columns, 150 thousand entries, one thread:
1.3 times as fast with 8 columns, 1.15 with 32, 1.05 with 100)."""


def driven_threads(program: Program) -> Proposal | None:
    """The outermost level of the first sparse operand on threads; refused where its iterations meet."""
    sparse = program.sparse
    if not sparse or not sparse[0].indices or program.is_blocked(sparse[0]):
        return None
    if program.order[:1] != program.list_stored_variables(sparse[0])[:1]:
        return None
    threads = on_threads(program, sparse[0], program.names())
    if threads.schedule:
        return threads
    lanes = _lanes(program)
    return threads if lanes is None else lanes.then(threads)


def outer_threads(program: Program) -> Proposal | None:
    """The outermost loop on threads: of dense programs, of blocked operands; refused where its iterations meet."""
    if not program.order or program.machine.threads < 2:
        return None
    work = _work(program)
    if work is not None and work < least_work(program.machine):
        return None
    first = program.order[0]
    free = _free_loop(program) if first in program.summed else None
    if free is not None:
        return _brought_out(program, free)
    reason = f"The iterations of {first} write to different places of the result: threads share them."
    return Proposal((f"parallelize({first}, CPUThread, NoRaces)",), (reason,))


def _work(program: Program) -> float | None:
    """Multiplications, about: those of the sparse operand with the most, or the iterations of a dense program."""
    works = [work for access in program.sparse if (work := program.work(access)) is not None]
    if works:
        return max(works)
    if program.sparse or any(loop not in program.sizes for loop in program.order):
        return None
    return float(prod(program.sizes[loop] for loop in program.order))


def _free_loop(program: Program) -> str | None:
    """The outermost loop of the result's that runs over all coordinates, and may be at any depth."""
    if program.assignment.temporaries or not program.is_dense(program.target):
        return None
    walked = {
        variable
        for access in program.sparse
        for variable, kind in zip(program.list_stored_variables(access), program.kinds(access), strict=True)
        if kind != "dense" or program.is_blocked(access)
    }
    return next((loop for loop in program.order if loop in program.target.indices and loop not in walked), None)


def _brought_out(program: Program, free: str) -> Proposal:
    """Reductions are outside: threads share a loop inside them. Parts of it where it is the innermost one, so that each
    thread reads memory in order, too."""
    start = f"Threads share {free}, because iterations of {program.order[0]} write to the same places of the result"
    others = [loop for loop in program.order if loop != free]
    if program.order[-1] != free:
        reordered = f"reorder({', '.join((free, *others))})"
        return Proposal((reordered, f"parallelize({free}, CPUThread, NoRaces)"), (f"{start}.",))
    names = program.names(also=program.order)
    outer, inner = names.fresh(f"{free}0"), names.fresh(f"{free}1")
    commands = (
        f"divide({free}, {outer}, {inner}, {program.machine.threads})",
        f"reorder({', '.join((outer, *others, inner))})",
        f"parallelize({outer}, CPUThread, NoRaces)",
    )
    return Proposal(commands, (f"{start}: each takes one part of it and visits memory in order.",))


def dense_lanes(program: Program) -> Proposal | None:
    """A contiguous dense dimension innermost, in vector lanes, on one thread: of operands whose outer level is summed
    over (CSC, another mode of a tensor), and of coordinates."""
    lanes = _lanes(program)
    if lanes is None or program.driver is None:
        return None
    reason = (
        f"{program.driver.tensor} is stored in an order that visits results more than once: one thread adds them up."
    )
    return replace(lanes, reasons=(reason, *lanes.reasons))


def _lanes(program: Program) -> Proposal | None:
    driver = program.driver
    column = program.column(driver) if driver is not None else None
    if driver is None or column is None:
        return None
    size, lane = program.sizes.get(column), column
    commands: list[str] = []
    reasons = [f"{column} is in vector lanes."]
    if size is not None and 1 < size <= MOST_BOUND:
        lane = program.names(also=program.order).fresh(f"{column}1")
        commands.append(f"bound({column}, {lane}, {size}, MaxExact)")
        reasons.append(f"{column} has {size} columns: with a constant its loop is unrolled.")
    order = (*program.list_stored_variables(driver), column)
    if order != program.order:
        commands.append(f"reorder({', '.join((*order[:-1], lane))})")
    commands.append(f"parallelize({lane}, CPUVector, NoRaces)")
    return Proposal(tuple(commands), tuple(reasons))


def default_loops(program: Program) -> Proposal | None:
    """No command at all."""
    return Proposal((), ("No rule improves on the default order of loops.", *say_too_little(program)))


def say_too_little(program: Program) -> tuple[str, ...]:
    """Why :func:`outer_threads` has no threads, where the program has too little to do for a second one."""
    work, machine = _work(program), program.machine
    if program.order and machine.threads > 1 and work is not None and work < least_work(machine):
        return (too_little(work, machine),)
    return ()
