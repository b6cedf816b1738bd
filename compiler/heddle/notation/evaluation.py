"""What an assignment means, on dense NumPy arrays: written without anything that lowers it. It is the reference of runs
that are no sums of products, and of the tests.

Products distribute over sums; each term that results is summed over the index variables that it has and the result has
not. A quotient, a function and a comparison stay in their term: ``y(i) = x(i) / A(i,j)`` is the sum of the quotients.
Explicit reductions and assignments like ``min=`` reduce what they are given as it stands. Written constants are plain
Python numbers, so that NumPy itself decides what dtype they take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.notation.alpha_renaming import rename_apart
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    index_variables,
    statements,
)

Array = NDArray[Any]
Value = Any  # an array with one axis per index variable (of size 1 where it does not vary), or a Python number

_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "relu": lambda x: np.maximum(x, 0),
    "square": lambda x: np.multiply(x, x),
}
_FLOATING: dict[str, Callable[..., Any]] = {
    "sqrt": np.sqrt,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "floor": np.floor,
    "ceil": np.ceil,
    "pow": np.power,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}


def evaluate(
    assignment: Assignment,
    operands: Mapping[str, Array | float],
    sizes: Mapping[str, int] | None = None,
    initial: Array | float | None = None,
) -> Array:
    """The dense result, of shape () for a scalar.

    ``sizes`` gives the dimensions of result variables that no operand has; ``initial`` is what ``+=`` adds to.

    Raises
    ------
    ValueError
        two operands give an index variable different sizes.
    """
    assignment = rename_apart(assignment)
    for temporary in assignment.temporaries:
        operands = {**operands, temporary.target.tensor: evaluate(temporary, operands, sizes)}
    assignment = statements(assignment)[-1]
    variables = index_variables(assignment)
    extents = variable_sizes(assignment, operands, sizes or {})
    indices = assignment.target.indices
    operator = ASSIGNMENTS.get(assignment.operator, "+")
    with np.errstate(all="ignore"):
        if operator == "+":
            terms = _terms(assignment.expression, variables, operands)
        else:
            terms = [_value(assignment.expression, variables, operands)]
        terms = [term if np.ndim(term) else _alone(term, terms, len(variables)) for term in terms]
        missing = tuple(axis for axis, variable in enumerate(variables) if variable not in indices)
        remaining = [variable for variable in variables if variable in indices]
        common = np.result_type(
            *terms
        )  # implicit sums are in the dtype of the whole: truth values count as numbers next to numbers
        terms = [term.astype(common) for term in terms]
        whole = np.zeros([extents[v] if v in indices else 1 for v in variables], dtype=bool)
        parts = []
        for term in terms:
            reduced = _reduce(operator, term, missing)
            wide = np.broadcast_arrays(reduced, whole)[0]
            parts.append(wide.squeeze(axis=missing).transpose([remaining.index(index) for index in indices]))
        result = parts[0]
        for part in parts[1:]:
            result = np.add(result, part)
        if initial is not None and assignment.operator != "=":
            result = _combine(operator, initial, result)
    return np.asarray(result)


def variable_sizes(
    assignment: Assignment, operands: Mapping[str, Array | float], sizes: Mapping[str, int]
) -> dict[str, int]:
    """The size of each index variable. Raises ValueError for operands that disagree."""
    extents = dict(sizes)
    for access in accesses(assignment.expression):
        for index, size in zip(access.indices, np.shape(operands[access.tensor]), strict=True):
            if extents.setdefault(index, size) != size:
                raise ValueError(f"{index} has size {extents[index]} and {size}")
    return extents


def _terms(expression: Expression, variables: tuple[str, ...], operands: Mapping[str, Array | float]) -> list[Value]:
    """The additive terms."""
    match expression:
        case Unary(operator="-", operand=operand):
            return [_negate(term) for term in _terms(operand, variables, operands)]
        case Binary(operator="+", left=left, right=right):
            return _terms(left, variables, operands) + _terms(right, variables, operands)
        case Binary(operator="-", left=left, right=right):
            negated = [_negate(term) for term in _terms(right, variables, operands)]
            return _terms(left, variables, operands) + negated
        case Binary(operator="*", left=left, right=right):
            factors = _terms(right, variables, operands)
            return [_plain(np.multiply, term, f) for term in _terms(left, variables, operands) for f in factors]
        case Binary(operator="/", left=left, right=right):
            divisor = _value(right, variables, operands)
            return [_plain(np.divide, term, divisor) for term in _terms(left, variables, operands)]
        case _:
            return [_value(expression, variables, operands)]


def _value(expression: Expression, variables: tuple[str, ...], operands: Mapping[str, Array | float]) -> Value:
    """The expression as it stands, nothing summed but by its own reductions."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            array = np.asarray(operands[tensor])
            unique_indices = list(dict.fromkeys(indices))
            places = [unique_indices.index(index) for index in indices]  # a repeated index reads the diagonal
            array = np.einsum(
                array,
                places,
                sorted(range(len(unique_indices)), key=lambda place: variables.index(unique_indices[place])),
            )
            present = iter(array.shape)
            return array.reshape([next(present) if v in unique_indices else 1 for v in variables])
        case Literal(value=value):
            return value
        case Unary(operand=operand):
            return _plain(np.negative, _value(operand, variables, operands))
        case Binary(operator=operator, left=left, right=right):
            both = _value(left, variables, operands), _value(right, variables, operands)
            return _plain(_BINARY[operator], *both)
        case Call(function=function, arguments=arguments):
            values = [_value(argument, variables, operands) for argument in arguments]
            if function in _CALLS:
                return _plain(_CALLS[function], *values)
            return _plain(_FLOATING[function], *(_floating(value) for value in values))
        case Reduce(operator=operator, variable=variable, operand=operand):
            value = _value(operand, variables, operands)
            counted = value.astype(np.int64) if value.dtype == bool and operator in "+*" else value
            return _reduce(operator, counted, (variables.index(variable),))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _alone(number: Value, terms: list[Value], axes: int) -> Array:
    """A term that is a plain number (or an operand without indices) as an array; a number takes the others' dtype."""
    array = np.asarray(number)
    others = [term.dtype for term in terms if isinstance(term, np.ndarray)]
    if others and not isinstance(number, np.ndarray):
        whole = np.result_type(*others)
        both_integers = array.dtype.kind == "i" and whole.kind in "iu"
        array = array.astype(whole if both_integers else np.result_type(whole, number))
    return array.reshape([1] * axes)


