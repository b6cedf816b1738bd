"""May an operand be computed with part by part? Where the expression distributes over parts that store no coordinate
twice: what it is at the fill of the operand must change nothing in the result."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from compiler.formats.printer import format_text
from compiler.iteration_graph.algebra.absent_operands import simplify
from compiler.iteration_graph.algebra.constants import identity
from compiler.iteration_graph.build.bind import bind
from compiler.names import Names
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import (
    Access,
    Assignment,
    Expression,
    Literal,
    Reduce,
    accesses,
    index_variables,
    operands_of,
    with_operands,
)
from compiler.notation.printer import to_text
from compiler.signature import Signature, TensorSignature


def composed_operand(assignment: Assignment, signature: Signature) -> TensorSignature | None:
    """The operand that is a sum of parts, if any.

    Raises:
        CompileError: ``format/composed`` for what no program with parts may be: several such operands, one that is read
            in two ways, several statements, a result that is no dense array.
    """
    composed = [tensor for tensor in signature.tensors.values() if tensor.format.composition is not None]
    temporary = next((t for t in signature.temporaries.values() if t.format.composition is not None), None)
    if not composed and temporary is None:
        return None
    result = signature.result
    if result in composed or temporary is not None:
        tensor = temporary or result
        raise _refused(
            tensor, f"{tensor.name} is computed, and a result cannot be stored as a sum of parts", "an operand"
        )
    if len(composed) > 1:
        names = " and ".join(tensor.name for tensor in composed)
        raise _refused(composed[1], f"{names} are both sums of parts", "one operand that is a sum of parts")
    (tensor,) = composed
    if assignment.temporaries:
        raise _refused(
            tensor, f"{tensor.name} is a sum of parts, and the expression has several statements", "one statement"
        )
    if not result.format.is_dense:
        found = format_text(result.format)
        raise _refused(
            tensor,
            f"{tensor.name} is a sum of parts, each of which adds into {result.name}, which is stored as {found}",
            f"{result.name} dense",
            Fix(f"Store {result.name} dense", formats={result.name: "dense"}),
        )
    read = dict.fromkeys(a.indices for a in accesses(assignment.expression) if a.tensor == tensor.name)
    if len(read) > 1:
        ways = " and ".join(f"{tensor.name}({','.join(indices)})" for indices in read)
        raise _refused(tensor, f"{ways} would each need all parts of {tensor.name}", "one way to read it")
    return tensor


def check_distributes(assignment: Assignment, term: Expression, operator: str, signature: Signature, name: str) -> None:
    """Raises CompileError ``format/not-decomposable`` unless ``term``, which is combined into the result with
    ``operator``, changes nothing there wherever ``name`` stores nothing."""
    whole = Assignment(assignment.target, operator, term)
    names = Names({*index_variables(whole), *signature.tensors})
    bound = bind(whole, signature, names)
    absent = frozenset(a for a in accesses(bound) if a.tensor == name)
    rest = simplify(_without_reductions(bound, absent), absent, {})
    neutral = identity(ASSIGNMENTS[operator], signature.result.dtype)
    if isinstance(rest, Literal) and rest.value == neutral:
        return
    shown = to_text(rest)
    tensor = signature.tensors[name]
    combined = "added" if operator == "+=" else f"combined with {operator.removesuffix('=')}"
    raise CompileError(
        Diagnostic(
            "format/not-decomposable",
            f"{name} is a sum of parts, whose results are {combined}. Where {name} stores nothing, {to_text(term)} "
            f"is {shown}, which every part would contribute. Store {name} in one part.",
            Location(Part.FORMAT, tensor=name),
            expected=f"an expression that is {neutral} where {name} stores nothing",
            found=f"{shown}",
            fixes=tuple(_in_one_part(tensor)),
        )
    )


def _without_reductions(expression: Expression, absent: frozenset[Access]) -> Expression:
    """The expression with the neutral value in the place of each reduction over nothing but that."""
    match expression:
        case Access() | Literal():
            return expression
        case Reduce(operator=operator, variable=variable, operand=operand):
            inner = simplify(_without_reductions(operand, absent), absent, {})
            if isinstance(inner, Literal) and inner.value == identity(operator, inner.dtype):
                return inner
            return Reduce(operator, variable, inner)
        case _:
            return with_operands(expression, [_without_reductions(part, absent) for part in operands_of(expression)])


def _refused(tensor: TensorSignature, reason: str, expected: str, *fixes: Fix) -> CompileError:
    assert tensor.format.composition is not None
    return CompileError(
        Diagnostic(
            "format/composed",
            f"{reason}. Store {tensor.name} in one part.",
            Location(Part.FORMAT, tensor=tensor.name),
            expected=expected,
            found=format_text(tensor.format),
            fixes=(*fixes, *_in_one_part(tensor)),
        )
    )


def _in_one_part(tensor: TensorSignature) -> Iterable[Fix]:
    if tensor.order == 2:
        yield Fix(f"Store {tensor.name} as csr", formats={tensor.name: "csr"})
    yield Fix(f"Store {tensor.name} as coo", formats={tensor.name: "coo"})


def reads(expression: Expression, name: str) -> bool:
    return any(access.tensor == name for access in accesses(expression))
