"""Proofs that a length is at least 0.

Sound and not complete: True means that it holds for all values within the facts, False that no proof was found. What
is eliminated, in this order: choices, minima and maxima by cases; quotients and remainders by their bounds; elements of
arrays that ascend; variables by the ends of their intervals.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from heddle.symbolic.facts import Facts, Interval, Proofs
from heddle.symbolic.nodes import (
    At,
    Atom,
    Cond,
    FloorDiv,
    Length,
    Max,
    Min,
    Mod,
    Name,
    Opaque,
    Sum,
    Test,
    in_powers,
    length,
    of_atom,
    replace_atom,
)
from heddle.symbolic.walk import free_names

FUEL = 10
"""How many eliminations may follow one another."""


def nonnegative(whole: Length, facts: Facts) -> bool:
    """Whether ``whole >= 0`` is proved."""
    if facts.proofs is None:
        facts = replace(facts, proofs=Proofs())
    assert facts.proofs is not None
    proofs, facts = facts.proofs, facts.restrict_to(free_names(whole))
    key = (facts.number, whole.key)
    if proofs.in_vain is not None and key in proofs.in_vain:
        return False
    whole_budget = proofs.left > 0
    proofs.ask()
    holds = _holds(whole, facts, FUEL)
    if proofs.in_vain is not None and whole_budget and not holds and proofs.budget < 0:
        proofs.in_vain.add(key)
    return holds


def at_most(left: Length, right: Length, facts: Facts) -> bool:
    """Whether ``left <= right`` is proved."""
    return nonnegative(right - left, facts)


def less(left: Length, right: Length, facts: Facts) -> bool:
    """Whether ``left < right`` is proved."""
    return nonnegative(right - left - 1, facts)


def decide(test: Test, facts: Facts) -> bool | None:
    """Whether ``test`` holds always (True), never (False), or neither is proved."""
    difference = test.difference
    match test.operator:
        case ">=" | "<":
            if nonnegative(difference, facts):
                return test.operator == ">="
            if nonnegative(-difference - 1, facts):
                return test.operator == "<"
            return None
        case "==" | "!=":
            if not difference.terms:
                return test.operator == "=="
            if nonnegative(difference - 1, facts) or nonnegative(-difference - 1, facts):
                return test.operator == "!="
            return None
        case _:
            raise ValueError(f"unexpected operator {test.operator!r}")


def _holds(whole: Length, facts: Facts, fuel: int) -> bool:
    value = whole.constant
    if value is not None:
        return value >= 0
    proofs = facts.proofs
    if proofs is None:
        return _is_proved(whole, facts, fuel)
    key = (facts.number, whole.key)
    failed, sufficed = proofs.tried.get(key, (-1, FUEL + 1))
    if fuel <= failed:
        return False
    if fuel >= sufficed:
        return True
    if not proofs.step(whole):
        return False
    holds = _is_proved(whole, facts, fuel)
    if holds:
        proofs.tried[key] = (failed, fuel)
    elif proofs.budget > 0:
        proofs.tried[key] = (fuel, sufficed)
    return holds


def _is_proved(whole: Length, facts: Facts, fuel: int) -> bool:
    if all(coefficient > 0 for _, coefficient in whole.terms) and all(
        _natural(atom, facts, fuel) for atom in whole.atoms()
    ):
        return True
    if fuel <= 0:
        return False
    atoms = sorted(whole.atoms(), key=_order)
    common = _common_factor(whole, atoms)
    if common is not None and _natural(common, facts, min(fuel, 2)):
        left = (rest * of_atom(common) ** (power - 1) for power, rest in in_powers(whole, common).items())
        return _holds(sum(left, length(0)), facts, fuel - 1)
    first = atoms[0]
    match first:
        case Cond() | Min() | Max():
            return _by_cases(whole, first, facts, fuel - 1)
        case FloorDiv() if _by_quotient(whole, first, facts, fuel - 1):
            return True
        case Mod(denominator=denominator) if _by_interval(
            whole, first, Interval(length(0), denominator - 1), facts, fuel - 1
        ):
            return True
    return _by_order(whole, atoms, facts, fuel - 1) or _by_names(whole, atoms, facts, fuel - 1)


def _common_factor(whole: Length, atoms: list[Atom]) -> Atom | None:
    return next((atom for atom in atoms if 0 not in in_powers(whole, atom)), None)


def _order(atom: Atom) -> tuple[int, str]:
    kinds = (Cond, Min, Max, FloorDiv, Mod, At, Sum, Opaque, Name)
    return kinds.index(type(atom)), atom.key


def _natural(atom: Atom, facts: Facts, fuel: int) -> bool:
    """Whether ``atom`` is at least 0, at first sight."""
    match atom:
        case Name(name=name):
            lower = facts.interval(name).lower
            return lower is not None and (_constant_natural(lower) or (fuel > 0 and _holds(lower, facts, fuel - 1)))
        case At(array=array):
            interval = facts.elements.get(array)
            least = None if interval is None else interval.lower
            return array in facts.natural or (least is not None and _constant_natural(least))
        case Opaque():
            return False
        case Mod():
            return True
        case FloorDiv(numerator=numerator):
            return fuel > 0 and _holds(numerator, facts, fuel - 1)
        case Min(operands=operands):
            return fuel > 0 and all(_holds(operand, facts, fuel - 1) for operand in operands)
        case Max(operands=operands):
            return fuel > 0 and any(_holds(operand, facts, fuel - 1) for operand in operands)
        case Cond(then=then, otherwise=otherwise):
            return fuel > 0 and all(_holds(branch, facts, fuel - 1) for branch in (then, otherwise))
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            return fuel > 0 and _holds(body, facts.assume_range(variable, lower, upper - 1), fuel - 1)
        case _:
            raise TypeError(f"unexpected atom {atom!r}")


def _constant_natural(whole: Length) -> bool:
    value = whole.constant
    return value is not None and value >= 0


def _by_cases(whole: Length, atom: Atom, facts: Facts, fuel: int) -> bool:
    match atom:
        case Cond(test=test, then=then, otherwise=otherwise):
            cases = [
                (then, _infer_nonnegative(test, True, facts, fuel)),
                (otherwise, _infer_nonnegative(test, False, facts, fuel)),
            ]
        case Min(operands=operands):
            cases = [(operand, [other - operand for other in operands if other != operand]) for operand in operands]
        case Max(operands=operands):
            cases = [(operand, [operand - other for other in operands if other != operand]) for operand in operands]
        case _:
            raise TypeError(f"unexpected atom {atom!r}")
    for value, said in cases:
        if any(_holds(-claim - 1, facts, min(fuel, 2)) for claim in said):
            continue  # this case never happens
        if not _holds(replace_atom(whole, atom, value), facts.assuming(*said), fuel):
            return False
    return True


def _infer_nonnegative(test: Test, holds: bool, facts: Facts, fuel: int) -> list[Length]:
    """What is at least 0 where ``test`` holds, or where it does not."""
    difference = test.difference
    operator = test.operator if holds else {"==": "!=", "!=": "==", ">=": "<", "<": ">="}[test.operator]
    match operator:
        case ">=":
            return [difference]
        case "<":
            return [-difference - 1]
        case "==":
            return [difference, -difference]
        case _:
            if _holds(difference, facts, min(fuel, 2)):
                return [difference - 1]
            return [-difference - 1] if _holds(-difference, facts, min(fuel, 2)) else []


def _by_quotient(whole: Length, atom: FloorDiv, facts: Facts, fuel: int) -> bool:
    """With ``d*q <= a <= d*q + d - 1``, times d, which is positive."""
    numerator, denominator = atom.numerator, atom.denominator
    powers = in_powers(whole, atom)
    if max(powers) != 1 or not _holds(denominator - 1, facts, min(fuel, 3)):
        return False
    factor, rest = powers[1], powers.get(0, length(0))
    if _holds(factor, facts, min(fuel, 3)):
        return _holds(factor * (numerator - denominator + 1) + denominator * rest, facts, fuel)
    if _holds(-factor, facts, min(fuel, 3)):
        return _holds(factor * numerator + denominator * rest, facts, fuel)
    return False


def _by_order(whole: Length, atoms: list[Atom], facts: Facts, fuel: int) -> bool:
    """Elements of an array that ascends, one more than another further in front."""
    places = [atom for atom in atoms if isinstance(atom, At) and atom.array in facts.ascending]
    for later in places:
        factor = in_powers(whole, later).get(1)
        if factor is None or not _holds(factor, facts, min(fuel, 2)):
            continue
        for earlier in places:
            if (
                earlier.array == later.array
                and earlier != later
                and _holds(later.index - earlier.index, facts, min(fuel, 3))
            ):
                return _holds(replace_atom(whole, later, of_atom(earlier)), facts, fuel)
    return False


def _by_names(whole: Length, atoms: list[Atom], facts: Facts, fuel: int) -> bool:
    for atom in atoms:
        if isinstance(atom, At) and atom.array in facts.elements:
            return _by_interval(whole, atom, facts.elements[atom.array], facts, fuel)
    names = [atom for atom in atoms if isinstance(atom, Name)]
    bounds = {atom.name: facts.interval(atom.name) for atom in names}
    # Variables whose bounds mention others go first, since these bounds bring the others in.
    names.sort(key=lambda atom: (-_mentions(bounds[atom.name]), atom.key))
    for atom in names:
        if _by_interval(whole, atom, bounds[atom.name], facts, fuel):
            return True
    return _by_assumptions(whole, facts, fuel)


def _mentions(interval: Interval) -> int:
    return sum(len(free_names(end)) for end in (interval.lower, interval.upper) if end is not None)


def _by_interval(whole: Length, atom: Atom, interval: Interval, facts: Facts, fuel: int) -> bool:
    """A line is at least 0 where it is at both ends; where it rises, at the lower one."""
    lower, upper = interval.lower, interval.upper
    powers = in_powers(whole, atom)
    top = max(powers)
    if top == 0 or (lower is None and upper is None):
        return False
    inside = facts
    if isinstance(atom, Name) and lower is not None and upper is not None and (upper - lower).terms:
        inside = facts.assuming(upper - lower)
    if top > 1:
        if lower is None or not lower.terms or atom in set(lower.atoms()):
            return False
        # Counted from the lower end, the coefficients may all be positive.
        moved = replace_atom(whole, atom, of_atom(atom) + lower)
        free = facts.assume_range(atom.name, 0, None) if isinstance(atom, Name) else facts
        return _holds(moved, free, fuel)
    slope = powers[1]
    if lower is not None and _holds(slope, facts, min(fuel, 3)):
        return _holds(replace_atom(whole, atom, lower), inside, fuel)
    if upper is not None and _holds(-slope, facts, min(fuel, 3)):
        return _holds(replace_atom(whole, atom, upper), inside, fuel)
    if lower is None or upper is None:
        return False
    return all(_holds(replace_atom(whole, atom, end), inside, fuel) for end in (lower, upper))


def _by_assumptions(whole: Length, facts: Facts, fuel: int) -> bool:
    for number, assumed in enumerate(facts.assumed):
        for monomial, coefficient in assumed.terms:
            amount = whole.coefficient(monomial)
            if monomial and amount * coefficient > 0:
                without = whole - assumed.scale(Fraction(amount) / Fraction(coefficient))
                if _holds(without, facts.not_assuming(number), min(fuel, 4)):
                    return True
    return False
