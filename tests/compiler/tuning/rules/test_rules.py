"""Every rule's schedule compiles, is the expected one, and computes the right result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import Suggestion, suggest
from tests.compiler.tuning.programs import ALL_CSR, GEMM, MTTKRP, MTTKRP4, MTTKRP5, SDDMM, SPMM, SPMV, SUM, TTM, TTV
from tests.differential.check import check

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20)

CASES = [
    (SPMV, {"A": "csr"}, "row-sums"),
    (SPMV, {"A": "dcsr"}, "row-sums"),
    (SPMV, {"A": "ell"}, "row-sums"),
    (SPMV, {"A": "dia"}, "row-sums"),
    (SPMV, {"A": "csc"}, "default"),
    (SPMV, {"A": "coo"}, "row-sums"),
    (SPMV, {"A": "sell(8)"}, "slotted-rows"),
    (SPMV, {"A": "sell(16)"}, "slotted-rows"),
    (SPMV, {"A": "sell(8,64)"}, "slotted-rows"),
    (SPMV, {"A": "sell-runs(8)"}, "slotted-rows"),
    (SPMV, {"A": "dia(8)"}, "slotted-rows"),
    ("y(i) = A(i,j) * x(j) * z(i)", {"A": "sell(8)"}, "slotted-rows"),
    ("y(j) = A(i,j) * x(i)", {"A": "sell(8)"}, "default"),
    ("H(i,k) = relu(sum(j, A(i,j) * Z(j,k)) + b(k))", {"A": "csr"}, "inner-sums"),
    ("H(i,k) = X(i,k) / (1 + exp(sum(j, A(i,j) * s(j) * Z(j,k))))", {"A": "ell"}, "inner-sums"),
    ("H(i,k) = relu(sum(j, A(i,j) * Z(j,k))) + sum(j, A(i,j) * Z(j,k))", {"A": "csr"}, "driven-threads"),
    ("H(i,k) = B(i,k) * relu(sum(j, A(i,j) * Z(j,k)))", {"A": "csr", "B": "csr"}, "driven-threads"),
    (SPMM, {"A": "sell(8)"}, "register-tiles"),
    (SPMM, {"A": "sell(8,64)"}, "register-tiles"),
    (SPMM, {"A": "sell-runs(8)"}, "register-tiles"),
    (SPMM, {"A": "dia(8)"}, "register-tiles"),
    ("C(j,k) = A(i,j) * B(i,k)", {"A": "sell(8)"}, "outer-threads"),
    (SPMV, {"A": "bcsr(4,4)"}, "outer-threads"),
    (SPMV, {"A": "bcsr(8)"}, "blocked-rows"),
    (SPMV, {"A": "bcsr(4)"}, "blocked-rows"),
    ("y(i) = A(i,j) * x(j) * z(i)", {"A": "bcsr(8)"}, "blocked-rows"),
    ("y(j) = A(i,j) * x(i)", {"A": "bcsr(8)"}, "default"),
    ("y(j) = A(i,j) * x(i)", {"A": "dense, compressed, dense(4) : 1,0,1"}, "blocked-rows"),
    (SPMV, {"A": "dense, compressed, dense(4) : 0,1,1"}, "outer-threads"),
    (SPMM, {"A": "bcsr(8)"}, "register-blocks"),
    (SPMM, {"A": "bcsr(2)"}, "register-blocks"),
    (SPMM, {"A": "bcsr(20)"}, "register-blocks"),
    (SPMM, {"A": "bcsr(4,2)"}, "register-blocks"),
    (SPMM, {"A": "dense, compressed, dense(4) : 0,1,1"}, "register-blocks"),
    ("C(j,k) = A(i,j) * B(i,k)", {"A": "dense, compressed, dense(4) : 1,0,1"}, "register-blocks"),
    ("C(j,k) = A(i,j) * B(i,k)", {"A": "bcsr(4)"}, "outer-threads"),
    ("C(i,k) = A(i,j) * B(j,k) * x(j)", {"A": "bcsr(4)"}, "outer-threads"),
    (SPMV, {"A": "csr", "x": "sparse"}, "driven-threads"),
    ("y(i) = A(i,j) * x(j) + b(i)", {"A": "csr"}, "scaled-row-sums"),
    ("y(i) = 0.85 * A(i,j) * x(j) + c", {"A": "csr"}, "scaled-row-sums"),
    ("y(i) = b(i) - 2 * sum(j, A(i,j) * x(j)) * s", {"A": "ell"}, "scaled-row-sums"),
    ("y(i) = -A(i,j) * x(j)", {"A": "dcsr"}, "scaled-row-sums"),
    ("A(i,j) = 2 * B(i,j,k) * c(k) - D(i,j)", {"B": "csf"}, "default"),
    ("y(i) = A(i,j) * x(j) + B(i,j) * z(j)", {"A": "csr"}, "driven-threads"),
    ("y(i) = A(i,j) * x(j) + z(j)", {"A": "csr"}, "driven-threads"),
    ("y(i) = relu(A(i,j) * x(j))", {"A": "csr"}, "driven-threads"),
    (SPMM, {"A": "csr"}, "register-tiles"),
    (SPMM, {"A": "dcsr"}, "register-tiles"),
    (SPMM, {"A": "ell"}, "register-tiles"),
    (SPMM, {"A": "csc"}, "dense-lanes"),
    (SPMM, {"A": "coo"}, "register-tiles"),
    (SPMM, {"A": "bcsr(2,2)"}, "register-blocks"),
    (SPMM, {}, "outer-threads"),
    ("C(i,j) = B(i,j) * D(i,k) * E(k,j)", {"B": "csr", "C": "csr"}, "sampled"),
    ("C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr", "C": "csr"}, "sampled"),
    ("C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr"}, "sampled"),
    (GEMM, ALL_CSR, "sparse-product"),
    (GEMM, {"A": "csr", "B": "csr"}, "sparse-product"),
    (GEMM, dict.fromkeys("ABC", "csc"), "sparse-product"),
    (SUM, ALL_CSR, "sparse-sum"),
    (SUM, {"A": "csr", "B": "csr"}, "sparse-sum"),
    (SUM, dict.fromkeys("ABC", "dcsr"), "sparse-sum"),
    (TTV, {"B": "csf"}, "row-sums"),
    (TTV, {"B": "csf", "A": "dcsr"}, "row-sums"),
    (TTM, {"B": "csf"}, "register-tiles"),
    (MTTKRP, {"B": "csf"}, "register-tiles"),
    (MTTKRP, {"B": "coo"}, "register-tiles"),
    (MTTKRP, {"B": "csl"}, "register-tiles"),
    (MTTKRP, {"B": "compressed,compressed(nonunique),singleton"}, "register-tiles"),
    (MTTKRP4, {"B": "dense,compressed,compressed(nonunique),singleton"}, "register-tiles"),
    (MTTKRP5, {"B": "dense,compressed,compressed(nonunique),singleton(nonunique),singleton"}, "register-tiles"),
    (TTV, {"B": "coo"}, "row-sums"),
    (GEMM, {"A": "coo", "B": "csr", "C": "csr"}, "sparse-product"),
    (MTTKRP4, {"B": "csf"}, "register-tiles"),
    (MTTKRP5, {"B": "csf"}, "register-tiles"),
    ("A(k,r) = B(i,k,l) * C(i,r) * D(l,r)", {"B": "csf"}, "dense-lanes"),
    ("a = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}, "default"),
]


def suggested(expression: str, formats: dict[str, str], machine: Machine = MACHINE) -> Suggestion:
    return suggest(plan_from_arguments(expression, formats), None, machine)


@pytest.mark.combinations(4, "rule")
@pytest.mark.parametrize(("expression", "formats", "rule"), CASES)
def test_the_rule_is_taken_and_its_schedule_is_right(expression: str, formats: dict[str, str], rule: str) -> None:
    suggestion = suggested(expression, formats)
    assert suggestion.rule == rule
    assert suggestion.reasons
    few = {"k": 9} if "(j,k)" in expression else {"l": 9} if "C(k,l)" in expression else {"r": 9}
    sizes = {variable: size for variable, size in few.items() if f"{variable})" in expression}
    small = {variable: 2 for variable in "kmn" if expression == MTTKRP5}
    check(expression, formats, "\n".join(suggestion.schedule), sizes={**sizes, **small})


@pytest.mark.parametrize(
    ("expression", "format", "dtype", "length", "unrolled"),
    [
        (SPMV, "csr", "float64", 42, True),
        (SPMV, "dcsr", "float32", 42, True),
        (SPMV, "csr", "float64", 3, False),
        (SPMV, "csr", "int32", 42, False),
        (SPMV, "ell", "float64", 42, False),
        (TTV, "csf", "float64", 42, True),
        ("y(i) = 0.5 * A(i,j) * x(j) + 2", "csr", "float32", 42, True),
    ],
)
def test_long_sums_are_several_sums_side_by_side(
    expression: str, format: str, dtype: str, length: int, unrolled: bool
) -> None:
    name, order = ("B", 3) if expression == TTV else ("A", 2)
    known = Statistics((1000,) * order, 1000 * length, 1000, length, 0, 1000)
    dtypes = dict.fromkeys(("A", "B", "x", "c", "y"), dtype)
    used = {one: dtype for one in dtypes if f"{one}(" in expression}
    suggestion = suggest(plan_from_arguments(expression, {name: format}, dtypes=used), {name: known}, MACHINE)
    assert any(command.startswith("unroll(") for command in suggestion.schedule) is unrolled
    check(expression, {name: format}, "\n".join(suggestion.schedule))


@pytest.mark.parametrize(
    ("rank", "side", "vector_bytes", "registers", "tile"),
    [
        (64, 1_000, 64, 32, "bound(r, r1, 64, MaxExact)"),
        (64, 100_000, 64, 32, "split(rb, r0, r1, 32)"),  # factors of 51 MB next to 2 MB of a core's own
        (96, 1_000, 64, 32, "split(rb, r0, r1, 32)"),  # 64 does not divide it
        (32, 1_000, 64, 32, "bound(r, r1, 32, MaxExact)"),
        (64, 1_000, 32, 16, "split(rb, r0, r1, 16)"),
    ],
)
def test_a_tile_takes_all_columns_of_small_factors_where_a_tensor_has_several_reduced_levels(
    rank: int, side: int, vector_bytes: int, registers: int, tile: str
) -> None:
    machine = replace(MACHINE, vector_bytes=vector_bytes, registers=registers, core_cache_bytes=2 << 20)
    for expression in (MTTKRP, MTTKRP5):
        order = 3 if expression == MTTKRP else 5
        factors = dict.fromkeys("CDEF"[: order - 1], (side, rank))
        plan = plan_from_arguments(expression, {"B": "csf"}, shapes={"B": (side,) * order, **factors})
        assert tile in suggest(plan, None, machine).schedule


@pytest.mark.parametrize(
    ("scattered", "columns", "mean", "sampled", "tiles"),
    [
        (0.9, 200_000, 8, True, True),  # 480 MB next to 2 MB of a core's own
        (0.9, 3_000, 8, True, False),  # 7 MB
        (0.9, 100, 8, False, False),
        (0.1, 200_000, 8, False, False),
        (0.9, 200_000, 0.5, True, False),  # most rows of SpMM's result are empty
    ],
)
def test_rows_that_no_cache_holds_are_asked_for_ahead(
    scattered: float, columns: int, mean: float, sampled: bool, tiles: bool
) -> None:
    nonzeros = int(columns * mean)
    known = Statistics((columns, columns), nonzeros, columns, 20, 0, columns, scattered=scattered)
    machine = replace(MACHINE, core_cache_bytes=2 << 20)
    for expression, sparse, dense, asked, command in (
        (SDDMM, "B", {"C": (columns, 300), "D": (columns, 300)}, sampled, "prefetch(D(j,k), 16)"),
        (SPMM, "A", {"B": (columns, 300)}, tiles, "prefetch(B(j,kw), 16)"),
    ):
        plan = plan_from_arguments(expression, {sparse: "csr"}, shapes={sparse: known.shape, **dense})
        for there, wanted in ((machine, asked), (MACHINE, False)):
            suggestion = suggest(plan, {sparse: known}, there)
            assert (command in suggestion.schedule) is wanted, (expression, suggestion.schedule)
            assert any("requested early" in reason for reason in suggestion.reasons) is wanted
        check(expression, {sparse: "csr"}, "\n".join(suggest(plan, {sparse: known}, machine).schedule))


@pytest.mark.parametrize(
    ("scattered", "columns", "length", "asked"),
    [
        (0.9, 8_000_000, 1, True),  # 64 MB next to 32 MB
        (0.9, 3_000_000, 1, False),
        (0.1, 8_000_000, 1, False),
        (0.9, 8_000_000, 30, False),  # several sums side by side, with which it was not measured
    ],
)
def test_elements_of_a_vector_that_no_cache_holds_are_asked_for_ahead(
    scattered: float, columns: int, length: int, asked: bool
) -> None:
    """SpMV with most rows empty was up to 2.5 times slower than with this prefetch."""
    rows = 1_000_000
    known = Statistics((rows, columns), length * 100_000, rows, 40, 0, 100_000, scattered=scattered)
    plan = plan_from_arguments(SPMV, {"A": "csr"}, shapes={"A": known.shape, "x": (columns,)})
    for there, wanted in ((replace(MACHINE, cache_bytes=32 << 20), asked), (replace(MACHINE, cache_bytes=None), False)):
        suggestion = suggest(plan, {"A": known}, there)
        assert ("prefetch(x(j), 16)" in suggestion.schedule) is wanted
        assert (
            any("the element of x for the entry 16 places ahead" in reason for reason in suggestion.reasons) is wanted
        )
        check(SPMV, {"A": "csr"}, "\n".join(suggestion.schedule))


@pytest.mark.parametrize(("format", "scattered", "asked"), [("csl", 0.9, "D"), ("csl", 0.1, ""), ("csf", 0.9, "")])
def test_rows_of_factors_are_asked_for_ahead_where_coordinates_lie_side_by_side(
    format: str, scattered: float, asked: str
) -> None:
    shape = (3_000, 800, 30_000)  # of 300 columns: 1.9 MB, 72 MB
    known = Statistics(shape, 100_000, 3_000, 60, 0, 98_000, scattered=scattered)
    factors = {"C": (800, 300), "D": (30_000, 300)}
    plan = plan_from_arguments(MTTKRP, {"B": format}, shapes={"B": shape, **factors})
    suggestion = suggest(plan, {"B": known}, replace(MACHINE, core_cache_bytes=2 << 20))
    wanted = [f"prefetch({name}(l,rw), 16)" for name in asked]
    assert [command for command in suggestion.schedule if command.startswith("prefetch")] == wanted
    check(MTTKRP, {"B": format}, "\n".join(suggestion.schedule))


@pytest.mark.parametrize(
    ("gathers", "format", "dtype", "length", "changes", "lanes"),
    [
        (True, "csr", "float64", 42, 0.0, True),
        (True, "dcsr", "float32", 42, 0.0, True),
        (True, "csr", "float64", 7, 0.8, True),
        (True, "csr", "float64", 7, 0.0, False),
        (True, "csr", "float64", 1, 0.8, False),
        (True, "csr", "int32", 42, 0.8, False),
        (True, "ell", "float64", 42, 0.8, False),
        (True, "coo", "float64", 42, 0.8, False),
        (False, "csr", "float64", 42, 0.8, False),
    ],
)
def test_lanes_gather_where_the_processor_does_it_fast_and_rows_are_long_or_unlike(
    gathers: bool, format: str, dtype: str, length: int, changes: float, lanes: bool
) -> None:
    known = Statistics((1000, 1000), 1000 * length, 1000, length, 0, 1000, changes=changes)
    plan = plan_from_arguments(SPMV, {"A": format}, dtypes=dict.fromkeys(("A", "x"), dtype))
    suggestion = suggest(plan, {"A": known}, replace(MACHINE, gathers=gathers))
    chosen = "parallelize(j, CPUVector, ParallelReduction)" in suggestion.schedule
    assert chosen is lanes
    assert any("vector lanes gather eight entries at once" in reason for reason in suggestion.reasons) is lanes
    check(SPMV, {"A": format}, "\n".join(suggestion.schedule))


def test_lanes_do_not_gather_by_coordinates_of_64_bits() -> None:
    known = Statistics((1000, 2**31), 42_000, 1000, 42, 0, 1000)
    suggestion = suggest(plan_from_arguments(SPMV, {"A": "csr"}), {"A": known}, replace(MACHINE, gathers=True))
    assert not any("CPUVector" in command for command in suggestion.schedule)


@pytest.mark.parametrize(
    ("format", "dtype", "length", "changes", "unrolled"),
    [
        ("csr", "float64", 5, 0.0, True),
        ("csr", "float32", 4, 0.07, True),
        ("csr", "float64", 5, 0.09, False),
        ("csr", "float64", 3, 0.0, False),
        ("csr", "int64", 5, 0.0, False),
        ("coo", "float64", 5, 0.0, False),
    ],
)
def test_short_rows_of_one_length_are_several_sums_too(
    format: str, dtype: str, length: int, changes: float, unrolled: bool
) -> None:
    known = Statistics((1000, 1000), 1000 * length, 1000, length, 0, 1000, changes=changes)
    plan = plan_from_arguments(SPMV, {"A": format}, dtypes=dict.fromkeys(("A", "x"), dtype))
    suggestion = suggest(plan, {"A": known}, MACHINE)
    assert ("unroll(j, 4)" in suggestion.schedule) is unrolled
    reason = f"{1 - changes:.0%} of the rows of A are as long as the one before: 4 sums side by side"
    assert any(reason in text for text in suggestion.reasons) is unrolled
    check(SPMV, {"A": format}, "\n".join(suggestion.schedule))


@pytest.mark.parametrize(("longest", "unrolled"), [(300, False), (1200, True)])
def test_one_heavy_row_is_summed_side_by_side(longest: int, unrolled: bool) -> None:
    known = Statistics((1000, 5000), 7000, 1000, longest, 0, 1000, changes=0.5)
    suggestion = suggest(plan_from_arguments(SPMV, {"A": "csr"}), {"A": known}, MACHINE)
    assert ("unroll(j, 4)" in suggestion.schedule) is unrolled
    assert any("One sum over j has 1,200 entries, 17% of all" in reason for reason in suggestion.reasons) is unrolled


@pytest.mark.combinations(4, "rule")
@pytest.mark.parametrize(("expression", "formats", "rule"), CASES)
def test_one_thread_asks_for_no_threads(expression: str, formats: dict[str, str], rule: str) -> None:
    alone = Machine(threads=1, vector_bytes=32, registers=16, cache_bytes=None)
    assert not any("CPUThread" in command for command in suggested(expression, formats, alone).schedule)


def test_what_costs_more_for_each_entry_goes_to_the_threads_sooner() -> None:
    """9,000 entries: too few for a sum in registers, enough for a merge or for products in a workspace."""
    known = Statistics((958, 958), 9_064, 958, 47, 0, 958)
    programs = {SPMV: {"A": "csr"}, GEMM: ALL_CSR, SUM: ALL_CSR}
    found = {
        expression: suggest(plan_from_arguments(expression, formats), dict.fromkeys("AB", known), MACHINE)
        for expression, formats in programs.items()
    }
    threaded = [e for e, one in found.items() if any("CPUThread" in command for command in one.schedule)]
    assert threaded == [GEMM, SUM]
    for expression in (GEMM, SUM):
        check(expression, ALL_CSR, "\n".join(found[expression].schedule))


def test_one_thread_adds_in_one_pass() -> None:
    suggestion = suggested(SUM, ALL_CSR, replace(MACHINE, threads=1))
    assert suggestion.schedule == ("assemble(C, Append)",)


@pytest.mark.parametrize(("depth", "bounded"), [(1, False), (6, True), (256, True), (257, False)])
def test_a_known_sampled_sum_has_a_constant_length(depth: int, bounded: bool) -> None:
    expression, formats = "C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr", "C": "csr"}
    shapes = {"D": (9, depth), "E": (7, depth)}
    schedule = suggest(plan_from_arguments(expression, formats), None, MACHINE, shapes).schedule
    assert (f"bound(k, kb, {depth}, MaxExact)" in schedule) is bounded
    rng = np.random.default_rng(depth)
    pattern = rng.integers(0, 2, (9, 7)).astype(float)
    d, e = (rng.integers(-3, 4, shape).astype(float) for shape in shapes.values())
    for target in ("interpreter", "c"):
        found = hd.compile(expression, formats, schedule, target)(B=pattern, D=d, E=e)
        np.testing.assert_array_equal(found.to_numpy(), pattern * (d @ e.T))


@pytest.mark.parametrize(
    ("text", "formats", "rule"),
    [
        ("def mv(float(M,K) A, float(K) x) -> (y) { y(m) +=! A(m,k) * x(k) }", {"A": "csr"}, "row-sums"),
        ("def mm(float(M,K) A, float(K,N) B) -> (C) { C(m,n) +=! A(m,k) * B(k,n) }", {"A": "csr"}, "register-tiles"),
        (
            "def ttm(float(M,K,L) A, float(K,N) B, float(L,N) D) -> (C) { C(m,n) +=! A(m,k,l) * B(k,n) * D(l,n) }",
            {"A": "csf"},
            "register-tiles",
        ),
        ("def shifted(float(M,K) A, float(J) x) -> (y) { y(m) +=! A(m,k) * x(k+1) }", {"A": "csr"}, "driven-threads"),
    ],
)
def test_a_comprehension_over_a_sparse_operand_has_the_rules_of_its_product(
    text: str, formats: dict[str, str], rule: str
) -> None:
    """Its sums are written out, so that no rule saw the product: a pruned layer was a fifth as fast."""
    plan = plan_from_arguments(text, formats, language="comprehension")
    found = suggest(plan, None, MACHINE)
    assert found.rule == rule
    rng = np.random.default_rng(0)
    shapes = {"A": (5, 6, 4), "B": (6, 32), "D": (4, 32)} if "csf" in formats.values() else {"A": (5, 6), "B": (6, 32)}
    shapes |= {"x": (7,) if "shifted" in text else (6,)}
    kernel = hd.compile(text, language="comprehension", formats=formats, schedule="; ".join(found.schedule))
    operands = {
        name: np.where(rng.random(shape) < 0.5, rng.random(shape), 0).astype("float32")
        for name, shape in shapes.items()
        if f"{name}(" in text.split("{")[1]
    }
    expected = {
        "mv": lambda: operands["A"] @ operands["x"],
        "mm": lambda: operands["A"] @ operands["B"],
        "ttm": lambda: np.einsum("mkl,kn,ln->mn", operands["A"], operands["B"], operands["D"]),
        "shifted": lambda: operands["A"] @ operands["x"][1:],
    }[text.split("(")[0].split()[1]]()
    np.testing.assert_allclose(kernel(**operands).to_numpy(), expected, rtol=1e-5)
