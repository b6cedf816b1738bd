"""The running example: position tiles, their searches and guards, and how many nonzeros each kind of tile holds."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.interpreter.trace import Event, LoadEvent, ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import Search, Store
from heddle.loop_ir.walk import statements
from tests.compiler.lowering.traced import RUNNING, Traced, traced, values

SPMV = "y(i) = A(i,j) * x(j)"
TILES = ("fuse(i, j, f)", "pos(f, fpos, A)", "split(fpos, p0, p1, 3)")
X = np.array([1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0])
VISITED = [
    [(0, 0, 0, 6), (1, 0, 2, 9), (2, 2, 0, 5)],
    [(3, 2, 3, 7), (4, 2, 5, 1), (5, 3, 1, 2)],
    [(6, 3, 4, 8)],
]
"""(position, i, j, value) of every nonzero, tile by tile."""


def visits(events: list[Event]) -> list[tuple[int, int, int, int]]:
    """What a tile's iterations saw; those that a guard ended have no value. Row i is at position iA = i."""
    found: list[tuple[int, int, int, int]] = []
    now: dict[str, int] = {}
    for event in events:
        match event:
            case ScalarEvent(name="fpos" | "iA" | "j" as name, value=value):
                now[name] = int(value.real)
            case LoadEvent(array="A_vals", value=value):
                found.append((now["fpos"], now["iA"], now["j"], int(value.real)))
            case _:
                pass
    return found


def run(*schedule: str, formats: str = "csr") -> Traced:
    return traced(SPMV, {"A": formats}, schedule, (4,), A=RUNNING, x=X)


def test_position_tiles_visit_three_three_and_one_nonzeros() -> None:
    done = run(*TILES)
    tiles = done.per_iteration("p0")
    assert [visits(events) for events in tiles.values()] == VISITED
    np.testing.assert_array_equal(done.result, RUNNING @ X)


def test_each_tile_searches_its_first_row_once_and_tracks_past_the_empty_row() -> None:
    done = run(*TILES)
    searched = [
        event.value
        for event in done.events
        if isinstance(event, ScalarEvent) and isinstance(done.statement(event), Search)
    ]
    assert searched == [0, 2, 3]
    # Within tile 0 the row goes from 0 over the empty row 1 to 2; tile 1 goes from 2 to 3; tile 2 stays.
    assert [values(events, "iA") for events in done.per_iteration("p0").values()] == [[0, 1, 2], [2, 3], [3]]


def test_the_guard_ends_the_partial_tile_before_anything_is_read() -> None:
    last = run(*TILES).per_iteration("p0")[2]
    assert values(last, "fpos") == [6, 7]
    assert [event.index for event in last if isinstance(event, LoadEvent) and event.array == "A_vals"] == [6]


def test_full_tiles_run_without_a_guard() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, TILES)
    assert result.source is not None
    full, partial = result.source.text.split("} else {")
    assert "break" not in full
    assert "if (fpos >= A2_pos[A1_dimension]) break;" in partial


def test_a_row_that_two_tiles_share_is_updated_atomically() -> None:
    (refused,) = hd.lower(SPMV, {"A": "csr"}, (*TILES, "parallelize(p0, CPUThread, NoRaces)")).diagnostics
    assert refused.code == "schedule/race"
    done = run(*TILES, "parallelize(p0, CPUThread, Atomics)")
    stores = [event for event in done.events if isinstance(event, StoreEvent)]
    tiles = {row: {event.worker for event in stores if event.index == row} for row in range(4)}
    shared = {row for row, workers in tiles.items() if len(workers) > 1}
    assert shared == {2, 3}
    assert all(event.atomic for event in stores if event.index in shared)
    np.testing.assert_array_equal(done.result, RUNNING @ X)


@pytest.mark.parametrize(
    ("schedule", "outer", "held"),
    [
        (("split(i, i0, i1, 2)",), "i0", [2, 5]),
        (("split(j, j0, j1, 2)", "reorder(j0, i, j1)"), "j0", [3, 2, 2]),
        (TILES, "p0", [3, 3, 1]),
    ],
)
def test_nonzeros_per_tile(schedule: tuple[str, ...], outer: str, held: list[int]) -> None:
    done = run(*schedule)
    found = [
        sum(isinstance(event, LoadEvent) and event.array == "A_vals" for event in events)
        for events in done.per_iteration(outer).values()
    ]
    assert found == held
    np.testing.assert_array_equal(done.result, RUNNING @ X)


def test_a_cut_at_the_row_level_never_shares_a_row() -> None:
    """A DCSR matrix cut by the positions of its rows: whole rows, no atomics (docs/sources.toml T32)."""
    schedule = ("pos(i, ipos, A)", "split(ipos, p0, p1, 2)", "parallelize(p0, CPUThread, NoRaces)")
    done = run(*schedule, formats="dcsr")
    assert [values(events, "i") for events in done.per_iteration("p0").values()] == [[0, 2], [3]]
    assert not any(isinstance(s, Store) and s.atomic for s in statements(done.function.body))
    np.testing.assert_array_equal(done.result, RUNNING @ X)
