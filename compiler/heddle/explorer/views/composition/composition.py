"""Entries and a format -> CompositionView: which part has what, what each costs, and how work is shared out
(docs/sources.toml V11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.diagnostics import CompileError
from heddle.explorer.views.composition.axes import axes_of
from heddle.explorer.views.composition.composition_schema import (
    CellsView,
    CompositionView,
    PartRasterView,
    PartSlotsView,
    PartView,
    StoredPartsView,
)
from heddle.explorer.views.composition.data import Shown, limit, show
from heddle.explorer.views.composition.lengths import lengths_view
from heddle.explorer.views.composition.load import load_view
from heddle.explorer.views.composition.places import Places, places_of
from heddle.explorer.views.composition.remapping import remapping_of
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.storage.storage import MAX_STORED
from heddle.explorer.views.trace.trace_steps import trace_value
from heddle.fills.dtypes import differing
from heddle.formats.composed.printer import composition_text, test_text
from heddle.formats.format import Format
from heddle.formats.parser import parse_format
from heddle.formats.parts import FormatPart
from heddle.formats.printer import format_text, long_form
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]

MAX_CELLS = 10_000
"""Up to so many entries each is shown; more are counted in a raster of at most ``RASTER`` × ``RASTER`` bins."""
RASTER = 64

MAX_SLOTS = 1024
"""Up to so many places of all parts are shown one by one."""


def composition_view(
    tensor: str, order: int, format: str, entries: Entries, source: str, workers: int
) -> CompositionView:
    """``entries`` packed into the sum of parts that the text ``format`` spells; a format without parts is one part.

    What is refused is in ``diagnostics``: ``format/…``, ``runtime/…``, ``storage/too-large``, ``composition/order``.
    """
    try:
        data = show(tensor, order, entries)
    except CompileError as error:
        return refused_composition(tensor, source, error)
    return composition_of(data, format, source, workers)


def composition_of(data: Shown, format: str, source: str, workers: int) -> CompositionView:
    """As :func:`composition_view`, of data that was put in order before."""
    try:
        stored = _view_parts(data, parse_format(format, len(data.entries.shape), data.name), workers)
    except CompileError as error:
        return refused_composition(data.name, source, error)
    return CompositionView(ok=True, diagnostics=[], tensor=data.name, source=source, stored=stored)


def refused_composition(tensor: str, source: str, error: CompileError) -> CompositionView:
    """The answer where there is nothing to show."""
    diagnostics = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
    return CompositionView(ok=False, diagnostics=diagnostics, tensor=tensor, source=source, stored=None)


def _view_parts(data: Shown, format: Format, workers: int) -> StoredPartsView:
    name, entries = data.name, data.entries
    if format.is_dense:  # Known without making it.
        limit(name, prod(entries.shape), MAX_STORED, "stored values")
    packed = pack(data.operand, format, dtype=entries.dtype.name, name=name)
    limit(name, packed.stored, MAX_STORED, "stored values")
    composition = format.composition
    parts = composition.parts if composition is not None else (FormatPart(name, format),)
    tensors = packed.parts if isinstance(packed, Composite) else (packed,)
    places = [places_of(tensor, entries, data.keys) for tensor in tensors]
    number = _part_numbers(int(entries.values.size), places)
    few = int(entries.values.size) <= MAX_CELLS
    each = packed.stored <= MAX_SLOTS
    return StoredPartsView(
        text=format_text(format),
        expanded=composition_text(replace(composition, macro=None), format_text) if composition is not None else "",
        shape=list(entries.shape),
        dtype=packed.dtype,
        entries=int(entries.values.size),
        places=packed.stored,
        bytes=packed.nbytes,
        exact=_is_exact(places, tensors, number),
        parts=[
            _part(name if composition is None else f"{name}_{part.name}", part, tensor, where, entries, each)
            for part, tensor, where in zip(parts, tensors, places, strict=True)
        ],
        cells=_cells(entries, places, number) if few else None,
        raster=None if few else _raster(entries, len(places), number),
        lengths=lengths_view(entries, composition, places),
        load=load_view(places, entries.shape[0], workers),
        beside=list(data.beside),
    )


def _part(name: str, part: FormatPart, packed: Tensor, places: Places, entries: Entries, shown: bool) -> PartView:
    held = places.held
    repeats = not next((level.unique for level in part.format.levels if not level.counts_parts), True)
    slots = PartSlotsView(entries=places.entry.tolist(), outer=places.outer.tolist()) if shown else None
    return PartView(
        name=part.name,
        layout=format_text(part.format),
        levels_text=long_form(part.format),
        test=" and ".join(map(test_text, part.tests)),
        rows=_distinct(entries.columns[0][held], entries.shape[0]),
        pieces=places.outermost if repeats else None,
        places=packed.stored,
        entries=int(held.size),
        bytes=packed.nbytes,
        slots=slots,
        axes=axes_of(name, packed, shown),
        remapping=remapping_of(packed, places, entries) if shown else None,
    )


def _distinct(coordinates: Array, size: int) -> int:
    """How many there are; memory grows with these alone, however large the dimension."""
    if size > 4 * coordinates.size:
        return int(np.unique_values(coordinates).size)
    return int(np.count_nonzero(bincount(coordinates, minlength=1)))


def _is_exact(places: Sequence[Places], tensors: Sequence[Tensor], number: Array) -> bool:
    """Each entry stands at one place of one part, and everything else is padding that holds the fill. ``number`` is the
    part of each entry."""
    if sum(part_places.held.size for part_places in places) != number.size or (number < 0).any():
        return False
    return all(
        where.at.size == tensor.stored or not differing(tensor.vals[where.entry < 0], tensor.fill).any()
        for tensor, where in zip(tensors, places, strict=True)
    )


def _part_numbers(count: int, places: Sequence[Places]) -> Array:
    """The part of each of so many entries, -1 of one that is nowhere."""
    part = np.full(count, -1, dtype=np.int16)
    for number, part_places in enumerate(places):
        part[part_places.held] = number
    return part


def _cells(entries: Entries, places: Sequence[Places], part: Array) -> CellsView:
    place = np.full(entries.values.size, -1, dtype=np.int64)
    for part_places in places:
        place[part_places.held] = part_places.at
    return CellsView(
        coordinates=np.stack(entries.columns, axis=1).tolist(),
        values=[str(trace_value(value)) for value in entries.values],
        parts=part.tolist(),
        places=place.tolist(),
    )


def _raster(entries: Entries, count: int, part: Array) -> PartRasterView:
    """``part`` is the one of each entry, of ``count``."""
    rows, width = (entries.shape[-2] if len(entries.shape) > 1 else 1), entries.shape[-1]
    row_step, column_step = max(1, -(-rows // RASTER)), max(1, -(-width // RASTER))
    down, across = -(-rows // row_step), -(-width // column_step)
    bins = entries.columns[-1].astype(np.int64) // column_step
    if len(entries.shape) > 1:
        bins += entries.columns[-2].astype(np.int64) // row_step * across
    by_part = bincount(bins * count + part, minlength=down * across * count).reshape(down, across, count)
    total = by_part.sum(axis=2)
    most = np.where(total > 0, by_part.argmax(axis=2), -1)
    return PartRasterView(row_step=row_step, column_step=column_step, parts=most.tolist(), counts=total.tolist())
