"""The fill of a sparse result or temporary: what it is where nothing is computed follows from the expression
(docs/sources.toml T45)."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.fills.dtypes import same_fill
from heddle.fills.fill import canonical_value
from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.signature import Signature, TensorSignature


def with_result_fill(signature: Signature, graph: IterationGraph) -> Signature:
    """``signature`` with the fill of its result; a dense result has none.

    Raises
    ------
    CompileError
        ``format/fill-of-result`` where the Plan demands another one.
    """
    result = signature.result
    if result.format.is_dense:
        return signature
    filled = _fill(result, graph, "result")
    return replace(signature, tensors={**signature.tensors, result.name: filled})


def with_temporary_fill(signature: Signature, graph: IterationGraph, name: str) -> Signature:
    """``signature`` with the fill of the temporary that ``graph`` computes, for the statements that read it.

    Raises
    ------
    CompileError
        ``format/fill-of-result`` where the Plan demands another one.
    """
    filled = _fill(signature.temporaries[name], graph, "temporary")
    return replace(
        signature,
        tensors={**signature.tensors, name: filled},
        temporaries={**signature.temporaries, name: filled},
    )


def _fill(tensor: TensorSignature, graph: IterationGraph, noun: str) -> TensorSignature:
    name = tensor.name
    target = next(assign.target for _, assign in assignments(graph.statement) if assign.target.tensor == name)
    fill = canonical_value(background(target).value)
    if tensor.fill != 0 and not same_fill(tensor.fill, fill, tensor.dtype):
        raise CompileError(
            Diagnostic(
                "format/fill-of-result",
                f"where nothing is computed the {noun} {name} is {fill}, so that its fill cannot be {tensor.fill}.",
                Location(Part.FORMAT, tensor=name),
                expected=f"the fill {fill}, which is chosen automatically",
                actual=f"the fill {tensor.fill}",
                hint=f"Give {name} no fill, or store it dense.",
            )
        )
    return replace(tensor, fill=fill)
