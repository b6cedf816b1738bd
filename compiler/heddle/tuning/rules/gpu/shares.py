"""What a share of the work is on a GPU: whole rows or fibres, or equally many nonzeros, whichever they belong to."""

from __future__ import annotations

from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program

LEAST_ROWS = 1024
"""Rows below which not every multiprocessor gets warps enough to hide how long memory takes."""

UNEVEN = 4.0
"""Rows whose fullest holds more than so many times the mean keep others waiting."""


def in_rows(program: Program, driver: Access) -> bool:
    """Whether the entries of ``driver`` are sorted by the result's coordinates, as far as it has them."""
    shared_indices = set(program.target.indices) & set(driver.indices)
    return set(program.list_stored_variables(driver)[: len(shared_indices)]) == shared_indices


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
        return f"Nothing is known about the rows of {name}"
    return _unfair(f"rows of {name}", known.rows, known.spread)


def why_not_fibres(program: Program, driver: Access) -> str | None:
    """The same of whole fibres of a tensor."""
    name, known, stored = driver.tensor, program.statistics.get(driver.tensor), program.list_stored_variables(driver)
    if program.kinds(driver)[-2:] != ("compressed", "compressed"):
        return f"{name} lists its entries one after another"
    if not set(stored[:-1]) <= set(program.target.indices):
        return f"Sums over {name} take several fibres"
    if known is None or known.longest_fibre is None:
        return f"Nothing is known about the fibres of {name}"
    return _unfair(f"fibres of {name}", known.fibres, known.longest_fibre / max(1.0, known.fibre_length))


def _unfair(shares: str, count: int, spread: float) -> str | None:
    if count < LEAST_ROWS:
        return f"There are {count:,} {shares}, too few to keep a GPU busy"
    if spread > UNEVEN:
        return f"{shares[0].upper()}{shares[1:]} differ {spread:.0f}-fold"
    return None
