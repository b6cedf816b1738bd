"""Terms with other parts, and the names that patterns have in a program: ``map1``, ``reduce2``, in the order of the
text. A name stays with its pattern over all steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    Binary,
    Choice,
    Element,
    Lambda,
    Let,
    NatLambda,
    Negative,
    Number,
    Operator,
    PairTerm,
    Projection,
    Term,
    Truth,
    Variable,
    children,
)
from heddle.patterns.typing.signatures import MAPS, PATTERNS, SHORT

FAMILIES = {**dict.fromkeys(MAPS, "map"), **dict.fromkeys(("reduceSeq", "reduceUnroll"), "reduce")}
"""Patterns that are numbered together: a step may make one of the other."""


LOOPS = ("reduce", "reduceSeq", "reduceUnroll", "scan", "iterate")
"""Patterns of which an element takes a loop."""


def pattern_of(term: Term) -> str | None:
    """The pattern that ``term`` is the name of."""
    name = SHORT.get(term.name, term.name) if isinstance(term, Variable) else None
    return name if name in PATTERNS else None


def map_parts(term: Term, change: Callable[[Term], Term]) -> Term:
    """``term`` with each of its direct parts changed."""
    match term:
        case Variable() | Number() | Truth() | Operator():
            return term
        case Lambda(body=body) | NatLambda(body=body):
            return replace(term, body=change(body))
        case Apply(function=function, arguments=arguments):
            return replace(term, function=change(function), arguments=tuple(change(argument) for argument in arguments))
        case Projection(pair=pair):
            return replace(term, pair=change(pair))
        case Element(array=array, index=index):
            return replace(term, array=change(array), index=change(index))
        case Binary(left=left, right=right):
            return replace(term, left=change(left), right=change(right))
        case Negative(operand=operand):
            return replace(term, operand=change(operand))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return replace(term, condition=change(condition), then=change(then), otherwise=change(otherwise))
        case PairTerm(first=first, second=second):
            return replace(term, first=change(first), second=change(second))
        case Let(value=value, body=body):
            return replace(term, value=change(value), body=change(body))
        case Annotated(term=inner):
            return replace(term, term=change(inner))
        case _:
            raise TypeError(f"unexpected term {term!r}")


def all_terms(term: Term) -> Iterator[Term]:
    """``term`` and all of its parts, in the order of the text."""
    yield term
    for part in children(term):
        yield from all_terms(part)


def replace_term(term: Term, old: Term, new: Term) -> Term:
    """``term`` with ``new`` in the place of its part ``old``, which is that very object."""
    if term is old:
        return new
    return map_parts(term, lambda part: replace_term(part, old, new))


def substitute(term: Term, name: str, value: Term) -> Term:
    """``term`` with ``value`` in the place of ``name``, where that is not bound again; no function in ``term`` may bind
    a name of ``value``."""
    match term:
        case Variable(name=identifier):
            return value if identifier == name else term
        case Lambda(parameter=identifier) | NatLambda(parameter=identifier) if identifier == name:
            return term
        case Let(name=identifier, value=bound, body=body) if identifier == name:
            return replace(term, value=substitute(bound, name, value), body=body)
        case _:
            return map_parts(term, lambda part: substitute(part, name, value))


def labels(term: Term) -> tuple[str, ...]:
    """The names of the patterns in ``term``, in the order of the text."""
    return tuple(term.label for term in all_terms(term) if isinstance(term, Variable) and term.label)


def without_labels(term: Term) -> Term:
    """A copy of ``term`` whose patterns have no names yet."""
    return replace(term, label="") if isinstance(term, Variable) else map_parts(term, without_labels)


def label(term: Term, counts: dict[str, int]) -> Term:
    """``term`` in which every pattern has a name; ``counts`` says how many of each family there are, and is counted
    on."""
    names: dict[int, str] = {}
    for subterm in all_terms(term):
        pattern = pattern_of(subterm)
        if pattern is not None and isinstance(subterm, Variable) and not subterm.label:
            family = FAMILIES.get(pattern, pattern)
            counts[family] = counts.get(family, 0) + 1
            names[id(subterm)] = f"{family}{counts[family]}"

    def change(part: Term) -> Term:
        if isinstance(part, Variable) and id(part) in names:
            return replace(part, label=names[id(part)])
        return map_parts(part, change)

    return change(term)


def with_labels_of(term: Term, like: Term) -> Term:
    """``term``, which is equal to ``like``, with the names of its patterns."""
    names = iter([term.label for term in all_terms(like) if isinstance(term, Variable)])

    def change(part: Term) -> Term:
        if isinstance(part, Variable):
            return replace(part, label=next(names))
        if isinstance(part, Apply) and part.pipe:  # its parts are numbered in the order of the text
            arguments = tuple(change(argument) for argument in part.arguments)
            return replace(part, function=change(part.function), arguments=arguments)
        return map_parts(part, change)

    return change(term)


def names_in(term: Term) -> frozenset[str]:
    """All names in ``term``, bound or not."""
    names: set[str] = set()
    for subterm in all_terms(term):
        match subterm:
            case Variable(name=name) | Lambda(parameter=name) | NatLambda(parameter=name) | Let(name=name):
                names.add(name)
            case _:
                pass
    return frozenset(names)


def unused_name(term: Term, name_hint: str) -> str:
    """``name_hint``, or with a number behind it, that ``term`` has not."""
    reserved = names_in(term)
    stem, number, name = re.sub(r"\d+\Z", "", name_hint), 1, name_hint
    while name in reserved:
        number += 1
        name = f"{stem}{number}"
    return name


def pipe_functions(*functions: Term) -> Term:
    """The functions one after the other."""
    chain = functions[0]
    for function in functions[1:]:
        chain = Apply(function, (chain,), True)
    return chain


def map_in(term: Term | None) -> tuple[Apply | None, Term | None]:
    """The map that ``term`` ends with and its data: ``data :>> map(g)``, ``map(g, data)``, or ``map(g)`` alone."""
    match term:
        case Apply(function=Apply(function=Variable() as head, arguments=(_,), pipe=False) as node, pipe=True):
            return (node, term.arguments[0]) if pattern_of(head) in MAPS else (None, None)
        case Apply(function=Variable() as head, arguments=(_, data), pipe=False) if pattern_of(head) in MAPS:
            return term, data
        case Apply(function=Variable() as head, arguments=(_,), pipe=False) if pattern_of(head) in MAPS:
            return term, None
        case _:
            return None, None


def as_function(program: Term, function: Term) -> Term:
    """The function of a map in ``program`` as one that another may follow."""
    if not isinstance(function, Operator):
        return function
    pair = Variable(unused_name(program, "p"))
    return Lambda(pair.name, None, Binary(function.operator, Projection(pair, 1), Projection(pair, 2)))
