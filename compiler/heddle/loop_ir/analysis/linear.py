"""Indices as sums of whole multiples."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import INDEX, Binary, Expr


@dataclass(frozen=True, slots=True)
class Linear:
    """The sum of ``constant`` and of each part, which is no such sum itself, as many times as it says. The parts are in
    the order of the expression."""

    parts: dict[Expr, int]
    constant: int

    def without(self, part: Expr) -> Linear:
        """The sum of all others."""
        return Linear({other: count for other, count in self.parts.items() if other != part}, self.constant)

    @property
    def expression(self) -> Expr:
        """What is added first, then what is taken away."""
        terms = [(build.mul(build.index(abs(count)), part), count) for part, count in self.parts.items()]
        if self.constant:
            terms.append((build.index(abs(self.constant)), self.constant))
        total: Expr | None = None
        for term, count in terms:
            if count > 0:
                total = term if total is None else build.add(total, term)
        for term, count in terms:
            if count < 0:
                total = build.sub(build.index(0) if total is None else total, term)
        return build.index(0) if total is None else total


def linear(expression: Expr) -> Linear:
    """``expression``, an index, as a sum."""
    constant = build.constant(expression)
    if constant is not None:
        return Linear({}, constant)
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right, dtype=dtype) if dtype == INDEX:
            return plus(linear(left), linear(right), 1 if operator == "+" else -1)
        case Binary(operator="*", left=left, right=right, dtype=dtype) if dtype == INDEX:
            for factor, other in ((left, right), (right, left)):
                times = build.constant(factor)
                if times is not None:
                    return plus(Linear({}, 0), linear(other), times)
            return Linear({expression: 1}, 0)
        case _:
            return Linear({expression: 1}, 0)


def plus(first: Linear, second: Linear, times: int = 1) -> Linear:
    """``first`` and ``times`` the ``second`` one."""
    parts = dict(first.parts)
    for part, count in second.parts.items():
        parts[part] = parts.get(part, 0) + times * count
    coefficients = {part: count for part, count in parts.items() if count}
    return Linear(coefficients, first.constant + times * second.constant)


def is_index(expression: Expr) -> bool:
    """Whether it is a number that indices are made of."""
    return dtype_of(expression) == INDEX
