"""Values as what a pattern takes: scalars, arrays, lengths, positions; obligations, and the types of values."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, Location, Part, Severity
from heddle.loop_ir.nodes import INDEX, For
from heddle.patterns.lowering.emitter import Emitter
from heddle.patterns.lowering.values import (
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
    Span,
    Term,
)
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import AtLeastZero, Claim, InRange, key
from heddle.patterns.typing.signatures import PATTERNS
from heddle.patterns.typing.types import ArrayType, Index, Pair, Scalar, Type, names_of, to_text, with_lengths
from heddle.symbolic.equal import equal
from heddle.symbolic.nodes import At, Length, length
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.prove import less, nonnegative
from heddle.symbolic.walk import free_names


class Checks:
    """What is asked of values, and what is claimed of arguments where no proof is found."""

    def __init__(self, emitter: Emitter, text: str) -> None:
        self.emitter = emitter
        self.text = text
        self.claims: dict[str, Claim] = {}
        self.notes: dict[Span, Diagnostic] = {}

    def term(self, term: Term, environment: Environment) -> Value:
        """The value that ``term`` spells."""
        raise NotImplementedError

    def index(self, place: Value, size: Length, span: Span, of: str) -> Length:
        """A position in an array of ``size``, proved or claimed to be one."""
        if not isinstance(place, ScalarValue) or place.dtype not in ("int32", INDEX):
            raise self.mismatch("index-type", "An index is an int", "int", place, span)
        where = place.length
        if where is None:
            raise problem(
                "index-type",
                "This index is computed in a way that lengths cannot say, so nothing can be known of it.",
                span,
                expected="an int from an array, or sums, products and quotients of lengths",
                actual=self.text[span[0] : span[1]],
            )
        facts = self.emitter.facts
        if place.size is not None and equal(place.size, size, facts):
            return where
        if nonnegative(where, facts) and less(where, size, facts):
            return where
        atom = where.atom
        if place.source is not None and isinstance(atom, At) and self._constant_size(size):
            self.claim(InRange(place.source[0], place.source[1], size, span, of))
            return where
        variables = self.variables()
        self.claim(AtLeastZero(where, variables, span, None, f"the index of {of}"))
        self.claim(
            AtLeastZero(size - where - 1, variables, span, None, f"the number of elements after the index of {of}")
        )
        return where

    def _constant_size(self, size: Length) -> bool:
        return not free_names(size) & {name for name, _ in self.variables()}

    # ---------------------------------------------------------------------------------------------- obligations

    def variables(self) -> tuple[tuple[str, Length], ...]:
        """The positions that are open here, with what they run over, for claims about all of them."""
        lengths: list[tuple[str, Length]] = []
        for scope in self.emitter.scopes:
            for name in sorted(scope.names):
                upper = scope.facts.interval(name).upper
                assert upper is not None
                lengths.append((name, upper + 1))
        return tuple(lengths)

    def claim(self, claim: Claim) -> None:
        self.claims.setdefault(key(claim), claim)

    def at_least_zero(self, whole: Length, span: Span, what: str) -> None:
        """Makes sure that ``whole``, which is ``what``, is not negative: proved, claimed, or refused."""
        value = whole.constant
        if value is not None and value < 0:
            raise problem(
                "negative-length",
                f"{what[0].upper()}{what[1:]} is {value}.",
                span,
                expected="0 or more",
                actual=str(value),
            )
        if not nonnegative(whole, self.emitter.facts):
            self.claim(AtLeastZero(whole, self.variables(), span, None, what))

    def warn_of_work(self, source: ArrayValue, span: Span, often: str) -> None:
        """Warns where an element of ``source`` takes a loop and is computed ``often``: nothing keeps it."""
        with self.emitter.names.scope(), self.emitter.looking_at(source.named, source.size) as place:
            source.element(place)
            loops = any(isinstance(statement, For) for statement in self.emitter.scope.statements)
        if loops:
            place_in_text = Location(Part.EXPRESSION, span[0], span[1])
            self.notes[span] = Diagnostic(
                "patterns/recomputed",
                f"Each element of this array takes a loop, and is computed {often}.",
                place_in_text,
                Severity.WARNING,
                hint="Keep the array with toGlobal, or with toPrivate where it is small.",
            )

    # ------------------------------------------------------------------------------------------------- kinds

    def scalar(self, value: Value, span: Span) -> ScalarValue:
        if not isinstance(value, ScalarValue):
            raise self.mismatch("type", "Arithmetic takes scalars", "a scalar", value, span)
        return value

    def array(self, value: Value, span: Span, pattern: str) -> ArrayValue:
        if not isinstance(value, ArrayValue):
            raise self.mismatch("array", f"{pattern} takes an array", "an array", value, span)
        return value

    def nat(self, value: Value, span: Span, pattern: str) -> Length:
        """A length as an argument of a pattern."""
        if not isinstance(value, ScalarValue) or value.length is None:
            raise self.mismatch("length", f"{pattern} takes a length", "a length", value, span)
        return value.length

    def mismatch(self, code: str, message: str, expected: str, value: Value, span: Span) -> Exception:
        if isinstance(value, Partial):
            return self.incomplete(value)
        kind = self.kind(value)
        return problem(code, f"{message}, and this is {kind}.", span, expected=expected, actual=kind)

    def incomplete(self, value: Partial) -> Exception:
        """A pattern stands where a value is wanted: it lacks arguments."""
        usage, count = PATTERNS[value.pattern].usage, len(value.arguments)
        takes = len(PATTERNS[value.pattern].takes)
        end = max((at[1] for _, at in value.arguments), default=value.span[1])
        return problem(
            "arguments",
            f"{value.pattern} is written {usage}; it has {count} of {takes} arguments here.",
            (value.span[0], end),
            expected=usage,
            actual=self.text[value.span[0] : end],
            hint=f"{value.pattern}: {PATTERNS[value.pattern].summary}.",
        )

    def kind(self, value: Value) -> str:
        """What a value is, for messages: its type."""
        match value:
            case Partial(pattern=pattern):
                return f"the pattern {pattern} without all of its arguments"
            case OperatorValue(operator=operator):
                return f"the operator {operator}"
            case Closure() | Composition():
                return "a function"
            case Word(word=word):
                return f"the word {word}"
            case _:
                return to_text(self.type_of(value))

    def type_of(self, value: Value) -> Type:
        """The type of data; what reading an element of them makes is thrown away."""
        match value:
            case ScalarValue(dtype=dtype, size=size):
                return Scalar(dtype) if size is None else Index(size)
            case PairValue(first=first, second=second):
                return Pair(self.type_of(first), self.type_of(second))
            case ArrayValue(size=size, element=element, named=named):
                with self.emitter.names.scope(), self.emitter.looking_at(named, size) as place:
                    variable, inner = length_text(place), self.type_of(element(place))
                    if named not in names_of(inner):
                        variable, inner = named, with_lengths(inner, {variable: length(named)})
                    return ArrayType(size, inner, variable)
            case _:
                raise self.mismatch("function", "A function is not data", "data", value, (0, len(self.text)))
