"""Which way of making its result suits a kernel."""

from __future__ import annotations

from heddle.iteration_graph.analysis.assembly import Appended, Shared, assembly_of
from heddle.iteration_graph.analysis.result_in_parts import owners_of
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.output import Output
from heddle.lowering.results.compute_only_output import ComputeOnlyOutput
from heddle.lowering.results.dense_output import DenseOutput, SharedOutput
from heddle.lowering.results.parts_output import PartsOutput
from heddle.lowering.results.scattered_output import ScatteredOutput
from heddle.lowering.results.single_pass_output import SinglePassOutput, is_single_pass
from heddle.lowering.results.two_phase_output import TwoPhaseOutput


def output_of(graph: IterationGraph, kind: KernelKind) -> Output:
    """The way of a kernel of this ``kind``."""
    if graph.signature.result.patterns:
        return PartsOutput(owners=owners_of(graph))
    match assembly_of(graph):
        case None:
            return DenseOutput()
        case Shared() as shared:
            return SharedOutput(shared=shared)
        case Appended() as appended if kind is KernelKind.COMPUTE:
            return ComputeOnlyOutput(appended)
        case Appended() as appended if appended.target.tensor in graph.scattered:
            return ScatteredOutput(appended)
        case Appended() as appended if is_single_pass(graph, appended):
            return SinglePassOutput(appended)
        case Appended() as appended:
            return TwoPhaseOutput(appended)
