"""A tensor as a sum of parts: every number of the picture is counted again here, on the arrays or by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heddle.explorer.views.composition.composition import MAX_CELLS, composition_view
from heddle.explorer.views.composition.composition_schema import StoredPartsView
from heddle.explorer.views.composition.places import key_of, places_of
from heddle.explorer.views.storage.storage_examples import example_entries
from heddle.formats.parser import parse_format
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Entries

FIXTURE = Path(__file__).parents[4] / "frontend/src/viz/composition/fixture.ts"

TEXTS = (
    "hyb(2,1)",
    "hyb(1,2)",
    "hyb(3,0)",
    "hyb(1,1,whole)",
    "ell(1) where slot < 1 + csr",
    "dia where depth >= 50 + csr",
    "bcsr(2,2) where tile(2,2) >= 2 + coo",
    "csr",
    "ell",
    "dense",
)


def stored(text: str, entries: Entries, workers: int = 2) -> StoredPartsView:
    view = composition_view("A", len(entries.shape), text, entries, "here", workers)
    assert view["diagnostics"] == []
    assert view["stored"] is not None
    return view["stored"]


def scattered(shape: tuple[int, ...], count: int) -> Entries:
    generator = np.random.default_rng(3)
    flat = np.unique(generator.integers(0, np.prod(shape), count))
    return Entries(shape, tuple(np.unravel_index(flat, shape)), generator.integers(1, 9, flat.size).astype(float))


def test_the_running_example_in_two_ranges_and_two_buckets() -> None:
    """Rows 0 2 · · with the columns cut at 3: pieces of one entry in rows 2, 3, 3, of two in rows 0 and 2."""
    view = stored("hyb(2,1)", example_entries(2, "float64"))
    assert [(part["name"], part["pieces"], part["entries"], part["places"]) for part in view["parts"]] == [
        ("ell1", 3, 3, 3),
        ("ell2", 2, 4, 4),
    ]
    assert view["cells"] is not None
    assert view["cells"]["parts"] == [1, 1, 0, 1, 1, 0, 0]
    assert view["cells"]["places"] == [0, 1, 0, 2, 3, 1, 2]
    assert [one["stored"] for one in view["lengths"]["bins"]] == [[3, 0], [0, 2]]
    assert view["lengths"]["empty"] == 1
    assert view["load"] == {"workers": 2, "separate": [[2, 1], [2, 2]], "shared": [2, 5], "together": [3, 4]}
    text = FIXTURE.read_text()
    assert [text.count(f"name: '{part['name']}'") for part in view["parts"]] == [1, 1], "the page's fixture is older"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("shape", [(4, 6), (9, 1), (1, 9), (13, 17), (5, 5)])
def test_entries_and_padding_are_all_places_and_the_parts_add_up(text: str, shape: tuple[int, ...]) -> None:
    entries = scattered(shape, 3 * max(shape))
    view = stored(text, entries, 3)
    packed = pack(entries, parse_format(text, 2, "A"), dtype="float64", name="A")
    tensors = packed.parts if isinstance(packed, Composite) else (packed,)
    assert view["exact"]
    assert sum(part["entries"] for part in view["parts"]) == view["entries"] == entries.values.size
    assert [part["places"] for part in view["parts"]] == [one.stored for one in tensors]
    assert view["places"] == packed.stored
    assert view["bytes"] == packed.nbytes == sum(part["bytes"] for part in view["parts"])
    for part in view["parts"]:
        assert part["slots"] is not None
        held = [entry for entry in part["slots"]["entries"] if entry >= 0]
        assert len(held) == part["entries"]
        assert len(part["slots"]["entries"]) == part["places"]
    assert sum(map(sum, view["load"]["separate"])) == sum(view["load"]["together"]) == packed.stored


@pytest.mark.parametrize("text", TEXTS)
def test_a_cell_stands_at_its_place(text: str) -> None:
    entries = example_entries(2, "float64")
    view = stored(text, entries)
    packed = pack(entries, parse_format(text, 2, "A"), dtype="float64", name="A")
    tensors = packed.parts if isinstance(packed, Composite) else (packed,)
    cells = view["cells"]
    assert cells is not None
    for number, (part, place) in enumerate(zip(cells["parts"], cells["places"], strict=True)):
        assert tensors[part].vals[place] == entries.values[number]
        slots = view["parts"][part]["slots"]
        assert slots is not None
        assert slots["entries"][place] == number


def test_a_part_that_lost_an_entry_is_noticed() -> None:
    """What the page says of the sum is checked, not assumed."""
    entries = example_entries(2, "float64")
    less = Entries(entries.shape, tuple(column[1:] for column in entries.columns), entries.values[1:])
    part = pack(less, parse_format("csr", 2, "A"), dtype="float64", name="A")
    assert places_of(part, entries, key_of(entries)).held.size == 6
    values = part.vals.copy()
    values[0] = 7
    assert places_of(replace(part, vals=values), entries, key_of(entries)).held.size == 5


def test_nan_infinity_and_stored_zeros_are_entries() -> None:
    entries = Entries((2, 3), (np.array([0, 0, 1]), np.array([0, 2, 1])), np.array([np.nan, 0.0, np.inf]))
    view = stored("hyb(1,1)", entries)
    assert view["exact"]
    assert view["cells"] is not None
    assert view["cells"]["values"] == ["nan", "0.0", "inf"]


def test_many_entries_are_counted_in_bins() -> None:
    entries = scattered((300, 200), 3 * MAX_CELLS)
    view = stored("hyb(2,3)", entries)
    assert entries.values.size > MAX_CELLS
    assert view["cells"] is None
    assert view["raster"] is not None
    assert sum(map(sum, view["raster"]["counts"])) == entries.values.size
    assert all(part["slots"] is None for part in view["parts"])
    fibres = sum(one["fibres"] for one in view["lengths"]["bins"])
    halves = {(int(row), int(column) // 100) for row, column in zip(*entries.columns, strict=True)}
    assert fibres == len(halves)
    pieces = [sum(one["stored"][part] for one in view["lengths"]["bins"]) for part in range(len(view["parts"]))]
    assert pieces == [part["pieces"] for part in view["parts"]]


@pytest.mark.parametrize("order", [1, 3])
def test_other_orders_have_parts_too(order: int) -> None:
    text = "coo where column < 4 + dense" if order == 1 else "coo where length <= 2 + csf"
    view = stored(text, example_entries(order, "float64"))
    assert view["exact"]
    assert len(view["parts"]) == 2


def test_an_empty_matrix_has_empty_parts() -> None:
    none = np.zeros(0, dtype=np.int64)
    view = stored("hyb(2,2)", Entries((5, 5), (none, none), np.zeros(0)))
    assert view["exact"]
    assert [part["entries"] for part in view["parts"]] == [0, 0, 0]


def test_what_cannot_be_shown_says_why() -> None:
    entries = example_entries(2, "float64")
    wrong = composition_view("A", 2, "hyb(0,2)", entries, "here", 2)
    assert wrong["diagnostics"][0]["code"] == "format/parts-count"
    scalar = composition_view("a", 0, "dense", example_entries(0, "float64"), "here", 2)
    assert scalar["diagnostics"][0]["message"] == "a is a scalar, which has no parts."
    other = composition_view("A", 3, "csf", entries, "here", 2)
    assert other["diagnostics"][0]["message"] == "A has 3 dimensions in the expression, and 2 in its input."
    large = composition_view("A", 2, "dense", Entries((1 << 15, 1 << 15), entries.columns, entries.values), "here", 2)
    assert large["diagnostics"][0]["code"] == "storage/too-large"
    json.dumps([wrong, scalar, other, large], allow_nan=False)


def test_ell_is_not_packed_where_it_would_not_fit() -> None:
    count = 6000
    rows = np.concatenate([np.zeros(count, dtype=np.int64), np.arange(1, count)])
    columns = np.concatenate([np.arange(count), np.zeros(count - 1, dtype=np.int64)])
    view = stored("hyb(1,3)", Entries((count, count), (rows, columns), np.ones(rows.size)))
    ell = next(one for one in view["beside"] if one["format"] == "ell")
    assert (ell["places"], ell["bytes"]) == (count * count, None)
    assert ell["reason"] is not None
    assert "too many" in ell["reason"]
