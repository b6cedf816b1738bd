"""Every rule for GPUs is taken where it should be, says why, and its schedule is right and free of races."""

from __future__ import annotations

import importlib.util

import pytest

import heddle as hd
from heddle.explorer.views.trace.trace import trace_view
from heddle.plan import plan_from_arguments
from heddle.runtime.devices import nvrtc
from heddle.runtime.devices.opencl_devices import devices
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import Suggestion, suggest
from tests.compiler.tuning.programs import ALL_CSR, GEMM, MTTKRP, MTTKRP4, SPMM, SPMV, SUM, TTM, TTV
from tests.differential.check import check

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=None)
SDDMM = "C(i,j) = B(i,j) * D(i,k) * E(k,j)"
TWO_SUMS = "y(i) = B(i,j,k) * c(j) * d(k)"
SAMPLED = {"B": "csr", "C": "csr"}
OPENCL = devices()
COMPILES_CUDA = importlib.util.find_spec("nvidia") is not None


def rows(count: int, mean: int, longest: int) -> Statistics:
    return Statistics((count, count), count * mean, count, longest, 0, count)


def fibres(length: int, longest: int) -> Statistics:
    """10,000 of them in 1,000 rows that are alike."""
    return Statistics((1000,) * 3, 10_000 * length, 1000, 10 * length, 0, 10_000, longest_fibre=longest)


ALIKE, SHORT, LONG = rows(100_000, 16, 20), rows(100_000, 3, 5), rows(100_000, 64, 80)
SKEWED, FEW = rows(100_000, 10, 400), rows(8, 4000, 4000)
COLUMNS, WIDE = {"B": (100_000, 64)}, {"B": (100_000, 200)}

