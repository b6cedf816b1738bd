"""Each loop takes the first way of accumulating that suits it."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import Forall
from heddle.lowering import statement as lowering
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.results.choose_accumulator import ACCUMULATIONS, Accumulation, InPlace, find_accumulation
from heddle.lowering.results.lane_reduction import LaneReduction
from heddle.lowering.results.result_copies import ResultCopies
from heddle.lowering.results.scalar_sum import ScalarSum
from heddle.lowering.results.segmented_sums import SegmentedSums

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
POSITIONS = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 8)", "parallelize(p0, CPUThread, Atomics)")
COLUMNS = (
    "reorder(i, j, k)",
    *POSITIONS[:3],
    "split(k, k0, k1, 4)",
    "reorder(p0, k0, p1, k1)",
    "parallelize(p0, CPUThread, Atomics)",
)
LANES = (
    "fuse(i, j, f)",
    "pos(f, p, A)",
    "split(p, b, p1, 128)",
    "split(p1, w, l, 32)",
    "parallelize(b, GPUBlock, IgnoreRaces)",
    "parallelize(w, GPUWarp, Atomics)",
    "parallelize(l, GPUThread, ParallelReduction)",
)
COPIES = ("parallelize(j, CPUThread, Temporary)",)


def accumulations(
    monkeypatch: pytest.MonkeyPatch, expression: str, format: str, schedule: tuple[str, ...], target: str = "c"
) -> dict[str, Accumulation]:
    """What each loop of the kernel, by its variable, accumulates with."""
    found: dict[str, Accumulation] = {}

    def noted(environment: LoopEnvironment, statement: Forall) -> Accumulation:
        found[statement.variable] = find_accumulation(environment, statement)
        return found[statement.variable]

    graph = hd.lower(expression, {"A": format}, "\n".join(schedule), target).lowered_graph
    assert graph is not None
    with monkeypatch.context() as patched:
        patched.setattr(lowering, "find_accumulation", noted)
        lower(allocate_kernel_symbols(graph))
    return found


@pytest.mark.parametrize(
    ("expression", "format", "schedule", "target", "expected"),
    [
        pytest.param(SPMV, "csr", (), "c", {"i": InPlace, "j": ScalarSum}, id="a row at a known position"),
        pytest.param(SPMV, "csc", (), "c", {"j": InPlace, "i": InPlace}, id="scattered by one worker"),
        pytest.param(SPMV, "csr", POSITIONS, "c", {"p0": InPlace, "p1": SegmentedSums}, id="rows that are tracked"),
        pytest.param(
            SPMM,
            "csr",
            COLUMNS,
            "c",
            {"p0": InPlace, "k0": InPlace, "p1": SegmentedSums, "k1": InPlace},
            id="rows of several columns",
        ),
        pytest.param(SPMV, "csr", LANES, "cuda", {"b": InPlace, "w": InPlace, "l": LaneReduction}, id="lanes"),
        pytest.param(SPMV, "csc", COPIES, "c", {"j_part": ResultCopies, "j_in": InPlace, "i": InPlace}, id="copies"),
    ],
)
def test_which_accumulation_suits_a_loop(
    expression: str,
    format: str,
    schedule: tuple[str, ...],
    target: str,
    expected: dict[str, type],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = accumulations(monkeypatch, expression, format, schedule, target)
    assert {variable: type(accumulation) for variable, accumulation in found.items()} == expected


def test_columns_of_a_segment_have_a_sum_each(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = accumulations(monkeypatch, SPMM, "csr", COLUMNS)["p1"]
    assert isinstance(sums, SegmentedSums)
    assert (sums.rows, sums.columns, sums.tracked) == (("i",), ("k1",), True)


def test_the_last_row_of_the_table_suits_every_loop() -> None:
    graph = hd.lower(SPMV, {"A": "csr"}).lowered_graph
    assert graph is not None
    assert isinstance(graph.statement, Forall)
    assert isinstance(ACCUMULATIONS[-1](LoopEnvironment(allocate_kernel_symbols(graph)), graph.statement), InPlace)
