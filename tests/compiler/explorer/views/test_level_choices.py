"""What the level builder offers: every kind that it offers may stand there, and numbers come with their limits."""

from __future__ import annotations

import pytest

from heddle.explorer.views.storage.level_choices import level_choices
from heddle.formats.levels.sliced.sorted import MAX_WINDOW
from heddle.formats.limits import MAX_BLOCK
from heddle.formats.parser import parse_format
from heddle.formats.presets import PRESETS, Preset


def offered(text: str) -> list[dict[str, int | None]]:
    """By level: the kinds, each with the number after it."""
    format = parse_format(text, 2, "A")
    return [
        {one["kind"]: one["number"] and one["number"]["value"] for one in level_choices(format, number)}
        for number in range(len(format.levels))
    ]


def test_rows_of_slices_may_be_sorted_and_slots_may_know_runs() -> None:
    assert offered("sell(16)") == [
        {"dense": None, "sorted": 128},
        {"slots": None},
        {"dense": 16},
        {"optional": None, "runs": None},
    ]
    assert offered("sell-runs(8)")[3] == {"optional": None, "runs": None}
    assert offered("sell(8,256)")[0] == {"dense": None, "sorted": 256}


def test_diagonals_in_blocks_and_blocks_of_coordinates() -> None:
    assert offered("dia(8)") == [{"dense": None}, {"diagonals": None}, {"dense": 8}, {"shifted": None}]
    rows, columns, height, width = offered("bcsr(4,2)")
    assert height == {"dense": 4, "compressed": 4, "singleton": 4, "bitmap": 4}
    assert width == {"dense": 2, "compressed": 2, "singleton": 2, "bitmap": 2}
    assert {"dense", "compressed"} <= set(rows) & set(columns)


def test_parts_are_offered_where_a_level_below_has_what_is_inside() -> None:
    rows, inside, columns = offered("parts(4), dense, compressed : 0,0,1")
    assert rows == {"parts": 4}
    assert {"dense", "compressed", "padded"} <= set(inside)
    assert "parts" not in {*inside, *columns, *offered("csr")[0]}
    assert "dense" not in offered("parts(4,even), compressed, compressed : 0,0,1")[1]


def test_kinds_that_never_stand_there_are_not_offered() -> None:
    rows, columns = offered("csr")
    assert {"singleton", "offset"} & set(rows) == set()
    assert {"singleton", "offset"} <= set(columns)
    assert not {"slots", "optional", "runs", "diagonals", "shifted", "sorted"} & (set(rows) | set(columns))


def test_properties_are_left_aside() -> None:
    assert offered("coo") == offered("csf")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: str(preset.name))
def test_every_level_may_stay_as_it_is(preset: Preset) -> None:
    format = preset.instance(preset.order or 3)
    for number, level in enumerate(format.levels):
        choices = {one["kind"]: one for one in level_choices(format, number)}
        told = choices[level.kind]["number"]
        assert level.number == (None if told is None else told["value"])


def test_numbers_come_with_their_limits() -> None:
    format = parse_format("sell(8,64)", 2, "A")
    window, block = (level_choices(format, number)[-1]["number"] for number in (0, 2))
    assert window == {"counts": "window", "value": 64, "most": MAX_WINDOW}
    assert block == {"counts": "block", "value": 8, "most": MAX_BLOCK}


def test_only_levels_that_list_coordinates_have_properties() -> None:
    columns = level_choices(parse_format("csr", 2, "A"), 1)
    assert [one["kind"] for one in columns if one["properties"]] == ["compressed", "singleton"]
