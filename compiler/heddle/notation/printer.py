"""Index notation to text, canonically spaced: ``y(i) = A(i,j) * x(j)``. Parsing the text gives the same tree back."""

from __future__ import annotations

from heddle.notation.functions import COMPARISONS, REDUCTIONS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    IndexValue,
    Literal,
    Reduce,
    Select,
    SizeValue,
    Unary,
    statements,
)

_OR, _AND, _COMPARISON, _SUM, _PRODUCT, _UNARY = range(6)
_PRECEDENCE = {"||": _OR, "&&": _AND} | dict.fromkeys(COMPARISONS, _COMPARISON)
_PRECEDENCE |= {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}
_REDUCTIONS = {operator: name for name, operator in REDUCTIONS.items()}


def to_text(node: Assignment | Expression) -> str:
    """The text of an assignment or expression, with only the parentheses that its structure needs."""
    match node:
        case Assignment(temporaries=before) if before:
            return "; ".join(map(to_text, statements(node)))
        case Assignment(target=target, operator=operator, expression=expression):
            return f"{to_text(target)} {operator} {to_text(expression)}"
        case Access(tensor=tensor, indices=indices):
            return f"{tensor}({','.join(indices)})" if indices else tensor
        case Literal(value=value):
            return _literal(value)
        case IndexValue(variable=name) | SizeValue(name=name):
            return name
        case Select(condition=condition, then=then, otherwise=otherwise):
            return f"select({to_text(condition)}, {to_text(then)}, {to_text(otherwise)})"
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_child(operand, _UNARY)}"
        case Binary(operator=operator, left=left, right=right):
            level = _PRECEDENCE[operator]
            chained = level + (level == _COMPARISON)  # a < b < c does not parse
            return f"{_child(left, chained)} {operator} {_child(right, level + 1)}"
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(to_text, arguments))})"
        case Reduce(operator=operator, variable=variable, operand=operand):
            return f"{_REDUCTIONS[operator]}({variable}, {to_text(operand)})"
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
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(int(value)) if isinstance(value, bool) else repr(value)
