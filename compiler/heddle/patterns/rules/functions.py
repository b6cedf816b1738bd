"""Functions that are applied where they stand, and functions that only pass on what they are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heddle.patterns.lowering.parameters import peel
from heddle.patterns.rules.rule import BrokenConditionError, Rule, Site, as_text
from heddle.patterns.rules.terms import LOOPS, all_terms, map_parts, names_in, pattern_of, replace_term, substitute
from heddle.patterns.syntax.nodes import (
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
    occurrences,
)
from heddle.patterns.typing.signatures import PATTERNS


def _beta_eta(site: Site, options: tuple[str, ...]) -> Term:
    target, functions = site.whole or site.node, _function_names(site.program)
    result = _reduce(target, functions)
    if result is not target:
        return replace_term(site.program, target, result)
    _, computed = peel(site.program)
    around = [
        term for term in all_terms(computed) if term is not target and any(part is target for part in all_terms(term))
    ]
    for ancestor in reversed(around):  # the innermost one first
        result = _once(ancestor, functions)
        if result is not ancestor:
            return replace_term(site.program, ancestor, result)
    raise BrokenConditionError(
        f"Neither in {site.head.label} nor around it is a function applied where it stands, or one that only passes on "
        "what it is given, of which nothing would be computed again.",
        "x :>> fun(y => f), let y = x in f, or fun(x => x :>> f)",
        as_text(target)[:80],
    )


def _reduce(term: Term, functions: frozenset[str]) -> Term:
    """``term`` with no such function left that may go; the very same where there is none. ``functions`` are names that
    may stand for functions."""
    inner = map_parts(term, lambda part: _reduce(part, functions))
    if all(child is other for child, other in zip(children(inner), children(term), strict=True)):
        inner = term
    if isinstance(inner, Apply) and not inner.pipe and any(_operator(argument) for argument in inner.arguments):
        inner = replace(inner, arguments=tuple(_operator(argument) or argument for argument in inner.arguments))
    result = _once(inner, functions)
    return result if result is inner else _reduce(result, functions)


def _once(term: Term, functions: frozenset[str]) -> Term:
    """``term`` without the function that it applies or is, where it may go."""
    match term:
        case Apply(function=Lambda(annotation=None) as later, arguments=(Lambda() as first,), pipe=True):
            replacement = None if occurrences(later, first.parameter) else put(later.body, later.parameter, first.body)
            return term if replacement is None else replace(first, body=replacement)
        case Apply(function=Lambda(parameter=name, annotation=None, body=body), arguments=(argument, *rest), pipe=pipe):
            replacement = put(body, name, argument) if not pipe or _is_data(argument, functions) else None
            if replacement is None:
                return term
            return Apply(replacement, tuple(rest)) if rest else replacement
        case Let(name=name, value=value, body=body):
            replacement = put(body, name, value)
            return term if replacement is None else replacement
        case Lambda(
            parameter=name, annotation=None, body=Apply(function=function, arguments=(*front, Variable(name=last)))
        ) if last == name and name not in functions:
            pattern = pattern_of(function) is not None or (
                isinstance(function, Apply) and pattern_of(function.function)
            )
            if not pattern or any(occurrences(operand, name) for operand in (function, *front)):
                return term
            return Apply(function, tuple(front)) if front else function
        case _:
            return term


def _operator(term: Term) -> Operator | None:
    """The operator that a function of a pair is, where it is one."""
    match term:
        case Lambda(parameter=name, body=Binary(operator="+" | "*" as operator, left=left, right=right)) if (
            left,
            right,
        ) == (Projection(Variable(name), 1), Projection(Variable(name), 2)):
            return Operator(operator)
        case _:
            return None


def put(body: Term, name: str, value: Term) -> Term | None:
    """``body`` with ``value`` for ``name``; None where something would be computed again, or a name mean another."""
    meant = {identifier for identifier in names_in(value) if occurrences(value, identifier)}
    if _bound(body) & (meant | {name}):
        return None
    if isinstance(value, PairTerm) and (halves := _of_halves(body, name)) is not None:
        for half, half_name in zip((value.first, value.second), (f"{name}.1", f"{name}.2"), strict=True):
            if not _once_at_most(halves, half_name, half):
                return None
            halves = substitute(halves, half_name, half)
        return halves
    return substitute(body, name, value) if _once_at_most(body, name, value) else None


def _once_at_most(body: Term, name: str, value: Term) -> bool:
    """Whether ``value`` is computed as often in the place of ``name`` as in front of ``body``."""
    if _plain(value):
        return True
    loops = any(pattern_of(term) in LOOPS for term in all_terms(value))
    inside = any(occurrences(term, name) for term in all_terms(body) if isinstance(term, Lambda | NatLambda))
    return occurrences(body, name) <= 1 and not (loops and inside)


def _of_halves(body: Term, name: str) -> Term | None:
    """``body`` with a name for each half of the pair ``name``, which no text has; None where it needs the pair."""

    def change(term: Term) -> Term:
        if isinstance(term, Projection) and term.pair == Variable(name):
            return Variable(f"{name}.{term.number}")
        return map_parts(term, change)

    result = change(body)
    return None if occurrences(result, name) else result


def _is_data(term: Term, functions: frozenset[str]) -> bool:
    """Whether ``term`` is surely no function: then ``term :>> f`` is f of it, and not the one and then the other."""
    match term:
        case Variable(name=name):
            return pattern_of(term) is None and name not in functions and name not in ("min", "max")
        case Apply(function=function, arguments=(argument,), pipe=True):
            return _is_data(argument, functions) and _takes(function) == 1
        case Apply(function=Variable() as head, arguments=arguments, pipe=False):
            return _takes(head) == len(arguments)
        case Number() | Truth() | Projection() | Element() | Binary() | Negative() | Choice() | PairTerm():
            return True
        case _:
            return False


def _takes(term: Term) -> int:
    """How many arguments a pattern lacks; 0 for what is none."""
    head, count = (term.function, len(term.arguments)) if isinstance(term, Apply) and not term.pipe else (term, 0)
    name = pattern_of(head)
    return 0 if name is None else len(PATTERNS[name].takes) - count


def _function_names(program: Term) -> frozenset[str]:
    """Names in ``program`` that may stand for functions."""
    function_names = frozenset[str]()
    while True:
        more = function_names | frozenset(_find_function_bindings(program, function_names))
        if more == function_names:
            return function_names
        function_names = more


def _find_function_bindings(program: Term, known: frozenset[str]) -> Iterator[str]:
    for term in all_terms(program):
        match term:
            case Let(name=name, value=value) if not _is_data(value, known):
                yield name
                yield from _bound(value)  # whoever applies it may give it a function
            case Apply(function=Lambda() as function, arguments=arguments) if not all(
                _is_data(argument, known) for argument in arguments
            ):
                yield from _bound(function)
            case _:
                continue


def _plain(value: Term) -> bool:
    """Whether reading it twice costs nothing."""
    match value:
        case Variable():
            return pattern_of(value) is None
        case Projection(pair=pair):
            return _plain(pair)
        case _:
            return isinstance(value, Number | Truth | Operator)


def _bound(term: Term) -> frozenset[str]:
    """The names that functions in ``term`` bind."""
    bound_names = set[str]()
    for subterm in all_terms(term):
        if isinstance(subterm, Lambda | NatLambda):
            bound_names.add(subterm.parameter)
        elif isinstance(subterm, Let):
            bound_names.add(subterm.name)
    return frozenset(bound_names)


FUNCTIONS = (
    Rule(
        "betaEta",
        "",
        "x :>> fun(y => f) = f with x for y, and fun(x => x :>> f) = f",
        "nothing is computed again, no name comes to mean another, and no type is written at the parameter",
        _beta_eta,
    ),
)
"""By which functions go that need not be there."""
