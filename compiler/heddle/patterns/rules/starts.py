"""Where rows begin, in the types of parameters (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heddle.patterns.rules.parameters import Change, Head, ParameterRule
from heddle.patterns.rules.rule import BrokenConditionError
from heddle.patterns.rules.terms import map_parts
from heddle.patterns.syntax.nodes import (
    Apply,
    ArrayTerm,
    Binary,
    Choice,
    Element,
    Lambda,
    Number,
    PairTypeTerm,
    Term,
    TypeTerm,
    Variable,
)
from heddle.patterns.typing.claims import BeginsAtZero

_ZERO, _ONE = Number("0"), Number("1")


def _refine_start(head: Head, words: tuple[str, ...]) -> Change:
    """Row 0 begins at 0, whatever the first offset is: the claim says that it is 0."""
    (offsets,) = words
    span = head.annotation(offsets).span
    changed = [
        replace(function, annotation=_refine(function.annotation, offsets))
        if isinstance(function, Lambda) and function.annotation is not None
        else function
        for function in head.functions
    ]
    if changed == list(head.functions):
        raise BrokenConditionError(
            f"No row of a parameter has a length that is the difference of two elements of {offsets}.",
            f"a type such as [i -> [float]_{{toNat({offsets}@(i + 1) - {offsets}@i)}}]_n",
            ", ".join(head.types),
        )
    begins = BeginsAtZero(offsets, span, "refineStart takes it to begin with 0")
    return Change(replace(head, functions=tuple(changed)), claims=(begins,))


def _refine(annotation: TypeTerm, offsets: str) -> TypeTerm:
    match annotation:
        case ArrayTerm(element=ArrayTerm() as row, variable=str() as position):
            size = _guard(row.size, offsets, position)
            return replace(annotation, element=_refine(replace(row, size=size), offsets))
        case ArrayTerm(element=element):
            return replace(annotation, element=_refine(element, offsets))
        case PairTypeTerm(first=first, second=second):
            return replace(annotation, first=_refine(first, offsets), second=_refine(second, offsets))
        case _:
            return annotation


def _guard(size: Term, offsets: str, position: str) -> Term:
    """``size`` in which the row at 0 begins at 0."""
    place = Variable(position)
    begin, end = Element(Variable(offsets), place), Element(Variable(offsets), Binary("+", place, _ONE))
    plain = Binary("-", _natural(end), _natural(begin))
    if size in (plain, _natural(Binary("-", end, begin))):
        first = Choice(Binary("==", place, _ZERO), _ZERO, _natural(begin))
        return Binary("-", _natural(end), first)
    return map_parts(size, lambda part: _guard(part, offsets, position))


def _natural(term: Term) -> Term:
    return Apply(Variable("toNat"), (term,))


def _offsets(head: Head) -> Iterator[tuple[str, ...]]:
    for name in head.types:
        if any(
            isinstance(function, Lambda)
            and function.annotation is not None
            and _refine(function.annotation, name) != function.annotation
            for function in head.functions
        ):
            yield (name,)


REFINE_START = ParameterRule(
    "refineStart",
    "refineStart(offset)",
    1,
    "offset@(i + 1) - offset@i = offset@(i + 1) - (i == 0 ? 0 : offset@i)",
    "offset@0 is 0, which every call checks",
    _refine_start,
    _offsets,
)
