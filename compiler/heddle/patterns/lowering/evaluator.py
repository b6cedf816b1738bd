"""Terms to values: names, functions, arithmetic. Patterns are in a table (:mod:`heddle.patterns.lowering.patterns`).

The same walk checks a program and lowers it: to check it, what it emits is thrown away (:meth:`Emitter.aside`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from heddle.diagnostics import Fix, nearest
from heddle.loop_ir.nodes import BOOL, INDEX, Const, LoopKind
from heddle.patterns.lowering.checks import Checks
from heddle.patterns.lowering.emitter import Emitter
from heddle.patterns.lowering.lengths_of import length_of
from heddle.patterns.lowering.scalars import binary, choice
from heddle.patterns.lowering.types_of import check_written
from heddle.patterns.lowering.values import (
    FUNCTIONS,
    ArrayValue,
    Closure,
    Composition,
    Environment,
    OperatorValue,
    PairValue,
    Partial,
    ScalarValue,
    Value,
    Word,
)
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
    Span,
    Term,
    Truth,
    Variable,
    occurrences,
)
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.signatures import PATTERNS, SHORT
from heddle.symbolic.nodes import length

Pattern = Callable[["Evaluator", tuple[Value, ...], tuple[Span, ...], Span, str], Value]
WORDS = ("clamp", "wrap")


class Evaluator(Checks):
    def __init__(
        self, emitter: Emitter, patterns: Mapping[str, Pattern], text: str, units: tuple[LoopKind, ...]
    ) -> None:
        super().__init__(emitter, text)
        self.patterns = patterns
        self.units = units

    # ------------------------------------------------------------------------------------------------- terms

    def term(self, term: Term, environment: Environment) -> Value:
        match term:
            case Variable(name=name, span=span):
                return self._variable(name, span, environment)
            case Number(text=text, is_float=is_float):
                if is_float:
                    return ScalarValue(Const(float(text), "float32"), "float32", literal=True)
                return ScalarValue(Const(int(text), "int32"), "int32", length(int(text)), literal=True)
            case Truth(value=value):
                return ScalarValue(Const(value, BOOL), BOOL)
            case Operator(operator=operator):
                return OperatorValue(operator)
            case Lambda() | NatLambda():
                return Closure(term, environment)
            case Apply():
                return self._apply_term(term, environment)
            case Projection(pair=pair, number=number, span=span):
                both = self.term(pair, environment)
                if not isinstance(both, PairValue):
                    raise self.mismatch("projection", f".{number} is a field of a pair", "a pair", both, span)
                return both.first if number == 1 else both.second
            case Element(array=array, index=index, span=span):
                return self._element(array, index, span, environment)
            case Binary(operator=operator, left=left, right=right, span=span):
                left_scalar, other = (self.scalar(self.term(side, environment), side.span) for side in (left, right))
                return binary(operator, left_scalar, other, self.emitter.facts, span)
            case Negative(operand=operand, span=span):
                minus = self.scalar(self.term(operand, environment), span)
                zero = ScalarValue(Const(0, "int32"), "int32", length(0), literal=True)
                return binary("-", zero, minus, self.emitter.facts, span)
            case Choice():
                return self._choice(term, environment)
            case PairTerm(first=first, second=second):
                return PairValue(self.term(first, environment), self.term(second, environment))
            case Let(name=name, value=value, body=body):
                bound = self.term(value, environment)
                uses = occurrences(body, name)
                if uses > 1 and isinstance(bound, ArrayValue):
                    self.warn_of_work(bound, value.span, f"{uses} times, once for each {name}")
                return self.term(body, {**environment, name: bound})
            case Annotated(term=inner, annotation=annotation, span=span):
                inner_value = self.term(inner, environment)
                check_written(self, inner_value, annotation, environment, span)
                return inner_value
            case _:
                raise TypeError(f"unexpected term {term!r}")

    def _variable(self, name: str, span: Span, environment: Environment) -> Value:
        if name in environment:
            return environment[name]
        pattern = SHORT.get(name, name)
        if pattern in PATTERNS:
            return Partial(pattern, (), span)
        if name in ("min", "max"):
            return OperatorValue(name)
        if name in WORDS:
            return Word(name)
        known = [*environment, *PATTERNS, "min", "max", "toNat"]
        close = nearest(name, known)
        fixes = tuple(
            Fix(f"Write {candidate}", expression=f"{self.text[: span[0]]}{candidate}{self.text[span[1] :]}")
            for candidate in close[:1]
        )
        raise problem(
            "unknown-name",
            f"`{name}` is not defined here.",
            span,
            expected="a parameter, a pattern, or a name of fun or let",
            actual=name,
            candidates=close,
            fixes=fixes,
        )

    def _apply_term(self, term: Apply, environment: Environment) -> Value:
        function = term.function
        if isinstance(function, Variable) and function.name not in environment:
            if function.name in ("toNat", "sum", "Σ"):
                whole = length_of(self, term, environment)
                return ScalarValue(self.emitter.expression(whole), INDEX, whole, nat=True)
            if function.name in ("min", "max") and len(term.arguments) == 2:
                first_scalar, other = (self.scalar(self.term(side, environment), side.span) for side in term.arguments)
                return binary(function.name, first_scalar, other, self.emitter.facts, term.span)
        if term.pipe:
            (argument,) = term.arguments
            value = self.term(argument, environment)
            applied = self.term(function, environment)
            if isinstance(value, FUNCTIONS):
                return Composition(value, applied)
            return self.apply(applied, value, function.span, argument.span)
        applied = self.term(function, environment)
        for argument in term.arguments:
            value = self.term(argument, environment)
            applied = self.apply(applied, value, term.span, argument.span)
        return applied

    def apply(self, function: Value, argument: Value, span: Span, place: Span | None = None) -> Value:
        """What ``function`` makes of ``argument``."""
        where = place or span
        match function:
            case Closure(term=Lambda(parameter=name, annotation=annotation, body=body), environment=environment):
                if annotation is not None:
                    check_written(self, argument, annotation, environment, where)
                return self.term(body, {**environment, name: argument})
            case Closure(term=NatLambda(parameter=name, body=body), environment=environment):
                value = self.scalar(argument, where)
                return self.term(body, {**environment, name: replace(value, nat=True)})
            case Composition(first=first, second=second):
                return self.apply(second, self.apply(first, argument, span, place), span, place)
            case OperatorValue(operator=operator):
                if not isinstance(argument, PairValue):
                    raise self.mismatch("type", f"{operator} combines the fields of a pair", "a pair", argument, where)
                scalar, other = self.scalar(argument.first, where), self.scalar(argument.second, where)
                return binary(operator, scalar, other, self.emitter.facts, span)
            case Partial(pattern=pattern, arguments=arguments, span=partial_span):
                operands = (*arguments, (argument, where))
                takes = PATTERNS[pattern].takes
                self._check_kind(pattern, takes[len(arguments)], argument, where, partial_span, span)
                if len(operands) < len(takes):
                    return Partial(pattern, operands, partial_span)
                whole = (min(partial_span[0], span[0]), max(partial_span[1], span[1]))
                return self.patterns[pattern](
                    self, tuple(value for value, _ in operands), tuple(at for _, at in operands), whole, pattern
                )
            case _:
                raise self.mismatch("type", "Only functions are applied", "a function or a pattern", function, span)

    def _check_kind(self, pattern: str, kind: str, value: Value, where: Span, pattern_span: Span, span: Span) -> None:
        function = isinstance(value, FUNCTIONS)
        if (kind in "fo") != function and kind != "w":
            usage = PATTERNS[pattern].usage
            what = "a function" if kind in "fo" else "a value"
            raise problem(
                "arguments",
                f"{pattern} is written {usage}; here {what} is missing.",
                (pattern_span[0], max(pattern_span[1], where[1])),
                expected=usage,
                actual=self.text[where[0] : where[1]],
                hint=f"{pattern}: {PATTERNS[pattern].summary}.",
            )

    def apply_two(self, function: Value, first: Value, second: Value, span: Span) -> Value:
        """What a function of two arguments makes of them."""
        if isinstance(function, OperatorValue):
            return self.apply(function, PairValue(first, second), span)
        return self.apply(self.apply(function, first, span), second, span)

    def _choice(self, term: Choice, environment: Environment) -> Value:
        condition = self.scalar(self.term(term.condition, environment), term.condition.span)
        then, otherwise = (self.term(side, environment) for side in (term.then, term.otherwise))
        scalar, other = self.scalar(then, term.then.span), self.scalar(otherwise, term.otherwise.span)
        result = choice(condition, scalar, other, self.emitter.facts, term.span)
        if scalar.length is None or other.length is None or not isinstance(term.condition, Binary):
            return result
        sides = [self.term(side, environment) for side in (term.condition.left, term.condition.right)]
        if all(isinstance(side, ScalarValue) and side.length is not None for side in sides):
            return replace(result, length=length_of(self, term, environment))
        return result

    def _element(self, array: Term, index: Term, span: Span, environment: Environment) -> Value:
        value = self.term(array, environment)
        if not isinstance(value, ArrayValue):
            raise self.mismatch("type", "@ takes an element of an array", "an array", value, array.span)
        place = self.term(index, environment)
        where = self.index(place, value.size, index.span, self.text[array.span[0] : array.span[1]])
        return value.element(where)
