"""Formats for the operands of a program, by rules: what else a matrix could be stored as, and why it would pay.

A rule answers only where Heddle was measured to be faster with the other format: for sums over the
rows of a matrix, also with the columns of a dense operand (SpMM), and over the fibres of a tensor with rows of factors
(MTTKRP), on a CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError
from heddle.formats.format import Format, Level
from heddle.notation.nodes import Access
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.plan.plan import TensorSpec
from heddle.runtime.tensors.coordinates import Entries
from heddle.targets import Feature, target_named
from heddle.tuning.facts.fibres import shorten
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.measured import not_measured
from heddle.tuning.facts.padding import Array, padding_of, places_in_blocks, places_sorted, share_in_runs
from heddle.tuning.facts.program import Program, program_of
from heddle.tuning.facts.row_blocks import shared_rows
from heddle.tuning.search.part_offers import Comparison, compare

_ROWS = Format((Level("dense"), Level("compressed")), (0, 1))
FEWEST_ENTRIES = 1000
WINDOW = 512
"""Rows that are sorted together: as fast as more of them, and nearer to where they belong."""

MOST_ON_DIAGONALS, MOST_IN_RUNS, MOST_IN_SLICES = 1.5, 1.2, 1.1
"""Padding ratios beyond which a format reads more than it saves: slices gather, and make up for less."""

SUMS_BYTES = 256
"""Of accumulators where the vector is read in order, four registers of AVX-512, eight of AVX2: an addition need
not wait for the one before. In cache 1.1 to 1.4 times as fast as one register of AVX-512, and up to 1.4 times as four
of AVX2; slices that gather gain nothing."""

RUNS_OVER_DIAGONALS = 1.02
"""What a run reads more than a diagonal does: the column at which it starts, in addition to the values of 32 rows."""

LEAST_IN_RUNS = 0.9
"""The share of the entries that must be in runs."""

SORTING_PAYS = 1.1
"""By what factor sorting, which scatters the result, must lower the padding ratio."""

MOST_IN_A_ROW = 64
"""Entries of a row, on average, beyond which gathering along the rows of csr is as fast."""

MOST_SHARED, MOST_SHARED_SCALAR, MOST_SHARED_FAR = 2.0, 2.5, 1.2
"""Padding ratios of blocks of half a vector of rows and one column, beyond which these read more than they save:
where processors gather fast, and where they do not (AMD Zen 4: 0.6 times as long as csr at a ratio of 2.3, 0.8 to 1.05
at 2.8). The last where rows are long or the matrix fits no cache."""

WIDER = 1.4
"""By what factor the padding ratio of blocks of a whole vector may exceed that of half a vector and still be faster, in
cache."""

FEWEST_IN_A_BLOCK = 4
"""Rows of a block, or of a slice: vectors of two lanes (SSE) take two for it."""

MOST_SLICED, FEW_IN_A_ROW = 200_000, 16
"""Entries beyond which slices pay in sorted rows of few entries alone: at two million, 1.05 to 1.3 times as fast as csr
with 4 and 8 in a row, 0.65 times with 24; slices of rows as they are 0.75 times."""

MOST_IN_A_SCALAR_ROW = 5
"""Entries of a row beyond which slices do not pay on processors that gather slowly: with 4 in a row 1.1 to 1.6 times as
fast as csr, with 6 to 10 as fast or up to 1.2 times slower (AMD Zen 4)."""


@dataclass(frozen=True, slots=True)
class FormatOffer:
    """Store ``tensor`` as ``format``; ``places`` is its padding ratio. ``kind`` is its row in ``measured.py``."""

    kind: str
    tensor: str
    format: str
    places: float
    reason: str


def suggest_formats(
    plan: Plan, operands: Mapping[str, Entries], machine: Machine | None = None
) -> tuple[FormatOffer, ...]:
    """The formats that the rules would rather have for the operands of ``plan``, whose entries have no duplicates, on
    ``machine`` or else on this one; none where it is best as it is, or where no rule knows.

    Raises
    ------
    CompileError
        the expression or a format is wrong.
    """
    program = program_of(plan, shapes={name: operand.shape for name, operand in operands.items()}, machine=machine)
    if program.factors is None or len(program.sparse) != 1 or not program.is_dense(program.target):
        return ()
    (driver,) = program.sparse
    entries = operands.get(driver.tensor)
    measured = Feature.MACHINE_CLASSES in target_named(plan.target).features
    if not measured or entries is None or entries.values.size < FEWEST_ENTRIES:
        return ()
    offer = _of_rows(program, driver, entries) if _summed_by_rows(program, driver) else None
    offer = offer or _of_row_blocks(program, driver, entries) or _of_fibres(program, driver, entries)
    offer = offer or _of_parts(program, driver, entries)
    if offer is None or not _compiles(plan, offer):
        return ()
    unsaid = not_measured(offer.kind, program.machine)
    return (offer if unsaid is None else replace(offer, reason=f"{offer.reason} {unsaid}"),)


def why_csr_stays(plan: Plan, operands: Mapping[str, Entries], machine: Machine | None = None) -> tuple[str, ...]:
    """What sums of parts are predicted to take where none is offered, a sentence with the numbers; nothing for what is
    no matrix in csr times a vector or a dense matrix.

    Raises
    ------
    CompileError
        the expression or a format is wrong.
    """
    program = program_of(plan, shapes={name: operand.shape for name, operand in operands.items()}, machine=machine)
    if program.driver is None or Feature.MACHINE_CLASSES not in target_named(plan.target).features:
        return ()
    entries = operands.get(program.driver.tensor)
    if entries is None or entries.values.size < FEWEST_ENTRIES:
        return ()
    comparison = _parts_beside(program, program.driver, entries)
    return () if comparison is None or comparison.pays else (comparison.reason(),)


def rows_side_by_side(machine: Machine, element_bytes: int) -> int:
    """Rows of a block whose accumulators fill half of the registers at most."""
    return min(SUMS_BYTES, machine.registers * machine.vector_bytes // 2) // element_bytes


def _summed_by_rows(program: Program, driver: Access) -> bool:
    """Whether ``driver`` is a matrix in rows whose products with vectors are summed into a dense vector."""
    if program.signature.tensors[driver.tensor].format != _ROWS or driver.indices[0] == driver.indices[1]:
        return False
    return not program.list_other_variables(driver) and program.target.indices == driver.indices[:1]


def _of_fibres(program: Program, driver: Access, entries: Entries) -> FormatOffer | None:
    shortening = shorten(program, driver, entries)
    if shortening is None:
        return None
    reason = (
        f"The fibres of {driver.tensor} over its last {shortening.beside} dimensions hold "
        f"{shortening.length:.1f} entries on "
        f"average: with their coordinates side by side, one loop replaces many short ones. Measured up to 2 times "
        f"as fast as loops over such short fibres."
    )
    return FormatOffer("fibres", driver.tensor, shortening.format, 1.0, reason)


def _parts_beside(program: Program, driver: Access, entries: Entries) -> Comparison | None:
    plain = program.signature.tensors[driver.tensor].format == _ROWS
    by_columns = program.target.indices == (driver.indices[0], program.column(driver))
    if not plain or not (by_columns or _summed_by_rows(program, driver)):
        return None
    return compare(program, driver, entries)


def _of_parts(program: Program, driver: Access, entries: Entries) -> FormatOffer | None:
    comparison = _parts_beside(program, driver, entries)
    if comparison is None or not comparison.pays:
        return None
    best = comparison.sums[0]
    return FormatOffer("parts", driver.tensor, best.format, best.places, comparison.reason())


def _of_row_blocks(program: Program, driver: Access, entries: Entries) -> FormatOffer | None:
    plain = program.signature.tensors[driver.tensor].format == _ROWS
    rows = shared_rows(program, driver, entries) if plain else None
    if rows is None:
        return None
    dense = " and ".join(access.tensor for access in program.factors or () if access != driver)
    reason = (
        f"Neighbouring rows of {driver.tensor} share columns: blocks of {rows.height} rows and one column take "
        f"{rows.places:.2f} places for each entry, and a row of {dense} serves all rows of a block while it is in "
        f"registers. Measured up to 1.5 times as fast as csr in cache."
    )
    return FormatOffer("blocks-for-columns", driver.tensor, f"bcsr({rows.height})", rows.places, reason)


def _of_rows(program: Program, driver: Access, entries: Entries) -> FormatOffer | None:
    lanes, name = max(program.lanes, FEWEST_IN_A_BLOCK), driver.tensor
    (rows, columns), count = entries.columns, entries.shape[0]
    height = rows_side_by_side(program.machine, program.element_bytes)
    padding = padding_of(rows, columns, (count, entries.shape[1]), height)
    diagonals = FormatOffer(
        "diagonals",
        name,
        f"dia({height})",
        padding.diagonal,
        f"{padding.diagonals} diagonals hold all entries of {name}, with {padding.diagonal:.2f} places for each: "
        f"{height} rows side by side in {height // program.lanes} vectors, without column indices. Measured 2.4 to 2.9 "
        f"times as fast as csr on stencils and bands in cache, 1.2 to 1.8 times beyond.",
    )
    if padding.diagonal <= RUNS_OVER_DIAGONALS * padding.sliced:
        return diagonals
    if padding.sliced <= MOST_IN_RUNS and (share := share_in_runs(rows, columns, count, height)) >= LEAST_IN_RUNS:
        reason = (
            f"{share:.0%} of the entries of {name} lie in slices of {height} rows whose columns are consecutive: the "
            "vector is read in order, without column indices. Measured 2 to 3.6 times as fast as csr in "
            f"cache, 1.2 to 1.5 times beyond."
        )
        return FormatOffer("runs", name, f"sell-runs({height})", padding.sliced, reason)
    if padding.diagonal <= MOST_ON_DIAGONALS:
        return diagonals
    gathers = program.machine.gathers
    near = rows.size <= MOST_IN_A_ROW * count and rows.size <= MOST_SLICED
    blocks = _in_blocks(name, entries, lanes, near=near, gathers=gathers)
    sliced = rows.size <= (MOST_IN_A_ROW if gathers else MOST_IN_A_SCALAR_ROW) * count
    return blocks or (_in_slices(name, rows, count, lanes) if sliced else None)


def _in_blocks(name: str, entries: Entries, lanes: int, *, near: bool, gathers: bool) -> FormatOffer | None:
    """Blocks of one column and as many rows as half a vector has lanes, or a whole one; ``near``: rows are short, and a
    cache holds the matrix."""
    rows, columns = entries.columns
    most = (MOST_SHARED if gathers else MOST_SHARED_SCALAR) if near else MOST_SHARED_FAR
    half = max(lanes // 2, FEWEST_IN_A_BLOCK)
    narrow, wide = (places_in_blocks(rows, columns, height) for height in (half, lanes))
    if narrow > most:
        return None
    height, places = (lanes, wide) if wide <= (WIDER if near else 1.0) * narrow else (half, narrow)
    reason = (
        f"Neighbouring rows of {name} share columns: blocks of {height} rows and one column take {places:.2f} places "
        f"for each entry. The rows are vector lanes that take the same element of the vector, without gathers. "
        f"Measured 1.1 to 2 times as fast as csr in cache, 1.1 to 1.4 times beyond."
    )
    return FormatOffer("blocks", name, f"bcsr({height})", places, reason)


def _in_slices(name: str, rows: Array, count: int, height: int) -> FormatOffer | None:
    """Slices of rows as they are, or sorted where that saves enough."""
    plain, by_length = places_sorted(rows, count, height, height), places_sorted(rows, count, height, WINDOW)
    small = rows.size <= MOST_SLICED
    pays = small or rows.size <= FEW_IN_A_ROW * count
    if pays and by_length <= MOST_IN_SLICES and plain >= SORTING_PAYS * by_length:
        reason = (
            f"Row lengths of {name} vary: sorted within {WINDOW} rows, slices of {height} take "
            f"{by_length:.2f} places for each entry, not {plain:.2f}, and the rows of a slice are contiguous for "
            "vector lanes. Measured 1.1 to 2.3 times as fast as csr."
        )
        return FormatOffer("sorted-slices", name, f"sell({height},{WINDOW})", by_length, reason)
    if small and plain <= MOST_IN_SLICES:
        reason = (
            f"Neighbouring rows of {name} have similar lengths: slices of {height} rows take {plain:.2f} places for "
            "each entry, "
            f"and the rows of a slice are contiguous for vector lanes. Measured 1.3 to 1.9 times as fast as csr."
        )
        return FormatOffer("slices", name, f"sell({height})", plain, reason)
    return None


def _compiles(plan: Plan, offer: FormatOffer) -> bool:
    try:
        spec = replace(plan.tensors.get(offer.tensor, TensorSpec()), format=offer.format)
        return lower(replace(plan, tensors={**plan.tensors, offer.tensor: spec}, schedule=())).ok
    except CompileError:
        return False
