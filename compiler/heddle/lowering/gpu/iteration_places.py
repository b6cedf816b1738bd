"""Where the iterations of a loop write: does every one of them have places of its own?

A loop over tiles of a dense dimension takes other coordinates in each iteration, whatever its threads do inside a tile:
what one iteration writes, no thread writes in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Assign, Binary, Declare, Expr, For, Stmt, Store, Var
from heddle.loop_ir.walk import children, statements, written_arrays

Interval = tuple[int, int]
"""The least and the greatest value."""


def find_revisited(loop: For) -> frozenset[str]:
    """The arrays of which several iterations of ``loop`` may write the same element.

    An element's index is taken for ``parent * size + coordinate``, as levels with located coordinates spell it; a
    coordinate lies below the size of its level.
    """
    changing = frozenset(statement.name for statement in statements(loop.body) if isinstance(statement, Assign))
    return frozenset(_find_revisited(loop.body, loop.variable, changing, {}, {}))


def _find_revisited(
    statement: Stmt, variable: str, changing: frozenset[str], values: dict[str, Expr], limits: dict[str, Interval]
) -> Iterator[str]:
    """``values`` and ``limits`` are those of what is declared so far; what ``statement`` declares is added."""
    match statement:
        case Declare(name=name, value=value) if name not in changing:
            values[name] = value
        case Declare(name=name):
            values.pop(name, None)
        case Store(array=array, index=index):
            if not any(_tells(coordinate, variable, values, limits) for coordinate in _coordinates(index, values)):
                yield array.name
        case For(variable=inner, lower=lower, upper=upper, body=body):
            first, end = build.constant(lower), build.constant(upper)
            inside = dict(limits) if first is None or end is None else {**limits, inner: (first, end - 1)}
            yield from _find_revisited(body, variable, changing, dict(values), inside)
        case _:
            yield from written_arrays(statement)
            for child in children(statement):
                yield from _find_revisited(child, variable, changing, values, limits)


def _coordinates(index: Expr, values: Mapping[str, Expr]) -> Iterator[Expr]:
    """The coordinates of the dense levels at the end of a place's path, the innermost first."""
    match index:
        case Var(name=name) if name in values:
            yield from _coordinates(values[name], values)
        case Binary(operator="+", left=Binary(operator="*", left=parent), right=coordinate):
            yield coordinate
            yield from _coordinates(parent, values)
        case _:
            yield index


def _tells(coordinate: Expr, variable: str, values: Mapping[str, Expr], limits: Mapping[str, Interval]) -> bool:
    """Whether ``coordinate`` is ``variable * size + rest`` with a rest in [0, size): it tells the iteration."""
    size, rest = 0, (0, 0)
    for term in _terms(coordinate, variable, values):
        match term:
            case Var(name=name) if name == variable:
                size += 1
            case Binary(operator="*", left=Var(name=name), right=factor) if name == variable:
                size += build.constant(factor) or 0
            case _:
                limit = _limit(term, values, limits)
                if limit is None:
                    return False
                rest = rest[0] + limit[0], rest[1] + limit[1]
    return rest[0] >= 0 and rest[1] < size


def _terms(expression: Expr, variable: str, values: Mapping[str, Expr]) -> Iterator[Expr]:
    match expression:
        case Var(name=name) if name != variable and name in values:
            yield from _terms(values[name], variable, values)
        case Binary(operator="+", left=left, right=right):
            yield from _terms(left, variable, values)
            yield from _terms(right, variable, values)
        case _:
            yield expression


def _limit(expression: Expr, values: Mapping[str, Expr], limits: Mapping[str, Interval]) -> Interval | None:
    """Between which constants a value lies; None where that is not known."""
    value = build.constant(expression)
    if value is not None:
        return value, value
    match expression:
        case Var(name=name) if name in limits:
            return limits[name]
        case Var(name=name) if name in values:
            return _limit(values[name], values, limits)
        case Binary(operator="%", right=right) if (size := build.constant(right)) is not None:
            return 0, size - 1
        case Binary(operator="+" | "*" | "//" as operator, left=left, right=right):
            first, last = _limit(left, values, limits), _limit(right, values, limits)
            return None if first is None or last is None else _combine(operator, first, last)
        case _:
            return None


def _combine(operator: str, left: Interval, right: Interval) -> Interval | None:
    """Of values that are not negative."""
    if min(left[0], right[0]) < 0:
        return None
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "*":
            return left[0] * right[0], left[1] * right[1]
        case _:
            return None if right[0] == 0 else (left[0] // right[1], left[1] // right[0])
