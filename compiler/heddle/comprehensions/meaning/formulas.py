"""Lengths as integer expressions of index notation, which are computed with 64 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heddle.notation import nodes as n
from heddle.symbolic.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod, Name


def expression_of(whole: Length, variables: Mapping[str, None]) -> n.Expression:
    """A length as an integer expression: names among ``variables`` are index variables, others sizes."""
    total: n.Expression | None = None
    for monomial, coefficient in sorted(whole.terms, key=lambda term: (not term[0], term[1] < 0)):
        factors: list[n.Expression] = [_atom(atom, variables) for atom, power in monomial for _ in range(power)]
        size = abs(int(coefficient))
        if size != 1 or not factors:
            factors.insert(0, n.Literal(size))
        term = _product(factors)
        if total is None:
            total = term if coefficient > 0 else n.Unary("-", term)
        else:
            total = n.Binary("+" if coefficient > 0 else "-", total, term)
    return n.Literal(0) if total is None else total


def _product(factors: Sequence[n.Expression]) -> n.Expression:
    product = factors[0]
    for factor in factors[1:]:
        product = n.Binary("*", product, factor)
    return product


def _atom(atom: Atom, variables: Mapping[str, None]) -> n.Expression:
    match atom:
        case Name(name=name):
            return n.IndexValue(name) if name in variables else n.SizeValue(name)
        case FloorDiv(numerator=numerator, denominator=denominator):
            return n.Binary("//", expression_of(numerator, variables), expression_of(denominator, variables))
        case Mod(numerator=numerator, denominator=denominator):
            return n.Binary("%", expression_of(numerator, variables), expression_of(denominator, variables))
        case Min(operands=operands) | Max(operands=operands):
            name = "min" if isinstance(atom, Min) else "max"
            parts = [expression_of(operand, variables) for operand in operands]
            whole = parts[0]
            for part in parts[1:]:
                whole = n.Call(name, (whole, part))
            return whole
        case Cond(test=test, then=then, otherwise=otherwise):
            condition = n.Binary(test.operator, expression_of(test.difference, variables), n.Literal(0))
            return n.Select(condition, expression_of(then, variables), expression_of(otherwise, variables))
        case _:
            raise TypeError(f"unexpected atom {atom!r}")
