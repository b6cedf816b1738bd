"""Lengths as a person writes them, and as numbers for given sizes."""

from __future__ import annotations

from collections.abc import Mapping

from compiler.lengths.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod, Name, Opaque


def text(whole: Length) -> str:
    """``I - K + 1``: what is added first, the number last; ``/`` rounds down."""
    if not whole.terms:
        return "0"
    parts: list[str] = []
    for monomial, coefficient in sorted(whole.terms, key=lambda term: (not term[0], term[1] < 0)):
        names = "*".join(_atom(atom, len(monomial) > 1 or abs(coefficient) != 1) for atom, power in monomial for _ in range(power))
        size = abs(coefficient)
        body = str(size) if not names else names if size == 1 else f"{size}*{names}"
        sign = ("-" if coefficient < 0 else "") if not parts else (" - " if coefficient < 0 else " + ")
        parts.append(sign + body)
    return "".join(parts)


def _atom(atom: Atom, inside: bool) -> str:
    match atom:
        case Name(name=name):
            return name
        case Opaque(text=shown):
            return shown
        case FloorDiv(numerator=numerator, denominator=denominator):
            shown = f"{_group(numerator)} / {_group(denominator)}"
            return f"({shown})" if inside else shown
        case Mod(numerator=numerator, denominator=denominator):
            return f"({_group(numerator)} % {_group(denominator)})"
        case Min(operands=operands):
            return f"min({', '.join(sorted(map(text, operands)))})"
        case Max(operands=operands):
            return f"max({', '.join(sorted(map(text, operands)))})"
        case _:
            return "…"


def _group(whole: Length) -> str:
    shown = text(whole)
    return f"({shown})" if " " in shown else shown


def value_of(whole: Length, values: Mapping[str, int]) -> int:
    """The number for these sizes and variables.

    Raises:
        KeyError: for a name without a value.
        ZeroDivisionError: for a quotient by 0.
    """
    total = 0
    for monomial, coefficient in whole.terms:
        product = coefficient
        for atom, power in monomial:
            product *= _value(atom, values) ** power
        total += int(product)
    return total


def _value(atom: Atom, values: Mapping[str, int]) -> int:
    match atom:
        case Name(name=name):
            return values[name]
        case FloorDiv(numerator=numerator, denominator=denominator):
            return value_of(numerator, values) // value_of(denominator, values)
        case Mod(numerator=numerator, denominator=denominator):
            return value_of(numerator, values) % value_of(denominator, values)
        case Min(operands=operands):
            return min(value_of(operand, values) for operand in operands)
        case Max(operands=operands):
            return max(value_of(operand, values) for operand in operands)
        case Cond(test=test, then=then, otherwise=otherwise):
            difference = value_of(test.difference, values)
            holds = {"==": difference == 0, "!=": difference != 0, ">=": difference >= 0, "<": difference < 0}
            return value_of(then if holds[test.operator] else otherwise, values)
        case _:
            raise KeyError(atom.key)
