"""Formats for the operands of a program, by rules: what else a matrix could be stored as, and why it would pay.

A rule answers only where Heddle was measured to be faster with the other format (docs/kernels.md): for sums over the
rows of a matrix on a CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compiler.diagnostics import CompileError
from compiler.formats.format import Format, Level
from compiler.notation.nodes import Access
from compiler.pipeline import lower
from compiler.plan import Plan
from compiler.plan.plan import TensorSpec
from compiler.runtime.coordinates import Entries
from compiler.tuning.padding import padding_of
from compiler.tuning.program import Program, program_of

_ROWS = Format((Level("dense"), Level("compressed")), (0, 1))
FEWEST_ENTRIES = 1000
MOST_SLICED = 200_000
"""Entries beyond which slices are not offered: at 100,000 they were faster than csr, at two million often slower."""

MOST_ON_DIAGONALS, MOST_IN_SLICES = 1.5, 1.4
"""Places for each entry beyond which a format reads more than it saves: slices gather, and make up for less."""


@dataclass(frozen=True, slots=True)
class FormatOffer:
    """Store ``tensor`` as ``format``; ``places`` are stored for each entry."""

    tensor: str
    format: str
    places: float
    reason: str


def suggest_formats(plan: Plan, operands: Mapping[str, Entries]) -> tuple[FormatOffer, ...]:
    """The formats that the rules would rather have for the operands of ``plan``, whose entries have no duplicates; none
    where it is best as it is, or where no rule knows.

    Raises:
        CompileError: the expression or a format is wrong.
    """
    program = program_of(plan)
    driver = _summed_by_rows(program)
    entries = operands.get(driver.tensor) if driver is not None and plan.target == "c" else None
    if entries is None or entries.values.size < FEWEST_ENTRIES or driver is None:
        return ()
    offer = _offer(program, driver, entries)
    if offer is None or not _compiles(plan, offer):
        return ()
    return (offer,)


def _summed_by_rows(program: Program) -> Access | None:
    """The matrix in rows whose products with vectors a program sums into a dense vector, if it is such a program."""
    factors = program.factors
    if factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return None
    (driver,) = program.sparse
    if program.signature.tensors[driver.tensor].format != _ROWS or driver.indices[0] == driver.indices[1]:
        return None
    free = {variable for access in factors for variable in access.indices} - set(driver.indices)
    return driver if not free and program.target.indices == driver.indices[:1] else None


def _offer(program: Program, driver: Access, entries: Entries) -> FormatOffer | None:
    height = program.lanes
    if height < 4:
        return None  # too few lanes to make up for what is padded
    rows, columns = entries.columns
    padding = padding_of(rows, columns, (entries.shape[0], entries.shape[1]), height)
    name = driver.tensor
    if padding.diagonal <= MOST_ON_DIAGONALS:
        reason = (
            f"{padding.diagonals} diagonals hold all entries of {name}, with {padding.diagonal:.2f} places for each: "
            f"{height} rows side by side in vector lanes, without column indices. Measured 1.4 to 2.7 times as "
            f"fast as csr on stencils and bands."
        )
        return FormatOffer(name, f"dia({height})", padding.diagonal, reason)
    if padding.sliced <= MOST_IN_SLICES and entries.values.size <= MOST_SLICED:
        reason = (
            f"Neighbouring rows of {name} are alike: slices of {height} rows take {padding.sliced:.2f} places for each "
            f"entry, and the rows of a slice lie side by side for vector lanes. Measured 1.1 to 1.8 times as fast as "
            f"csr on matrices that fit into cache."
        )
        return FormatOffer(name, f"sell({height})", padding.sliced, reason)
    return None


def _compiles(plan: Plan, offer: FormatOffer) -> bool:
    try:
        spec = replace(plan.tensors.get(offer.tensor, TensorSpec()), format=offer.format)
        return lower(replace(plan, tensors={**plan.tensors, offer.tensor: spec}, schedule=())).ok
    except CompileError:
        return False
