"""Quotients, remainders, minima, maxima and choices in normal form. Facts let more of them disappear."""

from __future__ import annotations

from collections.abc import Callable

from heddle.symbolic.divide import quotient_and_rest
from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import At, Cond, FloorDiv, Length, Max, Min, Mod, Test, length, of_atom
from heddle.symbolic.prove import at_most, decide, less, nonnegative


def at(array: str, index: Length | int) -> Length:
    """The element of an array of integers."""
    return of_atom(At(array, length(index)))


def floor_div(numerator: Length | int, denominator: Length | int, facts: Facts = NOTHING) -> Length:
    """``numerator // denominator``; the denominator is taken to be positive."""
    numerator, denominator = length(numerator), length(denominator)
    _positive(denominator)
    quotient, rest = quotient_and_rest(numerator, denominator)
    if not rest.terms or (nonnegative(rest, facts) and less(rest, denominator, facts)):
        return quotient
    inner, whole = rest.atom, denominator.constant
    if isinstance(inner, FloorDiv) and whole is not None and inner.denominator.constant is not None:
        return quotient + floor_div(inner.numerator, inner.denominator * denominator, facts)
    return quotient + of_atom(FloorDiv(rest, denominator))


def ceil_div(numerator: Length | int, denominator: Length | int, facts: Facts = NOTHING) -> Length:
    """``numerator / denominator``, rounded up."""
    return floor_div(length(numerator) + denominator - 1, denominator, facts)


def mod(numerator: Length | int, denominator: Length | int, facts: Facts = NOTHING) -> Length:
    """What ``numerator // denominator`` leaves: from 0 to ``denominator - 1``."""
    numerator, denominator = length(numerator), length(denominator)
    _positive(denominator)
    _, rest = quotient_and_rest(numerator, denominator)
    if not rest.terms or (nonnegative(rest, facts) and less(rest, denominator, facts)):
        return rest
    return of_atom(Mod(rest, denominator))


def _positive(denominator: Length) -> None:
    value = denominator.constant
    if value is not None and value <= 0:
        raise ValueError(f"a length is divided by a positive number, not by {value}")


def minimum(*operands: Length | int, facts: Facts = NOTHING) -> Length:
    """The least of ``operands``, of which there is at least one."""
    flat = _flat([length(operand) for operand in operands], Min)
    extreme = _extreme(flat, lambda candidate, other: at_most(candidate, other, facts))
    return extreme[0] if len(extreme) == 1 else of_atom(Min(tuple(extreme)))


def maximum(*operands: Length | int, facts: Facts = NOTHING) -> Length:
    """The greatest of ``operands``, of which there is at least one."""
    flat = _flat([length(operand) for operand in operands], Max)
    extreme = _extreme(flat, lambda candidate, other: at_most(other, candidate, facts))
    return extreme[0] if len(extreme) == 1 else of_atom(Max(tuple(extreme)))


def _flat(operands: list[Length], kind: type[Min] | type[Max]) -> list[Length]:
    flat: list[Length] = []
    for operand in operands:
        atom = operand.atom
        flat += list(atom.operands) if isinstance(atom, kind) and isinstance(atom, Min | Max) else [operand]
    return sorted(set(flat), key=lambda operand: operand.key)


def _extreme(operands: list[Length], wins: Callable[[Length, Length], bool]) -> list[Length]:
    """Those of ``operands`` that no other one always beats."""
    lengths: list[Length] = []
    for operand in operands:
        if any(wins(other, operand) for other in lengths):
            continue
        lengths = [other for other in lengths if not wins(operand, other)]
        lengths.append(operand)
    return lengths


def cond(test: Test, then: Length | int, otherwise: Length | int, facts: Facts = NOTHING) -> Length:
    """``then`` where ``test`` holds, elsewhere ``otherwise``."""
    then, otherwise = length(then), length(otherwise)
    if then == otherwise:
        return then
    holds = decide(test, facts)
    if holds is not None:
        return then if holds else otherwise
    if test.operator in ("!=", "<"):
        opposite = "==" if test.operator == "!=" else ">="
        return cond(Test(opposite, test.difference), otherwise, then, facts)
    difference = test.difference
    if test.operator == "==" and difference.terms[0][1] < 0:
        difference = -difference
    return of_atom(Cond(Test(test.operator, difference), then, otherwise))


def compare(operator: str, left: Length | int, right: Length | int) -> Test:
    """The test ``left operator right``, for any of ``== != < <= > >=``."""
    difference = length(left) - right
    match operator:
        case "==" | "!=" | ">=" | "<":
            return Test(operator, difference)
        case "<=":
            return Test(">=", -difference)
        case ">":
            return Test("<", -difference)
        case _:
            raise ValueError(f"unexpected comparison {operator!r}")
