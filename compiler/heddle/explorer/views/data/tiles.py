"""Real data cut into tiles: equal area by coordinates, or equal work by positions (docs/sources.toml V5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.data.raster import raster_of
from heddle.explorer.views.data.tiles_schema import CutKind, TilesView, TilingView, WindowView
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.trace.trace_steps import trace_value
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum

RASTER = 64
"""Bins of the raster in each of the two dimensions."""

MAX_LOADS = 512

WINDOW = {1: 64, 2: 32, 3: 8}
"""The side of a window by the order of the tensor: small enough to be traced."""

NAMED = 16


@dataclass(frozen=True, slots=True)
class Cut:
    """``dimension`` (0-based) belongs to coordinate cuts. ``size`` is the extent of a tile, at least 1."""

    kind: CutKind
    dimension: int
    size: int


def tiles_view(tensor: str, order: int, format: str, entries: Entries, source: str, cut: Cut) -> TilesView:
    """``entries`` stored in the format that the text ``format`` spells, cut into tiles.

    What is refused is in ``diagnostics``: ``format/…``, ``tiles/…``.
    """
    try:
        if len(entries.shape) != order or order == 0:
            raise CompileError(_order(tensor, order, len(entries.shape)))
        if not 0 <= cut.dimension < order:
            raise CompileError(_dimension(tensor, order, cut.dimension))
        layout = parse_format(format, order, tensor)
        # A format may have several levels for a dimension (blocks): its first one orders the tiles.
        by_level = tuple(dict.fromkeys(dimension for dimension in layout.order if dimension < order))
        entries = sort_and_sum(entries, tuple(range(order)))
        nonzero = np.flatnonzero(entries.values)
        columns = tuple(np.asarray(column[nonzero], dtype=np.int64) for column in entries.columns)
        storage = np.lexsort(tuple(columns[dimension] for dimension in reversed(by_level)))
        columns = tuple(column[storage] for column in columns)
        return TilesView(
            ok=True,
            diagnostics=[],
            tensor=tensor,
            source=source,
            shape=list(entries.shape),
            nonzeros=int(nonzero.size),
            tiling=tiling_of(columns, entries.shape, by_level[0], layout.levels[0].kind == "dense", cut),
            raster=raster_of(columns, entries.shape, RASTER),
            window=_window(columns, entries.values[nonzero][storage], entries.shape),
        )
    except CompileError as error:
        return refused_tiles(tensor, source, error)


def refused_tiles(tensor: str, source: str, error: CompileError) -> TilesView:
    """The answer where there is nothing to cut."""
    return TilesView(
        ok=False,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in error.diagnostics],
        tensor=tensor,
        source=source,
        shape=[],
        nonzeros=0,
        tiling=None,
        raster=None,
        window=None,
    )


def tiling_of(
    columns: tuple[NDArray[Any], ...], shape: tuple[int, ...], first: int, dense: bool, cut: Cut
) -> TilingView:
    """``columns`` are the coordinates of the nonzeros in storage order; ``first`` is the dimension of the first level,
    which has a position for every coordinate when it is ``dense``, else for those with nonzeros."""
    rows, count = columns[first], columns[first].size
    match cut.kind:
        case "coordinate":
            places, extent = columns[cut.dimension], shape[cut.dimension]
        case "row-position":
            stored, positions = np.unique(rows, return_inverse=True)
            places, extent = (rows, shape[first]) if dense else (positions, stored.size)
        case "nonzero-position":
            places, extent = np.arange(count), count
        case _:
            raise TypeError(f"unexpected cut {cut.kind!r}")
    tile = places // cut.size
    tiles = -(-extent // cut.size)
    loads = _loads(tile, tiles)
    # Pairs of row and tile, each once: a row that has two of them straddles.
    pairs = np.unique(np.stack([rows, tile]), axis=1)
    met, times = np.unique(pairs[0], return_counts=True)
    straddling = met[times > 1]
    return TilingView(
        extent=int(extent),
        tiles=int(tiles),
        group=max(1, -(-tiles // MAX_LOADS)),
        loads=loads,
        max=max(loads, default=0),
        mean=count / tiles if tiles else 0.0,
        straddling=int(straddling.size),
        straddling_first=straddling[:NAMED].tolist(),
    )


def _loads(tile: NDArray[Any], tiles: int) -> list[int]:
    """At most MAX_LOADS numbers, however many tiles there are: memory grows with the nonzeros alone."""
    group = max(1, -(-tiles // MAX_LOADS))
    most = np.zeros(-(-tiles // group), dtype=np.int64)
    used, counts = np.unique(tile, return_counts=True)
    np.maximum.at(most, used // group, counts)
    return [int(load) for load in most]


def _window(columns: tuple[NDArray[Any], ...], values: NDArray[Any], shape: tuple[int, ...]) -> WindowView | None:
    """The block of an even raster that has the most nonzeros; None for orders too high to be drawn."""
    side = WINDOW.get(len(shape))
    if side is None or values.size == 0:
        return None
    blocks = np.stack([column // side for column in columns])
    distinct, inverse, counts = np.unique(blocks, axis=1, return_inverse=True, return_counts=True)
    densest = int(np.argmax(counts))
    start = distinct[:, densest] * side
    size = tuple(int(min(side, extent - begin)) for extent, begin in zip(shape, start, strict=True))
    dense = np.zeros(size, dtype=values.dtype)
    inside = np.asarray(inverse).reshape(-1) == densest
    dense[tuple(column[inside] - begin for column, begin in zip(columns, start, strict=True))] = values[inside]
    return WindowView(
        start=start.tolist(), shape=list(size), nonzeros=int(counts[densest]), values=_nest(dense.tolist())
    )


def _nest(values: Any) -> Any:
    return [_nest(value) for value in values] if isinstance(values, list) else trace_value(values)


def _order(tensor: str, order: int, actual: int) -> Diagnostic:
    return Diagnostic(
        "tiles/order",
        f"{tensor} has {order} dimensions in the expression, and {actual} in its input; tiles need the same.",
        Location(Part.INPUT, tensor=tensor),
        expected=f"an input of order {max(order, 1)}",
        actual=f"order {actual}",
        hint=f"Choose another input for {tensor}.",
    )


def _dimension(tensor: str, order: int, dimension: int) -> Diagnostic:
    return Diagnostic(
        "tiles/dimension",
        f"{tensor} has no dimension {dimension}; its dimensions are numbered from 0 to {order - 1}.",
        Location(Part.FORMAT, tensor=tensor),
        expected=f"a number from 0 to {order - 1}",
        actual=str(dimension),
    )
