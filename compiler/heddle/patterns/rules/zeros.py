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


def applied(function: Term, known: Mapping[str, Known], *arguments: Known) -> Known:
    """What ``function`` makes of ``arguments``, one after the other."""
    match function:
        case Operator(operator=operator):
            if len(arguments) == 2:
                return _combined(operator, *arguments)
            (pair,) = arguments
            return _combined(operator, pair.first, pair.second) if isinstance(pair, Both) else ANYTHING
        case Lambda(parameter=name, body=body):
            inside = {**known, name: arguments[0]}
            return of(body, inside) if len(arguments) == 1 else applied(body, inside, *arguments[1:])
        case Apply(function=last, arguments=(first,), pipe=True) if len(arguments) == 1:
            return applied(last, known, applied(first, known, *arguments))
        case Apply(function=Variable() as head, arguments=(inner,), pipe=False) if (
            pattern_of(head) in MAPS and len(arguments) == 1
        ):
            return _mapped(inner, known, arguments[0])
        case _:
            return ANYTHING


def of(term: Term, known: Mapping[str, Known]) -> Known:
    """What is known of ``term``, where ``known`` says it of names."""
    match term:
        case Variable(name=name):
            return known.get(name, ANYTHING)
        case Number(text=text):
            return Zero() if float(text) == 0 else ANYTHING
        case Binary(operator=operator, left=left, right=right):
            return _combined(operator, of(left, known), of(right, known))
        case Negative(operand=operand):
            return Zero() if of(operand, known) == Zero() else ANYTHING
        case Choice(then=then, otherwise=otherwise):
            zeros, other = of(then, known), of(otherwise, known)
            return zeros if zeros == other else ANYTHING
        case PairTerm(first=first, second=second):
            return Both(of(first, known), of(second, known))
        case Projection(pair=pair, number=number):
            both = of(pair, known)
            return (both.first, both.second)[number - 1] if isinstance(both, Both) else ANYTHING
        case Element(array=array):
            # Another element of a state is not the state as it is.
            return Zero() if of(array, known) == All(Zero()) else ANYTHING
        case Let(name=name, value=value, body=body):
            return of(body, {**known, name: of(value, known)})
        case Annotated(term=inner):
            return of(inner, known)
        case Apply(function=function, arguments=(argument,), pipe=True):
            return applied(function, known, of(argument, known))
        case Apply(function=Variable() as head, arguments=(left, right), pipe=False) if pattern_of(head) == "zip":
            zeros, other = of(left, known), of(right, known)
            return All(Both(_element(zeros), _element(other)))
        case Apply(function=Variable() as head, arguments=(inner, data), pipe=False) if pattern_of(head) in MAPS:
            return _mapped(inner, known, of(data, known))
        case Apply(function=Lambda() as function, arguments=arguments):
            return applied(function, known, *(of(argument, known) for argument in arguments))
        case _:
            return ANYTHING


def _element(array: Known) -> Known:
    return array.element if isinstance(array, All) else ANYTHING


def _mapped(function: Term, known: Mapping[str, Known], array: Known) -> Known:
    return All(applied(function, known, _element(array)))


def _combined(operator: str, left: Known, right: Known) -> Known:
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
    return applied(function, {}, Same(), entry) == Same() or (applied(function, {}, All(Same()), entry) == All(Same()))
