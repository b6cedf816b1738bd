"""Remainders in terms of quotients."""

from __future__ import annotations

from heddle.symbolic.build import floor_div
from heddle.symbolic.nodes import Length, Mod, replace_atom


def without_remainders(whole: Length) -> Length:
    """``a % b`` written as ``a - b*(a / b)``, so that a quotient and its remainder cancel."""
    for atom in whole.atoms():
        if isinstance(atom, Mod):
            quotient = floor_div(atom.numerator, atom.denominator)
            return without_remainders(replace_atom(whole, atom, atom.numerator - atom.denominator * quotient))
    return whole
