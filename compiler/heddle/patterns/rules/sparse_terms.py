"""Terms over a dense matrix rewritten for its entries alone: a walk that follows its rows to where they are combined.

A row becomes the pair of its columns and its values. What is paired with a row is read at the columns; a function of
the pairs must make 0 of an entry that is 0, and the reduction behind it must not be changed by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.patterns.rules.rule import BrokenConditionError, as_text, pattern
from heddle.patterns.rules.terms import map_parts, pattern_of, pipe_functions, substitute, unused_name
from heddle.patterns.rules.zeros import ANYTHING, Both, Known, Zero, apply, changes_nothing
from heddle.patterns.syntax.nodes import (
    Apply,
    Element,
    Lambda,
    Let,
    NatLambda,
    Operator,
    PairTerm,
    Projection,
    Term,
    Variable,
)
from heddle.patterns.typing.signatures import MAPS, PATTERNS


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the matrix, now the pair of its columns and its values."""


@dataclass(frozen=True, slots=True)
class Entries:
    """An array with an element for each entry of a row; where the entry is 0, the element is as ``zero`` says."""

    zero: Known


@dataclass(frozen=True, slots=True)
class Many:
    """An array of what still has to do with rows."""

    element: Kind


@dataclass(frozen=True, slots=True)
class Two:
    """A pair, of which a half has to do with rows."""

    first: Kind
    second: Kind


Kind = Row | Entries | Many | Two | None
"""None: the rows have no part in it."""
Kinds = Mapping[str, Kind]
_MOVING = {"split": 1, "splitUp": 1, "deal": 1, "reverse": 0, "take": 1, "drop": 1}
"""Patterns that move whole elements, and the place of their data."""


