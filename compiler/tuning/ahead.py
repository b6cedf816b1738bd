"""When rows of a dense operand are asked for ahead of time: where no cache holds them yet (PERFORMANCE)."""

from __future__ import annotations

from compiler.notation.nodes import Access
from compiler.tuning.program import Program
from compiler.tuning.proposal import Proposal

SCATTERED = 0.3
"""Share of entries with a column apart from those of the row before. SDDMM on R-MAT (0.6) and uniform columns (1.0) is
1.1 to 1.5 times as fast, with short and wide rows (0.3) 1.1 to 1.3 times; on stencils, bands and blocks (below 0.1) the
instructions cost SDDMM up to 7 %, SpMM in cache up to 35 %."""

DISTANCE = 16
"""Entries ahead: within 6 % of the fastest; 8 is up to 9 %, 64 up to 10 % slower (2 million entries)."""


def asked_ahead(program: Program, driver: Access, dense: Access, spelled: str, least: float) -> Proposal:
    """A ``prefetch`` of ``dense``, written ``spelled`` by then, where the columns of ``driver`` are scattered over it
    and it is larger than ``least`` times the cache that a core has to itself; else nothing."""
    known, cache = program.statistics.get(driver.tensor), program.machine.core_cache_bytes
    size = program.dense_bytes(dense)
    if known is None or cache is None or size is None or known.scattered < SCATTERED or size <= least * cache:
        return Proposal((), ())
    share = f"{known.scattered:.0%} of the entries of {driver.tensor} lie apart from those of the row before"
    reason = f"{share}: the row of {dense.tensor} for the entry {DISTANCE} places on is asked for ahead of time."
    return Proposal((f"prefetch({spelled}, {DISTANCE})",), (reason,))
