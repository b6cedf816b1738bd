"""Arrays of pairs, and pairs of arrays, as parameters (Pizzuti et al. 2020, §4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from heddle.patterns.derived import Derived
from heddle.patterns.rules.parameters import Change, Head, ParameterRule, array_of, array_terms, names_of_type
from heddle.patterns.rules.rule import BrokenConditionError, pattern
from heddle.patterns.rules.terms import map_parts, pattern_of, pipe_functions, substitute, unused_name
from heddle.patterns.syntax.nodes import Apply, Lambda, PairTypeTerm, Projection, Term, Variable
from heddle.patterns.typing.layout import lies_together, record_of
from heddle.patterns.typing.signatures import MAPS
from heddle.patterns.typing.types import ArrayType, Pair, Scalar, Type, same, to_text


def _lengths(type: Type) -> Type:
    """``type`` with one kind of scalar, to compare lengths alone."""
    match type:
        case ArrayType(size=size, element=element, variable=variable):
            return ArrayType(size, _lengths(element), variable)
        case _:
            return Scalar("float32")


def _pack(head: Head, words: tuple[str, ...]) -> Change:
    """The later one of the two becomes the array of pairs, since its type may be made of what stands between them."""
    first, second = words
    annotations = head.annotation(first), head.annotation(second)
    types = head.types[first], head.types[second]
    if first == second:
        raise BrokenConditionError(f"Both are {first}.", "two parameters", first)
    for name, type in zip(words, types, strict=True):
        head.check_only_data(name)
        if not isinstance(type, ArrayType) or not lies_together(record_of(type)):
            raise BrokenConditionError(f"{name} is not an array of scalars or pairs.", "an array", to_text(type))
    if not same(_lengths(types[0]), _lengths(types[1])):
        raise BrokenConditionError(
            f"{first} and {second} have other lengths.",
            f"lengths as those of {to_text(types[0])}",
            to_text(types[1]),
        )
    order = [function.parameter for function in head.functions]
    early, late = sorted(words, key=order.index)
    levels, _ = array_terms(head.annotation(late))
    records = [array_terms(annotation)[1] for annotation in annotations]
    positions = {level.variable for annotation in annotations for level in array_terms(annotation)[0]}
    if positions & (names_of_type(records[0]) | names_of_type(records[1])):
        raise BrokenConditionError(
            "What an index runs over depends on where it stands.", "indices of one size", to_text(types[0])
        )
    rows = unused_name(head.term, f"{first}_{second}")
    functions = tuple(
        Lambda(rows, array_of(levels, PairTypeTerm(records[0], records[1])), function.body)
        if function.parameter == late
        else function
        for function in head.functions
        if function.parameter != early
    )
    body = _zip_rows(head.body, Variable(first), Variable(second), Variable(rows), len(levels))
    for number, name in enumerate(words, start=1):
        body = substitute(body, name, _fields(Variable(rows), len(levels), number, head.term))
    types_left = {name: type for name, type in head.types.items() if name not in words}
    return Change(Head(functions, body, types_left), (Derived("pack", words, (rows,)),))


def _fields(rows: Term, depth: int, number: int, program: Term) -> Term:
    """An array of one field of each pair."""
    pair = unused_name(program, "p")
    function: Term = Lambda(pair, None, Projection(Variable(pair), number))
    for _ in range(depth - 1):
        function = pattern("map", function)
    return pipe_functions(rows, pattern("map", function))


def _zip_rows(term: Term, first: Term, second: Term, rows: Term, depth: int) -> Term:
    """``term`` in which ``zip(first, second)`` is ``rows``, where their rows are zipped again, down to the pairs."""
    if _zips(term, first, second) and depth == 1:
        return rows
    if depth > 1 and isinstance(term, Apply) and term.pipe and _zips(term.arguments[0], first, second):
        match term.function:
            case Apply(function=Variable() as head, arguments=(Lambda(parameter=row) as function,), pipe=False) if (
                pattern_of(head) in MAPS
            ):
                left_half, other = (Projection(Variable(row), number) for number in (1, 2))
                inner = _zip_rows(function.body, left_half, other, Variable(row), depth - 1)
                if not _is_projected(inner, row):
                    mapping = Apply(head, (Lambda(row, function.annotation, inner),))
                    return Apply(mapping, (rows,), True)
    return map_parts(term, lambda part: _zip_rows(part, first, second, rows, depth))


def _zips(term: Term, first: Term, second: Term) -> bool:
    return (
        isinstance(term, Apply)
        and not term.pipe
        and pattern_of(term.function) == "zip"
        and term.arguments == (first, second)
    )


def _is_projected(term: Term, row: str) -> bool:
    """Whether ``term`` still takes the halves of ``row``."""
    if isinstance(term, Projection) and term.pair == Variable(row):
        return True
    takes_half = False

    def look(part: Term) -> Term:
        nonlocal takes_half
        takes_half = takes_half or _is_projected(part, row)
        return part

    map_parts(term, look)
    return takes_half


def _unpack(head: Head, words: tuple[str, ...]) -> Change:
    (rows,) = words
    levels, record = array_terms(head.annotation(rows))
    type = head.types[rows]
    head.check_only_data(rows)
    if not levels or not isinstance(record, PairTypeTerm) or not isinstance(record_of(type), Pair):
        raise BrokenConditionError(f"{rows} is not an array of pairs.", "an array of pairs", to_text(type))
    names = tuple(unused_name(head.term, f"{rows}_{number}") for number in (1, 2))
    functions: list[object] = []
    for function in head.functions:
        if function.parameter != rows:
            functions.append(function)
            continue
        for name, half in zip(names, (record.first, record.second), strict=True):
            functions.append(Lambda(name, array_of(levels, half), function.body))
    row = unused_name(head.term, "r")
    both = _zip(Variable(names[0]), Variable(names[1]), len(levels), row)
    body = substitute(head.body, rows, both)
    types_left = {name: type for name, type in head.types.items() if name != rows}
    return Change(Head(tuple(functions), body, types_left), (Derived("unpack", words, names),))  # type: ignore[arg-type]


def _zip(first: Term, second: Term, depth: int, row: str) -> Term:
    zipped: Term = Apply(Variable("zip"), (first, second))
    if depth == 1:
        return zipped
    left_half, other = (Projection(Variable(row), number) for number in (1, 2))
    return pipe_functions(zipped, pattern("map", Lambda(row, None, _zip(left_half, other, depth - 1, row))))


def _pairs(head: Head) -> Iterator[tuple[str, ...]]:
    """Arrays of equal lengths, those of integers first, as columns and values are."""
    for first, second in permutations(head.types, 2):
        types = head.types[first], head.types[second]
        if all(isinstance(type, ArrayType) for type in types) and same(_lengths(types[0]), _lengths(types[1])):
            yield first, second


def _find_packed(head: Head) -> Iterator[tuple[str, ...]]:
    return ((name,) for name, type in head.types.items() if isinstance(record_of(type), Pair))


PACKING = (
    ParameterRule(
        "pack",
        "pack(a, b)",
        2,
        "zip(a, b) = ab, an array of pairs that lie together",
        "both are arrays with the same lengths, of which no type is made",
        _pack,
        _pairs,
    ),
    ParameterRule(
        "unpack",
        "unpack(ab)",
        1,
        "ab = zip(ab_1, ab_2), two arrays of their own",
        "it is an array of pairs, of which no type is made",
        _unpack,
        _find_packed,
    ),
)