class Sparse:
    """One rewriting, of the matrix ``name``, whose rows are those of ``rows``."""

    def __init__(self, program: Term, name: str, rows: Term) -> None:
        self._program, self._name, self._rows = program, name, rows
        self._fresh_names: list[str] = []

    def data(self, term: Term, kinds: Kinds) -> Term:
        """``term`` rewritten, which is data that the rows have no part in."""
        data_term, kind = self.term(term, kinds)
        if kind is not None:
            raise self.refusal(as_text(term)[:60], "their zeros would be missing")
        return data_term

    def _fresh(self, name_hint: str) -> str:
        """A name that neither the program has nor another function of the rewriting."""
        reserved = Apply(self._program, tuple(Variable(name) for name in self._fresh_names))
        self._fresh_names.append(unused_name(reserved, name_hint))
        return self._fresh_names[-1]

    def refusal(self, where: str, why: str) -> BrokenConditionError:
        return BrokenConditionError(
            f"Rows of {self._name} are taken by {where}, and {why}.",
            "rows that are zipped with others, mapped to what is 0 where an entry is 0, and added up",
            where,
        )

    def term(self, term: Term, kinds: Kinds) -> tuple[Term, Kind]:
        match term:
            case Variable(name=name):
                if name in kinds:
                    return term, kinds[name]
                return (self._rows, Many(Row())) if name == self._name else (term, None)
            case Lambda(parameter=name) | NatLambda(parameter=name):
                return replace(term, body=self.data(term.body, {**kinds, name: None})), None
            case Let(name=name, value=value, body=body):
                inner_term, kind = self.term(value, kinds)
                inside, result = self.term(body, {**kinds, name: kind})
                return replace(term, value=inner_term, body=inside), result
            case Projection(pair=pair, number=number):
                inner_term, kind = self.term(pair, kinds)
                if kind is None:
                    return replace(term, pair=inner_term), None
                if not isinstance(kind, Two):
                    raise self.refusal(as_text(term), "a row is not a pair")
                return replace(term, pair=inner_term), kind.first if number == 1 else kind.second
            case PairTerm(first=first, second=second):
                front, other = self.term(first, kinds), self.term(second, kinds)
                return PairTerm(front[0], other[0]), _two(front[1], other[1])
            case Element(array=array, index=index):
                inner_term, kind = self.term(array, kinds)
                if kind is not None and not isinstance(kind, Many):
                    raise self.refusal(as_text(term), "an element that is not stored would have to be searched")
                return Element(inner_term, self.data(index, kinds)), kind.element if kind is not None else None
            case Apply():
                return self._apply(term, kinds)
            case _:
                return map_parts(term, lambda part: self.data(part, kinds)), None

    def _apply(self, term: Apply, kinds: Kinds) -> tuple[Term, Kind]:
        function, arguments = term.function, term.arguments
        if term.pipe:
            (data,) = arguments
            match function:
                case Apply(function=last, arguments=(first,), pipe=True):
                    return self._apply(Apply(last, (Apply(first, (data,), True),), True), kinds)
                case Lambda(parameter=name, body=body):
                    data_term, kind = self.term(data, kinds)
                    inside, result = self.term(body, {**kinds, name: kind})
                    return Apply(Lambda(name, None, inside), (data_term,), True), result
                case Apply(function=Variable() as head, arguments=leading, pipe=False) if self._is(head, kinds):
                    return self._pattern(head, (*leading, data), True, kinds)
                case Variable() as head if self._is(head, kinds):
                    return self._pattern(head, (data,), True, kinds)
        elif isinstance(function, Variable) and self._is(function, kinds):
            return self._pattern(function, arguments, False, kinds)
        return map_parts(term, lambda part: self.data(part, kinds)), None

    def _is(self, head: Variable, kinds: Kinds) -> bool:
        return head.name not in kinds and pattern_of(head) is not None

    def _pattern(self, head: Variable, arguments: tuple[Term, ...], pipe: bool, kinds: Kinds) -> tuple[Term, Kind]:
        """A pattern with its arguments, of which data are the last."""
        name = pattern_of(head)
        assert name is not None
        takes = PATTERNS[name].takes
        if len(arguments) < len(takes):
            return _build_pattern(head, tuple(self.data(argument, kinds) for argument in arguments), pipe), None
        data = [
            self.term(argument, kinds) if kind == "x" else None for argument, kind in zip(arguments, takes, strict=True)
        ]
        if not any(datum is not None and datum[1] is not None for datum in data):
            both = zip(arguments, data, strict=True)
            new_arguments = tuple(self.data(argument, kinds) if datum is None else datum[0] for argument, datum in both)
            return _build_pattern(head, new_arguments, pipe), None
        if name == "zip":
            assert data[0] is not None
            assert data[1] is not None
            return self._zip(head, data[0], data[1])
        last = data[-1]
        assert last is not None
        rows, kind = last
        if name in MAPS or name == "mapi":
            return self._map(head, arguments[0], rows, kind, pipe, kinds)
        if name in ("reduce", "reduceSeq", "reduceUnroll"):
            return self._reduce(head, name, arguments, rows, kind, pipe, kinds)
        if isinstance(kind, Many):
            front = tuple(self.data(argument, kinds) for argument in arguments[:-1])
            if name in _MOVING:
                return _build_pattern(head, (*front, rows), pipe), Many(kind) if name in (
                    "split",
                    "splitUp",
                    "deal",
                ) else kind
            if name == "join" and isinstance(kind.element, Many):
                return _build_pattern(head, (rows,), pipe), kind.element
            if name == "gather":
                return _build_pattern(head, (*front, rows), pipe), kind
        raise self.refusal(name, "it takes rows as they are, with their zeros")

    def _zip(self, head: Variable, left: tuple[Term, Kind], right: tuple[Term, Kind]) -> tuple[Term, Kind]:
        left_kind, other = left[1], right[1]
        if isinstance(left_kind, Many) or isinstance(other, Many):
            if isinstance(left_kind, Many | None) and isinstance(other, Many | None):
                return _build_pattern(head, (left[0], right[0]), False), Many(
                    Two(left_kind.element if left_kind else None, other.element if other else None)
                )
        elif isinstance(left_kind, Row) and other is None:
            return self._pair(left[0], right[0], Both(Zero(), ANYTHING))
        elif isinstance(other, Row) and left_kind is None:
            return self._pair(right[0], left[0], Both(ANYTHING, Zero()))
        elif isinstance(left_kind, Row) and left[0] == right[0]:
            value = Variable(self._fresh("e"))
            function = Lambda(value.name, None, PairTerm(value, value))
            return pipe_functions(Projection(left[0], 2), pattern("map", function)), Entries(Both(Zero(), Zero()))
        raise self.refusal("zip", "the other array is stored in another way")

    def _pair(self, row: Term, other: Term, zero: Both) -> tuple[Term, Kind]:
        """The entries of a row, each with the element of ``other`` at its column."""
        entry = Variable(self._fresh("e"))
        value, projection = Projection(entry, 2), Element(other, Projection(entry, 1))
        both = (value, projection) if zero.first == Zero() else (projection, value)
        return pipe_functions(_entries(row), pattern("map", Lambda(entry.name, None, PairTerm(*both)))), Entries(zero)

    def _map(
        self, head: Variable, function: Term, rows: Term, kind: Kind, pipe: bool, kinds: Kinds
    ) -> tuple[Term, Kind]:
        with_position = pattern_of(head) == "mapi"
        match kind:
            case Many(element=element):
                new_function, result = self._function(function, (None, element) if with_position else (element,), kinds)
                return _build_pattern(head, (new_function, rows), pipe), None if result is None else Many(result)
            case Row() if with_position:
                new_function, _ = self._function(function, (None, None), kinds)
                assert isinstance(new_function, Lambda)
                assert isinstance(new_function.body, Lambda)
                entry = Variable(self._fresh("e"))
                column, value = (Projection(entry, number) for number in (1, 2))
                inside = substitute(new_function.body.body, new_function.body.parameter, value)
                if new_function.parameter != new_function.body.parameter:
                    inside = substitute(inside, new_function.parameter, column)
                zero = apply(new_function, {}, ANYTHING, Zero())
                return pipe_functions(_entries(rows), pattern("map", Lambda(entry.name, None, inside))), Entries(zero)
            case Row():
                new_function = self.data(function, kinds)
                return _build_pattern(head, (new_function, Projection(rows, 2)), pipe), Entries(
                    apply(new_function, {}, Zero())
                )
            case Entries(zero=zero) if not with_position:
                new_function = self.data(function, kinds)
                return _build_pattern(head, (new_function, rows), pipe), Entries(apply(new_function, {}, zero))
            case _:
                raise self.refusal(head.name, "it takes rows as they are, with their zeros")

    def _reduce(
        self, head: Variable, name: str, arguments: tuple[Term, ...], rows: Term, kind: Kind, pipe: bool, kinds: Kinds
    ) -> tuple[Term, Kind]:
        function, start = arguments[0], self.data(arguments[1], kinds)
        if isinstance(kind, Many) and name != "reduce":
            new_function, result = self._function(function, (None, kind.element), kinds)
            if result is None:
                return _build_pattern(head, (new_function, start, rows), pipe), None
            raise self.refusal(name, "its state would be made of rows")
        if not isinstance(kind, Row | Entries):
            raise self.refusal(name, "it takes rows as they are, with their zeros")
        zero = kind.zero if isinstance(kind, Entries) else Zero()
        new_function = function if isinstance(function, Operator) else self.data(function, kinds)
        if not changes_nothing(new_function, zero):
            raise BrokenConditionError(
                f"That an entry of {self._name} that is 0 changes nothing in {name}({as_text(function)[:60]}, …) is "
                "not proved.",
                "sums of products with the entry as a factor",
                as_text(function)[:60],
            )
        values = Projection(rows, 2) if isinstance(kind, Row) else rows
        return _build_pattern(head, (new_function, start, values), pipe), None

    def _function(self, function: Term, takes: tuple[Kind, ...], kinds: Kinds) -> tuple[Term, Kind]:
        """A function of one or two arguments of these kinds, one after the other."""
        if not isinstance(function, Lambda):
            name = Variable(self._fresh("q"))
            body: Term = Apply(function, (name,), len(takes) == 1)
            function = Lambda(name.name, None, body)
        inside = {**kinds, function.parameter: takes[0]}
        if len(takes) > 1:
            body, result = self._function(function.body, takes[1:], inside)
        else:
            body, result = self.term(function.body, inside)
        return Lambda(function.parameter, None, body), result


def _two(first: Kind, second: Kind) -> Kind:
    return None if first is None and second is None else Two(first, second)


def _entries(row: Term) -> Term:
    return Apply(Variable("zip"), (Projection(row, 1), Projection(row, 2)))


def _build_pattern(head: Variable, arguments: tuple[Term, ...], pipe: bool) -> Term:
    """A pattern with its arguments, the data in front of it where it was written so."""
    if not pipe:
        return Apply(head, arguments)
    *front, data = arguments
    return Apply(Apply(head, tuple(front)) if front else head, (data,), True)
