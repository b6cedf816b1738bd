"""What the parts of a sum cost, by what they store: the constants that predict whether a sum of parts pays.

Fitted by ``python -m benchmarks.part_costs``, on one thread with operands in cache and float32 values. Whoever has
measured another class of machines adds its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from heddle.tuning.facts.machine import Machine

PartKind = Literal["rows", "again", "blocks", "diagonals", "pieces"]

COLUMN_VECTORS = 8
"""Vectors of columns for which products with matrices were measured: 64 columns of float32 with AVX2."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Nanoseconds. ``each`` is for a row, a row of blocks, or a row that has pieces, for which its row of the result is
    read and written; ``place`` for an entry, a block, a place on a diagonal, or an entry of a piece. ``again`` is for
    rows in csr whose entries need the rows of the dense operand that the row before has just read."""

    each: float
    place: float


@dataclass(frozen=True, slots=True)
class PartCosts:
    """Products with one vector, and with ``COLUMN_VECTORS`` vectors of columns; ``measured`` on that day."""

    measured: str
    vector: Mapping[PartKind, Cost]
    columns: Mapping[PartKind, Cost]


PART_COSTS: Mapping[str, PartCosts] = {
    # AMD EPYC, 1 MiB of L2 for two cores; the median of three runs beside other work.
    "x86-64-v3": PartCosts(
        "2026-11-23",
        {
            "rows": Cost(3.9, 0.41),
            "blocks": Cost(3.5, 0.66),
            "diagonals": Cost(0.6, 0.09),
            "pieces": Cost(2.7, 1.43),
        },
        {
            "rows": Cost(7.9, 4.8),
            "again": Cost(7.9, 2.8),  # 2026-11-26
            "blocks": Cost(11.5, 10.4),
            "pieces": Cost(18.6, 5.2),
        },
    ),
}
_USUAL = "x86-64-v3"


def costs_on(machine: Machine) -> PartCosts:
    """Those of the machine's class, or of the one that was measured."""
    return PART_COSTS.get(machine.machine_class or _USUAL, PART_COSTS[_USUAL])
