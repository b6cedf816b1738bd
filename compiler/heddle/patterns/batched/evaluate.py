"""What programs mean, on data of real size: each term once for all points where it is evaluated, in NumPy and double
precision. It shares no code with what lowers programs, and says the same as :mod:`heddle.patterns.meaning`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from heddle.patterns.batched.functions import call, element, pattern
from heddle.patterns.batched.operators import combine, pairwise, reduce
from heddle.patterns.batched.values import (
    Array,
    Frame,
    Function,
    TooLargeError,
    Value,
    concatenate,
    flat,
    lift,
    rows_of,
    spread,
    take_points,
)
from heddle.patterns.list_functions import MeaninglessError, UntoldError
from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    ArrayTerm,
    Binary,
    Choice,
    Element,
    IndexTerm,
    Lambda,
    Let,
    NatLambda,
    Negative,
    Number,
    Operator,
    PairTerm,
    PairTypeTerm,
    Projection,
    ScalarTerm,
    Term,
    Truth,
    TypeTerm,
    Variable,
)

__all__ = ["MeaninglessError", "TooLargeError", "UntoldError", "evaluate"]

Environment = Mapping[str, tuple[Frame, Value]]


def evaluate(term: Term, operands: Mapping[str, Any], sizes: Mapping[str, int]) -> Array:
    """The result of a program, its rows behind one another.

    Parameters
    ----------
    operands
        the records of each parameter, one after the other; of pairs a tuple of their fields.
    sizes
        the value of each nFun.

    Raises
    ------
    MeaninglessError
        for positions that are not there, lengths that differ, and arguments of other sizes.
    UntoldError
        for a transposed array without rows.
    TooLargeError
        for more points than memory should hold.
    """
    root = Frame(1)
    environment: dict[str, tuple[Frame, Value]] = {}
    while isinstance(term, NatLambda | Lambda):
        name = term.parameter
        if isinstance(term, NatLambda):
            environment[name] = (root, np.full(1, sizes[name], np.int64))
        else:
            assert term.annotation is not None
            environment[name] = (root, _build(term.annotation, operands[name], environment, root, name))
        term = term.body
    return flat(_term(term, environment, root))


def _build(type: TypeTerm, value: Any, environment: Environment, frame: Frame, name: str) -> Value:
    match type:
        case ArrayTerm(element=inner, size=size, variable=variable):
            count = np.asarray(_term(size, environment, frame))
            if (count < 0).any():
                raise MeaninglessError("a length is negative")
            owner, place = spread(count)
            inner_frame = Frame(len(owner), frame, owner)
            inside = environment if variable is None else {**environment, variable: (inner_frame, place)}
            return rows_of(np.array(count, np.int64), _build(inner, value, inside, inner_frame, name))
        case PairTypeTerm(first=first, second=second):
            fields, other = _fields(value)
            return _build(first, fields, environment, frame, name), _build(second, other, environment, frame, name)
        case ScalarTerm() | IndexTerm():
            records = _wide(np.asarray(value).reshape(-1))
            if len(records) != frame.size:
                raise MeaninglessError(f"{name} has {len(records)} elements, and its type says {frame.size}")
            return records
        case _:
            raise TypeError(f"unexpected type {type!r}")


def _fields(value: Any) -> tuple[Any, Any]:
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        first, *others = value.dtype.names
        return value[first], value[others[0]] if len(others) == 1 else value[others]
    first, *others = value
    return first, others[0] if len(others) == 1 else tuple(others)


def _wide(values: Array) -> Array:
    match values.dtype.kind:
        case "f":
            return values.astype(np.float64)
        case "b":
            return values
        case _:
            return values.astype(np.int64)


def _constant(value: float | bool, frame: Frame) -> Array:
    return np.broadcast_to(np.asarray(value), (frame.size,))


def _term(term: Term, environment: Environment, frame: Frame) -> Value:
    match term:
        case Variable(name=name):
            return _look_up(name, environment, frame)
        case Number(text=text, is_float=is_float):
            return _constant(float(text) if is_float else int(text), frame)
        case Truth(value=truth):
            return _constant(truth, frame)
        case Operator(operator=operator):
            return pairwise(operator)
        case Lambda(parameter=name, body=body) | NatLambda(parameter=name, body=body):
            return Function(lambda inner, value: _term(body, {**environment, name: (inner, value)}, inner))
        case Apply(function=Variable(name="sum" | "Σ"), arguments=(Variable(name=name), lower, upper, body)):
            return _sum(name, lower, upper, body, environment, frame)
        case Apply(function=function, arguments=(argument,), pipe=True):
            value, applied = _term(argument, environment, frame), _term(function, environment, frame)
            if isinstance(value, Function):
                first = value
                return Function(lambda inner, operand: call(applied, inner, call(first, inner, operand)))
            return call(applied, frame, value)
        case Apply(function=function, arguments=arguments):
            applied = _term(function, environment, frame)
            for argument in arguments:
                applied = call(applied, frame, _term(argument, environment, frame))
            return applied
        case Projection(pair=pair, number=number):
            both = _term(pair, environment, frame)
            if not isinstance(both, tuple):
                raise MeaninglessError("no pair")
            return both[number - 1]
        case Element(array=array, index=index):
            return element(_term(array, environment, frame), _term(index, environment, frame))
        case Binary(operator=operator, left=left, right=right):
            return combine(operator, _term(left, environment, frame), _term(right, environment, frame))
        case Negative(operand=operand):
            return combine("-", _constant(0, frame), _term(operand, environment, frame))
        case Choice():
            return _choose(term, environment, frame)
        case PairTerm(first=left, second=right):
            return _term(left, environment, frame), _term(right, environment, frame)
        case Let(name=name, value=bound, body=body):
            return _term(body, {**environment, name: (frame, _term(bound, environment, frame))}, frame)
        case Annotated(term=inner_term):
            return _term(inner_term, environment, frame)
        case _:
            raise TypeError(f"unexpected term {term!r}")


def _look_up(name: str, environment: Environment, frame: Frame) -> Value:
    if name in environment:
        value_frame, value = environment[name]
        return lift(value, value_frame, frame)
    if name in ("min", "max"):
        return pairwise(name)
    return pattern(name) or name


def _sum(name: str, lower: Term, upper: Term, body: Term, environment: Environment, frame: Frame) -> Value:
    first, last = (np.asarray(_term(bound, environment, frame)) for bound in (lower, upper))
    lengths = np.maximum(last - first, 0)
    owner, place = spread(lengths)
    inner = Frame(len(owner), frame, owner)
    values = _term(body, {**environment, name: (inner, first[owner] + place)}, inner)
    total = reduce("+", _constant(0, frame), rows_of(lengths, values))
    assert total is not None
    return total


def _choose(term: Choice, environment: Environment, frame: Frame) -> Value:
    """Each branch only where it is taken."""
    taken_there = np.asarray(_term(term.condition, environment, frame)).astype(bool)
    places = [np.flatnonzero(taken_there), np.flatnonzero(~taken_there)]
    parts: list[Value] = []
    for branch, points in zip((term.then, term.otherwise), places, strict=True):
        if points.size or not frame.size:
            parts.append(_term(branch, environment, Frame(len(points), frame, points)))
    if not frame.size:
        return parts[0]
    stacked = concatenate(parts)
    return take_points(stacked, np.argsort(np.concatenate(places), kind="stable"))
