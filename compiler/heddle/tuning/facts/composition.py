"""What decides whether a matrix is better stored as a sum of parts: how long its rows are, and their pieces where
columns are cut into ranges; how full its tiles are; and how deep its diagonals.

Row lengths are exact. The rest comes from samples of the rows, so that ten million entries take no longer than a
hundred thousand; of a small matrix the sample is all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heddle.counts import bincount
from heddle.formats.composed.macros import MAX_BUCKET
from heddle.runtime.tensors.tensor import Tensor
from heddle.tuning.facts import sampled_rows
from heddle.tuning.facts.sampled_rows import Array, Rows

RANGES = (1, 2, 4, 8, 16)
"""Ranges of columns that pieces are counted for."""

TILES = (4, 8, 16, 32)
DEPTHS = (25, 50, 75, 90)
_FEWEST_ROWS = 8
"""Rows of a sample that a diagonal must cross before its depth says anything."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """The ``rows`` of 2^(b-1) + 1 to 2^b entries, which have ``entries`` in all."""

    rows: int
    entries: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """``counts[b]``: the pieces in bucket b of ``hyb(ranges, k)``, which has 2^b slots for each; k + 1 of them."""

    ranges: int
    counts: tuple[float, ...]

    @property
    def total(self) -> float:
        """Pieces of all buckets."""
        return sum(self.counts)

    @property
    def places(self) -> float:
        """Slots of all buckets."""
        return sum(count * float(1 << bucket) for bucket, count in enumerate(self.counts))


@dataclass(frozen=True, slots=True)
class Tiles:
    """The aligned tiles of ``size`` by ``size`` that hold ``least`` entries or more: how many there are, and the
    ``entries`` in them."""

    size: int
    least: int
    tiles: float
    entries: float


@dataclass(frozen=True, slots=True)
class Diagonals:
    """The diagonals that are stored to at least ``depth`` percent: how many there are, the ``places`` on them, and the
    ``entries``."""

    depth: int
    diagonals: int
    places: int
    entries: float


@dataclass(frozen=True, slots=True)
class CompositionFacts:
    """Of a matrix. ``rows[b]`` is the bucket of rows whose longest has 2^b entries; rows without any are in none.
    ``longest``: entries of the fullest row. ``pieces`` has each of ``RANGES`` with each largest bucket; ``tiles`` each
    of ``TILES``, least filled first, with 1 entry, a quarter, half, three quarters, and all; ``diagonals`` each of
    ``DEPTHS``. ``exact``: nothing is an estimate."""

    shape: tuple[int, int]
    nonzeros: int
    longest: int
    rows: tuple[Bucket, ...]
    pieces: tuple[Pieces, ...]
    tiles: tuple[Tiles, ...]
    diagonals: tuple[Diagonals, ...]
    exact: bool

    @property
    def mean(self) -> float:
        """Entries of a row."""
        return self.nonzeros / self.shape[0] if self.shape[0] else 0.0

    def pieces_of(self, ranges: int, bucket: int) -> Pieces:
        """Those of ``hyb(ranges, bucket)``, ``ranges`` being one of ``RANGES``."""
        return self.pieces[RANGES.index(ranges) * (MAX_BUCKET + 1) + bucket]

    def padding_of(self, ranges: int, bucket: int) -> float:
        """Places for each entry of ``hyb(ranges, bucket)``; 1 for a matrix without entries."""
        return self.pieces_of(ranges, bucket).places / self.nonzeros if self.nonzeros else 1.0


def composition_facts(matrix: Tensor) -> CompositionFacts:
    """Of a matrix in ``csr``."""
    rows = sampled_rows.rows_of(matrix)
    lengths = np.diff(rows.pos)
    counts = bincount(lengths)
    entries = counts * np.arange(counts.size)
    pieces, all_rows = _pieces(rows, lengths, counts)
    sample = sampled_rows.blocks(rows, max(TILES))
    scale = entries.sum() / sample.columns.size if sample.columns.size else 0.0
    return CompositionFacts(
        (matrix.shape[0], matrix.shape[1]),
        int(entries.sum()),
        max(counts.size - 1, 0),
        _rows(counts, entries),
        pieces,
        tuple(tile for size in TILES for tile in _tiles(sample, size, scale)),
        tuple(_diagonals(sample, rows, scale)),
        all_rows and sample.complete,
    )


def _rows(counts: Array, entries: Array) -> tuple[Bucket, ...]:
    buckets = sampled_rows.bucket_of(np.arange(1, counts.size))
    held, totals = (bincount(buckets, weights=weights[1:]) for weights in (counts, entries))
    return tuple(Bucket(int(count), int(total)) for count, total in zip(held, totals, strict=True))


def _pieces(rows: Rows, lengths: Array, counts: Array) -> tuple[tuple[Pieces, ...], bool]:
    """Each of the ranges with each largest bucket, and whether all rows were looked at where columns are cut."""
    pieces: list[Pieces] = []
    cut = sampled_rows.cut_rows(rows, lengths, counts, RANGES[1:])
    for ranges in RANGES:
        if ranges == 1:
            sizes = np.flatnonzero(counts[1:]) + 1
            times: Array = counts[sizes]
        else:
            sizes, times = cut.lengths[ranges]
        pieces += (Pieces(ranges, _in_buckets(sizes, times, bucket)) for bucket in range(MAX_BUCKET + 1))
    return tuple(pieces), cut.complete


def _in_buckets(sizes: Array, counts: Array, largest: int) -> tuple[float, ...]:
    """Runs of ``sizes`` entries, so many of each, cut every 2^largest: the pieces in each bucket."""
    widest = 2**largest
    rest = sizes % widest
    left = rest > 0
    pieces = bincount(sampled_rows.bucket_of(rest[left]), weights=counts[left], minlength=largest + 1)
    pieces[largest] += float(((sizes // widest) * counts).sum())
    return tuple(float(count) for count in pieces)


def _tiles(sample: sampled_rows.Blocks, size: int, scale: float) -> list[Tiles]:
    across = sample.width // size + 1
    keys = np.sort(sample.rows // size * across + sample.columns // size)
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    held = np.diff(starts, append=keys.size)
    tiles = []
    for least in (1, size * size // 4, size * size // 2, 3 * size * size // 4, size * size):
        chosen = held[held >= least]
        tiles.append(Tiles(size, least, float(chosen.size * scale), float(chosen.sum() * scale)))
    return tiles


def _diagonals(sample: sampled_rows.Blocks, rows: Rows, scale: float) -> list[Diagonals]:
    """The depth of a diagonal is the share of the sampled rows, of those that it crosses, that hold an entry of it."""
    height, width = rows.pos.size - 1, sample.width
    numbers, counts = np.unique(sample.columns - sample.rows, return_counts=True)
    first, end = (np.searchsorted(sample.looked_at, limit) for limit in (-numbers, width - numbers))
    crossed = end - first
    certain = crossed >= (1 if sample.complete else _FEWEST_ROWS)
    numbers, counts, crossed = numbers[certain], counts[certain], crossed[certain]
    places = np.minimum(height, width - numbers) - np.maximum(0, -numbers)
    diagonals = []
    for depth in DEPTHS:
        deep = 100 * counts >= depth * crossed
        entries = min(float(counts[deep].sum() * scale), float(places[deep].sum()))
        diagonals.append(Diagonals(depth, int(deep.sum()), int(places[deep].sum()), entries))
    return diagonals
