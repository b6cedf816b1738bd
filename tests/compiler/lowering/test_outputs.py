"""How the result of a kernel is made is known before anything is lowered."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.results.compute_only_output import ComputeOnlyOutput
from heddle.lowering.results.dense_output import DenseOutput, SharedOutput
from heddle.lowering.results.outputs import output_of
from heddle.lowering.results.single_pass_output import SinglePassOutput
from heddle.lowering.results.two_phase_output import TwoPhaseOutput
from heddle.notation.nodes import Access

SPMV = ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "")
SDDMM = ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr", "C": "csr"}, "")
SUM = ("C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "csr"), "")
TILED = (*SUM[:2], "split(i, i0, i1, 4)")
APPENDED = (*SUM[:2], "assemble(C, Append)")
HYPERSPARSE = ("C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "dcsr"), "assemble(C, Append)")


def graph(program: tuple[str, dict[str, str], str]) -> IterationGraph:
    lowered = hd.lower(*program).lowered_graph
    assert lowered is not None
    return lowered


@pytest.mark.parametrize(
    ("program", "kind", "expected"),
    [
        pytest.param(SPMV, KernelKind.EVALUATE, DenseOutput, id="dense"),
        pytest.param(SPMV, KernelKind.COMPUTE, DenseOutput, id="a dense result has no coordinates that could be given"),
        pytest.param(SDDMM, KernelKind.EVALUATE, SharedOutput, id="the pattern of an operand"),
        pytest.param(TILED, KernelKind.EVALUATE, TwoPhaseOutput, id="count and fill"),
        pytest.param(SUM, KernelKind.EVALUATE, SinglePassOutput, id="a merge whose loops no command has changed"),
        pytest.param(APPENDED, KernelKind.EVALUATE, SinglePassOutput, id="one pass"),
        pytest.param(
            HYPERSPARSE, KernelKind.EVALUATE, TwoPhaseOutput, id="two levels of coordinates are counted all the same"
        ),
        pytest.param(SUM, KernelKind.COMPUTE, ComputeOnlyOutput, id="values only"),
        pytest.param(
            APPENDED, KernelKind.COMPUTE, ComputeOnlyOutput, id="values only, whatever assembled the coordinates"
        ),
    ],
)
def test_which_output_suits(program: tuple[str, dict[str, str], str], kind: KernelKind, expected: type) -> None:
    assert type(output_of(graph(program), kind)) is expected


def test_a_shared_pattern_has_the_positions_of_its_operand() -> None:
    output = output_of(graph(SDDMM), KernelKind.EVALUATE)
    assert [output.owner(level) for level in (1, 2)] == [Access("S", ("i", "j"))] * 2
    assert output.pattern is not None
    assert (output.pattern.tensor, output.pattern.levels) == ("S", 2)


def test_what_becomes_of_a_row_that_is_appended_as_it_is() -> None:
    counted, appended = (
        output_of(graph(TILED), KernelKind.EVALUATE),
        output_of(graph(APPENDED), KernelKind.EVALUATE),
    )
    passes = (KernelKind.ASSEMBLE, KernelKind.EVALUATE)
    assert [counted.row_making(kind) for kind in passes] == [
        RowMaking.LISTED,
        RowMaking.IN_RESULT,
    ]
    assert [appended.row_making(kind) for kind in passes] == [
        RowMaking.BOUNDED,
        RowMaking.IN_RESULT,
    ]
    assert output_of(graph(SUM), KernelKind.COMPUTE).row_making(KernelKind.COMPUTE) is RowMaking.GATHERED


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (KernelKind.EVALUATE, dict.fromkeys(("C2_pos", "C2_crd", "C_vals"), (True, True))),
        (KernelKind.COMPUTE, {"C2_pos": (False, False), "C_vals": (True, False)}),
    ],
)
def test_given_coordinates_are_read_and_values_are_written(
    kind: KernelKind, expected: dict[str, tuple[bool, bool]]
) -> None:
    parameters = lower(allocate_kernel_symbols(graph(SUM), kind=kind)).parameters
    assert {p.array.name: (p.output, p.allocated) for p in parameters if p.array and p.tensor == "C"} == expected
