"""Padding: values that a format stores beside its entries, the zeros of a block or of a diagonal.

Padding counts as not stored. Kernels multiply it all the same, since the product is 0 wherever the other factors are
finite; where one is not, the product is NaN, and the sum that it goes into as well. So it is enough to look for NaN in
the result, and to compute again without padding where there is one. Nobody looks where those factors are operands that
cannot change and are known to be finite. Expressions in which NaN may get lost leave padding out at once.
"""

from __future__ import annotations

from enum import Enum

from heddle.fills.fill import is_nan
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.absent_operands import simplify
from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments
from heddle.loop_ir.dtypes import COMPLEX, FLOATS
from heddle.notation.nodes import Access, Binary, Call, Expression, Literal, Select, Unary, accesses, operands_of
from heddle.signature import Signature

KEEPS_NAN = frozenset(
    {"abs", "sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh", "square", *FLOATS, *COMPLEX}
)
"""Functions and conversions whose value is NaN where an argument is."""


class Padding(Enum):
    """What a kernel does with padding."""

    MULTIPLIED = "multiplied"
    LEFT_OUT = "left out"


def choose_padding(graph: IterationGraph, gpu: bool) -> Padding:
    """Left out where the result would not show that it was multiplied by what is not finite, and on GPUs, whose results
    nobody looks through."""
    safe = not multiplies_padding(graph) or (shows_padding(graph) and not gpu)
    return Padding.MULTIPLIED if safe else Padding.LEFT_OUT


def multiplies_padding(graph: IterationGraph) -> bool:
    """Whether padding may change what the graph computes where other operands are infinite or NaN."""
    return any(_find_padded_operands(graph.signature, assign.expression) for _, assign in all_assignments(graph))


def shows_padding(graph: IterationGraph) -> bool:
    """Whether the result is NaN wherever a value that it is computed of is: sums of products show it."""
    return all(assign.operator in ("=", "+=") and _keeps_nan(assign.expression) for _, assign in all_assignments(graph))


def factors_of_padding(graph: IterationGraph) -> frozenset[str] | None:
    """The tensors that padding is multiplied by, each of them directly: while they are finite, padding changes nothing.
    None where it is multiplied by what is computed, which may be infinite all the same."""
    factors = set[str]()
    for _, assign in all_assignments(graph):
        padded = _find_padded_operands(graph.signature, assign.expression)
        if not padded:
            continue
        match assign.expression:
            case Binary(operator="*", left=Access() as left, right=Access() as right):
                factors.update(factor.tensor for other, factor in ((left, right), (right, left)) if other in padded)
            case _:
                return None
    return frozenset(factors)


def without_padding(signature: Signature, expression: Expression) -> Expression:
    """``A * x`` as ``A != 0 ? A * x : 0`` for every operand whose padding decides more than its own value."""
    result = expression
    for access in _find_padded_operands(signature, expression):
        fill = background(access)
        stored = Binary("==", access, access) if is_nan(fill.value) else Binary("!=", access, fill)
        result = Select(stored, result, simplify(expression, frozenset((access,)), {}))
    return result


def _find_padded_operands(signature: Signature, expression: Expression) -> list[Access]:
    """The operands with padding that decides alone what some other operand has a say in."""
    if not _computes_with_floats(expression):
        return []  # 0 times an integer is 0
    read = list(dict.fromkeys(accesses(expression)))
    return [access for access in read if _pads(signature, access) and _decides(expression, access, set(read))]


def _computes_with_floats(expression: Expression) -> bool:
    dtype = expression_dtype(expression)
    return dtype in FLOATS or dtype in COMPLEX or any(map(_computes_with_floats, operands_of(expression)))


def _pads(signature: Signature, access: Access) -> bool:
    tensor = signature.tensors.get(access.tensor)
    if tensor is None or not tensor.format.levels:
        return False
    levels = tensor.format.levels
    return LEVEL_KINDS[levels[-1].kind].pads_with_values and any(level.kind != "dense" for level in levels)


def _decides(expression: Expression, access: Access, read: set[Access]) -> bool:
    rest = simplify(expression, frozenset((access,)), {})
    return {*accesses(rest)} != read - {access}


def _keeps_nan(expression: Expression) -> bool:
    match expression:
        case Access() | Literal():
            return True
        case Unary(operator="-", operand=operand):
            return _keeps_nan(operand)
        case Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
            return _keeps_nan(left) and _keeps_nan(right)
        case Call(function=function, arguments=arguments):
            return function in KEEPS_NAN and all(map(_keeps_nan, arguments))
        case _:
            return False
