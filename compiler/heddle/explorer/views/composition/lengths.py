"""How long rows are, and the pieces that they are stored in: what buckets are chosen by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.composition.composition_schema import LengthBinView, LengthsView
from heddle.explorer.views.composition.places import Places
from heddle.formats.parts import Composition
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]


def lengths_view(entries: Entries, composition: Composition | None, places: Sequence[Places]) -> LengthsView:
    """Rows are the fibres over the last dimension. Bins are 1, 2, 3 to 4, 5 to 8, …: each ends at a power of two, as
    buckets do."""
    ranges = _ranges(composition)
    fibres = _fibre_lengths(entries, ranges)
    stored = [_stored_lengths(part_places) for part_places in places]
    longest = int(max((lengths.max(initial=0) for lengths in (fibres, *stored)), default=0))
    count = _bin(np.array([max(longest, 1)]))[0] + 1
    counted = bincount(_bin(fibres), minlength=count)
    by_part = [bincount(_bin(lengths), minlength=count) for lengths in stored]
    bins = [
        LengthBinView(
            least=(1 << place) // 2 + 1,
            most=1 << place,
            fibres=int(counted[place]),
            stored=[int(histogram[place]) for histogram in by_part],
        )
        for place in range(count)
    ]
    rows = entries.shape[0] if len(entries.shape) == 2 else 0
    used = 1 + int(np.count_nonzero(np.diff(entries.columns[0]))) if rows and entries.values.size else 0
    return LengthsView(ranges=ranges, empty=max(0, rows - used), longest=longest, bins=bins)


def _ranges(composition: Composition | None) -> int:
    """How many ranges of columns the pieces of its tests end at."""
    if composition is None:
        return 1
    tests = (test for part in composition.parts for test in part.tests if test.quantity == "piece")
    return next((test.arguments[0] for test in tests), 1)


def _fibre_lengths(entries: Entries, ranges: int) -> Array:
    """The entries of each row that has any, those of each range of columns apart."""
    if not entries.columns or entries.values.size == 0:
        return np.zeros(0, dtype=np.int64)
    width = max(1, -(-entries.shape[-1] // ranges))
    keys = (*entries.columns[:-1], entries.columns[-1].astype(np.int64) // width)
    starts = np.zeros(entries.values.size, dtype=bool)
    starts[0] = True
    for key in keys:
        starts[1:] |= key[1:] != key[:-1]
    return np.diff(np.append(np.flatnonzero(starts), entries.values.size))


def _stored_lengths(places: Places) -> Array:
    """The entries below each position of the outermost level that has any: of each row or piece of the part."""
    counts = bincount(places.outer if places.at.size == places.outer.size else places.outer[places.at], minlength=0)
    return counts[counts > 0]


def _bin(lengths: Array) -> Array:
    """0 for 1, 1 for 2, 2 for 3 and 4, …"""
    _, exponents = np.frexp(np.maximum(lengths - 1, 0))
    return np.where(lengths <= 1, 0, exponents)
