"""How the outermost loop goes to the threads: one table of cases, first match wins (PERFORMANCE, SpMV 3)."""

from __future__ import annotations

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.names import Names
from compiler.notation.nodes import Access
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal

LEAST_WORK = 12_000
"""Multiplications below which waking threads costs more than they save: less than ten microseconds."""

SMALL_WORK = 60_000
"""Multiplications below which handing out several parts costs more than it evens out. Each thread gets one, the same
at every call: what it needs of the operands is still in the cache of its core (SpMM of 27 thousand entries: 1.25 times
as fast)."""

SIMILAR = 8.0
"""Rows whose fullest holds at most so many times the mean: parts with as many entries take about as long. Beyond, one
part may have many more rows."""

SMALL_SIMILAR_WORK = 360_000
"""The same as ``SMALL_WORK`` for similar rows (SpMM of a 27-point stencil and of a structure's stiffness, 80 thousand
entries: 1.1 times as fast)."""

EVEN = 2.0
"""Rows whose fullest holds at most so many times the mean count as alike."""

PARTS_PER_THREAD = 8
"""Balanced parts for each thread: the last ones even out what counting entries does not see."""


def on_threads(
    program: Program,
    driver: Access,
    names: Names,
    *,
    cost: float = 1.0,
    stretches: bool = False,
    row: str | None = None,
    weights: str | None = None,
) -> Proposal:
    """The loop over the outermost level of ``driver`` on threads; nothing where there is too little to do. ``cost`` is
    that of one entry, in multiplications of a sum in registers. ``stretches``: each thread gets one range of rows, for
    what it appends has to be moved behind what the others did; with as many products of entries and of rows of
    ``weights``, where that is given. ``row`` is the loop where that is not the variable of the level: the blocks of a
    blocked dimension."""
    row, threads = row or program.stored(driver)[0], program.machine.threads
    work, known = program.work(driver), program.statistics.get(driver.tensor)
    if threads < 2:
        return Proposal((), ("One thread: the loops stay sequential.",))
    if work is not None and work * cost < LEAST_WORK:
        return Proposal((), (f"About {work:,.0f} operations: too few to wake a second thread for.",))
    first = program.signature.tensors[driver.tensor].format.levels[0]
    if not first.unique:
        outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
        commands = (
            f"divide({row}, {outer}, {inner}, {PARTS_PER_THREAD * threads})",
            f"parallelize({outer}, CPUThread, NoRaces)",
        )
        reason = f"{driver.tensor} stores entries in order of {row}: parts of {row}, whose first entry is searched for."
        return Proposal(commands, (reason,))
    if LEVEL_KINDS[first.kind].iterated:
        position = names.fresh(f"{row}pos")
        commands = (f"pos({row}, {position}, {driver.tensor})", f"parallelize({position}, CPUThread, NoRaces)")
        return Proposal(commands, (f"Only the {row} that {driver.tensor} stores are visited, shared by the threads.",))
    if not program.has_rows(driver):
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (f"The iterations of {row} go to the threads.",))
    similar = known is not None and known.spread <= SIMILAR
    small = known is not None and work is not None and work * cost < (SMALL_SIMILAR_WORK if similar else SMALL_WORK)
    if known is not None and known.spread <= EVEN and not small and not stretches:
        reason = f"Rows of {driver.tensor} are alike (the fullest has {known.spread:.1f} times the mean): whole rows."
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (reason,))
    outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
    parts = threads if stretches or small else PARTS_PER_THREAD * threads
    counted = f"{driver.tensor}, {parts}" if weights is None else f"{driver.tensor}, {parts}, {weights}"
    commands = (f"balance({row}, {outer}, {inner}, {counted})", f"parallelize({outer}, CPUThread, NoRaces)")
    if weights is not None:
        reason = f"One stretch of rows for each thread, with as many products of {driver.tensor} and {weights}."
        return Proposal(commands, (reason,))
    if stretches:
        return Proposal(commands, (f"One stretch of rows for each thread, with as many entries of {driver.tensor}.",))
    if small:
        return Proposal(commands, (f"About {work:,.0f} operations: one stretch of rows for each thread.",))
    if known is None:
        return Proposal(commands, (f"Nothing is known of the rows of {driver.tensor}: balanced by nonzeros.",))
    return Proposal(commands, (f"Rows of {driver.tensor} differ {known.spread:.0f}-fold: balanced by nonzeros.",))
