"""How the outermost loop goes to the threads: one table of cases, first match wins (PERFORMANCE, SpMV 3)."""

from __future__ import annotations

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.names import Names
from compiler.notation.nodes import Access
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal

LEAST_WORK = 30_000
"""Multiplications below which waking threads costs more than they save: some ten microseconds."""

EVEN = 2.0
"""Rows whose fullest holds at most so many times the mean count as alike."""

PARTS_PER_THREAD = 8
"""Balanced parts for each thread: the last ones even out what counting entries does not see."""


def on_threads(program: Program, driver: Access, names: Names) -> Proposal:
    """The loop over the outermost level of ``driver`` on threads; nothing where there is too little to do."""
    row, threads = program.stored(driver)[0], program.machine.threads
    work, known = program.work(driver), program.statistics.get(driver.tensor)
    if threads < 2:
        return Proposal((), ("One thread: the loops stay sequential.",))
    if work is not None and work < LEAST_WORK:
        return Proposal((), (f"About {work:,.0f} multiplications: too few to wake a second thread for.",))
    kinds = program.kinds(driver)
    if LEVEL_KINDS[kinds[0]].iterated:
        position = names.fresh(f"{row}pos")
        commands = (f"pos({row}, {position}, {driver.tensor})", f"parallelize({position}, CPUThread, NoRaces)")
        return Proposal(commands, (f"Only the {row} that {driver.tensor} stores are visited, shared by the threads.",))
    if not program.has_rows(driver):
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (f"The iterations of {row} go to the threads.",))
    if known is not None and known.spread <= EVEN:
        reason = f"Rows of {driver.tensor} are alike (the fullest has {known.spread:.1f} times the mean): whole rows."
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (reason,))
    outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
    commands = (
        f"balance({row}, {outer}, {inner}, {driver.tensor}, {PARTS_PER_THREAD * threads})",
        f"parallelize({outer}, CPUThread, NoRaces)",
    )
    if known is None:
        return Proposal(commands, (f"Nothing is known of the rows of {driver.tensor}: balanced by nonzeros.",))
    return Proposal(commands, (f"Rows of {driver.tensor} differ {known.spread:.0f}-fold: balanced by nonzeros.",))
