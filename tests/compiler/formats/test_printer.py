from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heddle.formats.format import Format, Level
from heddle.formats.parser import parse_format
from heddle.formats.presets import PRESETS, presets_for
from heddle.formats.printer import format_text, long_form
from heddle.formats.vocabulary import KINDS

levels = st.builds(
    Level,
    st.sampled_from([kind for kind in sorted(KINDS) if Level(kind).stores_dimension]),
    st.booleans(),
    st.booleans(),
)
formats = st.lists(levels, max_size=5).flatmap(
    lambda chosen: st.permutations(range(len(chosen))).map(lambda order: Format(tuple(chosen), tuple(order)))
)


@given(formats)
def test_the_text_parses_back_to_the_same_format(format: Format) -> None:
    order = len(format.levels)
    assert parse_format(format_text(format), order, "A") == format
    if order:
        assert parse_format(long_form(format), order, "A") == format


@pytest.mark.parametrize(
    ("text", "order", "canonical"),
    [
        ("ds", 2, "csr"),
        ("dense, compressed : 1,0", 2, "csc"),
        ("csf", 2, "dcsr"),
        ("csf", 1, "sparse"),
        ("ssss", 4, "csf"),
        ("ddd", 3, "dense"),
        ("dd:1,0", 2, "dense, dense : 1,0"),
        ("sd", 2, "compressed, dense"),
        ("uq", 2, "coo"),
        ("ucq", 3, "coo"),
        ("uq:1,0", 2, "compressed(nonunique), singleton : 1,0"),
        ("dense", 0, "dense"),
        ("BCSR( 2, 3 )", 2, "bcsr(2,3)"),
        ("dense, compressed, dense(2), dense(3)", 2, "bcsr(2,3)"),
        ("dense, compressed, dense(2), dense(3) : 0,1,0,1", 2, "bcsr(2,3)"),
        ("BCSR( 4 )", 2, "bcsr(4)"),
        ("dense, compressed, dense(4) : 0,1,0", 2, "bcsr(4)"),
        ("SELL( 4 )", 2, "sell(4)"),
        ("dense, slots, dense(4), optional", 2, "sell(4)"),
        ("dense, slots, dense(4), optional : 0,1,0,1", 2, "sell(4)"),
        ("dense, slots, dense(4), optional : 1,0,1,0", 2, "dense, slots, dense(4), optional : 1,0,1,0"),
        ("dense, diagonals, dense(8), shifted", 2, "dia(8)"),
        ("Sell-Runs(4)", 2, "sell-runs(4)"),
        ("sell( 4, 32 )", 2, "sell(4,32)"),
        ("sorted(32), slots, dense(4), optional", 2, "sell(4,32)"),
        (
            "sorted(8), slots, dense(4), optional : 1,0,1,0",
            2,
            "sorted(8), slots, dense(4), optional : 1,0,1,0",
        ),
        ("CSB(2,3)", 2, "csb(2,3)"),
        ("dense, dense, compressed( nonunique, 2 ), singleton(3)", 2, "csb(2,3)"),
        ("parts(4), parts(3, even), dense, padded(2)", 2, "parts(4), parts(3,even), dense, padded(2) : 0,1,0,1"),
        ("dense, compressed, padded(2, 4) : 0,1,1", 2, "dense, compressed, padded(2,4) : 0,1,1"),
        ("ell3d(2,5)", 3, "ell3d(2,5)"),
        ("dense, compressed, dense(2) : 0,1,1", 2, "dense, compressed, dense(2) : 0,1,1"),
    ],
)
def test_the_name_of_a_preset_is_used_where_one_fits(text: str, order: int, canonical: str) -> None:
    assert format_text(parse_format(text, order, "A")) == canonical


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_is_read_by_its_name(preset) -> None:  # type: ignore[no-untyped-def]
    order = preset.order or 3
    assert preset in presets_for(order)
    assert parse_format(preset.name, order, "A") == preset.instance(order)
    assert format_text(preset.instance(order)) == preset.name
    assert preset.summary