CASES = [
    (SPMV, {"A": "csr"}, None, {}, "gpu-row-sums", "Nothing is known about the rows of A: nonzeros in equal parts"),
    (
        SPMV,
        {"A": "csr"},
        SHORT,
        {},
        "gpu-row-sums",
        "Rows of A are short and of similar length (3 entries): a thread for each row",
    ),
    (SPMV, {"A": "csr"}, LONG, {}, "gpu-row-sums", "Rows of A hold 64 entries on average: a warp for each row"),
    (SPMV, {"A": "csr"}, ALIKE, {}, "gpu-row-sums", "Rows of A hold 16 entries on average, which fits neither"),
    (SPMV, {"A": "csr"}, SKEWED, {}, "gpu-row-sums", "Rows of A differ 40-fold: nonzeros in equal parts, neighbours "),
    (SPMV, {"A": "csr"}, FEW, {}, "gpu-row-sums", "There are 8 rows of A, too few to keep a GPU busy: nonzeros"),
    (SPMV, {"A": "coo"}, None, {}, "gpu-row-sums", "A lists its entries one after another: nonzeros in equal parts"),
    (SPMV, {"A": "ell"}, None, {}, "gpu-row-sums", "All rows of A have equally many slots: a thread for each row"),
    (SPMV, {"A": "csc"}, None, {}, "gpu-row-sums", "A is stored in an order that visits results more than once"),
    *(
        (SPMV, {"A": format}, None, {}, "gpu-slotted-rows", "A slot of A holds one entry for each row of a block")
        for format in ("sell(8)", "sell(32)", "sell(8,64)", "sell-runs(8)", "dia(8)")
    ),
    (SPMV, {"A": "bcsr(4,4)"}, None, {}, "gpu-default", "No rule fits this program"),
    (TTV, {"B": "csf"}, None, {}, "gpu-row-sums", "Nothing is known about the fibres of B"),
    (
        TTV,
        {"B": "csf"},
        fibres(4, 6),
        {},
        "gpu-row-sums",
        "Fibres of B are short and of similar length (4 entries): a thread for ",
    ),
    (TTV, {"B": "csf"}, fibres(50, 90), {}, "gpu-row-sums", "Fibres of B hold 50 entries on average: a warp for each"),
    (TTV, {"B": "csf"}, fibres(20, 25), {}, "gpu-row-sums", "Fibres of B hold 20 entries on average, which fits neith"),
    (TTV, {"B": "csf"}, fibres(9, 90), {}, "gpu-row-sums", "Fibres of B differ 10-fold: nonzeros in equal parts"),
    (TTV, {"B": "csf", "A": "dcsr"}, fibres(50, 90), {}, "gpu-row-sums", "Fibres of B hold 50 entries on average: a "),
    (TTV, {"B": "coo"}, fibres(4, 6), {}, "gpu-row-sums", "B lists its entries one after another"),
    (
        TWO_SUMS,
        {"B": "csf"},
        fibres(4, 6),
        {},
        "gpu-row-sums",
        "Sums over B take several fibres: nonzeros",
    ),
    (SPMM, {"A": "csr"}, None, {}, "gpu-columns", "Nothing is known about the rows of A: 16 neighbouring nonzeros"),
    (SPMM, {"A": "csr"}, ALIKE, {}, "gpu-columns", "Rows of A have similar lengths: 32 lanes for each row"),
    (
        SPMM,
        {"A": "csr"},
        ALIKE,
        {"B": (100_000, 9)},
        "gpu-columns",
        "Rows of A have similar lengths: 8 lanes for each row",
    ),
    (
        SPMM,
        {"A": "csr"},
        ALIKE,
        COLUMNS,
        "gpu-columns",
        "Rows of A have similar lengths: 32 lanes for each row, each with 2",
    ),
    (
        SPMM,
        {"A": "ell"},
        None,
        WIDE,
        "gpu-columns",
        "Rows of A have similar lengths: 32 lanes for each row, each with 4 columns",
    ),
    (SPMM, {"A": "csr"}, SKEWED, WIDE, "gpu-columns", "Rows of A differ 40-fold: 16 neighbouring nonzeros for each 32"),
    (SPMM, {"A": "csc"}, None, WIDE, "gpu-columns", "Nonzeros in equal parts: 16 neighbouring nonzeros for each 32"),
    (
        SPMM,
        {"A": "csr"},
        SKEWED,
        COLUMNS,
        "gpu-columns",
        "Rows of A differ 40-fold: 16 neighbouring nonzeros for each ",
    ),
    (SPMM, {"A": "csc"}, ALIKE, {}, "gpu-columns", "Nonzeros in equal parts: 16 neighbouring nonzeros for each 32"),
    (SPMM, {"A": "ell"}, None, {}, "gpu-columns", "Rows of A have similar lengths: 32 lanes for each row"),
    (TTM, {"B": "csf"}, None, {}, "gpu-columns", "B lists its entries one after another: 16 neighbouring nonzeros"),
    (MTTKRP, {"B": "csf"}, None, {}, "gpu-mttkrp", "Nonzeros in equal parts: 128 neighbouring nonzeros for each 8"),
    (
        MTTKRP,
        {"B": "coo:1,0,2"},
        None,
        {},
        "gpu-mttkrp",
        "Nonzeros in equal parts: 128 neighbouring nonzeros for each 8",
    ),
    (MTTKRP4, {"B": "coo"}, None, {}, "gpu-mttkrp", "Nonzeros in equal parts: 128 neighbouring nonzeros for each 8"),
    (SDDMM, SAMPLED, None, {}, "gpu-sampled", "A warp for each nonzero of B: its lanes share the sum over k"),
    (SDDMM, SAMPLED, None, {"D": (50, 6)}, "gpu-sampled", "Sums over k have 6 products, too few for a warp: a thread"),
    (GEMM, ALL_CSR, None, {}, "gpu-sparse-product", "The threads of a block, or of a warp where that does"),
    (GEMM, {"A": "csr", "B": "csr"}, None, {}, "gpu-sparse-product", "A thread for each row of C"),
    (SUM, ALL_CSR, None, {}, "gpu-sparse-sum", "A thread for each row of C: lanes cannot share the merge"),
    (SUM, ALL_CSR, ALIKE, {}, "gpu-sparse-sum", "A thread for each row of C: lanes cannot share the merge"),
    (SUM, ALL_CSR, SKEWED, {}, "gpu-sparse-sum", "Rows of B have up to 400 entries: the threads of a block"),
    (
        SUM,
        {"A": "csr", "B": "csr"},
        None,
        {},
        "gpu-sparse-sum",
        "A thread for each row of C: lanes cannot share the merge",
    ),
    ("C(i,j) = a(i) * b(j)", {}, None, {}, "gpu-default", "No rule fits this program"),
]
NAMES = [f"{rule}: {formats} {shapes} {reason}" for _, formats, _, shapes, rule, reason in CASES]


