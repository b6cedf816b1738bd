"""What is left of a statement when operands are absent: the algebra of their backgrounds (docs/sources.toml T45)."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.fills.fill import same_value
from heddle.iteration_graph.algebra.constants import (
    annihilate,
    background,
    constant,
    identity,
    is_neutral,
    operation,
)
from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.iteration_graph.graph.nodes import Assign, Forall, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access, Call, Expression, Literal, Unary, accesses, operands_of, with_operands

ZERO = Literal(0)
Constants = Mapping[str, Literal]


def remove_absent(statement: Statement, absent: frozenset[Access]) -> Statement | None:
    """The statement with ``absent`` accesses replaced by their backgrounds; None when nothing is left to compute."""
    return _statement(statement, absent, {}) if absent else statement


def _statement(statement: Statement, absent: frozenset[Access], constants: Constants) -> Statement | None:
    match statement:
        case Forall(variable=variable, body=body):
            rest = _statement(body, absent, constants)
            return None if rest is None else Forall(variable, rest)
        case Where(consumer=consumer, producer=producer):
            new_producer = _statement(producer, absent, constants)
            if new_producer is None:
                target = _target(producer)
                return _statement(consumer, absent, {**constants, target.tensor: background(target)})
            used = _statement(consumer, absent, constants)
            if used is None:
                return None
            return Where(used, new_producer) if _reads(used, _target(producer).tensor) else used
        case Series(statements=statements):
            rests = [_statement(statement, absent, constants) for statement in statements]
            remaining = tuple(rest for rest in rests if rest is not None)
            if statement.cases:
                pairs = zip(statement.cases, rests, strict=True)
                return Series(remaining, tuple(case for case, rest in pairs if rest is not None)) if remaining else None
            return Series(remaining) if len(remaining) > 1 else next(iter(remaining), None)
        case Assign(target=target, operator=operator, expression=expression):
            value = simplify(expression, absent, constants)
            return None if changes_nothing(target, operator, value) else Assign(target, operator, value)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def changes_nothing(target: Access, operator: str, value: Expression | None) -> bool:
    """Whether assigning ``value`` leaves the target as it is before the first assignment."""
    if not isinstance(value, Literal):
        return False
    if operator == "=":
        return same_value(value.value, background(target).value)
    return value.value == identity(ASSIGNMENTS[operator], target.dtype)


def simplify(expression: Expression, absent: frozenset[Access], constants: Constants) -> Expression:
    """0 * x = 0, 0 + x = x, x - 0 = x, 0 - x = -x, 0 / x = 0, min(inf, x) = x, exp(0) = 1; dtypes stay."""
    match expression:
        case Access(tensor=tensor):
            if tensor in constants:
                return constants[tensor]
            return background(expression) if expression in absent else expression
        case Literal():
            return expression
        case _:
            parts = [simplify(part, absent, constants) for part in operands_of(expression)]
            rest = with_operands(expression, parts)
            return constant(rest) or _operation(rest)


def _operation(expression: Expression) -> Expression:
    """The algebra of one operation with a constant operand."""
    operation_parts = operation(expression)
    if operation_parts is None:
        return expression
    operator, left, right = operation_parts
    if not isinstance(left, Literal) and not isinstance(right, Literal):
        return expression
    dtype = expression_dtype(expression)
    for on_left, side, other in ((True, left, right), (False, right, left)):
        if not isinstance(side, Literal):
            continue
        value = annihilate(operator, side.value, on_left, other, dtype)
        if value is not None:
            return Literal(value, None, dtype)
        if is_neutral(operator, side.value, on_left, dtype):
            return _convert(other, dtype)
        if operator == "-" and on_left and side.value == 0:
            return Unary("-", _convert(other, dtype))
    return expression


def _convert(expression: Expression, dtype: str | None) -> Expression:
    """In the dtype of the whole operation, which an absent operand may have decided."""
    inner_dtype = expression_dtype(expression)
    return expression if dtype is None or inner_dtype in (None, dtype) else Call(dtype, (expression,))


def _target(statement: Statement) -> Access:
    match statement:
        case Forall(body=body):
            return _target(body)
        case Where(consumer=consumer):
            return _target(consumer)
        case Series(statements=(first, *_)):
            return _target(first)
        case Assign(target=target):
            return target
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _reads(statement: Statement, name: str) -> bool:
    return any(a.tensor == name for _, assign in assignments(statement) for a in accesses(assign.expression))
