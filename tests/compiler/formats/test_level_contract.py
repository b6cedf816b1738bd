"""A level kind that breaks its contract is found in every format, before it gives wrong numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import InternalError
from heddle.formats.format import _kind_named
from heddle.formats.levels.compressed import Compressed
from heddle.formats.levels.dense import Dense
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import Emitter, LevelStorage, Range, TensorKind
from heddle.formats.storage.level_storage import Array, BuiltLevel, Expanded, LevelArrays, LevelEntries, StoredLevel
from heddle.formats.vocabulary import KINDS
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr

Place = Callable[[Array], tuple[Array, Array | None]]
"""From the mirrored position of each entry to what a kind says of positions and order."""

MATRIX = np.array([[0.0, 1, 2, 0], [3, 0, 0, 0], [0, 4, 5, 6]])
VECTOR = np.array([1.0, 10, 100, 1000])


class Mirrored(Dense):
    """Every coordinate of the dimension, the last one first: ``position = parent * size + size - 1 - coordinate``."""

    name = "mirrored"
    inside_blocks = False
    ordered_by = None

    def __init__(self, place: Place) -> None:
        self.place = place

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        return build.add(build.mul(parent, storage.size), self._mirror(storage, coordinate))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        return self._mirror(storage, super().coordinate(storage, position, path, parent))

    def _mirror(self, storage: LevelStorage, coordinate: Expr) -> Expr:
        return build.sub(build.sub(storage.size, build.index(1)), coordinate)

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        raise TypeError("a mirrored level is not divided")

    def build(self, entries: LevelEntries) -> BuiltLevel:
        mirrored = entries.parent_positions * entries.size + entries.size - 1 - entries.coordinates
        positions, order = self.place(mirrored)
        return BuiltLevel(LevelArrays(), entries.parents * entries.size, positions, order)

    def expand(self, level: StoredLevel) -> Expanded:
        plain = super().expand(level)
        return replace(plain, coordinates=level.size - 1 - plain.coordinates)


def in_order(mirrored: Array) -> tuple[Array, Array | None]:
    """What the contract asks for."""
    order = np.argsort(mirrored, kind="stable")
    return mirrored[order], order


ASCEND = "expected that positions ascend, in the order of the entries that order makes"
BROKEN: dict[str, tuple[Place, str]] = {
    "no order": (lambda mirrored: (mirrored, None), ASCEND),
    "positions in the old order": (lambda mirrored: (mirrored, np.argsort(mirrored, kind="stable")), ASCEND),
    "an order of other entries": (
        lambda mirrored: (np.sort(mirrored), np.zeros_like(mirrored)),
        "expected that order is a permutation of the entries",
    ),
    "positions of other entries": (
        lambda mirrored: (np.sort(mirrored), None),
        "expected that (level . has at the position of each entry the coordinate of that entry|a position holds one)",
    ),
    "one position for all": (
        lambda mirrored: (np.zeros_like(mirrored), None),
        "expected that a position holds one coordinate below one parent",
    ),
    "positions out of range": (
        lambda mirrored: (np.sort(mirrored) + 1000, None),
        "expected that positions are from 0 to ",
    ),
    "too few positions": (lambda mirrored: (mirrored[:1], None), "expected that positions has one element for each"),
}
FORMATS = ("mirrored, dense", "mirrored, compressed", "dense, mirrored", "compressed, mirrored", "mirrored, mirrored")


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[TensorKind], None]]:
    """Adds a kind to the table, and to the names that formats are read with, for one test."""

    def add(kind: TensorKind) -> None:
        monkeypatch.setitem(LEVEL_KINDS, kind.name, kind)
        monkeypatch.setitem(KINDS, kind.name, kind.summary)
        _kind_named.cache_clear()

    yield add
    _kind_named.cache_clear()


def compute(text: str) -> Array:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": text}, target="interpreter")
    return np.asarray(kernel(A=MATRIX, x=VECTOR).to_numpy())


@pytest.mark.parametrize("text", FORMATS)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_kind_is_found(fault: str, text: str, plant: Callable[[TensorKind], None]) -> None:
    place, message = BROKEN[fault]
    plant(Mirrored(place))
    with pytest.raises(InternalError, match=f"^The level kind mirrored breaks its contract: {message}"):
        compute(text)
    with pytest.raises(InternalError, match=message):
        hd.pack(MATRIX, format=text)


@pytest.mark.parametrize("text", FORMATS)
def test_a_kind_that_reads_back_other_coordinates_is_found(text: str, plant: Callable[[TensorKind], None]) -> None:
    class Unmirrored(Mirrored):
        """Expands as if its positions were in the order of coordinates."""

        def expand(self, level: StoredLevel) -> Expanded:
            return Dense.expand(self, level)

    plant(Unmirrored(in_order))
    with pytest.raises(InternalError, match="has at the position of each entry the coordinate of that entry"):
        compute(text)


@pytest.mark.parametrize("text", FORMATS)
def test_a_kind_that_keeps_the_contract_computes_what_numpy_does(
    text: str, plant: Callable[[TensorKind], None]
) -> None:
    plant(Mirrored(in_order))
    np.testing.assert_array_equal(compute(text), MATRIX @ VECTOR)
    np.testing.assert_array_equal(hd.pack(MATRIX, format=text).to_numpy(), MATRIX)


def test_coordinates_in_no_order_are_found_where_the_kind_says_that_they_ascend(
    plant: Callable[[TensorKind], None],
) -> None:
    class Falling(Compressed):
        """Each segment from its last coordinate to its first, under a name that the parser knows and no kind has."""

        name = "zeroless"

        def build(self, entries: LevelEntries) -> BuiltLevel:
            order = np.lexsort((-entries.coordinates, entries.parent_positions))
            turned = replace(entries, coordinates=entries.coordinates[order], innermost=True)
            return replace(super().build(turned), order=order)

    plant(Falling())
    message = "expected that the coordinates below one parent ascend with their positions, as ordered_by says, found"
    with pytest.raises(InternalError, match=message):
        hd.pack(MATRIX, format="dense, zeroless")
