"""The JSON of the storage picture: one tensor in one format, as a tree of levels and as its arrays
(docs/sources.toml V1)."""

from __future__ import annotations

from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.trace.trace_schema import TraceValue
from heddle.explorer.views.typed_dict import TypedDict
from heddle.formats.storage.level_storage import Indexing


class StorageArrayView(TypedDict):
    """One array. ``name`` is the kernel's (``A2_pos``), ``level`` counts from 1 and is 0 for the values.

    ``indexed_by`` says what element ``e`` belongs to: ``segments``, the children of parent p are [e(p), e(p + 1));
    ``positions``, the position e of the level; ``parents``, the position e of the level above; ``places``, the place e
    for a row, in whichever block of places that lies; ``level``, the level as a whole. ``values`` holds the first
    elements, ``size`` counts all of them.
    """

    name: str
    role: str
    level: int
    indexed_by: Indexing
    dtype: str
    size: int
    bytes: int
    values: list[TraceValue]


class LevelNumberView(TypedDict):
    """The number in the parentheses behind a level: how many coordinates lie in a ``block``, or what its kind counts,
    such as the rows among which those of like length are brought together (``window``). ``most`` is the largest one
    that is taken."""

    counts: str
    value: int
    most: int


class LevelChoiceView(TypedDict):
    """A kind that may stand at a level. ``properties``: its coordinates may be unordered, and may repeat."""

    kind: str
    properties: bool
    number: LevelNumberView | None


class StorageLevelView(TypedDict):
    """One level and its nodes in the coordinate tree, in the order of storage. ``choices`` are the kinds that may stand
    there, its own among them.

    ``further`` is what else stands in the parentheses after its kind, behind the number that its choice has.
    ``dimension`` is 0-based, ``size`` the number of coordinates, ``positions`` the number of all positions. The three
    lists have one element for each node that is shown: its position, its parent's position (0 under the root), and its
    coordinate (negative for a slot that holds none).
    """

    kind: str
    text: str
    ordered: bool
    unique: bool
    further: list[str]
    dimension: int
    size: int
    positions: int
    choices: list[LevelChoiceView]
    node_positions: list[int]
    node_parents: list[int]
    node_coordinates: list[int]


class StorageLeafView(TypedDict):
    """One position of the values. ``entry`` is false for padding: stored, but no entry of the tensor."""

    position: int
    coordinates: list[int]
    value: TraceValue
    entry: bool


class StorageDensityView(TypedDict):
    """Entries counted in a raster. Bin (r, c) covers ``row_step`` × ``column_step`` coordinates of the two dimensions;
    ``row_dimension`` is null for a vector. All other dimensions are summed over."""

    row_dimension: int | None
    column_dimension: int
    row_step: int
    column_step: int
    counts: list[list[int]]


class FootprintArrayView(TypedDict):
    name: str
    bytes: int


class FootprintView(TypedDict):
    """Bytes of the same data in one format. ``reason`` says why there are none."""

    format: str
    levels_text: str
    chosen: bool
    bytes: int | None
    stored: int | None
    arrays: list[FootprintArrayView]
    reason: str | None


class LevelKindView(TypedDict):
    """A level kind that the builder offers."""

    name: str
    summary: str


class StoredTensorView(TypedDict):
    """A tensor packed into its format. ``whole``: every position is among the nodes and the leaves."""

    format: str
    levels_text: str
    shape: list[int]
    dtype: str
    entries: int
    stored: int
    bytes: int
    whole: bool
    levels: list[StorageLevelView]
    arrays: list[StorageArrayView]
    leaves: list[StorageLeafView]
    density: StorageDensityView | None


class StorageView(TypedDict):
    """``stored`` is null where the format or the data is refused; ``diagnostics`` says why."""

    ok: bool
    diagnostics: list[DiagnosticView]
    tensor: str
    source: str
    kinds: list[LevelKindView]
    stored: StoredTensorView | None
    footprints: list[FootprintView]