def _negate(term: Value) -> Value:
    """A truth value that is subtracted from a number is 0 or 1."""
    if isinstance(term, np.ndarray) and term.dtype == bool:
        return np.negative(term.astype(np.int8))
    return _plain(np.negative, int(term) if isinstance(term, bool) else term)


def _plain(function: Callable[..., Any], *values: Value) -> Value:
    """Operations on Python numbers alone give Python numbers, which do not widen what they meet."""
    result = function(*values)
    return result if any(isinstance(value, np.ndarray) for value in values) else result.item()


def _floating(value: Value) -> Value:
    """NumPy would compute functions of small integers in small floats."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "biu":
        return value.astype(np.float64)
    return value


def _reduce(operator: str, value: Array, axes: tuple[int, ...]) -> Array:
    """Along ``axes``, which keep the size 1."""
    match operator:
        case "+":
            return np.asarray(value.sum(axis=axes, dtype=value.dtype, keepdims=True))
        case "*":
            return np.asarray(value.prod(axis=axes, dtype=value.dtype, keepdims=True))
        case "||":
            return np.asarray((value != 0).any(axis=axes, keepdims=True))
        case "&&":
            return np.asarray((value != 0).all(axis=axes, keepdims=True))
        case "min" | "max":
            low, high = (False, True) if value.dtype == bool else _range(value.dtype)
            start = high if operator == "min" else low
            return np.asarray(getattr(value, operator)(axis=axes, keepdims=True, initial=start))
        case _:
            raise TypeError(f"unexpected reduction {operator!r}")


def _range(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind in "iu":
        return np.iinfo(dtype).min, np.iinfo(dtype).max
    return -np.inf, np.inf


def _combine(operator: str, initial: Array | float, result: Array) -> Array:
    both = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum}
    both |= {"||": np.logical_or, "&&": np.logical_and}
    return np.asarray(both[operator](initial, result))
