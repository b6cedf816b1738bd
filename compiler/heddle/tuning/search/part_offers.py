"""Whether a matrix in csr had better be stored as a sum of parts, predicted from counts of its entries and from what
parts cost (``facts/part_costs.py``). Where nothing is predicted to be much faster, the numbers say why csr stays.

Measure the cost of a part:

1. What rows, blocks, diagonals and pieces of rows take decides whether a sum of parts is offered:
   ``compiler/heddle/tuning/search/part_offers.py``. ``.venv/bin/python -m benchmarks.part_costs`` fits these times on
   a quiet machine; its class gets a row in ``compiler/heddle/tuning/facts/part_costs.py``, with the date, and its
   name in the row ``parts`` of ``measured.py``.
2. ``./heddle bench compositions`` times sums of parts on graphs beside csr and the libraries, and shows whether the
   choice was right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heddle.counts import bincount
from heddle.notation.nodes import Access
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.padding import Array, sampled_blocks
from heddle.tuning.facts.part_costs import COLUMN_VECTORS, Cost, PartKind, costs_on
from heddle.tuning.facts.program import Program

LEAST_GAIN = 1.1
"""How many times as fast a sum of parts must be predicted to be."""

HEIGHT, FILLED = 4, 3
"""Rows of a block of one column, and how many of them must hold an entry."""

DEPTH, SIDE_BY_SIDE = 50, 32
"""Percent of a diagonal that must be stored, and the rows of a block in which diagonals are stored."""

LARGEST_BUCKETS = range(1, 6)

START = 1000.0
"""Nanoseconds for a part: its loops, and its threads where it has some."""

BANDWIDTH = 10.0
"""Bytes that one thread reads in a nanosecond where no cache holds the operands: then all formats wait alike."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A format with its padding ratio and the nanoseconds that one thread is predicted to take; ``held`` are the
    entries that are not left to csr."""

    format: str
    places: float
    time: float
    held: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """csr beside the sums of parts, the fastest first."""

    tensor: str
    plain: Weighed
    sums: tuple[Weighed, ...]
    measured: str
    far: str = ""
    """The dense matrix that is larger than the cache of a core."""

    @property
    def gain(self) -> float:
        """How many times as fast as csr the best is predicted to be."""
        return self.plain.time / self.sums[0].time

    @property
    def pays(self) -> bool:
        return not self.far and self.gain >= LEAST_GAIN

    def reason(self) -> str:
        """Why the best sum is offered, or why csr stays."""
        best, name = self.sums[0], self.tensor
        if self.pays:
            return (
                f"{best.held:,.0f} entries of {name} suit {best.format.partition(' ')[0]}, and the others stay in csr: "
                f"{best.places:.2f} places for each entry. Predicted {self.gain:.1f} times as fast as csr on one "
                f"thread: {_microseconds(best.time)} beside {_microseconds(self.plain.time)}."
            )
        if self.far and self.gain >= LEAST_GAIN:
            return (
                f"{name} stays in csr: {self.far} is larger than the cache that a core has to itself, and then "
                "products with sums of parts were measured to take as long as with csr or up to 1.2 times as long."
            )
        others = ", ".join(
            f"{candidate.format} {_microseconds(candidate.time)} with {candidate.places:.2f} places for each entry"
            for candidate in self.sums
        )
        return (
            f"{name} stays in csr: no sum of parts is predicted to be {LEAST_GAIN} times as fast. On one thread csr "
            f"takes about {_microseconds(self.plain.time)}, {others} (costs of {self.measured})."
        )


def _microseconds(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e3:,.0f} µs"


def compare(program: Program, driver: Access, entries: Entries) -> Comparison | None:
    """For a matrix in csr with entries, times a vector or the columns of a dense matrix; None for other programs."""
    rows, columns = entries.columns
    column = program.column(driver)
    vectors = 1.0 if column is None else program.sizes.get(column, 0) / program.lanes / COLUMN_VECTORS
    if not rows.size or not vectors or program.target.indices[:1] != driver.indices[:1]:
        return None
    costs = costs_on(program.machine)
    known = costs.vector if column is None else costs.columns
    count, total = entries.shape[0], float(rows.size)

    least = _memory_time(program, driver, entries)

    def time(kind: PartKind, each: float, places: float) -> float:
        cost: Cost = known[kind]
        return vectors * (each * cost.each + places * cost.place)

    blocks, in_blocks = _blocks(rows, columns)

    def estimate_left(held: float) -> float:
        """In csr behind other parts, to which its rows of the result are added, as those of pieces are."""
        behind = max(known["rows"].each, known["pieces"].each) - known["rows"].each
        return time("rows", count, total - held) + vectors * count * behind

    def sums() -> Iterator[Weighed]:
        held = in_blocks
        format = f"bcsr({HEIGHT}) where tile({HEIGHT},1) >= {FILLED} + csr"
        places = (blocks * HEIGHT + total - held) / total
        blocked = START + time("blocks", count / HEIGHT, blocks)
        yield Weighed(format, places, max(least, blocked + estimate_left(held)), held)
        if "diagonals" in known:
            deep, held = _diagonals(rows, columns, entries.shape)
            format = f"dia({SIDE_BY_SIDE}) where depth >= {DEPTH} + csr"
            places = (deep + total - held) / total
            yield Weighed(
                format, places, max(least, START + time("diagonals", count, deep) + estimate_left(held)), held
            )
        lengths = bincount(rows, minlength=count)
        bucketed = [(bucket, *_pieces(lengths, bucket)) for bucket in LARGEST_BUCKETS]
        weighed = [
            Weighed(
                f"hyb(1,{bucket})", places / total, max(least, bucket * START + time("pieces", visits, total)), total
            )
            for bucket, visits, places in bucketed
        ]
        yield min(weighed, key=lambda candidate: candidate.time)

    # Of each block the first entry finds its row of the dense matrix as any other does, those below it find it again.
    again = in_blocks - blocks if "again" in known else 0.0
    unshared = time("rows", count, total - again) + (time("again", 0.0, again) if again else 0.0)
    plain = Weighed("csr", 1.0, max(least, unshared), 0.0)
    best_first = tuple(sorted(sums(), key=lambda candidate: candidate.time))
    return Comparison(driver.tensor, plain, best_first, costs.measured, _far(program, driver))


def _far(program: Program, driver: Access) -> str:
    """The dense matrix whose rows come from a cache that cores share; "" where each core holds it."""
    cache = program.machine.core_cache_bytes
    if cache is None or program.column(driver) is None:
        return ""
    dense = (access for access in program.factors or () if access != driver)
    return next((access.tensor for access in dense if (program.dense_bytes(access) or 0) > cache), "")


def _memory_time(program: Program, driver: Access, entries: Entries) -> float:
    """What reading and writing it all takes where no cache holds it; 0 where one does."""
    dense = [access for access in (program.target, *(program.factors or ())) if access != driver]
    moved = entries.values.size * (program.element_bytes + 4) + sum(
        program.dense_bytes(access) or 0 for access in dense
    )
    cache = program.machine.cache_bytes
    return moved / BANDWIDTH if cache is not None and moved > cache else 0.0


def _blocks(rows: Array, columns: Array) -> tuple[float, float]:
    """The blocks of ``HEIGHT`` rows and one column that hold ``FILLED`` entries, and how many entries these are."""
    keys = sampled_blocks(rows, columns, HEIGHT)
    if not keys.size:
        return 0.0, 0.0
    held = np.unique(keys, return_counts=True)[1]
    full = held[held >= FILLED]
    scale = rows.size / keys.size
    return float(full.size * scale), float(full.sum() * scale)


def _diagonals(rows: Array, columns: Array, shape: tuple[int, ...]) -> tuple[float, float]:
    """The places on deep diagonals, and the entries there."""
    height, width = shape
    counts = bincount(columns.astype(np.int64) - rows + height)
    numbers = np.arange(counts.size) - height
    places = np.minimum(height, width - numbers) - np.maximum(0, -numbers)
    deep = 100 * counts >= DEPTH * np.maximum(places, 1)
    return float(places[deep].sum()), float(counts[deep].sum())


def _pieces(lengths: Array, largest: int) -> tuple[float, float]:
    """How often a part of ``hyb(1, largest)`` visits a row, and the slots of all pieces."""
    widest = 1 << largest
    full, rest = lengths // widest, lengths % widest
    slots = np.where(rest > 0, 1 << np.frexp(np.maximum(rest, 1) - 1)[1], 0)
    # Full pieces of a row and what is left of it lie in one part where both need the largest bucket.
    visits = np.count_nonzero(full) + np.count_nonzero(rest) - np.count_nonzero((full > 0) & (slots == widest))
    return float(visits), float(full.sum() * widest + slots.sum())
