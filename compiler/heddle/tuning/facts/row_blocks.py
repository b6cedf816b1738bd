"""Whether neighbouring rows of a matrix share so many columns that blocks of rows pay for a dense operand with columns.

A row of the dense operand, once in registers, then serves all rows of a block (SpMM); what the blocks pad is multiplied
for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.notation.nodes import Access
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.padding import places_in_blocks
from heddle.tuning.facts.program import Program

MOST_PLACES = {4: 1.15, 2: 1.34}
"""By rows of a block, the padding ratio up to which they are faster than csr (SpMM with 32 columns in cache,
AMD Zen 4: 4 rows 1.5 times at a ratio of 1.0, as fast at 1.33, 0.9 times at 1.76; 2 rows 1.36 times at 1.0, 1.2 at
1.17, 1.0 to 1.1 at 1.33, 0.97 times at 1.6)."""


MOST_PLACES_IN_PAIRS = 1.2
"""The same of 2 rows where there are 16 registers, as of AVX2, whose tiles are narrower: 1.1 to 1.2 times as fast at up
to a ratio of 1.2, 0.9 to 1.0 times at 1.3 (AMD Zen 5). With SSE they are no faster, 4 rows without padding included.
Where the columns are more than half of the registers hold, a single row fills them as well: on a band with 128 columns
of float32 pairs are 0.78 to 0.99 times as fast as csr."""

PAIR = 2


@dataclass(frozen=True, slots=True)
class SharedRows:
    """Blocks of ``height`` rows and one column; ``places`` is their padding ratio."""

    height: int
    places: float


def shared_rows(program: Program, driver: Access, entries: Entries) -> SharedRows | None:
    """The blocks that pay for a matrix times a dense operand with at least a vector of columns; None where rows share
    too little, or where no cache holds it all: memory then takes as long as before."""
    column = program.column(driver)
    if column is None or program.target.indices != (driver.indices[0], column):
        return None
    if program.sizes.get(column, 0) < program.lanes or not _in_cache(program, driver, entries):
        return None
    few = program.machine.registers < 32
    if few and program.machine.vector_bytes < 32:
        return None
    rows, columns = entries.columns
    wide = (
        program.sizes[column] * entries.values.itemsize > program.machine.registers // 2 * program.machine.vector_bytes
    )
    for height, most in MOST_PLACES.items():
        if few and wide and height == PAIR:  # the sums of a single row fill the registers as well
            continue
        places = places_in_blocks(rows, columns, height)
        if places <= (min(most, MOST_PLACES_IN_PAIRS) if few else most):
            return SharedRows(height, places)
    return None


def _in_cache(program: Program, driver: Access, entries: Entries) -> bool:
    dense = (access for access in (program.target, *(program.factors or ())) if access != driver)
    known = sum(program.dense_bytes(access) or 0 for access in dense)
    stored = entries.values.nbytes + sum(column.nbytes for column in entries.columns[1:])
    return program.machine.cache_bytes is None or known + stored <= program.machine.cache_bytes
