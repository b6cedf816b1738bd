"""What a share of the work is on a GPU: whole rows, or equally many nonzeros, whichever rows they belong to."""

from __future__ import annotations

from compiler.notation.nodes import Access
from compiler.tuning.program import Program

LEAST_ROWS = 1024
"""Rows below which not every multiprocessor gets warps enough to hide how long memory takes."""

UNEVEN = 4.0
"""Rows whose fullest holds more than so many times the mean keep others waiting."""


def in_rows(program: Program, driver: Access) -> bool:
    """Whether the entries of ``driver`` are sorted by the result's places, as far as it has them."""
    kept = set(program.target.indices) & set(driver.indices)
    return set(program.stored(driver)[: len(kept)]) == kept


def is_walked(program: Program, driver: Access) -> bool:
    """Whether the innermost level of ``driver`` holds coordinates, so that its entries can be counted off."""
    return program.kinds(driver)[-1] in ("compressed", "singleton")


def why_not_rows(program: Program, driver: Access) -> str | None:
    """Why whole rows of ``driver`` are no fair shares, as the beginning of a sentence; None where they are."""
    name, known = driver.tensor, program.statistics.get(driver.tensor)
    if not is_walked(program, driver):
        return None  # all rows have equally many slots
    if not program.has_rows(driver) or len(driver.indices) != 2:
        return f"{name} lists its entries one after another"
    if known is None:
        return f"Nothing is known of the rows of {name}"
    if known.rows < LEAST_ROWS:
        return f"{name} has {known.rows:,} rows, too few to keep a GPU busy"
    if known.spread > UNEVEN:
        return f"Rows of {name} differ {known.spread:.0f}-fold"
    return None
