"""What the rules choose follows the registers of the machine's class: how wide they are, and how many."""

from __future__ import annotations

import pytest

from compiler.plan import plan_from_arguments
from compiler.runtime.machine_class import named
from compiler.tuning.machine import Machine
from compiler.tuning.statistics import Statistics
from compiler.tuning.suggest import suggest
from tests.compiler.tuning.programs import SPMM, SPMV


def machine(name: str) -> Machine:
    one = named(name)
    return Machine(2, one.vector_bytes, one.registers, 32 << 20, machine_class=one.name)


def rows_of(entries: float) -> Statistics:
    rows = 100_000
    return Statistics((rows, rows), int(rows * entries), rows, int(entries) + 1, 0, rows)


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
        ("v3", 5, None),
    ],
)
def test_long_rows_are_summed_in_vectors_where_nothing_masks_them(name: str, entries: int, command: str | None) -> None:
    """Where vectors are masked, the text gathers under masks, which processors that gather slowly are slow at."""
    suggestion = suggest(plan_from_arguments(SPMV, {"A": "csr"}), {"A": rows_of(entries)}, machine(name))
    inner = {"parallelize(j, CPUVector, ParallelReduction)", "unroll(j, 4)"} & {*suggestion.schedule}
    assert inner == ({command} if command else set())
