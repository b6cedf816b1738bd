"""The JSON of a preview: what a person looks at before choosing a format for some data."""

from __future__ import annotations

from heddle.explorer.views.data.tiles_schema import RasterView
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict


class DegreeBinView(TypedDict):
    """``slices`` coordinates of a dimension have ``least`` to ``most`` entries each."""

    least: int
    most: int
    slices: int


class DegreesView(TypedDict):
    """How many entries the coordinates of one dimension have: the degrees of the rows, of the columns, ….

    ``gini`` is 0 where all have as many, and comes near 1 where one has them all. ``bins`` double in width.
    """

    dimension: int
    size: int
    empty: int
    least: int
    mean: float
    most: int
    gini: float
    bins: list[DegreeBinView]


class PreviewView(TypedDict):
    """``diagnostics`` says why there is nothing where ``ok`` is false; the rest is null or empty then.

    ``bandwidth`` (the largest distance from the diagonal) and ``symmetric`` (whether the pattern is its own mirror
    image) are of matrices alone, the latter of square ones.
    """

    ok: bool
    diagnostics: list[DiagnosticView]
    source: str
    shape: list[int]
    nonzeros: int
    raster: RasterView | None
    degrees: list[DegreesView]
    bandwidth: int | None
    symmetric: bool | None
