"""Sums of parts are offered where they are predicted to pay, and where none is, the numbers say why csr stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.part_costs import PART_COSTS, costs_on
from heddle.tuning.facts.program import program_of
from heddle.tuning.search import part_offers
from heddle.tuning.search.format_offers import suggest_formats, why_csr_stays
from tests.compiler.tuning.programs import SPMM, SPMV

MACHINE = Machine(2, 32, 16, 32 << 20, core_cache_bytes=1 << 20, machine_class="x86-64-v3")
SIDE = 800
BLOCKS = "bcsr(4) where tile(4,1) >= 3 + csr"


def scattered(nnz: int, seed: int = 1) -> scipy.sparse.coo_array:
    cells = np.random.default_rng(seed).permutation(SIDE * SIDE)[:nnz]
    return scipy.sparse.coo_array((np.ones(nnz), (cells // SIDE, cells % SIDE)), shape=(SIDE, SIDE))


def tall_blocks(count: int) -> scipy.sparse.coo_array:
    cells = np.random.default_rng(2).permutation(SIDE // 4 * SIDE)[:count]
    rows = (cells // SIDE * 4)[:, None] + np.arange(4)
    return scipy.sparse.coo_array((np.ones(4 * count), (rows.ravel(), np.repeat(cells % SIDE, 4))), shape=(SIDE, SIDE))


def band(width: int, apart: int = 1) -> scipy.sparse.coo_array:
    offsets = range(-width * apart, width * apart + 1, apart)
    return scipy.sparse.diags_array([1.0] * len(offsets), offsets=offsets, shape=(SIDE, SIDE)).tocoo()


def together(*matrices: scipy.sparse.coo_array) -> scipy.sparse.coo_array:
    return sum(matrices[1:], matrices[0].tocsr()).tocoo()


def asked(matrix: scipy.sparse.coo_array, expression: str = SPMM, machine: Machine = MACHINE, **changes: str):  # type: ignore[no-untyped-def]
    shapes = {"B": (SIDE, 64)} if expression == SPMM else {"x": (SIDE,)}
    dtypes = dict.fromkeys(("A", *shapes), "float32")
    given = {"A": changes.get("format", "csr")}
    plan = plan_from_arguments(expression, given, target=changes.get("target", "c"), dtypes=dtypes, shapes=shapes)
    canonical = matrix.tocsr().tocoo()
    operands = {"A": Entries(matrix.shape, canonical.coords, canonical.data)}
    return suggest_formats(plan, operands, machine), why_csr_stays(plan, operands, machine)


def test_a_matrix_of_blocks_and_scattered_entries_is_offered_both() -> None:
    matrix = together(tall_blocks(12_000), scattered(6_000))
    (offer,), stays = asked(matrix)
    assert stays == ()
    assert (offer.kind, offer.tensor, offer.format) == ("parts", "A", BLOCKS)
    assert offer.reason.startswith("48,")
    assert " entries of A suit bcsr(4), and the others stay in csr: 1.0" in offer.reason
    assert " times as fast as csr on one thread: " in offer.reason
    packed = hd.pack(matrix, offer.format)
    assert offer.places == pytest.approx(packed.padding, rel=0.01)


def test_diagonals_beside_scattered_entries_are_offered_for_a_vector() -> None:
    (offer,), _ = asked(together(band(9, apart=20), scattered(9_000)), SPMV)
    assert offer.format == "dia(32) where depth >= 50 + csr"


def test_rows_that_share_nothing_stay_in_csr_and_the_numbers_say_why() -> None:
    offers, (reason,) = asked(scattered(20_000))
    assert offers == ()
    assert reason.startswith(
        "A stays in csr: no sum of parts is predicted to be 1.1 times as fast. On one thread csr takes about 102 µs, "
    )
    assert f"{BLOCKS} 114 µs with 1.00 places for each entry" in reason
    assert "hyb(1,5) " in reason
    assert reason.endswith("(costs of 2026-11-23).")


@pytest.mark.parametrize(
    "changes", [{"target": "cuda"}, {"format": "csc"}, {"format": "hyb(1,2)"}, {"expression": "y(j) = A(i,j) * x(i)"}]
)
def test_other_programs_hear_nothing(changes: dict[str, str]) -> None:
    expression = changes.pop("expression", SPMM)
    assert asked(scattered(20_000), expression, **changes)[1] == ()


def test_small_matrices_hear_nothing() -> None:
    assert asked(scattered(500)) == ((), ())


def test_where_no_cache_holds_it_all_formats_wait_alike() -> None:
    matrix = together(tall_blocks(12_000), scattered(24_000))
    assert "22 µs beside 32 µs" in asked(matrix, SPMV)[0][0].reason
    offers, (reason,) = asked(matrix, SPMV, machine=replace(MACHINE, cache_bytes=1 << 16))
    assert offers == ()
    assert "On one thread csr takes about 57 µs" in reason
    assert f"{BLOCKS} 57 µs" in reason


@pytest.mark.parametrize("width", [4, 8, 16])
def test_a_band_whose_rows_find_the_columns_of_the_row_before_stays_in_csr(width: int) -> None:
    """Was offered blocks beside csr for 128 columns, which took up to 1.8 times as long."""
    offers, (reason,) = asked(band(width))
    assert [offer.kind for offer in offers if offer.kind == "parts"] == []
    assert "A stays in csr: no sum of parts is predicted to be 1.1 times as fast." in reason


def test_a_dense_matrix_that_no_core_holds_keeps_csr() -> None:
    """Was offered blocks beside csr there too, which took up to 1.2 times as long."""
    matrix = together(tall_blocks(12_000), scattered(6_000))
    offers, (reason,) = asked(matrix, machine=replace(MACHINE, core_cache_bytes=100 << 10))
    assert offers == ()
    assert reason.startswith("A stays in csr: B is larger than the cache that a core has to itself, and then products")
    assert asked(matrix, machine=replace(MACHINE, core_cache_bytes=None))[0]


@pytest.mark.parametrize("largest", [1, 3, 5])
def test_the_pieces_are_those_that_are_packed(largest: int) -> None:
    matrix = together(scattered(3_000), tall_blocks(50))
    packed = hd.pack(matrix, f"hyb(1,{largest})")
    found = part_offers._pieces(np.diff(matrix.tocsr().indptr), largest)
    visits = sum(np.unique(part.levels[0].crd).size for part in packed.parts if part.levels[0].crd is not None)
    assert found == (visits, packed.stored)


def test_the_deep_diagonals_are_those_that_are_packed() -> None:
    matrix = together(band(2), scattered(3_000)).tocsr().tocoo()
    places, held = part_offers._diagonals(*matrix.coords, matrix.shape)
    assert places == 5 * SIDE - 6
    packed = hd.pack(matrix, "dia where depth >= 50 + csr")
    assert held == packed.parts[0].to_coo()[1].size


def test_a_class_that_was_not_measured_takes_the_costs_of_one_that_was_and_says_so() -> None:
    machine = replace(MACHINE, machine_class="aarch64")
    assert costs_on(machine) is PART_COSTS["x86-64-v3"]
    (offer,), _ = asked(together(tall_blocks(12_000), scattered(6_000)), machine=machine)
    assert offer.reason.endswith("Not measured on aarch64: chosen from measurements on x86-64-v3.")


def test_a_program_without_entries_compares_nothing() -> None:
    program = program_of(plan_from_arguments(SPMV, {"A": "csr"}), machine=MACHINE)
    empty = np.zeros(0, dtype=np.int64)
    assert program.driver is not None
    assert part_offers.compare(program, program.driver, Entries((4, 4), (empty, empty), np.zeros(0))) is None
