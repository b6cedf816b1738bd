"""The fill of a sparse result: what it is where nothing is computed follows from the expression
(docs/sources.md T45)."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.fills.dtypes import same_fill
from heddle.fills.fill import canonical_value
from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.signature import Signature


def with_result_fill(signature: Signature, graph: IterationGraph) -> Signature:
    """``signature`` with the fill of its result; a dense result has none.

    Raises:
        CompileError: ``format/fill-of-result`` where the Plan demands another one.
    """
    result = signature.result
    if result.format.is_dense:
        return signature
    target = next(assign.target for _, assign in assignments(graph.statement) if assign.target.tensor == result.name)
    fill = canonical_value(background(target).value)
    if result.fill != 0 and not same_fill(result.fill, fill, result.dtype):
        raise CompileError(
            Diagnostic(
                "format/fill-of-result",
                f"where nothing is computed the result {result.name} is {fill}, so that its fill cannot be "
                f"{result.fill}.",
                Location(Part.FORMAT, tensor=result.name),
                expected=f"the fill {fill}, which is chosen automatically",
                found=f"the fill {result.fill}",
                hint=f"Give {result.name} no fill, or store it dense.",
            )
        )
    return replace(signature, tensors={**signature.tensors, result.name: replace(result, fill=fill)})
