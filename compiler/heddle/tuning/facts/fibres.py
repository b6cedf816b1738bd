"""Down to which level the fibres of a tensor are worth their loops: CSF above, coordinates side by side below.

The loop over a fibre saves the rows of the factors above it, which are multiplied once for the fibre, and costs an end
that the processor does not foresee. Of short fibres the end costs more than the rows do.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.format import Format, Level
from heddle.formats.printer import format_text
from heddle.notation.nodes import Access
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.program import Program
from heddle.tuning.facts.statistics import prefixes

MOST_ROWS_SAVED = 20.0
"""Vectors of a factor's row that a fibre saves, one for each entry, up to which its end costs more (MTTKRP: with 2
vectors fibres of 5 entries side by side are 1.4 times as fast, of 12 entries 0.7 times; with 4 vectors fibres of 4
entries 1.1 times, of 12 entries 0.85 times; with 8 vectors fibres of 1 entry 1.2 times, of 4 entries 0.95 times)."""

MOST_VECTORS = 8
"""Vectors of a tile of columns: wider rows are walked in several tiles."""

FEWEST_FILLED = 0.5
"""Share of the slices that must hold something for a level that has them all."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """A format in which the last ``beside`` dimensions of a tensor lie side by side, as coordinates; ``length`` is the
    number of entries of a fibre over them, on average."""

    format: str
    beside: int
    length: float


def shorten(program: Program, driver: Access, entries: Entries) -> Shortened | None:
    """The format of that kind that pays for a sum over several compressed levels of ``driver`` with rows of factors as
    wide as the one dense column variable; None where the fibres are long enough, or where no row is saved."""
    layout, column = program.signature.tensors[driver.tensor].format, program.column(driver)
    depth = len(program.target.indices) - 1
    if (
        column is None
        or column not in program.sizes
        or program.list_stored_variables(driver)[:depth] != program.target.indices[:-1]
    ):
        return None
    if depth < 1 or any(level != Level("compressed") for level in layout.levels[1:]) or layout.blocks:
        return None
    vectors = min(-(-program.sizes[column] // program.lanes), MOST_VECTORS)
    counts = prefixes(entries, layout.order)
    nonzeros, innermost = entries.values.size, layout.dimensions - 1
    cut = next((at for at in range(depth, innermost) if nonzeros * vectors <= MOST_ROWS_SAVED * counts[at]), None)
    if cut is None:
        return None
    filled = counts[0] >= FEWEST_FILLED * entries.shape[layout.order[0]]
    first = Level("dense") if filled else Level("compressed")
    middle = (Level("singleton", unique=False),) * (innermost - cut - 1)
    levels = (first, *layout.levels[1:cut], Level("compressed", unique=False), *middle, Level("singleton"))
    return Shortened(format_text(Format(levels, layout.order)), layout.dimensions - cut, nonzeros / counts[cut])
