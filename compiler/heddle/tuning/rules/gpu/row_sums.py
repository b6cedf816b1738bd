"""A sparse operand times dense vectors on a GPU: SpMV, TTV (docs/sources.toml A.7 to A.9, T32, T48)."""

from __future__ import annotations

from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.notation.nodes import Access
from heddle.schedule.gpu_templates import (
    ADDED,
    COMBINED,
    Walk,
    neighbouring_entries,
    over_entries,
    thread_per_iteration,
    warp_per_row,
)
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.gpu.shares import in_rows, is_walked, why_not_fibres, why_not_rows
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import EVEN

SHORT = 8.0
"""Entries of a row up to which one thread takes it: the lanes' loads still share sectors of memory."""


def gpu_row_sums(program: Program) -> Proposal | None:
    driver = program.driver
    if driver is None or program.list_other_variables(driver) or not program.target.indices:
        return None
    name = driver.tensor
    if not in_rows(program, driver):
        reason = f"{name} is stored in an order that visits results more than once: each entry is added atomically."
        return _by_entries(program, driver, reason)
    row, known = program.list_stored_variables(driver)[0], program.statistics.get(name)
    if not is_walked(program, driver):
        reason = f"All rows of {name} have equally many slots: a thread for each row, without atomics."
        return Proposal(thread_per_iteration(row, program.names()), (reason,))
    of_tensor = len(program.list_stored_variables(driver)) > 2
    why = why_not_fibres(program, driver) if of_tensor else why_not_rows(program, driver)
    if why is not None or known is None:
        return _by_entries(
            program, driver, f"{why}: nonzeros in equal parts, neighbours combine before each atomic update."
        )
    if of_tensor:
        return _by_sums(program, driver, "fibre", known.fibre_length, known.longest_fibre or 0)
    return _by_sums(program, driver, "row", known.mean, known.longest)


def _by_sums(program: Program, driver: Access, what: str, mean: float, longest: int) -> Proposal:
    """Whole rows, or whole fibres of a tensor, where their lengths suit a thread or a warp."""
    name, names = driver.tensor, program.names()
    *outer, inner = program.list_stored_variables(driver)
    walk = Walk((), outer[0]) if what == "row" else over_entries(name, outer, (), names)
    position = walk.position
    if mean <= SHORT and longest <= EVEN * mean:
        alike = f"{what.capitalize()}s of {name} are short and of similar length ({mean:.0f} entries)"
        reason = f"{alike}: a thread for each {what}, no atomics."
        return Proposal((*walk.commands, *thread_per_iteration(position, names)), (reason,))
    entries = f"{what.capitalize()}s of {name} hold {mean:.0f} entries on average"
    if mean >= WARP_SIZE:
        reason = f"{entries}: a warp for each {what}, whose lanes combine."
        return Proposal((*walk.commands, *warp_per_row(position, inner, name, names)), (reason,))
    why = f"{entries}, which fits neither one thread nor a warp"
    return _by_entries(
        program, driver, f"{why}: nonzeros in equal parts, neighbours combine before each atomic update."
    )


def _by_entries(program: Program, driver: Access, reason: str) -> Proposal:
    names = program.names()
    walk = over_entries(driver.tensor, program.list_stored_variables(driver), (), names)
    strategy = COMBINED if in_rows(program, driver) else ADDED
    return Proposal(neighbouring_entries(walk, names, strategy), (reason,))
