"""What the rules choose follows the registers of the machine's class: how wide they are, and how many."""

from __future__ import annotations

import pytest

from heddle.plan import plan_from_arguments
from heddle.runtime.native.machine_class import parse_name
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import SPMM, SPMV


def machine(name: str) -> Machine:
    one = parse_name(name)
    return Machine(2, one.vector_bytes, one.registers, 32 << 20, machine_class=one.name)


def rows_of(entries: float) -> Statistics:
    rows = 100_000
    return Statistics((rows, rows), int(rows * entries), rows, int(entries) + 1, 0, rows)


@pytest.mark.parametrize(
    ("columns", "entries", "unrolled"),
    [(8, 27, "unroll(j, 2)"), (4, 27, "unroll(j, 2)"), (4, 300, "unroll(j, 4)"), (8, 5, None), (16, 27, None)],
)
def test_narrow_tiles_are_several_where_rows_are_long(columns: int, entries: int, unrolled: str | None) -> None:
    """Two vectors of AVX2, or one, would wait for each other from entry to entry."""
    plan = plan_from_arguments(SPMM, {"A": "csr"})
    suggestion = suggest(plan, {"A": rows_of(entries)}, machine("v3"), shapes={"B": (100_000, columns)})
    assert [one for one in suggestion.schedule if one.startswith("unroll")] == ([unrolled] if unrolled else [])
    assert any("side by side" in reason for reason in suggestion.reasons) is (unrolled is not None)


@pytest.mark.parametrize(
    ("empty", "columns", "rule"),
    [
        (90_000, 128, "driven-threads"),
        (90_000, 8, "register-tiles"),
        (20_000, 128, "register-tiles"),
    ],
)
def test_rows_of_zeros_that_no_cache_holds_are_set_all_at_once(empty: int, columns: int, rule: str) -> None:
    known = Statistics((100_000, 100_000), 100_000, 100_000, 9, empty, 100_000 - empty)
    plan = plan_from_arguments(SPMM, {"A": "csr"})
    assert suggest(plan, {"A": known}, machine("v3"), shapes={"B": (100_000, columns)}).rule == rule


@pytest.mark.parametrize(("name", "widths"), [("v2", (16, 32)), ("v3", (32, 64)), ("v4", (32, 64))])
def test_a_tile_of_columns_takes_half_of_the_registers_at_most(name: str, widths: tuple[int, int]) -> None:
    for dtype, width in zip(("float64", "float32"), widths, strict=True):
        plan = plan_from_arguments(SPMM, {"A": "csr"}, dtypes={"A": dtype, "B": dtype})
        schedule = suggest(plan, None, machine(name), shapes={"B": (100, 1024)}).schedule
        assert f"split(k, k0, k1, {width})" in schedule


@pytest.mark.parametrize(("name", "width"), [("v2", 4), ("v3", 8), ("v4", 32)])
def test_the_tiles_of_all_rows_of_a_block_do(name: str, width: int) -> None:
    plan = plan_from_arguments(SPMM, {"A": "bcsr(4)"})
    schedule = suggest(plan, None, machine(name), shapes={"B": (100, 1024)}).schedule
    assert f"split(k, k0, k1, {width})" in schedule


@pytest.mark.parametrize(
    ("name", "entries", "command"),
    [
        ("v2", 27, "parallelize(j, CPUVector, ParallelReduction)"),
        ("v3", 27, "parallelize(j, CPUVector, ParallelReduction)"),
        ("v4", 27, "unroll(j, 4)"),
        ("v3", 5, "unroll(j, 4)"),
        ("v3", 3, None),
    ],
)
def test_long_rows_are_summed_in_vectors_where_nothing_masks_them(name: str, entries: int, command: str | None) -> None:
    """Where vectors are masked, the text gathers under masks, which processors that gather slowly are slow at."""
    suggestion = suggest(plan_from_arguments(SPMV, {"A": "csr"}), {"A": rows_of(entries)}, machine(name))
    inner = {"parallelize(j, CPUVector, ParallelReduction)", "unroll(j, 4)"} & {*suggestion.schedule}
    assert inner == ({command} if command else set())
