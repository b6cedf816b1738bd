"""A matrix in slots of blocks of rows times vectors on a GPU: SpMV on sliced ELL and on DIA by blocks."""

from __future__ import annotations

from heddle.schedule.gpu_templates import thread_per_place
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.slotted_rows import rows_in_slots


def gpu_slotted_rows(program: Program) -> Proposal | None:
    slot_rows = rows_in_slots(program)
    if slot_rows is None:
        return None
    driver, loops = slot_rows
    reason = (
        f"A slot of {driver.tensor} holds one entry for each row of a block, side by side: with a thread for "
        "each row, neighbours load neighbouring entries, and sums stay in registers, without atomics."
    )
    return Proposal(thread_per_place(loops, program.names(also=program.order)), (reason,))
