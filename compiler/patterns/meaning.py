"""What programs mean: each pattern as a function of Python lists, every position checked. It shares no code with what
lowers programs, and is what that is tested against.

Arrays are lists, pairs tuples, functions Python functions of one argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.patterns.syntax.nodes import (
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

Environment = Mapping[str, Any]
INTEGERS = ("int", "long", "int32", "int64", "int8", "int16", "uint8", "uint16", "uint32", "uint64")


class MeaninglessError(ValueError):
    """The arguments break what the program says of them."""


class UntoldError(ValueError):
    """Lists do not tell what the program means: those without elements have no length of elements."""


def evaluate(term: Term, operands: Mapping[str, Any], sizes: Mapping[str, int]) -> NDArray[Any]:
    """The result of a program, its rows behind one another.

    Args:
        operands: the records of each parameter, one behind the other; of an array of pairs a tuple of its fields.
        sizes: the value of each nFun, but for those that are an extent of a parameter with rows of one length.

    Raises:
        MeaninglessError: for positions that are not there, lengths that differ, and arguments of other sizes.
        UntoldError: for a transposed array without rows.
    """
    environment: dict[str, Any] = {}
    sizes = {**_extents(term, operands), **sizes}
    while isinstance(term, NatLambda | Lambda):
        if isinstance(term, NatLambda):
            environment[term.parameter] = int(sizes[term.parameter])
        else:
            assert term.annotation is not None
            records = _records(term.annotation, operands[term.parameter])
            environment[term.parameter] = _built(term.annotation, records, environment)
            if next(records, None) is not None:
                raise MeaninglessError(f"{term.parameter} has more elements than its type says")
        term = term.body
    return np.array(list(_flat(_term(term, environment))))


def _extents(term: Term, operands: Mapping[str, Any]) -> dict[str, int]:
    """Sizes that are a dimension of an array."""
    found: dict[str, int] = {}
    while isinstance(term, NatLambda | Lambda):
        if isinstance(term, Lambda) and isinstance(operands[term.parameter], np.ndarray):
            type = term.annotation
            for extent in operands[term.parameter].shape:
                if isinstance(type, ArrayTerm) and type.variable is None and isinstance(type.size, Variable):
                    found[type.size.name] = extent
                type = type.element if isinstance(type, ArrayTerm) else None
        term = term.body
    return found


def _records(type: TypeTerm, value: Any) -> Iterator[Any]:
    while isinstance(type, ArrayTerm):
        type = type.element
    if isinstance(type, PairTypeTerm):
        if isinstance(value, np.ndarray):
            return iter([tuple(record.tolist()) for record in value])
        return iter(list(zip(*(np.asarray(column).reshape(-1).tolist() for column in value), strict=True)))
    return iter(np.asarray(value).reshape(-1).tolist())


def _built(type: TypeTerm, records: Iterator[Any], environment: Environment) -> Any:
    match type:
        case ArrayTerm(element=element, size=size, variable=variable):
            count = _term(size, environment)
            if count < 0:
                raise MeaninglessError("a length is negative")
            name = variable or "_"
            return [_built(element, records, {**environment, name: place}) for place in range(count)]
        case ScalarTerm() | PairTypeTerm() | IndexTerm():
            try:
                return next(records)
            except StopIteration:
                raise MeaninglessError("a parameter has fewer elements than its type says") from None
        case _:
            raise TypeError(f"unexpected type {type!r}")


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def _at(array: list[Any], place: int) -> Any:
    if not 0 <= place < len(array):
        raise MeaninglessError(f"position {place} of {len(array)}")
    return array[place]


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
            return _PATTERNS.get(name, name)
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
            return (lambda one: applied(value(one))) if callable(value) else applied(value)
        case Apply(function=function, arguments=arguments):
            applied = _term(function, environment)
            for argument in arguments:
                applied = applied(_term(argument, environment))
            return applied
        case Projection(pair=pair, number=number):
            return _term(pair, environment)[number - 1]
        case Element(array=array, index=index):
            return _at(_term(array, environment), _term(index, environment))
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


# ------------------------------------------------------------------------------------------------- the patterns


def _curried(count: int, function: Callable[..., Any]) -> Any:
    """``function`` of ``count`` arguments, taken one at a time."""

    def take(given: tuple[Any, ...]) -> Any:
        return function(*given) if len(given) == count else lambda value: take((*given, value))

    return take(())


def _zip(left: list[Any], right: list[Any]) -> list[Any]:
    if len(left) != len(right):
        raise MeaninglessError(f"zip of {len(left)} and {len(right)} elements")
    return list(zip(left, right, strict=True))


def _reduce(function: Any, start: Any, array: list[Any]) -> Any:
    for one in array:
        start = function(start)(one)
    return start


def _scan(function: Any, start: Any, array: list[Any]) -> list[Any]:
    found = []
    for one in array:
        start = function(start)(one)
        found.append(start)
    return found


def _split(size: int, array: list[Any]) -> list[Any]:
    if size <= 0 or len(array) % size:
        raise MeaninglessError(f"{size} does not divide {len(array)}")
    return _pieces(size, array)


def _pieces(size: int, array: list[Any]) -> list[Any]:
    if size <= 0:
        raise MeaninglessError("pieces without elements")
    return [array[start : start + size] for start in range(0, len(array), size)]


def _deal(hands: int, array: list[Any]) -> list[Any]:
    if hands <= 0:
        raise MeaninglessError("no hands")
    return [array[hand::hands] for hand in range(hands)]


def _take(count: int, array: list[Any]) -> list[Any]:
    if not 0 <= count <= len(array):
        raise MeaninglessError(f"{count} of {len(array)} elements")
    return array[:count]


def _drop(count: int, array: list[Any]) -> list[Any]:
    return array[len(_take(count, array)) :]


def _scatter(indices: list[int], array: list[Any]) -> list[Any]:
    if sorted(indices) != list(range(len(array))):
        raise MeaninglessError("no permutation")
    found = [None] * len(array)
    for index, one in zip(indices, array, strict=True):
        found[index] = one
    return found


def _slide(size: int, step: int, array: list[Any]) -> list[Any]:
    if size <= 0 or step <= 0 or (len(array) - size) % step:
        raise MeaninglessError("windows that do not fit")
    return [array[start : start + size] for start in range(0, len(array) - size + 1, step)]


def _pad(left: int, right: int, mode: Any, array: list[Any]) -> list[Any]:
    size = len(array)
    places = range(-left, size + right)
    if mode == "clamp" and not size:
        return [0.0] * len(places)
    if mode == "clamp":
        return [array[max(0, min(place, size - 1))] for place in places]
    if mode == "wrap":
        if not size and places:
            raise MeaninglessError("nothing is wrapped")
        return [array[place % size] for place in places]
    return [array[place] if 0 <= place < size else mode for place in places]


def _transpose(rows: list[Any]) -> list[Any]:
    if not rows:
        raise UntoldError("no row tells how many columns there are")
    if len({len(row) for row in rows}) > 1:
        raise MeaninglessError("rows of different lengths")
    return [list(column) for column in zip(*rows, strict=True)]


def _iterate(count: int, function: Any, value: Any) -> Any:
    for _ in range(count):
        value = function(value)
    return value


def _map(function: Any, array: list[Any]) -> list[Any]:
    return [function(one) for one in array]


_ARITY: dict[str, tuple[int, Callable[..., Any]]] = {
    **dict.fromkeys(
        (
            "map",
            "mapSeq",
            "mapUnroll",
            "mapPar",
            "mapVec",
            "mapGlobal",
            "mapGlb",
            "mapWorkgroup",
            "mapWrg",
            "mapLocal",
            "mapLcl",
            "mapWarp",
            "mapLane",
        ),
        (2, _map),
    ),
    "mapi": (2, lambda function, array: [function(place)(one) for place, one in enumerate(array)]),
    "reduce": (3, _reduce),
    "reduceSeq": (3, _reduce),
    "reduceUnroll": (3, _reduce),
    "scan": (3, _scan),
    "zip": (2, _zip),
    "unzip": (1, lambda array: ([one[0] for one in array], [one[1] for one in array])),
    "split": (2, _split),
    "splitUp": (2, _pieces),
    "deal": (2, _deal),
    "join": (1, lambda rows: [one for row in rows for one in row]),
    "transpose": (1, _transpose),
    "concat": (2, lambda left, right: left + right),
    "take": (2, _take),
    "drop": (2, _drop),
    "reverse": (1, lambda array: array[::-1]),
    "gather": (2, lambda indices, array: [_at(array, place) for place in indices]),
    "scatter": (2, _scatter),
    "slide": (3, _slide),
    "pad": (4, _pad),
    "iota": (1, lambda count: list(range(count))),
    "generate": (2, lambda count, function: [function(place) for place in range(count)]),
    "zeros": (1, lambda count: [0.0] * count),
    "iterate": (3, _iterate),
    **dict.fromkeys(("toGlobal", "toLocal", "toPrivate", "toNat"), (1, lambda value: value)),
}
_PATTERNS: dict[str, Any] = {name: _curried(count, function) for name, (count, function) in _ARITY.items()}
