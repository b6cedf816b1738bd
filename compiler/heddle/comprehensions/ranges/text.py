"""Lengths as a person writes them."""

from __future__ import annotations

from heddle.symbolic.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod, Name, Opaque, Test, polynomial


def text(whole: Length) -> str:
    """``I - K + 1``: what is added first, the number last; ``/`` rounds down."""
    if not whole.terms:
        return "0"
    whole, inside = _inside_quotients(whole)
    parts: list[str] = []
    for monomial, coefficient in sorted(whole.terms, key=lambda term: (not term[0], term[1] < 0)):
        alone = len(monomial) == 1 and abs(coefficient) == 1 and (coefficient > 0 or bool(parts))
        names = "*".join(_atom(inside.get(atom, atom), not alone) for atom, power in monomial for _ in range(power))
        size = abs(coefficient)
        body = str(size) if not names else names if size == 1 else f"{size}*{names}"
        sign = ("-" if coefficient < 0 else "") if not parts else (" - " if coefficient < 0 else " + ")
        parts.append(sign + body)
    return "".join(parts)


def _inside_quotients(whole: Length) -> tuple[Length, dict[Atom, Atom]]:
    """``(H + KH) / 2 - KH`` is ``(H - KH) / 2``: what can stand in a quotient goes back into it."""
    inside: dict[Atom, Atom] = {}
    for monomial, coefficient in whole.terms:
        atom = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
        if coefficient != 1 or not isinstance(atom, FloorDiv) or atom.denominator.constant is None:
            continue
        numerator = atom.numerator
        for other, factor in whole.terms:
            if other and factor < 0 and numerator.coefficient(other):
                moved = polynomial([(other, factor)])
                numerator = numerator + moved * atom.denominator
                whole = whole - moved
        inside[atom] = FloorDiv(numerator, atom.denominator)
    return whole, inside


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
        case Cond(test=test, then=then, otherwise=otherwise):
            return f"({_test(test)} ? {text(then)} : {text(otherwise)})"
        case _:
            return "…"


def _test(test: Test) -> str:
    """What has a minus stands on the right."""
    left = polynomial([term for term in test.difference.terms if term[1] > 0])
    return f"{text(left)} {test.operator} {text(left - test.difference)}"


def _group(whole: Length) -> str:
    shown = text(whole)
    return f"({shown})" if " " in shown else shown
