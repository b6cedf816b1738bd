"""What lengths are made of, all the way down, and the same with something else in the place of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compiler.lengths.facts import NOTHING, Facts
from compiler.lengths.nodes import (
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
    length,
    of_atom,
)


def parts(atom: Atom) -> tuple[Length, ...]:
    """The lengths directly inside of ``atom``."""
    match atom:
        case Name() | Opaque():
            return ()
        case At(index=index):
            return (index,)
        case FloorDiv(numerator=numerator, denominator=denominator) | Mod(numerator=numerator, denominator=denominator):
            return (numerator, denominator)
        case Min(operands=operands) | Max(operands=operands):
            return operands
        case Cond(test=test, then=then, otherwise=otherwise):
            return (test.difference, then, otherwise)
        case Sum(lower=lower, upper=upper, body=body):
            return (lower, upper, body)
        case _:
            raise TypeError(f"unexpected atom {atom!r}")


def all_atoms(whole: Length) -> Iterator[Atom]:
    """Every atom in ``whole``, those inside others included."""
    for atom in whole.atoms():
        yield atom
        for part in parts(atom):
            yield from all_atoms(part)


def free_names(whole: Length) -> frozenset[str]:
    """The names that ``whole`` depends on, without the variables of its sums."""
    found: set[str] = set()
    for atom in whole.atoms():
        match atom:
            case Name(name=name):
                found.add(name)
            case Sum(variable=variable, lower=lower, upper=upper, body=body):
                found |= free_names(lower) | free_names(upper) | (free_names(body) - {variable})
            case _:
                for part in parts(atom):
                    found |= free_names(part)
    return frozenset(found)


def arrays_of(whole: Length) -> frozenset[str]:
    """The arrays whose elements ``whole`` depends on."""
    return frozenset(atom.array for atom in all_atoms(whole) if isinstance(atom, At))


def substitute(whole: Length, values: Mapping[str, Length], facts: Facts = NOTHING) -> Length:
    """``whole`` with ``values`` in the place of names, in normal form under ``facts``."""
    if not values or not (free_names(whole) & values.keys()):
        return whole
    return _rebuilt(whole, values, facts)


def simplified(whole: Length, facts: Facts) -> Length:
    """The same length, with what ``facts`` decide."""
    return _rebuilt(whole, {}, facts)


def _rebuilt(whole: Length, values: Mapping[str, Length], facts: Facts) -> Length:
    result = length(0)
    for monomial, coefficient in whole.terms:
        term = length(1).scaled(coefficient)
        for atom, power in monomial:
            term = term * _atom(atom, values, facts) ** power
        result = result + term
    return result


def _atom(atom: Atom, values: Mapping[str, Length], facts: Facts) -> Length:
    from compiler.lengths.build import at, cond, floor_div, maximum, minimum, mod
    from compiler.lengths.sums import sum_over

    def new(part: Length) -> Length:
        return _rebuilt(part, values, facts)

    match atom:
        case Name(name=name):
            return values[name] if name in values else of_atom(atom)
        case Opaque():
            return of_atom(atom)
        case At(array=array, index=index):
            return at(array, new(index))
        case FloorDiv(numerator=numerator, denominator=denominator):
            return floor_div(new(numerator), new(denominator), facts)
        case Mod(numerator=numerator, denominator=denominator):
            return mod(new(numerator), new(denominator), facts)
        case Min(operands=operands):
            return minimum(*(new(operand) for operand in operands), facts=facts)
        case Max(operands=operands):
            return maximum(*(new(operand) for operand in operands), facts=facts)
        case Cond(test=test, then=then, otherwise=otherwise):
            return cond(Test(test.operator, new(test.difference)), new(then), new(otherwise), facts)
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            inner = {name: value for name, value in values.items() if name != variable}
            taken = {name for value in inner.values() for name in free_names(value)}
            if variable in taken:
                fresh = unused(variable, taken | free_names(body))
                body, variable = _rebuilt(body, {variable: length(fresh)}, NOTHING), fresh
            low, high = new(lower), new(upper)
            inside = facts.within(variable, low, high - 1)
            return sum_over(variable, low, high, _rebuilt(body, inner, inside), facts)
        case _:
            raise TypeError(f"unexpected atom {atom!r}")


def unused(name: str, taken: set[str] | frozenset[str]) -> str:
    """``name``, or the first of ``name_1``, ``name_2``, … that is not taken."""
    number, found = 0, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
