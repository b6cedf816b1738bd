"""A dense product at the stored coordinates of a sparse operand, on a GPU: SDDMM."""

from __future__ import annotations

from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.schedule.gpu_templates import dot_per_entry, over_entries, thread_per_iteration
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal

ENTRIES_OF_WARP = 8


def gpu_sampled(program: Program) -> Proposal | None:
    driver, depth = program.driver, program.depth
    if driver is None or depth is None:
        return None
    names = program.names()
    walk = over_entries(driver.tensor, program.list_stored_variables(driver), (depth,), names)
    size = program.sizes.get(depth, WARP_SIZE)
    if size < WARP_SIZE:
        reason = f"Sums over {depth} have {size} products, too few for a warp: a thread for each nonzero."
        return Proposal((*walk.commands, *thread_per_iteration(walk.position, names)), (reason,))
    reason = f"A warp for each nonzero of {driver.tensor}: its lanes share the sum over {depth} and combine."
    return Proposal(dot_per_entry(walk, names, (), depth, ENTRIES_OF_WARP), (reason,))
