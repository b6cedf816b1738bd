"""Sums as index notation writes them: over variables that the result does not have, without being said."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.explorer.translation.bridged import no_bridge
from heddle.explorer.translation.symbols import Index
from heddle.notation.nodes import (
    Access,
    Binary,
    Expression,
    IndexValue,
    Literal,
    Reduce,
    Unary,
    accesses,
    operands_of,
    with_operands,
)
from heddle.notation.printer import to_text


def rename(expression: Expression, names: Mapping[str, str]) -> Expression:
    """``expression`` with other names for variables."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            return Access(tensor, tuple(names.get(index, index) for index in indices))
        case IndexValue(variable=variable):
            return IndexValue(names.get(variable, variable))
        case Reduce(operator=operator, variable=variable, operand=operand):
            return Reduce(operator, names.get(variable, variable), rename(operand, names))
        case _:
            return with_operands(expression, [rename(part, names) for part in operands_of(expression)])


def uncut(expression: Expression, merged: Mapping[tuple[str, str], Index]) -> Expression:
    """Sums over the pieces of a row, and in each over its places, are one sum over the row."""
    for (piece, other), whole in merged.items():
        expression = _uncut(expression, piece, other, whole.name)
    return expression


def _uncut(expression: Expression, piece: str, other: str, whole: str) -> Expression:
    if isinstance(expression, Reduce) and expression.variable == piece:
        inner = expression.operand
        if isinstance(inner, Reduce) and inner.variable == other and not {piece, other} & _variables(inner.operand):
            return Reduce("+", piece, rename(inner.operand, {whole: piece}))
    return with_operands(expression, [_uncut(part, piece, other, whole) for part in operands_of(expression)])


def _variables(expression: Expression) -> set[str]:
    variables = {index for access in accesses(expression) for index in access.indices}
    if isinstance(expression, IndexValue):
        variables.add(expression.variable)
    return (
        variables.union(*(_variables(part) for part in operands_of(expression)))
        if operands_of(expression)
        else variables
    )


def check_entries(expression: Expression, entries: Mapping[str, str]) -> None:
    """That a sum over the entries of a row is the sum over all of it: what it adds is 0 where the entry is.
    ``entries`` has the tensor for each variable that counts some.

    Raises
    ------
    CompileError
        ``bridge/none``.
    """
    if isinstance(expression, Reduce):
        tensor = entries.get(expression.variable)
        if tensor is not None and not _vanishes(expression.operand, tensor, expression.variable):
            raise no_bridge(
                f"The sum of {to_text(expression.operand)} over the entries of {tensor} is not the sum over all "
                "columns.",
                f"{tensor} as a factor",
                to_text(expression.operand),
            )
    for part in operands_of(expression):
        check_entries(part, entries)


def _vanishes(expression: Expression, tensor: str, variable: str) -> bool:
    match expression:
        case Access(tensor=name, indices=indices):
            return name == tensor and indices[-1:] == (variable,)
        case Literal(value=value):
            return value == 0
        case Binary(operator="*", left=left, right=right):
            return _vanishes(left, tensor, variable) or _vanishes(right, tensor, variable)
        case Binary(operator="+" | "-", left=left, right=right):
            return _vanishes(left, tensor, variable) and _vanishes(right, tensor, variable)
        case Binary(operator="/", left=left):
            return _vanishes(left, tensor, variable)
        case Unary(operator="-", operand=operand) | Reduce(operator="+", operand=operand):
            return _vanishes(operand, tensor, variable)
        case _:
            return False


def implicit(expression: Expression) -> Expression:
    """Each additive term without the sums around it that its own variables say."""
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            return Binary(operator, implicit(left), implicit(right))
        case Reduce(operator="+", variable=variable, operand=operand):
            inner = implicit(operand)
            additive = isinstance(inner, Binary) and inner.operator in ("+", "-")
            if additive or variable not in _variables(inner):
                return expression
            return inner
        case _:
            return expression
