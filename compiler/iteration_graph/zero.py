"""What is left of a statement when operands are absent: the algebra of zero (FEATURES T45)."""

from __future__ import annotations

from compiler.iteration_graph.nodes import Assign, Forall, Statement, Where
from compiler.notation.nodes import Access, Binary, Expression, Literal, Unary

ZERO = Literal(0)


def without(statement: Statement, absent: frozenset[Access]) -> Statement | None:
    """The statement with ``absent`` accesses replaced by zero; None when nothing is left to compute."""
    return _statement(statement, absent, frozenset()) if absent else statement


def _statement(statement: Statement, absent: frozenset[Access], zeros: frozenset[str]) -> Statement | None:
    match statement:
        case Forall(variable=variable, body=body):
            rest = _statement(body, absent, zeros)
            return None if rest is None else Forall(variable, rest)
        case Where(consumer=consumer, producer=producer):
            made = _statement(producer, absent, zeros)
            if made is None:
                return _statement(consumer, absent, zeros | {_target(producer)})
            used = _statement(consumer, absent, zeros)
            if used is None:
                return None
            return Where(used, made) if _reads(used, _target(producer)) else used
        case Assign(target=target, operator=operator, expression=expression):
            value = simplify(expression, absent, zeros)
            return None if value == ZERO else Assign(target, operator, value)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def simplify(expression: Expression, absent: frozenset[Access], zeros: frozenset[str]) -> Expression:
    """0 * x = 0, 0 + x = x, x - 0 = x, 0 - x = -x, 0 / x = 0."""
    match expression:
        case Access(tensor=tensor):
            return ZERO if expression in absent or tensor in zeros else expression
        case Literal(value=value):
            return ZERO if value == 0 and not isinstance(value, bool) else expression
        case Unary(operator=operator, operand=operand):
            inner = simplify(operand, absent, zeros)
            return ZERO if inner == ZERO else Unary(operator, inner)
        case Binary(operator=operator, left=left, right=right):
            return _binary(operator, simplify(left, absent, zeros), simplify(right, absent, zeros))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _binary(operator: str, left: Expression, right: Expression) -> Expression:
    match operator:
        case "*":
            return ZERO if ZERO in (left, right) else Binary("*", left, right)
        case "/":
            return ZERO if left == ZERO else Binary("/", left, right)
        case "+":
            if left == ZERO:
                return right
            return left if right == ZERO else Binary("+", left, right)
        case "-":
            if right == ZERO:
                return left
            return Unary("-", right) if left == ZERO else Binary("-", left, right)
        case _:
            raise TypeError(f"unexpected operator {operator!r}")


def _target(statement: Statement) -> str:
    match statement:
        case Forall(body=body):
            return _target(body)
        case Where(consumer=consumer):
            return _target(consumer)
        case Assign(target=target):
            return target.tensor
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _reads(statement: Statement, name: str) -> bool:
    from compiler.iteration_graph.provenance import assignments
    from compiler.notation.nodes import accesses

    return any(a.tensor == name for _, assign in assignments(statement) for a in accesses(assign.expression))
