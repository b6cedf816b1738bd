"""Coordinates as sums: ``2*i + kw - 1`` is 2 of ``i``, 1 of ``kw`` and -1."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.notation.nodes import Binary, Call, Expression, IndexValue, Literal, SizeValue, Unary
from heddle.notation.program import Program

Affine = Mapping[str, int]
"""By index variable, by ``size`` with a dot in front, and under the empty name the constant; without zeros."""


def affine(index: str, program: Program | None) -> Affine | None:
    """What a coordinate of an access adds up; None where it is no such sum."""
    if program is None or index not in program.computed:
        return {index: 1}
    return affine_formula(program.computed[index])


def affine_formula(formula: Expression) -> Affine | None:
    """The same for a formula of index variables and sizes."""
    match formula:
        case Literal(value=value) if isinstance(value, int):
            return {"": value} if value else {}
        case IndexValue(variable=variable):
            return {variable: 1}
        case SizeValue(name=name):
            return {f".{name}": 1}
        case Call(function="int64", arguments=(inner,)):
            return affine_formula(inner)
        case Unary(operator="-", operand=operand):
            return times(affine_formula(operand), -1)
        case Binary(operator="+", left=left, right=right):
            return plus(affine_formula(left), affine_formula(right))
        case Binary(operator="-", left=left, right=right):
            return plus(affine_formula(left), times(affine_formula(right), -1))
        case Binary(operator="*", left=left, right=right):
            a, b = affine_formula(left), affine_formula(right)
            if a is not None and not set(a) - {""}:
                return times(b, a.get("", 0))
            return times(a, b.get("", 0)) if b is not None and not set(b) - {""} else None
        case _:
            return None


def plus(left: Affine | None, right: Affine | None) -> Affine | None:
    if left is None or right is None:
        return None
    total = {name: left.get(name, 0) + right.get(name, 0) for name in (*left, *right)}
    return {name: value for name, value in total.items() if value}


def times(sum: Affine | None, factor: int) -> Affine | None:
    return None if sum is None else {name: value * factor for name, value in sum.items() if value * factor}


def affine_text(sum: Affine) -> str:
    """``2*i + kw - 1``; sizes under their names."""
    text = ""
    for name, value in sorted(sum.items(), key=lambda item: (item[0] == "", item[0])):
        shown = name.removeprefix(".")
        size = str(abs(value)) if not shown else shown if abs(value) == 1 else f"{abs(value)}*{shown}"
        sign = "-" if value < 0 else "+"
        text += f" {sign} {size}" if text else ("-" if value < 0 else "") + size
    return text or "0"
