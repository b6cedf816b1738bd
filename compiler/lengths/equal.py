"""Whether two lengths are the same whatever their names stand for."""

from __future__ import annotations

from compiler.lengths.build import floor_div
from compiler.lengths.facts import NOTHING, Facts
from compiler.lengths.nodes import Length, Mod, replace_atom
from compiler.lengths.prove import nonnegative
from compiler.lengths.walk import simplified


def equal(left: Length, right: Length, facts: Facts = NOTHING) -> bool:
    """Whether the normal form of the difference is 0, or it is proved to be neither positive nor negative."""
    if left == right:
        return True
    difference = without_remainders(simplified(left - right, facts))
    return not difference.terms or (nonnegative(difference, facts) and nonnegative(-difference, facts))


def without_remainders(whole: Length) -> Length:
    """``a % b`` written as ``a - b*(a / b)``, so that a quotient and its remainder cancel."""
    for atom in whole.atoms():
        if isinstance(atom, Mod):
            quotient = floor_div(atom.numerator, atom.denominator)
            return without_remainders(replace_atom(whole, atom, atom.numerator - atom.denominator * quotient))
    return whole
