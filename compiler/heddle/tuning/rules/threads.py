"""How the outermost loop goes to the threads: one table of cases, first match wins."""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal

ONE_THREAD = "One thread: the loops stay sequential."

RATE = 1.2e9
"""Multiplications that one thread does in a second, or more: with sums in registers and operands in cache twice as many
on an AMD Zen 5."""

REPAID = 1.25
"""How many times what threads save must be what waking them costs: a machine that other programs use wakes them later.
The cost is that of a kernel in turn with another library's threads; kernels that follow one another pay less."""

LEAST_REGION, MOST_REGION = 4e-6, 700e-6
"""Seconds that a region counts as, at least and at most: a quiet machine is not always so, and on a virtual machine it
takes up to so long to wake a core that sleeps. Longer kernels gain by threads whenever the machine is not busy."""

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


def least_work(machine: Machine) -> float:
    """Multiplications below which one thread does a kernel: waking the others costs more than they save, where they
    sleep when the kernel's turn comes, or the kernel is shorter than what they cost it on a busy machine."""
    return max(_least_work_quiet(machine), _least_work_loaded(machine))


def _least_work_quiet(machine: Machine) -> float:
    region = min(max(machine.region_seconds, LEAST_REGION), MOST_REGION)
    return REPAID * region * RATE * machine.threads / (machine.threads - 1)


def _least_work_loaded(machine: Machine) -> float:
    return min(machine.loaded_seconds, MOST_REGION) * RATE


def too_little(work: float, machine: Machine, cost: float = 1.0) -> str:
    """Why one thread does so little alone, where each operation takes ``cost`` times as long as a multiplication of a
    sum in registers."""
    if work * cost >= _least_work_quiet(machine):
        takes, loses = (f"{1e6 * seconds:,.0f} µs" for seconds in (work * cost / RATE, machine.loaded_seconds))
        return (
            f"About {work:,.0f} operations, {takes} on one thread: less than what more threads cost where other "
            f"programs keep all cores busy ({loses})."
        )
    region = f"a parallel region takes {1e6 * machine.region_seconds:.1f} µs"
    return f"About {work:,.0f} operations: too few to be worth a second thread ({region})."


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
    what it appends has to be moved behind what the others appended; with as many products of entries and of rows of
    ``weights``, where that is given. ``row`` is the loop where that is not the variable of the level: the blocks of a
    blocked dimension."""
    row, threads = row or program.list_stored_variables(driver)[0], program.machine.threads
    work, known = program.work(driver), program.statistics.get(driver.tensor)
    if threads < 2:
        return Proposal((), (ONE_THREAD,))
    if work is not None and work * cost < least_work(program.machine):
        return Proposal((), (too_little(work, program.machine, cost),))
    first = program.signature.tensors[driver.tensor].format.levels[0]
    if not first.unique:
        outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
        commands = (
            f"divide({row}, {outer}, {inner}, {PARTS_PER_THREAD * threads})",
            f"parallelize({outer}, CPUThread, NoRaces)",
        )
        reason = (
            f"{driver.tensor} stores entries in order of {row}: threads take parts of {row}, whose first entry "
            "is found by a search."
        )
        return Proposal(commands, (reason,))
    if LEVEL_KINDS[first.kind].iterated:
        position = names.fresh(f"{row}pos")
        commands = (f"pos({row}, {position}, {driver.tensor})", f"parallelize({position}, CPUThread, NoRaces)")
        return Proposal(commands, (f"Only the {row} that {driver.tensor} stores are visited, shared by the threads.",))
    if not program.has_rows(driver):
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (f"Threads share the iterations of {row}.",))
    similar = known is not None and known.spread <= SIMILAR
    small = known is not None and work is not None and work * cost < (SMALL_SIMILAR_WORK if similar else SMALL_WORK)
    if known is not None and known.spread <= EVEN and not small and not stretches:
        reason = (
            f"Rows of {driver.tensor} have similar lengths (the fullest has {known.spread:.1f} times the mean): "
            "threads take whole rows."
        )
        return Proposal((f"parallelize({row}, CPUThread, NoRaces)",), (reason,))
    outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
    parts = threads if stretches or small else PARTS_PER_THREAD * threads
    counted = f"{driver.tensor}, {parts}" if weights is None else f"{driver.tensor}, {parts}, {weights}"
    commands = (f"balance({row}, {outer}, {inner}, {counted})", f"parallelize({outer}, CPUThread, NoRaces)")
    if weights is not None:
        reason = f"One stretch of rows for each thread, with equally many products of {driver.tensor} and {weights}."
        return Proposal(commands, (reason,))
    if stretches:
        return Proposal(
            commands, (f"One stretch of rows for each thread, with equally many entries of {driver.tensor}.",)
        )
    if small:
        return Proposal(commands, (f"About {work:,.0f} operations: one stretch of rows for each thread.",))
    if known is None:
        return Proposal(commands, (f"Nothing is known about the rows of {driver.tensor}: balanced by nonzeros.",))
    return Proposal(commands, (f"Rows of {driver.tensor} differ {known.spread:.0f}-fold: balanced by nonzeros.",))
