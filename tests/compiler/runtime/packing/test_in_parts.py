"""Random tensors in random sums of parts: every entry in the first part whose tests it passes, and back unchanged."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from hypothesis import given, note, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import heddle as hd
from heddle.formats.composed.quantities import QUANTITIES
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format
from heddle.formats.parts import Test as PartTest
from heddle.formats.printer import format_text
from heddle.runtime.storage.unpack import coordinates_by_level, position_coordinates
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor
from tests.fuzz.parts.compositions import draw_composition

Place = tuple[int, ...]
EXAMPLES = 60


def drawn(seed: int) -> tuple[str, dict[Place, float], tuple[int, ...], Any]:
    """A format, entries by their coordinates, the shape, and the operand: coordinates in any order, some twice."""
    rng = random.Random(seed)
    order = rng.choice((1, 2, 2, 2, 2, 3))
    text = draw_composition(rng, order)
    shape = tuple(rng.choice((0, 1, 2, 5, 8, 13)) for _ in range(order))
    entries: dict[Place, float] = {}
    rows: list[tuple[Place, float]] = []
    density = rng.choice((0.0, 0.2, 0.5, 1.0))
    for place in np.ndindex(*shape):
        if rng.random() < density:
            value = rng.choice((1.0, 2.0, -3.0, 0.0, float("nan"), float("inf")))
            entries[place] = value
            rows.append((place, value))
            if rng.random() < 0.1:
                rows.append((place, 1.0))
                entries[place] += 1.0
    rng.shuffle(rows)
    columns = tuple(np.array([place[d] for place, _ in rows], dtype=np.int64) for d in range(order))
    return text, entries, shape, (columns, np.array([value for _, value in rows], dtype=np.float64), shape)


def counted(entries: dict[Place, float], shape: tuple[int, ...], test: PartTest, place: Place) -> int:
    """The quantity of one entry, as the guide says it: by looking at all others."""
    match test.quantity, test.arguments:
        case "length", _:
            return sum(other[:-1] == place[:-1] for other in entries)
        case "slot", _:
            return sum(other[:-1] == place[:-1] and other[-1] < place[-1] for other in entries)
        case "piece", (ranges, longest):
            width = max(1, -(-shape[1] // ranges))
            columns = sorted(c for r, c in entries if r == place[0] and c // width == place[1] // width)
            start = columns.index(place[1]) // longest * longest
            return len(columns[start : start + longest])
        case "tile", (height, width):
            return sum(r // height == place[0] // height and c // width == place[1] // width for r, c in entries)
        case "diagonal", _:
            return place[1] - place[0]
        case "depth", _:
            length = sum(0 <= r + place[1] - place[0] < shape[1] for r in range(shape[0]))
            return 100 * sum(c - r == place[1] - place[0] for r, c in entries) // length
        case "row", _:
            return place[0]
        case "column", _:
            return place[-1]
        case "along", (dimension,):
            return place[dimension]
        case "count", (dimension,):
            return sum(other[dimension] == place[dimension] for other in entries)
    raise AssertionError(test.quantity)


def part_of(entries: dict[Place, float], shape: tuple[int, ...], format: Format, place: Place) -> int:
    assert format.composition is not None
    for number, part in enumerate(format.composition.parts):
        if all(
            (test.least <= counted(entries, shape, test, place) <= test.most) ^ test.excluded for test in part.tests
        ):
            return number
    raise AssertionError(f"{place} has no part")


@given(st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, deadline=None)
def test_each_entry_lies_in_the_first_part_whose_tests_it_passes(seed: int) -> None:
    text, entries, shape, operand = drawn(seed)
    note(f"{text} {shape} {entries}")
    format = parse_format(text, len(shape), "A")
    packed = hd.pack(operand, format)
    assert isinstance(packed, Composite)
    lost = set()
    for number, part in enumerate(packed.parts):
        columns, values = part.to_coo()
        stored = dict(zip(zip(*(column.tolist() for column in columns), strict=True), values.tolist(), strict=True))
        expected = {
            place: value for place, value in entries.items() if part_of(entries, shape, format, place) == number
        }
        if pads_with_values(part):
            lost |= {place for place, value in expected.items() if value == 0}
            expected = {place: value for place, value in expected.items() if value != 0}
        assert stored.keys() == expected.keys()
        for place, value in expected.items():
            np.testing.assert_equal(stored[place], value)
        assert part.nbytes == sum(array.nbytes for array in part.arrays().values())
    assert packed.entries == len(entries) - len(lost)
    assert packed.stored == sum(part.vals.size for part in packed.parts) >= packed.entries
    assert packed.nbytes == sum(part.nbytes for part in packed.parts)
    hd.validate(packed)
    back = dict(
        zip(zip(*(c.tolist() for c in packed.to_coo()[0]), strict=True), packed.to_coo()[1].tolist(), strict=True)
    )
    np.testing.assert_equal(back, {place: value for place, value in entries.items() if place not in lost})


@given(st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, deadline=None)
def test_positions_lead_to_coordinates_and_these_to_positions(seed: int) -> None:
    """What a part says about a position is where its entry came from, and no two positions say the same; padding behind
    the end of its range of columns names a place of the next range and holds nothing there."""
    text, entries, shape, operand = drawn(seed)
    note(f"{text} {shape}")
    packed = hd.pack(operand, text)
    assert isinstance(packed, Composite)
    for part in packed.parts:
        places = list(zip(*(column.tolist() for column in position_coordinates(part)), strict=True))
        assert len(places) == part.vals.size
        where = {}
        for position in np.flatnonzero(lies_in_its_range(part)).tolist():
            place = places[position]
            if all(0 <= at < size for at, size in zip(place, shape, strict=True)):
                assert place not in where
                where[place] = position
        for place, value in zip(
            zip(*(c.tolist() for c in part.to_coo()[0]), strict=True), part.to_coo()[1], strict=True
        ):
            np.testing.assert_equal(part.vals[where[place]], value)
            np.testing.assert_equal(value, entries[place])


@given(st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, deadline=None)
def test_what_is_drawn_is_said_by_its_text(seed: int) -> None:
    rng = random.Random(seed)
    order = rng.choice((1, 2, 3))
    format = parse_format(draw_composition(rng, order), order, "A")
    assert parse_format(format_text(format), order, "A") == format


def test_of_a_matrix_with_more_tiles_than_64_bits_count() -> None:
    """Nothing is counted by an array as long as a dimension, and no two tiles are taken for one."""
    size = 2**40 - 1
    rows, columns = np.array([0, 0, 2**26, 2**26 + 1, size - 1]), np.array([0, 8, 0, 1, size - 1])
    operand = ((rows, columns), np.arange(1.0, 6), (size, size))
    for test, first in (
        ("tile(2,2) == 2", [3, 4]),
        ("count(1) >= 2", [1, 3]),
        ("count(0) >= 2", [1, 2]),
        ("depth == 0", [1, 2, 3, 4, 5]),
        ("length == 2", [1, 2]),
    ):
        packed = hd.pack(operand, f"coo where {test} + coo")
        assert isinstance(packed, Composite)
        assert packed.parts[0].vals.tolist() == first, test


def test_parts_are_called_alike_however_their_layout_is_spelled() -> None:
    """Otherwise a kernel would not take what was packed under the other spelling."""
    short, long = "csr where row < 2 + coo", "dense, compressed where row < 2 + coo"
    assert parse_format(short, 2, "A") == parse_format(long, 2, "A")


def test_every_quantity_and_family_of_layouts_is_drawn() -> None:
    texts = [draw_composition(random.Random(seed), 2) for seed in range(400)]
    parsed = [parse_format(text, 2, "A").composition for text in texts]
    compositions = [composition for composition in parsed if composition is not None]
    tests = [test for composition in compositions for part in composition.parts for test in part.tests]
    assert {test.quantity for test in tests} == set(QUANTITIES)
    assert {len(composition.parts) for composition in compositions} >= {2, 3, 4}
    assert sum(text.startswith("hyb") for text in texts) > 50


def test_padding_behind_its_range_of_columns_is_not_taken_for_an_entry_of_the_next() -> None:
    """13 columns in two ranges of 7: the row of 5 entries is padded to 8, and place (0, 7) has an entry of its own."""
    dense = np.zeros((8, 13))
    dense[0, [0, 1, 2, 3, 6, 7]] = [1, 2, 3, 4, 5, 6]
    packed = hd.pack(dense, "hyb(2, 4, 2)")
    assert isinstance(packed, Composite)
    assert not all(lies_in_its_range(part).all() for part in packed.parts)
    np.testing.assert_array_equal(packed.todense(), dense)
    x = np.arange(1.0, 14)
    y = hd.compile("y(i) = A(i,j) * x(j)", {"A": "hyb(2, 4, 2)", "x": "dense", "y": "dense"})(A=packed, x=x)
    np.testing.assert_array_equal(y.todense(), dense @ x)


def lies_in_its_range(part: Tensor) -> NDArray[np.bool_]:
    """Of each position, whether its coordinate inside a range of columns is below the range's width."""
    columns = coordinates_by_level(part)
    lies = np.ones(part.vals.size, dtype=np.bool_)
    for dimension, cut in part.format.cuts.items():
        inside = part.format.order.index(dimension, cut.number + 1)
        lies &= columns[inside] < cut.sizes(part.shape[dimension])[1]
    return lies


def pads_with_values(part: Tensor) -> bool:
    return LEVEL_KINDS[part.format.levels[-1].kind].pads_with_values