def suggested(
    expression: str, formats: dict[str, str], known: Statistics | None, shapes: dict[str, tuple[int, ...]]
) -> Suggestion:
    plan = plan_from_arguments(expression, formats, target="cuda")
    name = "A" if "A" in formats and expression in (SPMV, SPMM) else "B"
    return suggest(plan, {} if known is None else {name: known}, MACHINE, shapes)


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(4, "rule")
@pytest.mark.parametrize(("expression", "formats", "known", "shapes", "rule", "reason"), CASES, ids=NAMES)
def test_the_rule_is_taken_and_its_schedule_is_right(
    expression: str,
    formats: dict[str, str],
    known: Statistics | None,
    shapes: dict[str, tuple[int, ...]],
    rule: str,
    reason: str,
) -> None:
    suggestion = suggested(expression, formats, known, shapes)
    assert suggestion.rule == rule
    assert any(one.startswith(reason) for one in suggestion.reasons), suggestion.reasons
    assert any("GPUBlock" in command for command in suggestion.schedule)
    schedule = "\n".join(suggestion.schedule)
    columns = {"k": shapes["B"][1]} if expression == SPMM and shapes else None
    check(expression, formats, schedule, targets=("interpreter",), sizes=columns)
    if OPENCL:
        check(expression, formats, schedule, targets=("opencl",), sizes=columns)


@pytest.mark.combinations(4)
@pytest.mark.skipif(not COMPILES_CUDA, reason="NVRTC is not installed")
@pytest.mark.parametrize(("expression", "formats", "known", "shapes", "rule", "reason"), CASES, ids=NAMES)
def test_the_cuda_compiles(
    expression: str,
    formats: dict[str, str],
    known: Statistics | None,
    shapes: dict[str, tuple[int, ...]],
    rule: str,
    reason: str,
) -> None:
    result = suggested(expression, formats, known, shapes).result
    assert result.source is not None
    assert nvrtc.compile_text(result.source.text, "sm_80").cubin


@pytest.mark.parametrize(
    ("known", "units"),
    [
        (None, {"GPUWarp, Atomics", "GPUThread, ParallelReduction"}),
        (SHORT, {"GPUThread, NoRaces"}),
        (LONG, {"GPUWarp, NoRaces", "GPUThread, ParallelReduction"}),
    ],
)
def test_who_takes_what_follows_the_rows(known: Statistics | None, units: set[str]) -> None:
    schedule = suggested(SPMV, {"A": "csr"}, known, {}).schedule
    found = {command[:-1].partition(", ")[2] for command in schedule if command.startswith("parallelize(")}
    assert units == {one for one in found if not one.startswith("GPUBlock")}


# The tensor whose last dimension says how many products an entry of the driver takes part in, if any.
TRACED = [
    (SPMV, {"A": "csr"}, {}, "A", None),
    (SPMM, {"A": "csr"}, {}, "A", "C"),
    (SPMM, {"A": "csr"}, WIDE, "A", "C"),
    (SDDMM, SAMPLED, {}, "B", "D"),
    (TTV, {"B": "csf"}, {}, "B", None),
    (TTM, {"B": "csf"}, {}, "B", "A"),
    (MTTKRP, {"B": "csf"}, {}, "B", "A"),
    (MTTKRP4, {"B": "coo"}, {}, "B", "A"),
]


@pytest.mark.combinations(2, "formats", "shapes", "driver", "dense")
@pytest.mark.parametrize(("expression", "formats", "shapes", "driver", "dense"), TRACED)
def test_what_is_chosen_can_be_traced(
    expression: str, formats: dict[str, str], shapes: dict[str, tuple[int, ...]], driver: str, dense: str | None
) -> None:
    """The page shows who does what for a small example of it; the lanes' work adds up to the products."""
    trace = trace_view(suggested(expression, formats, None, shapes).result, {})
    tensors = {tensor["tensor"]: tensor for tensor in trace["tensors"]}
    products = tensors[driver]["nonzeros"] * (1 if dense is None else tensors[dense]["shape"][-1])
    assert trace["diagnostics"] == []
    assert sum(sum(block["work"]) for launch in trace["launches"] for block in launch["blocks"]) == products


@pytest.mark.parametrize(("expression", "known"), [(GEMM, None), (SUM, SKEWED)])
def test_rows_that_threads_collect_can_be_traced(expression: str, known: Statistics | None) -> None:
    """Tables are filled, sorted and read by all lanes, which takes most of the steps that a page can show."""
    result = suggested(expression, ALL_CSR, known, {}).result
    trace = trace_view(result, {})
    assert (trace["ok"], trace["diagnostics"]) == (True, [])
    assert "insert" in str(result.structured and result.structured.text)
    assert {tensor["tensor"]: tensor["nonzeros"] for tensor in trace["tensors"]}["C"] > 10


@pytest.mark.parametrize("format", ["csr", "sell(8)"])
def test_without_statistics_the_rule_is_what_a_program_without_a_schedule_gets(format: str) -> None:
    formats = {"A": format}
    assert hd.lower(SPMV, formats, target="cuda").plan.schedule == suggested(SPMV, formats, None, {}).schedule
