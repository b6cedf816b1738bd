"""A sparse operand times dense ones that share a dense column variable, on a GPU: SpMM, TTM, MTTKRP
(docs/sources.toml G5 to G10)."""

from __future__ import annotations

from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text
from heddle.schedule.gpu_templates import rows_and_columns, rows_and_several_columns
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.gpu.mttkrp import ENTRIES, Form, Tile, over_columns, tile
from heddle.tuning.rules.gpu.shares import in_rows, why_not_rows
from heddle.tuning.rules.proposal import Proposal

FEW_ENTRIES = 16
"""Nonzeros of a group of lanes where each needs one row of a dense operand only."""

MOST_EACH = 4
"""Columns of a lane: an instruction for each, but one load of a nonzero, and one step of its row, for all of them."""


def gpu_columns(program: Program) -> Proposal | None:
    """SpMM and TTM: one level of the sparse operand is summed over."""
    pair = _driver_and_column(program)
    if pair is None:
        return None
    driver, column = pair
    stored = program.list_stored_variables(driver)
    reduced = [variable for variable in stored if variable not in program.target.indices]
    if len(reduced) != 1:
        return None
    chosen = _tile(program.sizes.get(column, WARP_SIZE))
    why = why_not_rows(program, driver) if in_rows(program, driver) else None
    if why is not None or len(stored) != 2 or not in_rows(program, driver):
        return _by_entries(program, driver, column, chosen, FEW_ENTRIES, why)
    return _by_rows(program, driver, column, chosen, reduced)


def gpu_mttkrp(program: Program) -> Proposal | None:
    """Several levels of the sparse operand are summed over."""
    column = _driver_and_column(program)
    if column is None or len(column[0].indices) < 3:
        return None
    chosen = tile(program.sizes.get(column[1], WARP_SIZE))
    return _by_entries(program, *column, chosen, ENTRIES, None)


def _driver_and_column(program: Program) -> tuple[Access, str] | None:
    driver = program.driver
    column = program.column(driver) if driver is not None else None
    return None if driver is None or column is None else (driver, column)


def _tile(columns: int) -> Tile:
    """As many lanes as there is work for, each with one column or, where all have them, up to :data:`MOST_EACH`."""
    power = 1 << max(0, columns.bit_length() - 1)
    lanes = min(WARP_SIZE, power)
    return Tile(lanes, min(power, lanes * MOST_EACH))


def _by_rows(program: Program, driver: Access, column: str, chosen: Tile, reduced: list[str]) -> Proposal:
    row, lanes, each = program.list_stored_variables(driver)[0], chosen.lanes, chosen.columns // chosen.lanes
    if each == 1:
        commands = rows_and_columns(row, reduced, column, lanes, program.names())
    else:
        product = to_text(program.assignment.expression)
        commands = rows_and_several_columns(row, reduced, column, lanes, each, product, program.names())
    share = "one for each column" if each == 1 else f"each with {each} columns"
    reason = (
        f"Rows of {driver.tensor} have similar lengths: {lanes} lanes for each row, {share} of {column}; sums stay in "
        f"registers and are stored once, without atomics."
    )
    return Proposal(commands, (reason,))


def _by_entries(program: Program, driver: Access, column: str, chosen: Tile, entries: int, why: str | None) -> Proposal:
    """GenTen's form C where the nonzeros are in the order of the result's elements, else form B."""
    form = Form.C if in_rows(program, driver) else Form.B
    commands = over_columns(
        driver.tensor, program.list_stored_variables(driver), column, form, chosen, program.names(), entries
    )
    shared = f"{entries} neighbouring nonzeros for each {chosen.lanes} lanes, which share the columns of {column}"
    reasons = [f"{why}: {shared}." if why is not None else f"Nonzeros in equal parts: {shared}."]
    if form is Form.C:
        reasons.append(
            "Sums stay in registers while the row lasts; the first and last row of a part are added atomically."
        )
    else:
        reasons.append(
            f"{driver.tensor} is stored in an order that visits results more than once: sums are added atomically."
        )
    return Proposal(commands, tuple(reasons))
