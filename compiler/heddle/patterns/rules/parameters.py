"""Steps that change the parameters of a program: what they have in common, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from heddle.patterns.derived import Derived
from heddle.patterns.rules.rule import BrokenConditionError
from heddle.patterns.rules.terms import all_terms
from heddle.patterns.syntax.nodes import (
    ArrayTerm,
    IndexTerm,
    Lambda,
    Let,
    NatLambda,
    PairTypeTerm,
    ScalarTerm,
    Term,
    TypeTerm,
    Variable,
)
from heddle.patterns.typing.claims import Claim
from heddle.patterns.typing.types import Type


@dataclass(frozen=True, slots=True)
class Head:
    """A program as the functions around it and what is computed; ``types`` are those of its parameters."""

    functions: tuple[NatLambda | Lambda, ...]
    body: Term
    types: dict[str, Type]

    @property
    def term(self) -> Term:
        """The program again."""
        term = self.body
        for function in reversed(self.functions):
            term = (
                NatLambda(function.parameter, term)
                if isinstance(function, NatLambda)
                else Lambda(function.parameter, function.annotation, term)
            )
        return term

    def annotation(self, name: str) -> TypeTerm:
        """The type of the parameter ``name`` as it is written."""
        for function in self.functions:
            if isinstance(function, Lambda) and function.parameter == name and function.annotation is not None:
                return function.annotation
        raise BrokenConditionError(
            f"{name} is not a parameter of the program.", "one of " + ", ".join(self.types), name
        )

    def check_only_data(self, name: str) -> None:
        """Refuses a parameter that the types of others are made of, or whose name means something else further in."""
        if any(isinstance(term, Lambda | NatLambda | Let) and _bound(term) == name for term in all_terms(self.body)):
            raise BrokenConditionError(f"Another {name} is bound inside of the program.", "names of their own", name)
        for function in self.functions:
            if isinstance(function, Lambda) and function.annotation is not None and name in _names(function.annotation):
                raise BrokenConditionError(
                    f"The type of {function.parameter} is made of {name}.", "a parameter that no type mentions", name
                )


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule makes of a program: ``head``. ``derived`` is what became of the parameters, where they are others
    now, and ``claims`` what must hold of the arguments beside what the types say."""

    head: Head
    derived: tuple[Derived, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class ParameterRule:
    """A rule about parameters: ``usage`` says how it is written, and ``takes`` how many words it has. ``apply`` gives
    what the program becomes; ``suggested`` the words that may do.

    Raises
    ------
    BrokenConditionError
        from ``apply``, where the law does not hold here.
    """

    name: str
    usage: str
    takes: int
    law: str
    condition: str
    apply: Callable[[Head, tuple[str, ...]], Change]
    suggested: Callable[[Head], Iterator[tuple[str, ...]]]


def array_terms(annotation: TypeTerm) -> tuple[tuple[ArrayTerm, ...], TypeTerm]:
    """The levels of an array type, outermost first, and what it is made of in the end."""
    terms: list[ArrayTerm] = []
    while isinstance(annotation, ArrayTerm):
        terms.append(annotation)
        annotation = annotation.element
    return tuple(terms), annotation


def array_of(levels: tuple[ArrayTerm, ...], record: TypeTerm) -> TypeTerm:
    """``levels`` around another record."""
    term = record
    for level in reversed(levels):
        term = ArrayTerm(term, level.size, level.variable)
    return term


def _bound(term: Lambda | NatLambda | Let) -> str:
    return term.name if isinstance(term, Let) else term.parameter


def _names(annotation: TypeTerm) -> set[str]:
    match annotation:
        case ScalarTerm():
            return set()
        case IndexTerm(size=size):
            return _in_term(size)
        case PairTypeTerm(first=first, second=second):
            return _names(first) | _names(second)
        case ArrayTerm(element=element, size=size):
            return _names(element) | _in_term(size)
        case _:
            raise TypeError(f"unexpected type {annotation!r}")


def _in_term(term: Term) -> set[str]:
    return {term.name for term in all_terms(term) if isinstance(term, Variable)}


def names_of_type(annotation: TypeTerm) -> frozenset[str]:
    """All names in ``annotation``."""
    return frozenset(_names(annotation))
