"""A sparse operand times dense vectors, summed into its outer dimensions: SpMV, TTV (PERFORMANCE, SpMV 2 and 3).

Each result is a sum of its own in a register; no vector loads, for gathers do not pay.
"""

from __future__ import annotations

from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.threads import on_threads


def row_sums(program: Program) -> Proposal | None:
    factors = program.factors
    if factors is None or len(program.sparse) != 1:
        return None
    (driver,) = program.sparse
    stored, kept = program.stored(driver), set(program.target.indices)
    free = {variable for access in factors for variable in access.indices} - set(driver.indices)
    if free or not kept or program.blocked(driver) or stored[0] not in kept:
        return None
    known = program.statistics.get(driver.tensor)
    if known is not None and program.has_rows(driver) and known.longest * program.machine.threads > known.nonzeros:
        shared = _shared_row(program)
        if shared is not None:
            return shared
    reason = "Each result is summed in a register and stored once; scalar code, for emulated gathers are slower."
    return Proposal((), (reason,)).then(on_threads(program, driver, program.names()))


def _shared_row(program: Program) -> Proposal | None:
    """One row is more than a thread's share: nonzeros are cut inside rows, and only what is shared is atomic."""
    (driver,) = program.sparse
    known, threads = program.statistics[driver.tensor], program.machine.threads
    work = program.work(driver)
    order = program.stored(driver)
    if threads < 2 or len(order) != 2 or work is None or work < 10 * known.rows or not program.is_dense(program.target):
        return None
    names = program.names()
    fused = names.fresh("f")
    position, outer, inner = (names.fresh(fused + end) for end in ("pos", "pos0", "pos1"))
    size = max(1024, known.nonzeros // (8 * threads))
    commands = (
        f"fuse({order[0]}, {order[1]}, {fused})",
        f"pos({fused}, {position}, {driver.tensor})",
        f"split({position}, {outer}, {inner}, {size})",
        f"parallelize({outer}, CPUThread, Atomics)",
    )
    share = known.longest / known.nonzeros
    reason = f"One row of {driver.tensor} holds {share:.0%} of the nonzeros: they are cut inside rows, {size:,} a tile."
    return Proposal(commands, (reason,))
