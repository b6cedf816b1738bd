"""Entries and a format -> StorageView: how the tensor lies in memory, as a tree, as arrays and in bytes
(docs/sources.toml V1)."""

from __future__ import annotations

from math import prod

import numpy as np

from heddle.counts import bincount
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.storage.level_choices import level_choices, level_words
from heddle.explorer.views.storage.storage_footprints import array_name, footprints
from heddle.explorer.views.storage.storage_schema import (
    LevelKindView,
    StorageArrayView,
    StorageDensityView,
    StorageLeafView,
    StorageLevelView,
    StorageView,
    StoredTensorView,
)
from heddle.explorer.views.storage.storage_tree import Node, Tree, coordinate_tree
from heddle.explorer.views.trace.trace_steps import trace_value
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text, level_text, long_form
from heddle.formats.storage.level_storage import Indexing
from heddle.runtime.packing.pack import pack
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.tensor import Tensor

MAX_ENTRIES = 2_000_000
"""Entries of one tensor that are packed for a picture."""

MAX_STORED = 1 << 25
"""Values of one tensor, padding included, that are packed for a picture."""

WHOLE = 1024
"""Up to so many positions of the last level, all of them are shown; of larger tensors the first ``PART``."""
PART = 64
MAX_NODES = 4096

MAX_CELLS = 1024
"""Larger grids are counted in a raster of at most ``RASTER`` × ``RASTER`` bins."""
RASTER = 32


def storage_view(tensor: str, order: int, format: str, entries: Entries, source: str) -> StorageView:
    """``entries`` packed into the format that the text ``format`` spells for ``tensor``, with that many dimensions.

    What is refused is in ``diagnostics``: a format that is none (``format/…``), data of another order or too large
    (``runtime/…``, ``storage/too-large``), a level kind that cannot hold this data.
    """
    view = StorageView(
        ok=False, diagnostics=[], tensor=tensor, source=source, kinds=level_kinds(), stored=None, footprints=[]
    )
    try:
        _check_entries(tensor, entries)
        entries = sort_and_sum(entries, tuple(range(len(entries.shape))))
        layout = parse_format(format, order, tensor)
        if layout.composition is not None:
            raise CompileError(_in_parts(tensor, layout))
        view["footprints"] = footprints(tensor, entries, layout)
        view["stored"] = stored_tensor(tensor, entries, layout)
        view["ok"] = True
    except CompileError as error:
        view["diagnostics"] = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
    return view


def _in_parts(tensor: str, format: Format) -> Diagnostic:
    """One picture shows one part."""
    assert format.composition is not None
    layouts = [format_text(part.format) for part in format.composition.parts]
    return Diagnostic(
        "storage/parts",
        f"{format_text(format)} stores {tensor} in {len(layouts)} parts: {', '.join(layouts)}. Look at one of these "
        "formats to see how it lies in memory.",
        Location(Part.FORMAT, tensor=tensor),
        expected="a format with one part",
        actual=f"{len(layouts)} parts",
        fixes=tuple(Fix(f"Show {tensor} as {text}", formats={tensor: text}) for text in dict.fromkeys(layouts)),
    )


def refused_storage(tensor: str, source: str, error: CompileError) -> StorageView:
    """The answer where there are no entries to show."""
    diagnostics = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
    return StorageView(
        ok=False, diagnostics=diagnostics, tensor=tensor, source=source, kinds=level_kinds(), stored=None, footprints=[]
    )


def level_kinds() -> list[LevelKindView]:
    """The kinds that can be packed and computed with."""
    return [LevelKindView(name=name, summary=kind.summary) for name, kind in LEVEL_KINDS.items()]


def stored_tensor(name: str, entries: Entries, format: Format) -> StoredTensorView:
    """Packs ``entries`` and reads the picture off the arrays."""
    for level in format.levels:
        if level.kind not in LEVEL_KINDS:
            raise CompileError(_no_such_kind(name, level.kind))
    if format.is_dense:
        require_values(name, prod(entries.shape))
    packed = pack(entries, format, dtype=entries.dtype.name, name=name)
    require_values(name, packed.stored)
    whole = packed.stored <= WHOLE
    tree = coordinate_tree(packed, WHOLE if whole else PART, MAX_NODES)
    leaves = _leaves(packed, entries, tree)
    return StoredTensorView(
        format=format_text(format),
        levels_text=long_form(format),
        shape=list(entries.shape),
        dtype=packed.dtype,
        entries=int(entries.values.size),
        stored=packed.stored,
        bytes=packed.nbytes,
        whole=tree.whole,
        levels=_levels(packed, tree),
        arrays=_arrays(name, packed, tree),
        leaves=leaves,
        density=_density(entries),
    )


def require_values(name: str, count: int) -> None:
    """Raises CompileError ``storage/too-large``."""
    if count > MAX_STORED:
        raise CompileError(_too_large(name, f"{count:,} stored values", f"at most {MAX_STORED:,} stored values"))


def _check_entries(name: str, entries: Entries) -> None:
    count = int(entries.values.size)
    if count > MAX_ENTRIES:
        raise CompileError(_too_large(name, f"{count:,} entries", f"at most {MAX_ENTRIES:,} entries"))


