"""A sparse operand times dense vectors on a GPU: SpMV, TTV (paper 000, appendix A.7 to A.9 and §6.3)."""

from __future__ import annotations

from compiler.loop_ir.launch import WARP_SIZE
from compiler.notation.nodes import Access
from compiler.schedule.gpu_templates import (
    ADDED,
    COMBINED,
    neighbouring_entries,
    over_entries,
    thread_per_iteration,
    warp_per_row,
)
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal
from compiler.tuning.rules.gpu.shares import in_rows, is_walked, why_not_rows
from compiler.tuning.threads import EVEN

SHORT = 8.0
"""Entries of a row up to which one thread takes it: the lanes' loads still share sectors of memory."""


def gpu_row_sums(program: Program) -> Proposal | None:
    driver = program.driver
    if driver is None or program.beside(driver) or not program.target.indices:
        return None
    name = driver.tensor
    if not in_rows(program, driver):
        reason = f"{name} comes in an order that visits results more than once: each entry adds atomically."
        return _by_entries(program, driver, reason)
    row, known = program.stored(driver)[0], program.statistics.get(name)
    if not is_walked(program, driver):
        reason = f"All rows of {name} have equally many slots: a thread for each row, without atomics."
        return Proposal(thread_per_iteration(row, program.names()), (reason,))
    why = why_not_rows(program, driver)
    if why is not None or known is None:
        return _by_entries(program, driver, f"{why}: nonzeros in equal parts, neighbours combine before an atomic.")
    if known.mean <= SHORT and known.spread <= EVEN:
        reason = f"Rows of {name} are short and alike ({known.mean:.0f} entries): a thread for each row, no atomics."
        return Proposal(thread_per_iteration(row, program.names()), (reason,))
    if known.mean >= WARP_SIZE:
        reason = f"Rows of {name} hold {known.mean:.0f} entries on average: a warp for each row, whose lanes combine."
        return Proposal(warp_per_row(row, program.stored(driver)[1], name, program.names()), (reason,))
    why = f"Rows of {name} hold {known.mean:.0f} entries on average, which fits neither one thread nor a warp"
    return _by_entries(program, driver, f"{why}: nonzeros in equal parts, neighbours combine before an atomic.")


def _by_entries(program: Program, driver: Access, reason: str) -> Proposal:
    names = program.names()
    walk = over_entries(driver.tensor, program.stored(driver), (), names)
    strategy = COMBINED if in_rows(program, driver) else ADDED
    return Proposal(neighbouring_entries(walk, names, strategy), (reason,))
