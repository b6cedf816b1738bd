"""Two plans on the same data: their shares, and the sentence that says what differs."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.diagnostics import Fix
from heddle.explorer.cost_report.comparison import Side, compare_sides, describe_side, side_of
from heddle.explorer.cost_report.run import MAX_EVENTS
from heddle.explorer.cost_report.shares import FEWEST_SHARES, account_with_shares
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.result import CompileResult
from tests.compiler.explorer.cost_report.test_findings import UNEVEN

NONZEROS = [
    "fuse(i, j, f)",
    "pos(f, p, A)",
    "split(p, p0, p1, 1024)",
    "parallelize(p0, CPUThread, Atomics)",
]
ROWS = ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"]


def spmv(schedule: list[str], **more: object) -> CompileResult:
    plan = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": schedule,
        **more,
    }
    return lower(parse_plan(plan))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            Side((62, 6, 6, 6), 80, 4200),
            Side((20, 20, 20, 20), 80, 2000),
            "Largest share 3.1 × the mean → 1.0 ×; 2.1 × fewer bytes.",
        ),
        (
            Side((80,), 80, 2000),
            Side((30, 20, 20, 10), 80, 2050, atomics=6),
            "One share of all the work → 4 shares, the largest 1.5 × the mean; the same bytes; atomic updates 0 → 6.",
        ),
        (
            Side((40, 40), 80, 2000),
            Side((160,), 160, 40_000),
            "2 shares, the largest 1.0 × the mean → one share of all the work; 2.0 × more operations; 20 × more bytes.",
        ),
        (Side((80,), 80, 2000), Side((80,), 80, 2000), "One share of all the work, as before; the same bytes."),
        (
            Side((80,), 80, 2000),
            Side((40, 40), 80, 2000, lanes_idle=0.781),
            "One share of all the work → 2 shares, the largest 1.0 × the mean; the same bytes; 78.1% of the lanes "
            "waiting.",
        ),
        (
            Side((40, 40), 80, 2000, lanes_idle=0.5),
            Side((40, 40), 80, 2000, lanes_idle=0.0),
            "Largest share 1.0 × the mean → 1.0 ×; the same bytes; lanes waiting 50.0% → 0.0%.",
        ),
        (Side((0,), 0, 0), Side((0,), 0, 64), "One share of all the work, as before; bytes: none → 64."),
    ],
)
def test_one_sentence_says_what_differs(before: Side, after: Side, sentence: str) -> None:
    assert compare_sides(before, after) == sentence


def test_a_plan_alone_is_described() -> None:
    assert describe_side(Side((80,), 80, 2000)) == "One share does all of the 80 operations; 2,000 bytes moved."
    assert describe_side(Side((60, 20), 80, 2000)) == (
        "2 shares, the largest 1.5 × the mean; 80 operations, 2,000 bytes moved."
    )


@pytest.mark.parametrize("schedule", [ROWS, NONZEROS], ids=["rows", "nonzeros"])
def test_tiles_for_real_data_are_cut_down_until_there_are_shares(schedule: list[str]) -> None:
    """Of 1024 nonzeros each, the only share had 100 % of the work, 1.00 times the mean."""
    scaled = account_with_shares(spmv(schedule), UNEVEN, MAX_EVENTS)
    (tile,) = scaled.tiles
    assert tile.command in schedule
    assert tile.counted.startswith(tile.command.rpartition(" ")[0])
    side = side_of(scaled.account)
    assert len(side.shares) >= FEWEST_SHARES
    assert sum(side.shares) == side.work == int(np.count_nonzero(UNEVEN["A"]))
    # A repair that was tried with the smaller tile is offered with that of the plan.
    fix = Fix("Change", schedule=(*scaled.account.result.plan.schedule, "more"))
    assert scaled.restore_tiles(fix).schedule == (*schedule, "more")
    assert scaled.restore_tiles(Fix("Change", formats={"A": "dcsr"})).schedule is None


def test_shares_of_nonzeros_are_more_even_than_those_of_rows() -> None:
    rows, nonzeros = (side_of(account_with_shares(spmv(one), UNEVEN, MAX_EVENTS).account) for one in (ROWS, NONZEROS))
    assert nonzeros.imbalance < 1.1 < rows.imbalance
    assert nonzeros.atomics > rows.atomics == 0


def test_what_has_enough_shares_stays_as_it_is() -> None:
    for schedule in ([], ["parallelize(i, CPUThread, NoRaces)"], ["divide(i, i0, i1, 4)"]):
        scaled = account_with_shares(spmv(schedule), UNEVEN, MAX_EVENTS)
        assert (scaled.tiles, scaled.account.result.plan.schedule) == ((), tuple(schedule))


def test_bytes_tell_a_loop_order_that_moves_more() -> None:
    """Column by column, each line of a matrix that is stored by rows comes again and again."""
    expression = {"expression": "y(i) = B(i,j) * x(j)", "tensors": {}}
    data = {"B": np.ones((64, 64)), "x": np.ones(64)}
    by_rows = side_of(account_with_shares(spmv([], **expression), data, MAX_EVENTS).account)
    by_columns = side_of(account_with_shares(spmv(["reorder(j, i)"], **expression), data, MAX_EVENTS).account)
    assert by_columns.work == by_rows.work
    assert by_columns.bytes > 3 * by_rows.bytes
