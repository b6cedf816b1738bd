"""When rows of a dense operand are prefetched: where no cache holds them yet (benchmarks/archive/kernels.md)."""

from __future__ import annotations

from heddle.notation.nodes import Access
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal

SCATTERED = 0.3
"""Share of entries with a column apart from those of the row before. SDDMM on R-MAT (0.6) and uniform columns (1.0) is
1.1 to 1.5 times as fast, with short and wide rows (0.3) 1.1 to 1.3 times; on stencils, bands and blocks (below 0.1) the
instructions cost SDDMM up to 7 %, SpMM in cache up to 35 %."""

DISTANCE = 16
"""Entries ahead: within 6 % of the fastest; 8 is up to 9 %, 64 up to 10 % slower (2 million entries)."""


def shares_entries(program: Program, driver: Access) -> bool:
    """Whether the entries that a row has lie anywhere, in the order of another dimension (``coo-perm:1,0,2``)."""
    format = program.signature.tensors[driver.tensor].format
    return any(level.kind == "referenced" for level in format.levels) and format.order[0] != 0


def asked_ahead(program: Program, driver: Access, dense: Access, spelled: str, most: float | None) -> Proposal:
    """A ``prefetch`` of ``dense``, written ``spelled`` by then, where the columns of ``driver`` are scattered over it
    and it takes more than ``most`` bytes, what the caches hold; else, or where that is not known, nothing."""
    known, size = program.statistics.get(driver.tensor), program.dense_bytes(dense)
    if known is not None and shares_entries(program, driver):
        reason = (
            f"The entries of {driver.tensor} lie in another order: what is read of the one {2 * DISTANCE} places "
            f"ahead, and the row of {dense.tensor} for the one {DISTANCE} places ahead, is requested early."
        )
        return Proposal((f"prefetch({spelled}, {DISTANCE})",), (reason,))
    if known is None or most is None or size is None or known.scattered < SCATTERED or size <= most:
        return Proposal((), ())
    share = f"{known.scattered:.0%} of the entries of {driver.tensor} are far from those of the row before"
    what = "element" if len(dense.indices) == 1 else "row"
    reason = f"{share}: the {what} of {dense.tensor} for the entry {DISTANCE} places ahead is requested early."
    return Proposal((f"prefetch({spelled}, {DISTANCE})",), (reason,))
