"""What functions make of zeros: whether an entry that is 0 changes nothing, for all that is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.patterns.rules.terms import pattern_of
from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    Binary,
    Choice,
    Element,
    Lambda,
    Let,
    Negative,
    Number,
    Operator,
    PairTerm,
    Projection,
    Term,
    Variable,
)
from heddle.patterns.typing.signatures import MAPS


@dataclass(frozen=True, slots=True)
class Zero:
    """A scalar that is 0."""


@dataclass(frozen=True, slots=True)
class Same:
    """The state of a reduction, as it is."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known."""


@dataclass(frozen=True, slots=True)
class Both:
    first: Known
    second: Known


@dataclass(frozen=True, slots=True)
class All:
    """An array of which every element is known so."""

    element: Known


Known = Zero | Same | Anything | Both | All
ANYTHING = Anything()


def apply(function: Term, known: Mapping[str, Known], *arguments: Known) -> Known:
    """What ``function`` makes of ``arguments``, one after the other."""
    match function:
        case Operator(operator=operator):
            if len(arguments) == 2:
                return _combine(operator, *arguments)
            (pair,) = arguments
            return _combine(operator, pair.first, pair.second) if isinstance(pair, Both) else ANYTHING
        case Lambda(parameter=name, body=body):
            inside = {**known, name: arguments[0]}
            return infer_known(body, inside) if len(arguments) == 1 else apply(body, inside, *arguments[1:])
        case Apply(function=last, arguments=(first,), pipe=True) if len(arguments) == 1:
            return apply(last, known, apply(first, known, *arguments))
        case Apply(function=Variable() as head, arguments=(inner,), pipe=False) if (
            pattern_of(head) in MAPS and len(arguments) == 1
        ):
            return _map(inner, known, arguments[0])
        case _:
            return ANYTHING


def infer_known(term: Term, known: Mapping[str, Known]) -> Known:
    """What is known of ``term``, where ``known`` says it of names."""
    match term:
        case Variable(name=name):
            return known.get(name, ANYTHING)
        case Number(text=text):
            return Zero() if float(text) == 0 else ANYTHING
        case Binary(operator=operator, left=left, right=right):
            return _combine(operator, infer_known(left, known), infer_known(right, known))
        case Negative(operand=operand):
            return Zero() if infer_known(operand, known) == Zero() else ANYTHING
        case Choice(then=then, otherwise=otherwise):
            zeros, other = infer_known(then, known), infer_known(otherwise, known)
            return zeros if zeros == other else ANYTHING
        case PairTerm(first=first, second=second):
            return Both(infer_known(first, known), infer_known(second, known))
        case Projection(pair=pair, number=number):
            both = infer_known(pair, known)
            return (both.first, both.second)[number - 1] if isinstance(both, Both) else ANYTHING
        case Element(array=array):
            # Another element of a state is not the state as it is.
            return Zero() if infer_known(array, known) == All(Zero()) else ANYTHING
        case Let(name=name, value=value, body=body):
            return infer_known(body, {**known, name: infer_known(value, known)})
        case Annotated(term=inner):
            return infer_known(inner, known)
        case Apply(function=function, arguments=(argument,), pipe=True):
            return apply(function, known, infer_known(argument, known))
        case Apply(function=Variable() as head, arguments=(left, right), pipe=False) if pattern_of(head) == "zip":
            zeros, other = infer_known(left, known), infer_known(right, known)
            return All(Both(_element(zeros), _element(other)))
        case Apply(function=Variable() as head, arguments=(inner, data), pipe=False) if pattern_of(head) in MAPS:
            return _map(inner, known, infer_known(data, known))
        case Apply(function=Lambda() as function, arguments=arguments):
            return apply(function, known, *(infer_known(argument, known) for argument in arguments))
        case _:
            return ANYTHING


def _element(array: Known) -> Known:
    return array.element if isinstance(array, All) else ANYTHING


def _map(function: Term, known: Mapping[str, Known], array: Known) -> Known:
    return All(apply(function, known, _element(array)))


def _combine(operator: str, left: Known, right: Known) -> Known:
    match operator:
        case "*" if Zero() in (left, right):
            return Zero()
        case "+" | "-" if right == Zero():
            return left
        case "+" if left == Zero():
            return right
        case "/" if left == Zero():
            return Zero()
        case _:
            return ANYTHING


def changes_nothing(function: Term, entry: Known) -> bool:
    """Whether a reduction by ``function`` keeps its state where the element is ``entry``, be it a scalar or an
    array."""
    return apply(function, {}, Same(), entry) == Same() or (apply(function, {}, All(Same()), entry) == All(Same()))
