"""Index notation to text, canonically spaced: ``y(i) = A(i,j) * x(j)``. Parsing the text gives the same tree back."""

from __future__ import annotations

from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary

_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}
_UNARY = 3


def to_text(node: Assignment | Expression) -> str:
    """The text of an assignment or expression, with only the parentheses that its structure needs."""
    match node:
        case Assignment(target=target, operator=operator, expression=expression):
            return f"{to_text(target)} {operator} {to_text(expression)}"
        case Access(tensor=tensor, indices=indices):
            return f"{tensor}({','.join(indices)})" if indices else tensor
        case Literal(value=value):
            return _literal(value)
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_child(operand, _UNARY)}"
        case Binary(operator=operator, left=left, right=right):
            level = _PRECEDENCE[operator]
            return f"{_child(left, level)} {operator} {_child(right, level + 1)}"
        case _:
            raise TypeError(f"unexpected node {node!r}")


def _child(node: Expression, least: int) -> str:
    """``node`` in parentheses when it binds less tightly than ``least``; left operands associate, right ones do not."""
    text = to_text(node)
    if isinstance(node, Binary) and _PRECEDENCE[node.operator] < least:
        return f"({text})"
    return text


def _literal(value: int | float | complex | bool) -> str:
    if isinstance(value, complex):
        raise ValueError(f"index notation has no text for the complex number {value!r}")
    return repr(int(value)) if isinstance(value, bool) else repr(value)
