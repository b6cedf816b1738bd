"""An expression ready for the iteration graph: accesses know what their tensors are, bound variables are unique."""

from __future__ import annotations

from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.loop_ir.nodes import BOOL
from heddle.names import Names
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    operands_of,
    with_operands,
)
from heddle.signature import Signature


def bind(assignment: Assignment, signature: Signature, names: Names) -> Expression:
    """The right-hand side without source spans, so that equal accesses are equal nodes; with dtypes and backgrounds;
    and with its own variable for every explicit reduction: ``sum(j, A(i,j)) / max(j, A(i,j))`` has two loops."""
    expression = assignment.expression
    reserved = {*assignment.target.indices, *_free_variables(expression, frozenset())}
    bound = _bind(expression, signature, names, reserved, {})
    return _combinable(ASSIGNMENTS[assignment.operator], bound) if assignment.operator in ("|=", "&=") else bound


def _bind(
    expression: Expression, signature: Signature, names: Names, reserved: set[str], renamed: dict[str, str]
) -> Expression:
    match expression:
        case Access(tensor=tensor, indices=indices):
            known = signature.tensors.get(tensor) or signature.temporaries[tensor]
            dtype = known.computed_dtype
            fill = None if known.format.is_dense else Literal(known.fill, None, dtype)
            new_indices = tuple(renamed.get(index, index) for index in indices)
            return Access(tensor, new_indices, dtype=dtype, background=fill)
        case Literal(value=value):
            return Literal(value)
        case Reduce(operator=operator, variable=variable, operand=operand):
            name = names.fresh(variable) if variable in reserved else variable
            reserved.add(name)
            inner = _bind(operand, signature, names, reserved, {**renamed, variable: name})
            return Reduce(operator, name, _combinable(operator, inner))
        case _:
            parts = [_bind(part, signature, names, reserved, renamed) for part in operands_of(expression)]
            return with_operands(expression, parts)


def _combinable(operator: str, operand: Expression) -> Expression:
    """``any`` and ``all`` take truth values; ``sum`` and ``prod`` of truth values count, as NumPy's do."""
    dtype = expression_dtype(operand)
    if operator in ("||", "&&"):
        return operand if dtype == BOOL else Binary("!=", operand, Literal(0))
    return Call("int64", (operand,)) if dtype == BOOL and operator in ("+", "*") else operand


def _free_variables(expression: Expression, bound: frozenset[str]) -> set[str]:
    match expression:
        case Access(indices=indices):
            return set(indices) - bound
        case Reduce(variable=variable, operand=operand):
            return _free_variables(operand, bound | {variable})
        case _:
            return {v for part in operands_of(expression) for v in _free_variables(part, bound)}
