"""Products of two sparse matrices: one pass or two, and how rows go to the threads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import suggest
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


@pytest.mark.parametrize(
    ("left", "right", "counted"),
    [
        ({"longest": 850}, {"longest": 850}, True),
        ({"longest": 850}, {"longest": 20}, False),
        ({"longest": 20}, {"longest": 850}, False),
        ({"drift": 0.2}, {"drift": 0.2}, True),
        ({"drift": 0.2}, {"drift": 0.0}, False),
        ({"longest": 850, "drift": 0.2}, {"drift": 0.2}, False),
    ],
)
def test_products_are_counted_where_as_many_entries_may_not_be_as_many(
    left: dict[str, float], right: dict[str, float], counted: bool
) -> None:
    """Where rows of both operands differ, or change from the first to the last."""
    usual = Statistics((6250, 6250), 100_000, 6250, 20, 0, 6250)
    known = {"A": replace(usual, **left), "B": replace(usual, **right)}  # type: ignore[arg-type]
    suggestion = suggest(plan_from_arguments(GEMM, ALL_CSR), known, MACHINE)
    assert f"balance(i, i0, i1, A, 2{', B' if counted else ''})" in suggestion.schedule
    assert ("with equally many products of A and B" in " ".join(suggestion.reasons)) is counted
    check(GEMM, ALL_CSR, "\n".join(suggestion.schedule))


def test_operands_without_dense_rows_are_balanced_by_entries() -> None:
    usual = Statistics((6250, 6250), 100_000, 6250, 850, 0, 6250)
    for formats in ({**ALL_CSR, "B": "dcsr"}, {**ALL_CSR, "A": "dcsr"}):
        suggestion = suggest(plan_from_arguments(GEMM, formats), {"A": usual, "B": usual}, MACHINE)
        assert not any(command.endswith(", B)") for command in suggestion.schedule)


@pytest.mark.parametrize(("result", "said"), [("dense, compressed(unordered)", True), ("csr", False)])
def test_where_values_are_summed_is_said(result: str, said: bool) -> None:
    known = Statistics((1000, 1000), 10_000, 1000, 20, 0, 1000)
    suggestion = suggest(plan_from_arguments(GEMM, {**ALL_CSR, "C": result}), {"A": known, "B": known}, MACHINE)
    assert ("values are summed where C stores them" in " ".join(suggestion.reasons)) is said
    assert suggestion.result.source is not None
    assert ("w_place[" in suggestion.result.source.text) is said
