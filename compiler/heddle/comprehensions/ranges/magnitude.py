"""How large the values of a formula become on the way: kernels compute formulas with 64 bits, and what is proved of
them holds for whole numbers of any size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heddle.symbolic.nodes import Atom, Cond, FloorDiv, Length, Mod, Name
from heddle.symbolic.walk import all_atoms, parts

MOST = 1 << 62
"""What no value reaches; half of what 64 bits hold, so that the next sum or comparison fits as well."""

_ANY = 1 << 40
"""More than a size, a coordinate or an integer of 32 bits can be."""


def needs_a_look(whole: Length, wide: Iterable[str]) -> bool:
    """Whether values may reach ``MOST``, or a denominator may be 0 or less, for some sizes; ``wide`` are integers of 64
    bits."""
    return any(_divides(atom) for atom in all_atoms(whole)) or largest(whole, dict.fromkeys(wide, MOST)) >= MOST


def _divides(atom: Atom) -> bool:
    return isinstance(atom, FloorDiv | Mod) and atom.denominator.constant is None


def denominators(whole: Length) -> list[Length]:
    """Those that are no numbers."""
    divisors = {atom.denominator: None for atom in all_atoms(whole) if isinstance(atom, FloorDiv | Mod)}
    return [divisor for divisor in divisors if divisor.constant is None]


def largest(whole: Length, values: Mapping[str, int]) -> int:
    """A bound on the absolute value of ``whole`` and of everything that is computed for it, where that of each name is
    at most its value."""
    most = total = 0
    for monomial, coefficient in whole.terms:
        product = abs(int(coefficient))
        for atom, power in monomial:
            size = _largest(atom, values)
            most, product = max(most, size), product * size**power
        total += product
    return max(most, total)


def _largest(atom: Atom, values: Mapping[str, int]) -> int:
    match atom:
        case Name(name=name):
            return values.get(name, _ANY)
        case Cond(test=test, then=then, otherwise=otherwise):
            return max(largest(part, values) for part in (test.difference, then, otherwise))
        case _:
            return max((largest(part, values) for part in parts(atom)), default=0)
