"""Maps in another order: one around the other, and behind a pattern that only moves elements."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.patterns.rules.parameters import names_of_type
from heddle.patterns.rules.rule import BrokenConditionError, Rule, Site, as_text, pattern
from heddle.patterns.rules.terms import (
    LOOPS,
    all_terms,
    as_function,
    map_in,
    names_in,
    pattern_of,
    pipe_functions,
    replace_term,
    substitute,
    unused_name,
    without_labels,
)
from heddle.patterns.syntax.nodes import Apply, Lambda, Projection, Term, TypeTerm, Variable, occurrences


@dataclass(frozen=True, slots=True)
class _Nested:
    """A map whose function is a map of ``data``: ``outer(fun(row => data :>> inner(function)))``."""

    outer: Variable
    row: str
    annotation: TypeTerm | None
    data: Term
    inner: Variable
    function: Term


def _nest(site: Site) -> _Nested:
    function = site.arguments[0]
    match function:
        case Lambda(parameter=row, annotation=annotation, body=body):
            inner, data = map_in(body)
        case _:
            (inner, data), row, annotation = map_in(function), unused_name(site.program, "row"), None
            data = Variable(row) if data is None else None
    if inner is None or data is None:
        raise BrokenConditionError(
            f"The function of {site.head.label} is not another map.",
            "map(fun(row => data :>> map(f)))",
            as_text(function)[:80],
        )
    assert isinstance(inner.function, Variable)
    return _Nested(site.head, row, annotation, data, inner.function, inner.arguments[0])


def _check_read_again(term: Term, why: str) -> None:
    """Nothing may take a loop for each element and be read more often than before."""
    loop_term = next((term for term in all_terms(term) if pattern_of(term) in LOOPS), None)
    if loop_term is not None:
        raise BrokenConditionError(
            f"{as_text(term)[:60]} takes a loop for each element, and {why}.",
            "data that are read without a loop",
            as_text(loop_term),
            "Keep it before the map: let kept = … :>> toGlobal in kept :>> map(…).",
        )


def _interchange(site: Site, options: tuple[str, ...]) -> Term:
    """The columns of a result outside of its rows. Where the inner data depend on the row, columns of these are taken,
    which rows of one length alone have."""
    nested = _nest(site)
    if site.whole is not None:
        return replace_term(site.program, site.whole, _interchange_maps(site.program, nested, site.whole.arguments[-1]))
    if _alone(nested):  # no row is asked for by name
        functions = pipe_functions(Variable("transpose"), _columns(nested), Variable("transpose"))
        return replace_term(site.program, site.node, functions)
    rows = Variable(unused_name(site.program, "rows"))
    return replace_term(site.program, site.node, Lambda(rows.name, None, _interchange_maps(site.program, nested, rows)))


def _alone(nested: _Nested) -> bool:
    return nested.data == Variable(nested.row) and not occurrences(nested.function, nested.row)


def _columns(nested: _Nested) -> Term:
    return Apply(nested.inner, (Apply(nested.outer, (nested.function,)),))


def _interchange_maps(program: Term, nested: _Nested, rows: Term) -> Term:
    if not occurrences(nested.data, nested.row):
        return _move_map_around(program, nested, rows)
    if nested.data != Variable(nested.row):
        _check_read_again(nested.data, "columns read it once for each element")
    plain_row = nested.data == Variable(nested.row)
    row_data = (
        rows if plain_row else pipe_functions(rows, pattern("map", Lambda(nested.row, nested.annotation, nested.data)))
    )
    if not occurrences(nested.function, nested.row):
        return pipe_functions(row_data, Variable("transpose"), _columns(nested), Variable("transpose"))
    _check_read_again(rows, "each column would read it again")
    column = Variable(unused_name(program, "column"))
    pair = Variable(unused_name(program, "p"))
    row, element = Projection(pair, 1), Projection(pair, 2)
    match nested.function:
        case Lambda(parameter=name, body=body):
            inside = substitute(substitute(body, name, element), nested.row, row)
        case function:
            inside = Apply(substitute(function, nested.row, row), (element,), True)
    together = Apply(Variable("zip"), (without_labels(rows), column))
    each = pipe_functions(together, Apply(nested.outer, (Lambda(pair.name, None, inside),)))
    outside = Apply(nested.inner, (Lambda(column.name, None, each),))
    return pipe_functions(row_data, Variable("transpose"), outside, Variable("transpose"))


def _move_map_around(program: Term, nested: _Nested, rows: Term) -> Term:
    """The inner data are the same for every row: their map goes around the other one."""
    _check_read_again(rows, "each element of the inner map would read it again")
    function = as_function(program, nested.function)
    match function:
        case Lambda(parameter=name, annotation=annotation, body=body):
            reserved = names_in(rows) | {nested.row}
            reserved |= frozenset() if nested.annotation is None else names_of_type(nested.annotation)
            if name in reserved:
                fresh = unused_name(program, name)
                name, body = fresh, substitute(body, name, Variable(fresh))
            if annotation is not None and nested.row in names_of_type(annotation):
                annotation = None
        case _:
            name, annotation = unused_name(program, "column"), None
            body = Apply(function, (Variable(name),), True)
    each = pipe_functions(rows, Apply(nested.outer, (Lambda(nested.row, nested.annotation, body),)))
    return pipe_functions(nested.data, Apply(nested.inner, (Lambda(name, annotation, each),)), Variable("transpose"))


_DEPTHS = {"take": 1, "drop": 1, "reverse": 1, "gather": 1, "split": 2, "splitUp": 2, "deal": 2, "slide": 2}
"""Patterns that only move elements, and how many levels those have behind it."""


def _map_later(site: Site, options: tuple[str, ...]) -> Term:
    before = site.whole.arguments[-1] if site.whole is not None else None
    first, data = map_in(before)
    known = (*_DEPTHS, "transpose", "join")
    if site.pattern not in known:
        raise BrokenConditionError(
            f"{site.head.label} does more than move elements.", f"one of {' '.join(known)}", site.pattern
        )
    if site.whole is None or first is None:
        raise BrokenConditionError(
            f"{site.head.label} does not directly follow a map.",
            f"map(f) :>> {site.pattern}",
            "nothing" if before is None else as_text(before)[-80:],
        )
    if site.pattern in ("transpose", "join"):
        nested = _nest(Site(site.program, first.function, first, None))  # type: ignore[arg-type]
        if not _alone(nested):
            raise BrokenConditionError(
                f"The function of {nested.outer.label} is not a map over its own elements alone.",
                f"map(map(f)) :>> {site.pattern}",
                as_text(first)[:80],
            )
        inside = Apply(nested.inner, (nested.function,))
        later = inside if site.pattern == "join" else _columns(nested)
    else:
        later = Apply(first.function, (first.arguments[0],))
        for _ in range(_DEPTHS[site.pattern] - 1):
            later = pattern("map", later)
    functions = (site.node, later)
    return replace_term(
        site.program, site.whole, pipe_functions(*functions) if data is None else pipe_functions(data, *functions)
    )


ORDERS = (
    Rule(
        "interchange",
        "map",
        "map(fun(r => c :>> map f)) = transpose :>> map(map f) :>> transpose",
        "the function is another map, and the rows that it makes have one length",
        _interchange,
    ),
    Rule(
        "mapLater",
        "",
        "map f :>> deal s = deal s :>> map(map f), and so for all patterns that only move elements",
        "a pattern that moves elements directly follows a map",
        _map_later,
    ),
)
"""By which maps change places."""
