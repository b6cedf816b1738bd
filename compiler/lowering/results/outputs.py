"""Which way of making its result suits a kernel."""

from __future__ import annotations

from compiler.iteration_graph.analysis.assembly import Appended, Shared, assembly_of
from compiler.iteration_graph.analysis.result_in_parts import owners_of
from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.lowering.environment.output import Output
from compiler.lowering.results.counted_output import CountedOutput
from compiler.lowering.results.dense_output import DenseOutput, SharedOutput
from compiler.lowering.results.given_output import GivenOutput
from compiler.lowering.results.one_pass_output import OnePassOutput, in_one_pass
from compiler.lowering.results.parts_output import PartsOutput


def output_of(graph: IterationGraph, given: bool) -> Output:
    """``given``: the coordinates of an appended result are there already, and only its values are computed."""
    if graph.signature.result.patterns:
        return PartsOutput(owners=owners_of(graph))
    match assembly_of(graph):
        case None:
            return DenseOutput()
        case Shared() as shared:
            return SharedOutput(shared=shared)
        case Appended() as appended if given:
            return GivenOutput(appended)
        case Appended() as appended if in_one_pass(graph, appended):
            return OnePassOutput(appended)
        case Appended() as appended:
            return CountedOutput(appended)
