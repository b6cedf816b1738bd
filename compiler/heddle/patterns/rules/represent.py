"""A dense matrix as a parameter, stored by its entries: sparse programs from dense ones (Pizzuti et al. 2020, §8)."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.patterns.derived import FORMATS, Derived
from heddle.patterns.rules.parameters import Change, Head, ParameterRule, array_terms
from heddle.patterns.rules.rule import BrokenConditionError
from heddle.patterns.rules.sparse_terms import Sparse
from heddle.patterns.rules.terms import all_terms, pattern_of, unused_name
from heddle.patterns.syntax.nodes import (
    Apply,
    ArrayTerm,
    Binary,
    Element,
    IndexTerm,
    Lambda,
    Let,
    NatLambda,
    Number,
    ScalarTerm,
    Term,
    TypeTerm,
    Variable,
)
from heddle.patterns.typing.types import to_text


def _represent(head: Head, words: tuple[str, ...]) -> Change:
    matrix, format = words
    annotation = head.annotation(matrix)
    if format not in FORMATS:
        raise BrokenConditionError(
            f"{format} is not a format that a parameter is represented in.", " or ".join(FORMATS), format
        )
    levels, value = array_terms(annotation)
    if len(levels) != 2 or any(level.variable for level in levels) or not isinstance(value, ScalarTerm):
        raise BrokenConditionError(
            f"{matrix} is not a matrix of scalars whose rows have one length.",
            "a parameter [[float]_m]_n",
            to_text(head.types[matrix]),
        )
    head.check_only_data(matrix)
    _check_names(head.body)
    names = [unused_name(head.term, f"{matrix}_{part}") for part in FORMATS[format]]
    parameters = _parameters(head, names, format, levels, value)
    rows = Apply(Variable("zip"), (Variable(names[-2]), Variable(names[-1])))
    body = Sparse(head.term, matrix, rows).data(head.body, {})
    functions: list[NatLambda | Lambda] = []
    for function in head.functions:
        functions += parameters if function.parameter == matrix else [function]
    types = {name: type for name, type in head.types.items() if name != matrix}
    shape = tuple(level.size.name if isinstance(level.size, Variable) else "" for level in levels)
    return Change(Head(tuple(functions), body, types), (Derived(format, (matrix,), tuple(names), shape),))


def _parameters(
    head: Head, names: list[str], format: str, levels: tuple[ArrayTerm, ...], value: TypeTerm
) -> list[NatLambda | Lambda]:
    """The parts of the matrix, in front of a body that stands for all of what follows."""
    rows, columns = levels[0].size, levels[1].size
    nothing, column = Number("0"), IndexTerm(columns)
    if format == "ell":
        width = unused_name(head.term, "w")
        types = [ArrayTerm(ArrayTerm(element_type, Variable(width)), rows) for element_type in (column, value)]
        return [
            NatLambda(width, nothing),
            *(Lambda(name, type, nothing) for name, type in zip(names, types, strict=True)),
        ]
    position = unused_name(head.term, "i")
    first, counts = Variable(position), Variable(names[0])
    if format == "csr":
        after = Element(counts, Binary("+", first, Number("1")))
        length: Term = Binary("-", after, Element(counts, first))
        front = ArrayTerm(ScalarTerm("int"), Binary("+", rows, Number("1")))
    else:
        length, front = Element(counts, first), ArrayTerm(ScalarTerm("int"), rows)
    natural = Apply(Variable("toNat"), (length,))
    types = [front, *(ArrayTerm(ArrayTerm(element_type, natural), rows, position) for element_type in (column, value))]
    return [Lambda(name, type, nothing) for name, type in zip(names, types, strict=True)]


def _check_names(body: Term) -> None:
    """No name that a function binds is that of a pattern: the walk goes by names."""
    for term in all_terms(body):
        bound = term.name if isinstance(term, Let) else term.parameter if isinstance(term, Lambda | NatLambda) else None
        if bound is not None and (pattern_of(Variable(bound)) is not None):
            raise BrokenConditionError(f"{bound} is the name of a pattern, and bound here.", "another name", bound)


def _matrices(head: Head) -> Iterator[tuple[str, ...]]:
    for name in head.types:
        levels, value = array_terms(head.annotation(name))
        if len(levels) == 2 and isinstance(value, ScalarTerm) and not any(level.variable for level in levels):
            yield from ((name, format) for format in FORMATS)


REPRESENT = ParameterRule(
    "represent",
    "represent(A, csr)",
    2,
    "sums over a row of A = sums over its entries",
    "an entry that is 0 changes no sum",
    _represent,
    _matrices,
)