def _too_large(name: str, actual: str, expected: str) -> Diagnostic:
    return Diagnostic(
        "storage/too-large",
        f"{name} has {actual}, too many to show how they are stored.",
        Location(Part.INPUT, tensor=name),
        expected=expected,
        actual=actual,
        hint="Show the format on the running example, or on a smaller input.",
    )


def _no_such_kind(name: str, kind: str) -> Diagnostic:
    known = ", ".join(LEVEL_KINDS)
    return Diagnostic(
        "storage/unknown-kind",
        f"{name} has a {kind} level, which cannot be packed yet.",
        Location(Part.FORMAT, tensor=name),
        expected=f"one of {known}",
        actual=kind,
    )


def _levels(packed: Tensor, tree: Tree) -> list[StorageLevelView]:
    views = []
    for number, level in enumerate(packed.format.levels):
        dimension = packed.format.order[number]
        size = packed.format.level_sizes(packed.shape)[number]
        nodes = tree.levels[number]
        views.append(
            StorageLevelView(
                kind=level.kind,
                text=level_text(level),
                ordered=level.ordered,
                unique=level.unique,
                further=level_words(level),
                dimension=dimension,
                size=size,
                positions=tree.positions[number],
                choices=level_choices(packed.format, number),
                node_positions=[node.position for node in nodes],
                node_parents=[node.parent for node in nodes],
                node_coordinates=[node.coordinate for node in nodes],
            )
        )
    return views


def _arrays(name: str, packed: Tensor, tree: Tree) -> list[StorageArrayView]:
    """Of each array the elements that the shown nodes use."""
    views = []
    for (role, level), array in packed.arrays().items():
        kind = packed.format.levels[level - 1].stored if level else None
        indexing: Indexing = "positions" if kind is None else kind.describe(role).indexed_by
        last_level = level - 1 if level else len(tree.levels) - 1
        shown = _count_shown(indexing, last_level, tree, int(array.size))
        views.append(
            StorageArrayView(
                name=array_name(name, role, level),
                role=role,
                level=level,
                indexed_by=indexing,
                dtype=array.dtype.name,
                size=int(array.size),
                bytes=array.nbytes,
                values=[trace_value(value) for value in array[:shown]],
            )
        )
    return views


def _count_shown(indexing: Indexing, level: int, tree: Tree, size: int) -> int:
    """How many elements of an array belong to nodes that are shown; all of them where the whole tree is."""
    if tree.whole:
        return size
    last = [nodes[-1].position + 1 if nodes else 0 for nodes in tree.levels]
    parents = last[level - 1] if level > 0 else 1
    match indexing:
        case "segments":
            return min(size, parents + 1)
        case "positions":
            return min(size, last[level])
        case "parents":
            return min(size, parents)
        case "places" | "level":
            return min(size, PART)


def _leaves(packed: Tensor, entries: Entries, tree: Tree) -> list[StorageLeafView]:
    """The values with their coordinates. Where padding repeats an entry's coordinates, the entry is the one with its
    value."""
    columns = position_coordinates(packed)
    leaves = tree.levels[-1] if tree.levels else [Node(0, 0, 0)]
    places = np.array([leaf.position for leaf in leaves], dtype=np.int64)
    coordinates = [tuple(int(column[place]) for column in columns) for place in places]
    values = _values_at(entries, set(coordinates))
    views = []
    for place, at in zip(places, coordinates, strict=True):
        value = packed.vals[place]
        is_entry = at in values and bool(values[at] == value or (values[at] != values[at] and value != value))
        if is_entry:
            del values[at]  # A second position with the same coordinates is padding.
        views.append(
            StorageLeafView(position=int(place), coordinates=list(at), value=trace_value(value), entry=is_entry)
        )
    return views


def _values_at(entries: Entries, wanted: set[tuple[int, ...]]) -> dict[tuple[int, ...], object]:
    """The values of the entries at ``wanted`` coordinates. Entries are sorted by their coordinates."""
    if not entries.columns:
        return {(): entries.values[0]}
    keep = np.ones(entries.values.size, dtype=bool)
    for dimension, column in enumerate(entries.columns):
        keep &= np.isin(column, np.fromiter({at[dimension] for at in wanted}, dtype=np.int64))
    places = np.flatnonzero(keep)
    keys = zip(*(column[places].tolist() for column in entries.columns), strict=True)
    return {key: entries.values[place] for key, place in zip(keys, places, strict=True) if key in wanted}


def _density(entries: Entries) -> StorageDensityView | None:
    """A raster over the last two dimensions; None where the grid is small enough to be drawn cell by cell."""
    shape = entries.shape
    if prod(shape) <= MAX_CELLS:
        return None
    column = len(shape) - 1
    row = column - 1 if column else None
    rows = shape[row] if row is not None else 1
    row_step, column_step = -(-rows // RASTER), -(-shape[column] // RASTER)
    height, width = -(-rows // row_step), -(-shape[column] // column_step)
    bins = entries.columns[column] // column_step
    if row is not None:
        bins = bins + (entries.columns[row] // row_step).astype(np.int64) * width
    counts = bincount(bins, minlength=height * width).reshape(height, width)
    return StorageDensityView(
        row_dimension=row, column_dimension=column, row_step=row_step, column_step=column_step, counts=counts.tolist()
    )
