"""Types that are written, where some names are known: of parameters, and of terms and functions inside."""

from __future__ import annotations

from heddle.loop_ir.nodes import INDEX
from heddle.patterns.lowering.checks import Checks
from heddle.patterns.lowering.lengths_of import length_of
from heddle.patterns.lowering.values import Environment, ScalarValue, Value
from heddle.patterns.syntax.nodes import ArrayTerm, IndexTerm, PairTypeTerm, ScalarTerm, Span, TypeTerm
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.types import (
    SCALARS,
    ArrayType,
    Index,
    Pair,
    Scalar,
    Type,
    names_of,
    same,
    to_text,
    with_lengths,
)
from heddle.symbolic.nodes import length
from heddle.symbolic.printer import to_text as length_text


def type_of(evaluator: Checks, term: TypeTerm, environment: Environment) -> Type:
    """The type that ``term`` spells, where ``environment`` is known."""
    match term:
        case ScalarTerm(name=name, span=span):
            if name not in SCALARS:
                raise problem(
                    "type-name",
                    f"`{name}` is not a type.",
                    span,
                    expected="float, double, int, long, bool, idx(n), a pair or an array",
                    actual=name,
                )
            return Scalar(SCALARS[name])
        case IndexTerm(size=size):
            return Index(length_of(evaluator, size, environment))
        case PairTypeTerm(first=first, second=second):
            return Pair(type_of(evaluator, first, environment), type_of(evaluator, second, environment))
        case ArrayTerm(element=element, size=size, variable=variable):
            whole = length_of(evaluator, size, environment)
            with evaluator.emitter.symbolic(variable or "i", whole) as place:
                inside = dict(environment)
                if variable is not None:
                    inside[variable] = ScalarValue(evaluator.emitter.expression(place), INDEX, place, nat=True)
                inner = type_of(evaluator, element, inside)
            text, name = length_text(place), variable or "i"
            if name not in environment and name not in names_of(inner):
                text, inner = name, with_lengths(inner, {text: length(name)})
            return ArrayType(whole, inner, text)
        case _:
            raise TypeError(f"unexpected type {term!r}")


def check_written(evaluator: Checks, value: Value, annotation: TypeTerm, environment: Environment, span: Span) -> None:
    """That ``value`` has the type that is written of it.

    Raises
    ------
    CompileError
        ``patterns/type``.
    """
    if not evaluator.emitter.looking:  # every program is looked at once before it is lowered
        return
    wanted = type_of(evaluator, annotation, environment)
    if isinstance(value, ScalarValue) and value.literal and isinstance(wanted, Scalar | Index):
        return
    actual = evaluator.type_of(value)
    if not same(actual, wanted, evaluator.emitter.facts):
        raise problem(
            "type",
            f"This is {to_text(actual)}, and the type that is written of it is {to_text(wanted)}.",
            span,
            expected=to_text(wanted),
            actual=to_text(actual),
        )
