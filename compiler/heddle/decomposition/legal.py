"""May an operand be computed with part by part? Where the expression distributes over parts that store no coordinate
twice: what it is at the fill of the operand must change nothing in the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.printer import format_text
from heddle.iteration_graph.algebra.absent_operands import simplify
from heddle.iteration_graph.algebra.constants import identity
from heddle.iteration_graph.algebra.type_promotion import expression_dtype, wrapping_reduction
from heddle.iteration_graph.build.bind import bind
from heddle.names import Names
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    index_variables,
    operands_of,
    with_operands,
)
from heddle.notation.printer import to_text
from heddle.signature import Signature, TensorSignature


def composed_operand(assignment: Assignment, signature: Signature) -> TensorSignature | None:
    """The operand that is a sum of parts, if any.

    Raises
    ------
    CompileError
        ``format/composed`` for what no program with parts may be: several such operands, one that is read in two ways,
        several statements, a result that is no dense array.
    """
    composed = [tensor for tensor in signature.tensors.values() if tensor.format.composition is not None]
    temporary = next((t for t in signature.temporaries.values() if t.format.composition is not None), None)
    if not composed and temporary is None:
        return None
    result = signature.result
    if temporary is not None:
        reason = f"{temporary.name} is computed for another statement, and cannot be stored as a sum of parts"
        raise _refusal(temporary, reason, "an operand or the result")
    operands = [tensor for tensor in composed if tensor is not result]
    if result in composed:
        _check_same_parts(result, operands)
    composed = operands
    if len(composed) > 1:
        names = " and ".join(tensor.name for tensor in composed)
        raise _refusal(composed[1], f"{names} are both sums of parts", "one operand that is a sum of parts")
    (tensor,) = composed
    if assignment.temporaries:
        raise _refusal(
            tensor, f"{tensor.name} is a sum of parts, and the expression has several statements", "one statement"
        )
    if not result.format.is_dense and result.format.composition is None:
        text = format_text(result.format)
        raise _refusal(
            tensor,
            f"{tensor.name} is a sum of parts, each of which adds into {result.name}, which is stored as {text}",
            f"{result.name} dense",
            Fix(f"Store {result.name} dense", formats={result.name: "dense"}),
            *(_stored_as(result, tensor) if result.indices == tensor.indices else ()),
        )
    read = dict.fromkeys(a.indices for a in accesses(assignment.expression) if a.tensor == tensor.name)
    if len(read) > 1:
        ways = " and ".join(f"{tensor.name}({','.join(indices)})" for indices in read)
        raise _refusal(tensor, f"{ways} would each need all parts of {tensor.name}", "one way to read it")
    return tensor


def check_distributes(assignment: Assignment, term: Expression, operator: str, signature: Signature, name: str) -> None:
    """Raises CompileError ``format/not-decomposable`` unless ``term``, which is combined into the result with
    ``operator``, changes nothing there wherever ``name`` stores nothing, and takes what it reduces over ``name`` as it
    is."""
    whole = Assignment(assignment.target, operator, term)
    names = Names({*index_variables(whole), *signature.tensors})
    bound = bind(whole, signature, names)
    absent = frozenset(a for a in accesses(bound) if a.tensor == name)
    rest = simplify(_without_reductions(bound, absent), absent, {})
    neutral = identity(ASSIGNMENTS[operator], signature.result.dtype)
    reduction = wrapping_reduction(bound, name, signature.result.dtype)
    if reduction is not None:
        raise CompileError(
            Diagnostic(
                "format/not-decomposable",
                f"{name} is a sum of parts, and {to_text(reduction)} may wrap around in {expression_dtype(reduction)} "
                f"before it is used, as the sums of its parts do not. Store {name} in one part.",
                Location(Part.FORMAT, tensor=name),
                expected="sums of integers that are the whole expression",
                actual=to_text(reduction),
                fixes=tuple(suggest_undivided(name, signature.tensors[name].order)),
            )
        )
    if isinstance(rest, Literal) and rest.value == neutral:
        return _check_reductions(term, operator.removesuffix("="), name, signature.tensors[name].order)
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
            actual=f"{shown}",
            fixes=tuple(suggest_undivided(tensor.name, tensor.order)),
        )
    )


def _check_reductions(term: Expression, operator: str, name: str, order: int) -> None:
    """The root of a sum is not the sum of the roots of what the parts add to it."""
    if _is_reduced_apart(term, operator, name):
        return
    raise CompileError(
        Diagnostic(
            "format/not-decomposable",
            f"{name} is a sum of parts, each of which reduces its own entries alone, and {to_text(term)} needs what "
            f"all of them give together. Store {name} in one part.",
            Location(Part.FORMAT, tensor=name),
            expected=f"reductions over {name} that stand by themselves, times what does not read {name}",
            actual=to_text(term),
            fixes=tuple(suggest_undivided(name, order)),
        )
    )


def _is_reduced_apart(expression: Expression, operator: str, name: str) -> bool:
    """Whether ``operator`` combines what an expression is for each part to what it is for all of them."""
    if not _reduces(expression, name):
        return True
    match expression:
        case Reduce(operator=operation, operand=operand):
            return operation == operator and _is_reduced_apart(operand, operator, name)
        case Unary(operator="-", operand=operand) if operator == "+":
            return _is_reduced_apart(operand, operator, name)
        case Binary(operator="+" | "-", left=left, right=right) if operator == "+":
            return _is_reduced_apart(left, operator, name) and _is_reduced_apart(right, operator, name)
        case Binary(operator="*" | "/" as operation, left=left, right=right) if operator == "+":
            if not reads(right, name):
                return _is_reduced_apart(left, operator, name)
            return operation == "*" and not reads(left, name) and _is_reduced_apart(right, operator, name)
        case _:
            return False


def _reduces(expression: Expression, name: str) -> bool:
    if isinstance(expression, Reduce) and reads(expression, name):
        return True
    return any(_reduces(part, name) for part in operands_of(expression))


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


def check_result(result: TensorSignature, tensor: TensorSignature, rest: Expression | None) -> None:
    """Raises CompileError ``format/result-composition`` unless a ``result`` in parts has an entry exactly where
    ``tensor`` has one; ``rest`` is computed elsewhere, too."""
    name, mask = result.name, tensor.name
    if result.indices != tensor.indices:
        access = f"{mask}({','.join(tensor.indices)})"
        raise _unlike(result, tensor, f"{name}({','.join(result.indices)}) has other coordinates than {access}")
    if rest is not None:
        raise _unlike(result, tensor, f"{to_text(rest)} has values where {mask} stores nothing")


def _check_same_parts(result: TensorSignature, signature: Sequence[TensorSignature]) -> None:
    """The same for a ``result`` in parts, and the operands in parts."""
    if not signature:
        raise _unlike(result, None, "no operand here is stored in parts")
    if signature[0].format != result.format:
        stored = " and ".join(
            f"{tensor.name} is stored as {format_text(tensor.format)}" for tensor in (result, signature[0])
        )
        raise _unlike(result, signature[0], stored)


def _stored_as(result: TensorSignature, mask: TensorSignature) -> tuple[Fix]:
    text = format_text(mask.format)
    return (Fix(f"Store {result.name} as {text}", formats={result.name: text}),)


def _unlike(result: TensorSignature, mask: TensorSignature | None, reason: str) -> CompileError:
    fixes = [Fix(f"Store {result.name} dense", formats={result.name: "dense"})]
    if mask is not None and mask.format != result.format:
        fixes = [*_stored_as(result, mask), *fixes]
    return CompileError(
        Diagnostic(
            "format/result-composition",
            f"A result in parts has the parts and the pattern of an operand, but {reason}. Store {result.name} as "
            f"{'such an operand' if mask is None else mask.name}, or dense.",
            Location(Part.FORMAT, tensor=result.name),
            expected="the parts and the pattern of an operand",
            actual=format_text(result.format),
            fixes=tuple(fixes),
        )
    )


def _refusal(tensor: TensorSignature, reason: str, expected: str, *fixes: Fix) -> CompileError:
    assert tensor.format.composition is not None
    return CompileError(
        Diagnostic(
            "format/composed",
            f"{reason}. Store {tensor.name} in one part.",
            Location(Part.FORMAT, tensor=tensor.name),
            expected=expected,
            actual=format_text(tensor.format),
            fixes=(*fixes, *suggest_undivided(tensor.name, tensor.order)),
        )
    )


def suggest_undivided(tensor: str, order: int) -> Iterable[Fix]:
    """Repairs that store a tensor in one part."""
    if order == 2:
        yield Fix(f"Store {tensor} as csr", formats={tensor: "csr"})
    yield Fix(f"Store {tensor} as coo", formats={tensor: "coo"})


def reads(expression: Expression, name: str) -> bool:
    return any(access.tensor == name for access in accesses(expression))
