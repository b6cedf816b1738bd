"""Products of two sparse matrices: one pass or two, and how rows go to the threads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.plan import plan_from_arguments
from compiler.tuning.machine import Machine
from compiler.tuning.statistics import Statistics
from compiler.tuning.suggest import suggest
from tests.compiler.tuning.programs import ALL_CSR, GEMM
from tests.differential.check import check

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20)


@pytest.mark.parametrize(
    ("rows", "longest", "threads", "strategy"),
    [(1000, 20, 1, "Append"), (1000, 20, 2, "Append"), (100_000, 90_000, 2, "Insert")],
)
def test_products_are_appended_where_memory_for_all_of_them_is_small(
    rows: int, longest: int, threads: int, strategy: str
) -> None:
    known = Statistics((rows, rows), 10 * rows, rows, longest, 0, rows)
    machine = replace(MACHINE, threads=threads)
    suggestion = suggest(plan_from_arguments(GEMM, ALL_CSR), {"A": known, "B": known}, machine)
    assert f"assemble(C, {strategy})" in suggestion.schedule
    assert ("balance(i, i0, i1, A, 2)" in suggestion.schedule) is (threads == 2 and strategy == "Append")
    check(GEMM, ALL_CSR, "\n".join(suggestion.schedule))


def test_places_bound_a_product_whose_rows_are_few() -> None:
    """R-MAT: the longest row says that there may be 85 million products, but C has 39 million places."""
    known = Statistics((6250, 6250), 100_000, 6250, 850, 0, 6250)
    suggestion = suggest(plan_from_arguments(GEMM, ALL_CSR), {"A": known, "B": known}, MACHINE)
    assert "assemble(C, Append)" in suggestion.schedule
    assert any("memory for 39,062,500 entries" in reason for reason in suggestion.reasons)


@pytest.mark.parametrize(("left", "right", "parts"), [(850, 850, 16), (850, 20, 2), (20, 850, 2)])
def test_products_of_unlike_rows_are_handed_out_in_parts(left: int, right: int, parts: int) -> None:
    """Where rows of both operands differ, as many entries of A are not as many products."""
    known = {name: Statistics((6250, 6250), 100_000, 6250, n, 0, 6250) for name, n in (("A", left), ("B", right))}
    suggestion = suggest(plan_from_arguments(GEMM, ALL_CSR), known, MACHINE)
    assert f"balance(i, i0, i1, A, {parts})" in suggestion.schedule
    check(GEMM, ALL_CSR, "\n".join(suggestion.schedule))


@pytest.mark.parametrize(("result", "said"), [("dense, compressed(unordered)", True), ("csr", False)])
def test_where_values_are_summed_is_said(result: str, said: bool) -> None:
    known = Statistics((1000, 1000), 10_000, 1000, 20, 0, 1000)
    suggestion = suggest(plan_from_arguments(GEMM, {**ALL_CSR, "C": result}), {"A": known, "B": known}, MACHINE)
    assert ("values are summed where C stores them" in " ".join(suggestion.reasons)) is said
    assert suggestion.result.source is not None
    assert ("w_place[" in suggestion.result.source.text) is said
