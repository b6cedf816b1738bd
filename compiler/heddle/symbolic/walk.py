"""What lengths are made of, all the way down."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from heddle.symbolic.nodes import At, Atom, Cond, FloorDiv, Length, Max, Min, Mod, Name, Opaque, Sum


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


@lru_cache(maxsize=4096)  # of the same lengths it is asked many times in one compile
def free_names(whole: Length) -> frozenset[str]:
    """The names that ``whole`` depends on, without the variables of its sums."""
    dependencies: set[str] = set()
    for atom in whole.atoms():
        match atom:
            case Name(name=name):
                dependencies.add(name)
            case Sum(variable=variable, lower=lower, upper=upper, body=body):
                dependencies |= free_names(lower) | free_names(upper) | (free_names(body) - {variable})
            case _:
                for part in parts(atom):
                    dependencies |= free_names(part)
    return frozenset(dependencies)


def arrays_of(whole: Length) -> frozenset[str]:
    """The arrays whose elements ``whole`` depends on."""
    return frozenset(atom.array for atom in all_atoms(whole) if isinstance(atom, At))


def choose_unused_name(name: str, reserved: set[str] | frozenset[str]) -> str:
    """``name``, or the first of ``name_1``, ``name_2``, … that is not taken."""
    number, candidate = 0, name
    while candidate in reserved:
        number += 1
        candidate = f"{name}_{number}"
    return candidate
