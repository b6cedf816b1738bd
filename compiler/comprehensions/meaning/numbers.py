"""Subscripts and conditions as numbers: intervals first, all points where these do not decide (docs/sources.md C18)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.comprehensions.language.nodes import (
    Apply,
    Binary,
    Cast,
    Choice,
    Extent,
    Name,
    Node,
    Number,
    Unary,
    walk,
)
from compiler.lengths.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod
from compiler.lengths.nodes import Name as Named

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


def _times(one: Interval, two: Interval) -> Interval:
    products = [a * b for a in one for b in two]
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
            both = [interval(one, values) for one in operands]
            return min(low for low, _ in both), min(high for _, high in both)
        case Max(operands=operands):
            both = [interval(one, values) for one in operands]
            return max(low for low, _ in both), max(high for _, high in both)
        case Cond(then=then, otherwise=otherwise):
            both = [interval(then, values), interval(otherwise, values)]
            return min(low for low, _ in both), max(high for _, high in both)
        case _:
            raise UndecidedError


def first_outside(
    node: Node,
    guards: tuple[Node, ...],
    lower: int,
    upper: int,
    ranges: Mapping[str, Interval],
    values: Mapping[str, int],
    shapes: Mapping[str, tuple[int, ...]],
) -> tuple[dict[str, int], int] | None:
    """The first point of the ranges at which ``node`` is read outside of [lower, upper) and what it is there; None
    where there is none. Guards that no number says are taken to hold.

    Raises UndecidedError where there are too many points, or the subscript has no number."""
    asked = {part.name for one in (node, *guards) for part in walk(one) if isinstance(part, Name)} & ranges.keys()
    names = [name for name in ranges if name in asked]
    counts = [max(0, ranges[name][1] - ranges[name][0] + 1) for name in names]
    if prod(counts) > MOST_POINTS:
        raise UndecidedError
    grids = np.meshgrid(*(np.arange(ranges[n][0], ranges[n][1] + 1) for n in names), indexing="ij", sparse=True)
    known: dict[str, Any] = {**values, **dict(zip(names, grids, strict=True))}
    found = np.broadcast_to(evaluated(node, known, shapes), counts)
    outside = (found < lower) | (found >= upper)
    for guard in guards:
        try:
            outside = outside & (np.asarray(evaluated(guard, known, shapes)) != 0)
        except UndecidedError:
            continue
    if not outside.any():
        return None
    place = tuple(int(one[0]) for one in np.nonzero(outside)) if names else ()
    point = {name: ranges[name][0] + at for name, at in zip(names, place, strict=True)}
    return point, int(found[place])


def evaluated(node: Node, values: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> NDArray[Any]:
    """The value of an integer expression without reads.

    Raises UndecidedError for one with reads."""
    match node:
        case Number(value=value):
            return np.asarray(value)
        case Name(name=name) if name in values:
            return np.asarray(values[name])
        case Extent(tensor=tensor, dimension=dimension) if tensor in shapes:
            return np.asarray(shapes[tensor][dimension])
        case Unary(operator=operator, operand=operand):
            inner = evaluated(operand, values, shapes)
            return np.asarray(inner == 0) if operator == "!" else -inner
        case Binary(operator=operator, left=left, right=right):
            return np.asarray(_binary(operator, evaluated(left, values, shapes), evaluated(right, values, shapes)))
        case Apply(name="min" | "fmin", arguments=(left, right)):
            return np.asarray(np.minimum(evaluated(left, values, shapes), evaluated(right, values, shapes)))
        case Apply(name="max" | "fmax", arguments=(left, right)):
            return np.asarray(np.maximum(evaluated(left, values, shapes), evaluated(right, values, shapes)))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            parts = [evaluated(one, values, shapes) for one in (condition, then, otherwise)]
            return np.where(parts[0] != 0, parts[1], parts[2])
        case Cast(dtype=dtype, operand=operand) if "int" in dtype:
            return evaluated(operand, values, shapes)
        case _:
            raise UndecidedError


def _binary(operator: str, left: NDArray[Any], right: NDArray[Any]) -> Any:
    with np.errstate(all="ignore"):
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return left // right if left.dtype.kind in "iu" and right.dtype.kind in "iu" else left / right
            case "%":
                return left % right
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case ">=":
                return left >= right
            case "==":
                return left == right
            case "!=":
                return left != right
            case "&&":
                return (left != 0) & (right != 0)
            case "||":
                return (left != 0) | (right != 0)
            case _:
                raise TypeError(f"unexpected operator {operator!r}")
