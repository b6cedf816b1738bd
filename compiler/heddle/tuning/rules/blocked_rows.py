"""A matrix in blocks of rows and one column times vectors: SpMV on ``bcsr(8)`` (benchmarks/archive/kernels.md).

The rows of a block are the lanes of one vector, as in slots (:mod:`heddle.tuning.rules.slotted_rows`), but all of
them take the same element of the vector: nothing is gathered. What bounds the loop then is that each addition waits for
the one before, so that there are two sums.
"""

from __future__ import annotations

from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.slotted_rows import lone_matrix, rows_in_lanes

SUMS = 2
"""Vector accumulators: 1.1 to 1.7 times as fast as one in cache; four are no faster than two."""


def blocked_rows(program: Program) -> Proposal | None:
    driver = lone_matrix(program)
    if driver is None or program.kinds(driver) != ("dense", "compressed", "dense") or len(program.order) != 3:
        return None
    block, column, inside = program.order
    rows, height = next(iter(program.signature.tensors[driver.tensor].format.blocks.items()))
    if driver.indices[rows] != program.target.indices[0]:
        return None  # blocks of one row and several columns
    reason = (
        f"{height} rows of {driver.tensor} share each column: they become vector lanes, which use the same element. "
        f"{SUMS} sums run side by side, so no addition waits for the one before, and are stored once, from registers."
    )
    return rows_in_lanes(program, driver, block, inside, reason, unrolled=(f"unroll({column}, {SUMS})",))
