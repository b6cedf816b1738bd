"""Formats that the rules offer for the matrix of an SpMV: by what they pad, with reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from heddle.plan import plan_from_arguments
from heddle.runtime.packing.row_conversions.slot_runs import slots_by_diagonals
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts import padding
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.padding import padding_of, places_in_blocks, places_sorted, share_in_runs
from heddle.tuning.search import format_offers
from heddle.tuning.search.format_offers import (
    FEWEST_IN_A_BLOCK,
    MOST_IN_A_ROW,
    FormatOffer,
    rows_side_by_side,
    suggest_formats,
)

SPMV = "y(i) = A(i,j) * x(j)"
MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20, gathers=True)
HALF = replace(MACHINE, vector_bytes=32, registers=16, gathers=False)
ROWS = MACHINE.lanes(8)
TALL = rows_side_by_side(MACHINE, 8)


def entries(matrix: scipy.sparse.coo_array) -> Entries:
    return Entries(matrix.shape, matrix.coords, matrix.data)


def band(rows: int, diagonals: int) -> scipy.sparse.coo_array:
    offsets = range(-(diagonals // 2), diagonals - diagonals // 2)
    return scipy.sparse.diags_array([1.0] * diagonals, offsets=offsets, shape=(rows, rows)).tocoo()


def even(rows: int, length: int) -> scipy.sparse.coo_array:
    columns = np.random.default_rng(1).permuted(np.tile(np.arange(rows), (rows, 1)), axis=1)[:, :length]
    return scipy.sparse.coo_array((np.ones(rows * length), (np.repeat(np.arange(rows), length), columns.ravel())))


def skewed(rows: int) -> scipy.sparse.coo_array:
    lengths = np.where(np.arange(rows) % 8 == 0, 40, 2)
    columns = np.concatenate([np.arange(length) * 7 % rows for length in lengths])
    return scipy.sparse.coo_array((np.ones(columns.size), (np.repeat(np.arange(rows), lengths), columns)))


def powers(rows: int) -> scipy.sparse.coo_array:
    """Few rows have most entries, in no order."""
    lengths = np.random.default_rng(2).permutation(np.where(np.arange(rows) < 3, rows // 2, 2))
    columns = np.concatenate([np.arange(length) * 7 % rows for length in lengths])
    return scipy.sparse.coo_array((np.ones(columns.size), (np.repeat(np.arange(rows), lengths), columns)))


def moving(rows: int) -> scipy.sparse.coo_array:
    """Diagonals that are others in each stretch of rows."""
    row = np.repeat(np.arange(rows), 6)
    column = row + np.tile([0, 1, 2, 5, 7, 9], rows) * (1 + row // 64) % 97
    return scipy.sparse.coo_array((np.ones(row.size), (row, column)), shape=(rows, rows + 97))


def offered(
    matrix: scipy.sparse.coo_array,
    format: str = "csr",
    *,
    gathers: bool = True,
    machine: Machine = MACHINE,
    **changes: str,
) -> tuple[FormatOffer, ...]:
    plan = plan_from_arguments(changes.get("expression", SPMV), {"A": format}, target=changes.get("target", "c"))
    return suggest_formats(plan, {"A": entries(matrix)}, replace(machine, gathers=gathers))


def test_a_band_is_offered_diagonals() -> None:
    (offer,) = offered(band(1000, 5))
    assert (offer.tensor, offer.format) == ("A", f"dia({TALL})")
    assert offer.reason.startswith("5 diagonals hold all entries of A, with 1.0")


def in_blocks(rows: int, height: int, length: int) -> scipy.sparse.coo_array:
    """``height`` rows at a time have the same ``length`` columns, in no order."""
    drawn = np.random.default_rng(5).permuted(np.tile(np.arange(rows), (rows // height, 1)), axis=1)[:, :length]
    columns = np.repeat(drawn, height, axis=0)
    return scipy.sparse.coo_array((np.ones(columns.size), (np.repeat(np.arange(rows), length), columns.ravel())))


def test_rows_that_share_columns_are_offered_blocks_of_half_a_vector_or_a_whole_one() -> None:
    (offer,) = offered(in_blocks(400, ROWS // 2, 6))
    assert (offer.tensor, offer.format) == ("A", f"bcsr({ROWS // 2})")
    assert "and one column take 1.00 places for each entry" in offer.reason
    (offer,) = offered(in_blocks(400, ROWS, 6))
    assert offer.format == f"bcsr({ROWS})"


def test_long_rows_and_many_entries_are_offered_blocks_where_these_are_nearly_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long, pairs = in_blocks(400, ROWS, MOST_IN_A_ROW + 2), in_blocks(1200, FEWEST_IN_A_BLOCK // 2, 6)
    assert [offer.format for offer in offered(long)] == [f"bcsr({ROWS})"]
    assert offered(in_blocks(400, FEWEST_IN_A_BLOCK // 2, MOST_IN_A_ROW + 2)) == ()
    assert offered(pairs)[0].format.startswith("bcsr(")
    monkeypatch.setattr(format_offers, "MOST_SLICED", 1000)
    assert not any(offer.format.startswith("bcsr(") for offer in offered(pairs))


def test_even_rows_are_offered_slices() -> None:
    (offer,) = offered(even(400, 6))
    assert (offer.tensor, offer.format) == ("A", f"sell({ROWS})")
    assert offer.places == 1.0


def test_where_gathers_are_slow_slices_are_offered_for_short_rows_alone() -> None:
    """Measured on AMD Zen 4: with 6 to 10 entries in a row they are no faster than csr."""
    assert offered(even(400, 6), gathers=False) == ()
    assert [offer.format for offer in offered(even(400, 4), gathers=False)] == [f"sell({ROWS})"]


def half_shared(rows: int) -> scipy.sparse.coo_array:
    """Four rows at a time share four of their seven columns: 2.3 places for each entry in blocks of these rows."""
    shared, own = in_blocks(rows, FEWEST_IN_A_BLOCK, 4), np.random.default_rng(6).integers(0, 40 * rows, (rows, 3))
    row = np.concatenate([shared.row, np.repeat(np.arange(rows), 3)])
    return scipy.sparse.coo_array((np.ones(row.size), (row, np.concatenate([shared.col, rows + own.ravel()]))))


def test_where_gathers_are_slow_blocks_may_pad_more() -> None:
    """Measured on AMD Zen 4 with the mesh jagmesh7: 1.7 times as fast as csr, which slices are not."""
    matrix = half_shared(400)
    assert [offer.format for offer in offered(matrix, gathers=False)] == [f"bcsr({FEWEST_IN_A_BLOCK})"]
    assert not any(offer.format.startswith("bcsr") for offer in offered(matrix))


def test_rows_of_unlike_length_are_offered_sorted_slices() -> None:
    (offer,) = offered(skewed(800))
    assert (offer.tensor, offer.format) == ("A", f"sell({ROWS},512)")
    assert "take 1.03 places for each entry, not 5.93," in offer.reason
    assert offer.places <= 1.1


@pytest.mark.parametrize(
    ("matrix", "format", "narrow"),
    [
        (band(1000, 5), "dia(32)", "dia(16)"),
        (moving(1024), "sell-runs(32)", "sell-runs(16)"),
        (in_blocks(400, 4, 6), "bcsr(4)", "bcsr(4)"),
        (even(400, 4), "sell(4)", "sell(4)"),
        (skewed(800), "sell(4,512)", "sell(4,512)"),
    ],
    ids=["diagonals", "runs", "blocks", "slices", "sorted slices"],
)
def test_formats_are_as_tall_as_the_registers_of_the_machine(
    matrix: scipy.sparse.coo_array, format: str, narrow: str
) -> None:
    """Vectors of four lanes, and of two: blocks of sums take half of the registers, others four rows at least."""
    assert [offer.format for offer in offered(matrix, machine=HALF)] == [format]
    assert [offer.format for offer in offered(matrix, machine=replace(HALF, vector_bytes=16))] == [narrow]


def test_many_entries_are_offered_slices_where_rows_are_sorted_and_short_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_offers, "MOST_SLICED", 1000)
    assert offered(even(400, 6)) == ()
    (offer,) = offered(skewed(800))
    assert offer.format == f"sell({ROWS},512)"
    monkeypatch.setattr(format_offers, "FEW_IN_A_ROW", 4)
    assert offered(skewed(800)) == ()


def test_diagonals_that_end_are_offered_runs() -> None:
    (offer,) = offered(moving(1024))
    assert (offer.tensor, offer.format) == ("A", f"sell-runs({TALL})")
    assert offer.reason.startswith("100% of the entries of A lie in slices")


@pytest.mark.parametrize(
    ("matrix", "changes"),
    [
        (powers(400), {}),
        (even(200, 80), {}),
        (band(100, 5), {}),
        (band(1000, 5), {"format": "dcsr"}),
        (band(1000, 5), {"target": "opencl"}),
        (band(1000, 5), {"expression": "y(j) = A(i,j) * x(i)"}),
        (band(1000, 5), {"expression": "C(i,k) = A(i,j) * B(j,k)"}),
        (band(1000, 5), {"expression": "y(i) = A(i,j) * x(j) + b(i)"}),
    ],
    ids=[
        "few long rows",
        "long rows",
        "small",
        "other format",
        "other target",
        "by columns",
        "other kernel",
        "no product",
    ],
)
def test_nothing_is_offered_where_no_rule_knows(matrix: scipy.sparse.coo_array, changes: dict[str, str]) -> None:
    assert offered(matrix, **changes) == ()


def test_an_offer_that_conflicts_with_another_tensor_is_not_made() -> None:
    plan = plan_from_arguments(SPMV, {"A": "csr", "y": "dense, dense(3) : 0,0"})
    assert suggest_formats(plan, {"A": entries(band(1000, 5))}, MACHINE) == ()


@pytest.mark.parametrize("height", [1, 3, 8])
def test_padding_counts_what_is_stored(height: int) -> None:
    matrix = scipy.sparse.random_array((29, 17), density=0.2, rng=np.random.default_rng(3)).tocoo()
    dense, blocks = matrix.toarray() != 0, -(-29 // height)
    lengths = np.concatenate([dense.sum(axis=1), np.zeros(blocks * height - 29, dtype=int)])
    slots = lengths.reshape(blocks, height).max(axis=1).sum()
    distances = {column - row for row, column in zip(*matrix.coords, strict=True)}
    found = padding_of(*matrix.coords, matrix.shape, height)
    assert found.sliced == slots * height / matrix.nnz
    assert found.diagonals == len(distances)
    assert found.diagonal == len(distances) * blocks * height / matrix.nnz


@pytest.mark.parametrize("height", [1, 4, 8])
def test_sorting_counts_what_is_stored(height: int) -> None:
    import heddle as hd

    matrix = scipy.sparse.random_array((61, 17), density=0.2, rng=np.random.default_rng(4)).tocoo()
    packed = hd.pack(matrix, f"sell({height},24)")
    assert places_sorted(matrix.coords[0], 61, height, 24) * matrix.nnz == packed.vals.size


@pytest.mark.parametrize("height", [1, 4, 8])
def test_blocks_count_what_is_stored(height: int) -> None:
    import heddle as hd

    matrix = scipy.sparse.random_array((61, 17), density=0.2, rng=np.random.default_rng(4)).tocoo()
    found = places_in_blocks(*matrix.coords, height)
    assert found * matrix.nnz == pytest.approx(hd.pack(matrix, f"bcsr({height})").vals.size)


def test_of_many_entries_some_rows_of_blocks_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(padding, "SAMPLED_ENTRIES", 500)
    assert places_in_blocks(*in_blocks(800, 4, 6).coords, 4) == 1.0
    assert places_in_blocks(*in_blocks(800, 4, 6).coords, 8) == pytest.approx(2.0, abs=0.1)
    alone = np.full(3000, 8), np.arange(3000)
    assert places_in_blocks(*alone, 4) == 4.0


def test_diagonals_of_a_large_matrix_are_told_apart_with_32_bits() -> None:
    place, crd = np.array([0, 3_199_999], np.int32), np.array([0, 99_999], np.int32)
    number, aligned = slots_by_diagonals(place, crd, np.ones(100_000, np.int64), 32)
    assert number.tolist() == [0, 0]
    assert aligned.all()


def test_runs_are_counted_where_the_slices_have_slots_for_all_their_diagonals() -> None:
    matrix = scipy.sparse.vstack([band(16, 3), even(16, 5)]).tocoo()
    inside = band(16, 3).nnz / matrix.nnz
    assert share_in_runs(*matrix.coords, 32, 8) == pytest.approx(inside)


def test_a_matrix_without_entries_has_no_padding() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert padding_of(empty, empty, (5, 5), 8).diagonals == 0


def offered_for_columns(
    matrix: scipy.sparse.coo_array,
    columns: int = 32,
    format: str = "csr",
    cache: int | None = 32 << 20,
    machine: Machine = MACHINE,
) -> tuple[FormatOffer, ...]:
    shapes = {"B": (matrix.shape[1], columns)}
    plan = plan_from_arguments("C(i,k) = A(i,j) * B(j,k)", {"A": format}, shapes=shapes)
    return suggest_formats(plan, {"A": entries(matrix)}, replace(machine, cache_bytes=cache))


def test_rows_that_share_columns_are_offered_blocks_for_a_dense_operand() -> None:
    (offer,) = offered_for_columns(in_blocks(400, 4, 6))
    assert (offer.tensor, offer.format, offer.places) == ("A", "bcsr(4)", 1.0)
    assert offer.reason == (
        "Neighbouring rows of A share columns: blocks of 4 rows and one column take 1.00 places for each entry, and a "
        "row of B serves all rows of a block while it is in registers. Measured up to 1.5 times as fast as csr in "
        "cache."
    )
    assert [offer.format for offer in offered_for_columns(in_blocks(400, 2, 6))] == ["bcsr(2)"]
    assert [offer.format for offer in offered_for_columns(band(1000, 9))] == ["bcsr(2)"]


def test_pairs_of_rows_are_not_offered_where_the_sums_of_one_row_fill_the_few_registers() -> None:
    """On a band with 128 columns they were chosen and slower than csr."""
    few = replace(MACHINE, vector_bytes=32, registers=16)
    matrix = in_blocks(400, 2, 6)
    assert [offer.format for offer in offered_for_columns(matrix, 32, machine=few)] == ["bcsr(2)"]
    assert offered_for_columns(matrix, 33, machine=few) == ()
    assert [offer.format for offer in offered_for_columns(in_blocks(400, 4, 6), 128, machine=few)] == ["bcsr(4)"]


def test_blocks_are_not_offered_for_a_dense_operand_where_they_do_not_pay() -> None:
    shared = in_blocks(400, 4, 6)
    assert offered_for_columns(even(400, 6)) == ()
    assert offered_for_columns(band(1000, 2)) == ()
    assert offered_for_columns(shared, columns=3) == ()
    assert offered_for_columns(shared, cache=100_000) == ()
    assert offered_for_columns(shared, format="dcsr") == ()
    assert offered_for_columns(shared, cache=None) != ()
