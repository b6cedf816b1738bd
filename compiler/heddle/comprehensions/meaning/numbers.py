"""Subscripts and conditions as numbers: intervals first, all points where these do not decide
(docs/sources.toml C18)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from heddle.symbolic.evaluate import evaluate, holds
from heddle.symbolic.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod, Test
from heddle.symbolic.nodes import Name as Named
from heddle.symbolic.walk import free_names

if TYPE_CHECKING:
    from heddle.symbolic.evaluate import Value

Interval = tuple[int, int]
"""From the first to the last value, both included."""

MOST_POINTS = 1 << 24


class UndecidedError(Exception):
    """There is no number for this."""


def interval(whole: Length, values: Mapping[str, Interval]) -> Interval:
    """Bounds of ``whole`` where each name lies in its interval.

    Raises UndecidedError for what has none."""
    low = high = 0
    for monomial, coefficient in whole.terms:
        ends = (int(coefficient), int(coefficient))
        for atom, power in monomial:
            for _ in range(power):
                ends = _times(ends, _atom(atom, values))
        low, high = low + ends[0], high + ends[1]
    return low, high


def _times(interval: Interval, two: Interval) -> Interval:
    products = [a * b for a in interval for b in two]
    return min(products), max(products)


def _atom(atom: Atom, values: Mapping[str, Interval]) -> Interval:
    match atom:
        case Named(name=name) if name in values:
            return values[name]
        case FloorDiv(numerator=numerator, denominator=denominator):
            above, below = interval(numerator, values), interval(denominator, values)
            if below[0] <= 0:
                raise UndecidedError
            quotients = [a // b for a in above for b in below]
            return min(quotients), max(quotients)
        case Mod(numerator=numerator, denominator=denominator):
            above, below = interval(numerator, values), interval(denominator, values)
            if below[0] <= 0:
                raise UndecidedError
            if above[0] >= 0 and above[1] < below[0]:
                return above
            return 0, below[1] - 1
        case Min(operands=operands):
            both = [interval(operand, values) for operand in operands]
            return min(low for low, _ in both), min(high for _, high in both)
        case Max(operands=operands):
            both = [interval(operand, values) for operand in operands]
            return max(low for low, _ in both), max(high for _, high in both)
        case Cond(then=then, otherwise=otherwise):
            both = [interval(then, values), interval(otherwise, values)]
            return min(low for low, _ in both), max(high for _, high in both)
        case _:
            raise UndecidedError


def first_outside(
    subscript: Length,
    guards: tuple[Test, ...],
    lower: int,
    upper: int,
    ranges: Mapping[str, Interval],
    values: Mapping[str, int],
) -> tuple[dict[str, int], int] | None:
    """The first point of the ranges at which ``guards`` hold and ``subscript`` is outside of [lower, upper), and what
    it is there; None where there is none. No value on the way may leave 64 bits, and what divides is positive.

    Raises UndecidedError where there are too many points."""
    used = free_names(subscript).union(*(free_names(guard.difference) for guard in guards))
    names = [name for name in ranges if name in used]
    counts = [max(0, ranges[name][1] - ranges[name][0] + 1) for name in names]
    if prod(counts) > MOST_POINTS:
        raise UndecidedError
    axes = (np.arange(ranges[n][0], ranges[n][1] + 1, dtype=np.int64) for n in names)
    grids = np.meshgrid(*axes, indexing="ij", sparse=True)
    known: dict[str, Value] = {**values, **dict(zip(names, grids, strict=True))}
    subscripts = np.broadcast_to(evaluate(subscript, known), counts)
    outside = (subscripts < lower) | (subscripts >= upper)
    for guard in guards:
        outside = outside & holds(guard, known)
    if not outside.any():
        return None
    place = tuple(int(coordinates[0]) for coordinates in np.nonzero(outside)) if names else ()
    point = {name: ranges[name][0] + at for name, at in zip(names, place, strict=True)}
    return point, int(subscripts[place])
