"""The JSON of cuts over real data: how many nonzeros fall into each tile (docs/sources.toml V5)."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict

CutKind = Literal["coordinate", "row-position", "nonzero-position"]


class RasterView(TypedDict):
    """Nonzeros counted in bins of ``row_step`` × ``column_step`` coordinates of the last two dimensions; all other
    dimensions are summed over."""

    row_step: int
    column_step: int
    counts: list[list[int]]


class TilingView(TypedDict):
    """One cut. ``extent`` is what is cut: coordinates, positions of the first level, or nonzeros.

    ``loads`` holds the nonzeros of each tile, in order; where there are too many, the most of each ``group`` tiles.
    ``max``, ``mean`` and ``straddling`` are of all tiles; the latter counts the coordinates of the first level whose
    nonzeros are in two tiles or more, ``straddling_first`` names some.
    """

    extent: int
    tiles: int
    group: int
    loads: list[int]
    max: int
    mean: float
    straddling: int
    straddling_first: list[int]


class WindowView(TypedDict):
    """A small part of the tensor, dense: ``values`` are nested lists of the sizes ``shape``, from ``start`` on."""

    start: list[int]
    shape: list[int]
    nonzeros: int
    values: list[object]


class TilesView(TypedDict):
    """``diagnostics`` says why there is nothing where ``ok`` is false; the rest is null or zero then."""

    ok: bool
    diagnostics: list[DiagnosticView]
    tensor: str
    source: str
    shape: list[int]
    nonzeros: int
    tiling: TilingView | None
    raster: RasterView | None
    window: WindowView | None
