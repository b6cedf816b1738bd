"""Lengths with numbers in the place of names: integers, or NumPy arrays of integers that broadcast together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from heddle.symbolic.nodes import At, Atom, Cond, FloorDiv, Length, Max, Min, Mod, Name, Opaque, Sum, Test
from heddle.symbolic.printer import common_denominator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Value = int | NDArray[Any]


def evaluate(whole: Length, names: Mapping[str, Value], arrays: Mapping[str, NDArray[Any]] | None = None) -> Value:
    """The value of ``whole``; of arrays with the shape that those it depends on broadcast to.

    Parameters
    ----------
    names
        the value of each name; where one is an array, so is the result.
    arrays
        the arrays whose elements it asks for.

    Raises
    ------
    KeyError
        for a name or an array that is not given.
    IndexError
        for an element that an array does not have.
    """
    scale = common_denominator(whole)
    total: Value = 0
    for monomial, coefficient in whole.scale(scale).terms:
        term: Value = int(coefficient)
        for atom, power in monomial:
            term = term * _atom(atom, names, arrays or {}) ** power
        total = total + term
    return total if scale == 1 else total // scale


def number_of(whole: Length, names: Mapping[str, int]) -> int:
    """The value of ``whole`` where all names are integers; raises what :func:`evaluate` does, and ZeroDivisionError for
    a quotient by 0."""
    return int(evaluate(whole, names))


def holds(
    test: Test, names: Mapping[str, Value], arrays: Mapping[str, NDArray[Any]] | None = None
) -> bool | NDArray[np.bool_]:
    """Whether ``test`` holds, or where; raises what :func:`evaluate` does."""
    difference = evaluate(test.difference, names, arrays)
    match test.operator:
        case "==":
            return difference == 0
        case "!=":
            return difference != 0
        case ">=":
            return difference >= 0
        case "<":
            return difference < 0
        case _:
            raise ValueError(f"unexpected operator {test.operator!r}")


def _atom(atom: Atom, names: Mapping[str, Value], arrays: Mapping[str, NDArray[Any]]) -> Value:
    import numpy as np

    def value(part: Length) -> Value:
        return evaluate(part, names, arrays)

    match atom:
        case Name(name=name):
            return names[name]
        case Opaque(text=text):
            return names[text]
        case At(array=array, index=index):
            return _elements(array, arrays[array], value(index))
        case FloorDiv(numerator=numerator, denominator=denominator):
            return value(numerator) // value(denominator)
        case Mod(numerator=numerator, denominator=denominator):
            return value(numerator) % value(denominator)
        case Min(operands=operands) | Max(operands=operands):
            chosen = value(operands[0])
            for operand in operands[1:]:
                other = value(operand)
                if isinstance(chosen, int) and isinstance(other, int):
                    chosen = min(chosen, other) if isinstance(atom, Min) else max(chosen, other)
                else:
                    chosen = np.minimum(chosen, other) if isinstance(atom, Min) else np.maximum(chosen, other)
            return chosen
        case Cond(test=test, then=then, otherwise=otherwise):
            return _choice(test, then, otherwise, names, arrays)
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            return _sum(variable, value(lower), value(upper), body, names, arrays)
        case _:
            raise TypeError(f"unexpected atom {atom!r}")


def _elements(name: str, array: NDArray[Any], index: Value) -> Value:
    import numpy as np

    if isinstance(index, int):
        if not 0 <= index < len(array):
            raise IndexError(f"{name} has {len(array)} elements, none of them at {index}")
        return int(array[index])
    if index.size and not (index.min() >= 0 and index.max() < len(array)):
        raise IndexError(f"{name} has {len(array)} elements, none of them at {index.min()} or {index.max()}")
    return array[index].astype(np.int64)


def _choice(
    test: Test, then: Length, otherwise: Length, names: Mapping[str, Value], arrays: Mapping[str, NDArray[Any]]
) -> Value:
    """Each branch is evaluated only where it is taken: the other one may have no value there."""
    import numpy as np

    condition = holds(test, names, arrays)
    if isinstance(condition, bool):
        return evaluate(then if condition else otherwise, names, arrays)
    shape = np.broadcast_shapes(condition.shape, *(np.shape(value) for value in names.values()))
    condition = np.broadcast_to(condition, shape)
    result = np.zeros(shape, np.int64)
    for branch, where in ((then, condition), (otherwise, ~condition)):
        inside = {
            name: value if isinstance(value, int) else np.broadcast_to(value, shape)[where]
            for name, value in names.items()
        }
        result[where] = evaluate(branch, inside, arrays)
    return result


def _sum(
    variable: str,
    lower: Value,
    upper: Value,
    body: Length,
    names: Mapping[str, Value],
    arrays: Mapping[str, NDArray[Any]],
) -> Value:
    import numpy as np

    scalars = {name: value for name, value in names.items() if isinstance(value, int)}
    if isinstance(lower, int) and isinstance(upper, int) and len(scalars) == len(names):
        if lower >= upper:
            return 0
        values = np.broadcast_to(
            np.asarray(evaluate(body, {**names, variable: np.arange(lower, upper)}, arrays)), (upper - lower,)
        )
        return int(values.sum())
    shape = np.broadcast_shapes(*(np.shape(value) for value in (lower, upper, *names.values())))
    wide = {name: np.broadcast_to(value, shape).reshape(-1) for name, value in names.items()}
    low, high = (np.broadcast_to(bound, shape).reshape(-1) for bound in (lower, upper))
    sums = [
        _sum(
            variable, int(low[at]), int(high[at]), body, {name: int(value[at]) for name, value in wide.items()}, arrays
        )
        for at in range(low.size)
    ]
    return np.array(sums, np.int64).reshape(shape)
