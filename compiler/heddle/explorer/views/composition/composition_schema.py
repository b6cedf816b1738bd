"""The JSON of a composition: one tensor as a sum of parts, counted on what the packer made (docs/sources.toml V11)."""

from __future__ import annotations

from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict


class PartSlotsView(TypedDict):
    """The places of a part in the order of its values: ``entries`` has the number of the entry that stands there, -1
    for padding; ``outer`` the position of its outermost level, the row or piece that the place belongs to."""

    entries: list[int]
    outer: list[int]


class AxisArrayView(TypedDict):
    """An array of an axis. ``least`` and ``most`` are the smallest and the largest of its values; null without any."""

    name: str
    role: str
    dtype: str
    size: int
    bytes: int
    least: int | None
    most: int | None


class AxisNodesView(TypedDict):
    """The positions of a level that hold something, in their order, with the one above each and its coordinate; and
    ``starts``, the first position below that one: ``position - start`` is its number there."""

    positions: list[int]
    parents: list[int]
    coordinates: list[int]
    starts: list[int]


class AxisView(TypedDict):
    """A level of the storage as an axis. ``axis`` is its kind in the words of SparseTIR, null where these have none.

    ``parent`` is the number of the axis above, -1 for the root: an axis of length 1 that is there before all others.
    ``dimension`` is 0-based, ``length`` the number of coordinates, ``positions`` those that are stored. ``start`` says
    in the arrays' names where the positions below ``p`` begin. ``nodes`` is null where there are too many.
    """

    kind: str
    axis: str | None
    parent: int
    dimension: int
    length: int
    positions: int
    ordered: bool
    unique: bool
    arrays: list[AxisArrayView]
    start: str
    nodes: AxisNodesView | None


class RemappedView(TypedDict):
    """One of the coordinates that places are ordered by: ``symbol`` = ``formula``, in which ``{0}`` stands for the name
    of dimension 0. Its values lie from ``least`` on, ``length`` of them; it comes from ``dimension``."""

    symbol: str
    formula: str
    dimension: int
    least: int
    length: int


class RemappingView(TypedDict):
    """The coordinates of a part's entries, as its levels have them. ``entries`` are in the order of their places, and
    ``coordinates`` are theirs; ``in_order``: these ascend, so that they are what the places are ordered by. ``inverse``
    has a formula for each dimension; ``exact``: it gives the coordinates of the entries again."""

    targets: list[RemappedView]
    inverse: list[str]
    entries: list[int]
    coordinates: list[list[int]]
    in_order: bool
    exact: bool


class PartView(TypedDict):
    """One summand. ``test`` is empty where the part takes what no part in front of it took.

    ``rows`` counts the coordinates of the first dimension that have entries in it, ``pieces`` what these are cut into
    (null where rows do not repeat). ``places`` are its values, padding included. ``slots`` and ``remapping``: null
    where there are too many to be shown; the latter, too, where places are in no order of coordinates.
    """

    name: str
    layout: str
    levels_text: str
    test: str
    rows: int
    pieces: int | None
    places: int
    entries: int
    bytes: int
    slots: PartSlotsView | None
    axes: list[AxisView]
    remapping: RemappingView | None


class CellsView(TypedDict):
    """The entries one by one, sorted by their coordinates, with the number of their part and their place in it."""

    coordinates: list[list[int]]
    values: list[str]
    parts: list[int]
    places: list[int]


class PartRasterView(TypedDict):
    """Bins of ``row_step`` × ``column_step`` coordinates of the last two dimensions: the part that has the most entries
    in each, -1 where there is none, and how many entries of all parts."""

    row_step: int
    column_step: int
    parts: list[list[int]]
    counts: list[list[int]]


class LengthBinView(TypedDict):
    """``fibres`` rows (within a range of columns) have ``least`` to ``most`` entries. ``stored`` counts for each part
    the rows or pieces of so many entries that lie in it."""

    least: int
    most: int
    fibres: int
    stored: list[int]


class LengthsView(TypedDict):
    """``ranges`` equal parts of the columns, in which rows are counted apart. ``empty`` rows have no entry at all."""

    ranges: int
    empty: int
    longest: int
    bins: list[LengthBinView]


class LoadView(TypedDict):
    """Places that each worker computes with, when the loops are cut into as many equal ranges as there are workers.

    ``separate``: the loop of each part on its own, one list for each; ``shared``: each worker has its rows in all
    parts; ``together``: the loops of all parts one after the other, cut as one.
    """

    workers: int
    separate: list[list[int]]
    shared: list[int]
    together: list[int]


class InOnePartView(TypedDict):
    """The same entries in one format; ``reason`` says why there are no numbers."""

    format: str
    places: int | None
    bytes: int | None
    reason: str | None


class StoredPartsView(TypedDict):
    """``text`` spells the format, ``expanded`` what its macro stands for. ``exact``: all parts unpacked and added up
    are the entries again. ``cells`` or ``raster``, by the number of entries."""

    text: str
    expanded: str
    shape: list[int]
    dtype: str
    entries: int
    places: int
    bytes: int
    exact: bool
    parts: list[PartView]
    cells: CellsView | None
    raster: PartRasterView | None
    lengths: LengthsView
    load: LoadView
    beside: list[InOnePartView]


class CompositionView(TypedDict):
    """``diagnostics`` says why ``stored`` is null where ``ok`` is false."""

    ok: bool
    diagnostics: list[DiagnosticView]
    tensor: str
    source: str
    stored: StoredPartsView | None
