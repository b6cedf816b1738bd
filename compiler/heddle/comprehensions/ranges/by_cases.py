"""What an access leaves for one index variable where quotients, remainders, minima or maxima stand in its subscript
(docs/sources.toml C5): by cases, as far as each of them is decided for all sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heddle.comprehensions.ranges.nodes import Constraint, Range
from heddle.symbolic.build import ceil_div, floor_div, maximum, minimum
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Atom, FloorDiv, Length, Max, Min, Mod, Name, length, of_atom
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.rewrite import substitute
from heddle.symbolic.walk import free_names

MOST_CASES = 256
"""Of one access; what takes more is not decided."""


@dataclass(frozen=True, slots=True)
class Left:
    """Values from ``lower`` up to ``upper``, both included; None stands for no bound."""

    lower: Length | None = None
    upper: Length | None = None


ALL, NEVER = Left(), Left(length(1), length(0))


def left_by_cases(
    constraint: Constraint, variable: str, known: Mapping[str, Range], variables: Sequence[str], facts: Facts
) -> Left | None:
    """What is left for ``variable``, which is at least 0, when the others of ``variables`` take the worst values of
    their ``known`` ranges: ALL, NEVER or an interval. None where it is no interval, or another one for other sizes."""
    least = most = constraint.subscript
    for other in free_names(constraint.subscript) & set(variables) - {variable}:
        rises = _direction(constraint.subscript, other)
        if rises is None:
            return None
        ends = known[other].lower, known[other].upper - 1
        least = substitute(least, {other: ends[rises < 0]}, facts)
        most = substitute(most, {other: ends[rises > 0]}, facts)
    cases = _Cases(variable, facts)
    return cases.all_of([cases.at_most(-least, -constraint.lower), cases.at_most(most, constraint.upper - 1)])


def _direction(whole: Length, variable: str) -> int | None:
    """1 where ``whole`` never falls as ``variable`` grows, -1 where it never rises, 0 where it does not depend on it;
    None where neither is seen."""
    directions: set[int] = set()
    for monomial, factor in whole.terms:
        if not any(variable in free_names(of_atom(atom)) for atom, _ in monomial):
            continue
        if len(monomial) != 1 or monomial[0][1] != 1:
            return None
        match monomial[0][0]:
            case Name():
                inside: int | None = 1
            case FloorDiv(numerator=numerator, denominator=denominator) if denominator.constant is not None:
                inside = _direction(numerator, variable)
            case Min(operands=operands) | Max(operands=operands):
                each = {_direction(operand, variable) for operand in operands} - {0}
                inside = each.pop() if len(each) == 1 else None
            case _:
                inside = None
        if inside is None:
            return None
        directions.add(inside if factor > 0 else -inside)
    return None if len(directions) > 1 else next(iter(directions), 0)


@dataclass(slots=True)
class _Cases:
    """Where lengths over ``variable`` and sizes keep a bound."""

    variable: str
    facts: Facts
    left: int = MOST_CASES

    def at_most(self, whole: Length, most: Length) -> Left | None:
        """Where ``whole <= most``."""
        self.left -= 1
        parts = [(monomial, factor) for monomial, factor in whole.terms if self._has(monomial)]
        if not parts:
            if nonnegative(most - whole, self.facts):
                return ALL
            return NEVER if nonnegative(whole - most - 1, self.facts) else None
        if self.left < 0 or any(len(m) != 1 or m[0][1] != 1 or factor != int(factor) for m, factor in parts):
            return None
        parts.sort(key=lambda part: isinstance(part[0][0][0], Name))
        atom, factor = parts[0][0][0][0], int(parts[0][1])
        return self._atom(atom, factor, whole - of_atom(atom) * factor, most, alone=len(parts) == 1)

    def _atom(self, atom: Atom, factor: int, rest: Length, most: Length, *, alone: bool) -> Left | None:
        """Where ``factor * atom + rest <= most``; ``alone``: ``rest`` does not depend on the variable."""
        match atom:
            case Name():
                if factor > 0:
                    return self._show(Left(None, floor_div(most - rest, factor, self.facts)))
                return self._show(Left(ceil_div(rest - most, -factor, self.facts), None))
            case FloorDiv(numerator=over, denominator=by) if by.constant is not None:
                if alone and factor > 0:
                    return self.at_most(over, by * floor_div(most - rest, factor, self.facts) + by - 1)
                if alone:
                    return self.at_most(-over, -by * ceil_div(rest - most, -factor, self.facts))
                if factor == 1:
                    return self.at_most(over + by * rest, by * most + by - 1)
                return self.at_most(by * rest - over, by * most) if factor == -1 else None
            case Mod(numerator=over, denominator=by) if by.constant is not None:
                if not alone:
                    return self.at_most(rest + (over - of_atom(FloorDiv(over, by)) * by) * factor, most)
                worst = rest + (by - 1) * factor if factor > 0 else rest
                return ALL if nonnegative(most - worst, self.facts) else None
            case Min(operands=operands) | Max(operands=operands):
                each = [self.at_most(operand * factor + rest, most) for operand in operands]
                return self._any_of(each) if isinstance(atom, Min) == (factor > 0) else self.all_of(each)
            case _:
                return None

    def all_of(self, each: Sequence[Left | None]) -> Left | None:
        """Where all hold."""
        if NEVER in each:
            return NEVER
        lower: Length | None = None
        upper: Length | None = None
        for interval in each:
            if interval is None:
                return None
            if interval.lower is not None:
                lower = interval.lower if lower is None else maximum(lower, interval.lower, facts=self.facts)
            if interval.upper is not None:
                upper = interval.upper if upper is None else minimum(upper, interval.upper, facts=self.facts)
        return Left(lower, upper)

    def _any_of(self, each: Sequence[Left | None]) -> Left | None:
        """Where one holds, if that is an interval."""
        if ALL in each:
            return ALL
        some = [interval for interval in each if interval != NEVER]
        if not some:
            return NEVER
        if len(some) == 1:
            return some[0]
        lowers = [
            interval.lower
            for interval in some
            if interval is not None and interval.upper is None and interval.lower is not None
        ]
        uppers = [
            interval.upper
            for interval in some
            if interval is not None and interval.lower is None and interval.upper is not None
        ]
        if len(lowers) + len(uppers) < len(some):
            return None
        if not lowers:
            return Left(None, maximum(*uppers, facts=self.facts))
        if not uppers:
            return Left(minimum(*lowers, facts=self.facts), None)
        meets = maximum(*uppers, facts=self.facts) + 1 - minimum(*lowers, facts=self.facts)
        return ALL if nonnegative(meets, self.facts) else None

    def _show(self, interval: Left) -> Left:
        """The same, where the variable is at least 0."""
        if interval.lower is not None and nonnegative(-interval.lower, self.facts):
            return ALL
        return NEVER if interval.upper is not None and nonnegative(-interval.upper - 1, self.facts) else interval

    def _has(self, monomial: Sequence[tuple[Atom, int]]) -> bool:
        return any(self.variable in free_names(of_atom(atom)) for atom, _ in monomial)
