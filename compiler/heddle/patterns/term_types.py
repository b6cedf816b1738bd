"""The type of each part of a program that stands for data, for whoever points at it in the text."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from heddle.diagnostics import CompileError
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.values import ArrayValue, Environment, PairValue, ScalarValue, Value
from heddle.patterns.program import Program, values_of
from heddle.patterns.rules.terms import all_terms
from heddle.patterns.syntax.nodes import Number, Operator, Span, Term, Truth
from heddle.patterns.typing.types import to_text

MOST = 400
"""Parts of a program whose types are told; asking for one walks over what it is made of."""


@dataclass(frozen=True, slots=True)
class TermType:
    """``type`` is that of the part at ``span``, in one application of the functions around it."""

    span: Span
    type: str


class _Telling(Evaluator):
    seen: dict[Span, str]

    def term(self, term: Term, environment: Environment) -> Value:
        value = super().term(term, environment)
        told = isinstance(value, ScalarValue | PairValue | ArrayValue) and not isinstance(
            term, Number | Truth | Operator
        )
        if told and term.span not in self.seen and len(self.seen) < MOST:
            self.seen[term.span] = ""  # asking for the type walks over it again
            with suppress(CompileError):  # a pair of functions
                self.seen[term.span] = to_text(self.type_of(value))
        return value


def term_types(program: Program) -> tuple[TermType, ...]:
    """The types of the parts of ``program``, in the order of the text, what is around before what is inside."""
    seen: dict[Span, str] = {}

    def telling(*arguments: object) -> Evaluator:
        evaluator = _Telling(*arguments)  # type: ignore[arg-type]
        evaluator.seen = seen
        return evaluator

    values_of(program, telling)
    spans = {term.span for term in all_terms(program.term)}
    types = [TermType(span, type) for span, type in seen.items() if type and span in spans]
    return tuple(sorted(types, key=lambda entry: (entry.span[0], -entry.span[1])))
