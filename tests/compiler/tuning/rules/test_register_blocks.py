"""SpMM on rows of blocks: how wide a tile is, and which rows share it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import SPMM

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20)


@pytest.mark.parametrize(
    ("format", "columns", "registers", "tile", "rows"),
    [
        ("bcsr(2)", 32, 32, "bound(k, k1, 32, MaxExact)", 2),
        ("bcsr(4)", 32, 32, "bound(k, k1, 32, MaxExact)", 4),
        ("bcsr(8)", 32, 32, "split(kb, k0, k1, 16)", 8),
        ("bcsr(16)", 32, 32, "split(kb, k0, k1, 8)", 16),
        ("bcsr(4)", 32, 16, "split(kb, k0, k1, 16)", 4),
        ("bcsr(4)", 24, 32, "split(kb, k0, k1, 8)", 4),
        ("bcsr(20)", 32, 32, "bound(k, k1, 32, MaxExact)", None),  # more rows than registers: one at a time
    ],
)
def test_tiles_of_all_rows_of_a_block_fit_half_of_the_registers(
    format: str, columns: int, registers: int, tile: str, rows: int | None
) -> None:
    plan = plan_from_arguments(SPMM, {"A": format}, shapes={"B": (100, columns)})
    suggestion = suggest(plan, None, replace(MACHINE, registers=registers))
    assert tile in suggestion.schedule
    assert (f"unroll(i_inner, {rows})" in suggestion.schedule) is (rows is not None)
    assert (f"{rows} rows of A share each row of B while it is in registers." in suggestion.reasons) is bool(rows)


def test_too_few_columns_for_a_vector_have_another_schedule() -> None:
    plan = plan_from_arguments(SPMM, {"A": "bcsr(4)"}, shapes={"B": (100, 5)})
    assert suggest(plan, None, MACHINE).rule == "outer-threads"
