"""Offsets of which a program asks nothing but differences: the same number less in each of them changes nothing.

Every call gives such offsets so that the first one is 0, and no row has to take the first one away from its own.
"""

from __future__ import annotations

from heddle.patterns.syntax.nodes import (
    Annotated,
    ArrayTerm,
    Binary,
    Element,
    IndexTerm,
    Lambda,
    NatLambda,
    PairTypeTerm,
    ScalarTerm,
    Term,
    TypeTerm,
    Variable,
    children,
)
from heddle.patterns.typing.types import SCALARS


def only_in_differences(term: Term) -> frozenset[str]:
    """The parameters of a program that are arrays of integers, and that it uses in ``a@i - a@j`` alone."""
    offsets: set[str] = set()
    inner = term
    while isinstance(inner, NatLambda | Lambda):
        if isinstance(inner, Lambda) and _of_integers(inner.annotation):
            offsets.add(inner.parameter)
        inner = inner.body
    otherwise: set[str] = set()
    _look(term, otherwise)
    return frozenset(offsets - otherwise)


def _of_integers(annotation: TypeTerm | None) -> bool:
    match annotation:
        case ArrayTerm(element=ScalarTerm(name=name)):
            return SCALARS.get(name) in ("int32", "int64")
        case _:
            return False


def _look(term: Term, otherwise: set[str]) -> None:
    """Adds the names that ``term`` uses in other ways."""
    match term:
        case Variable(name=name):
            otherwise.add(name)
        case Binary(
            operator="-",
            left=Element(array=Variable(name=left_array), index=i),
            right=Element(array=Variable(name=right_array), index=j),
        ) if left_array == right_array:
            _look(i, otherwise)
            _look(j, otherwise)
        case Lambda(annotation=annotation, body=body):
            if annotation is not None:
                _look_at_type(annotation, otherwise)
            _look(body, otherwise)
        case Annotated(term=inner, annotation=annotation):
            _look(inner, otherwise)
            _look_at_type(annotation, otherwise)
        case _:
            for part in children(term):
                _look(part, otherwise)


def _look_at_type(annotation: TypeTerm, otherwise: set[str]) -> None:
    match annotation:
        case ScalarTerm():
            return
        case IndexTerm(size=size):
            _look(size, otherwise)
        case PairTypeTerm(first=first, second=second):
            _look_at_type(first, otherwise)
            _look_at_type(second, otherwise)
        case ArrayTerm(element=element, size=size):
            _look(size, otherwise)
            _look_at_type(element, otherwise)
        case _:
            raise TypeError(f"unexpected type {annotation!r}")
