"""What programs mean: each pattern as a function of Python lists, every position checked. It shares no code with what
lowers programs, and is what that is tested against.

Arrays are lists, pairs tuples, functions Python functions of one argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.patterns.list_functions import PATTERNS, MeaninglessError, UntoldError, element
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

__all__ = ["MeaninglessError", "UntoldError", "evaluate"]

Environment = Mapping[str, Any]


def evaluate(term: Term, operands: Mapping[str, Any], sizes: Mapping[str, int]) -> NDArray[Any]:
    """The result of a program, its rows behind one another.

    Parameters
    ----------
    operands
        the records of each parameter, one after the other; of an array of pairs a tuple of its fields.
    sizes
        the value of each nFun, but for those that are an extent of a parameter with rows of one length.

    Raises
    ------
    MeaninglessError
        for positions that are not there, lengths that differ, and arguments of other sizes.
    UntoldError
        for a transposed array without rows.
    """
    environment: dict[str, Any] = {}
    sizes = {**extents(term, operands), **sizes}
    while isinstance(term, NatLambda | Lambda):
        if isinstance(term, NatLambda):
            environment[term.parameter] = int(sizes[term.parameter])
        else:
            assert term.annotation is not None
            records = _records(term.annotation, operands[term.parameter])
            environment[term.parameter] = _build(term.annotation, records, environment)
            if next(records, None) is not None:
                raise MeaninglessError(f"{term.parameter} has more elements than its type says")
        term = term.body
    return np.array(list(_flat(_term(term, environment))))


def extents(term: Term, operands: Mapping[str, Any]) -> dict[str, int]:
    """Sizes that are a dimension of an array."""
    sizes: dict[str, int] = {}
    while isinstance(term, NatLambda | Lambda):
        if isinstance(term, Lambda) and isinstance(operands[term.parameter], np.ndarray):
            type = term.annotation
            for extent in operands[term.parameter].shape:
                if isinstance(type, ArrayTerm) and type.variable is None and isinstance(type.size, Variable):
                    sizes[type.size.name] = extent
                type = type.element if isinstance(type, ArrayTerm) else None
        term = term.body
    return sizes


def _records(type: TypeTerm, value: Any) -> Iterator[Any]:
    while isinstance(type, ArrayTerm):
        type = type.element
    if isinstance(type, PairTypeTerm):
        if isinstance(value, np.ndarray):
            return iter([tuple(record.tolist()) for record in value])
        return iter(list(zip(*(np.asarray(column).reshape(-1).tolist() for column in value), strict=True)))
    return iter(np.asarray(value).reshape(-1).tolist())


def _build(type: TypeTerm, records: Iterator[Any], environment: Environment) -> Any:
    match type:
        case ArrayTerm(element=element, size=size, variable=variable):
            count = _term(size, environment)
            if count < 0:
                raise MeaninglessError("a length is negative")
            name = variable or "_"
            return [_build(element, records, {**environment, name: place}) for place in range(count)]
        case ScalarTerm() | PairTypeTerm() | IndexTerm():
            try:
                return next(records)
            except StopIteration:
                raise MeaninglessError("a parameter has fewer elements than its type says") from None
        case _:
            raise TypeError(f"unexpected type {type!r}")


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for element in value:
            yield from _flat(element)
    else:
        yield value


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "%": lambda a, b: a % b,
    "/": lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) else a / b,
}


def _pairwise(operator: str) -> Callable[[Any], Any]:
    """An operator, of a pair or of one argument after the other."""

    def apply(first: Any) -> Any:
        if isinstance(first, tuple):
            return _OPERATORS[operator](*first)
        return lambda second: _OPERATORS[operator](first, second)

    return apply


def _term(term: Term, environment: Environment) -> Any:
    match term:
        case Variable(name=name):
            if name in environment:
                return environment[name]
            if name in ("min", "max"):
                return _pairwise(name)
            return PATTERNS.get(name, name)
        case Number(text=text, is_float=is_float):
            return float(text) if is_float else int(text)
        case Truth(value=value):
            return value
        case Operator(operator=operator):
            return _pairwise(operator)
        case Lambda(parameter=name, body=body) | NatLambda(parameter=name, body=body):
            return lambda value: _term(body, {**environment, name: value})
        case Apply(function=Variable(name="sum" | "Σ"), arguments=(Variable(name=name), lower, upper, body)):
            places = range(_term(lower, environment), _term(upper, environment))
            return sum(_term(body, {**environment, name: place}) for place in places)
        case Apply(function=function, arguments=(argument,), pipe=True):
            value, applied = _term(argument, environment), _term(function, environment)
            return (lambda operand: applied(value(operand))) if callable(value) else applied(value)
        case Apply(function=function, arguments=arguments):
            applied = _term(function, environment)
            for argument in arguments:
                applied = applied(_term(argument, environment))
            return applied
        case Projection(pair=pair, number=number):
            return _term(pair, environment)[number - 1]
        case Element(array=array, index=index):
            return element(_term(array, environment), _term(index, environment))
        case Binary(operator=operator, left=left, right=right):
            return _OPERATORS[operator](_term(left, environment), _term(right, environment))
        case Negative(operand=operand):
            return -_term(operand, environment)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return _term(then if _term(condition, environment) else otherwise, environment)
        case PairTerm(first=first, second=second):
            return (_term(first, environment), _term(second, environment))
        case Let(name=name, value=value, body=body):
            return _term(body, {**environment, name: _term(value, environment)})
        case Annotated(term=inner):
            return _term(inner, environment)
        case _:
            raise TypeError(f"unexpected term {term!r}")
