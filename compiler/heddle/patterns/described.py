"""The patterns of a program one by one, as data go through them, each with the type of what it makes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.loop_ir.nodes import Declare, For, LoopKind
from heddle.loop_ir.walk import statements
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.values import ArrayValue, PairValue, Partial, ScalarValue, Value, Visit
from heddle.patterns.program import Program, lower, values_of
from heddle.patterns.rules.terms import all_terms, label, pattern_of
from heddle.patterns.syntax.nodes import Apply, Lambda, NatLambda, Span, Term, Variable, children
from heddle.patterns.syntax.printer import to_text as term_text
from heddle.patterns.typing.signatures import PATTERNS
from heddle.patterns.typing.types import to_text
from heddle.symbolic.nodes import Length
from heddle.symbolic.walk import free_names


@dataclass(frozen=True, slots=True)
class Described:
    """The pattern at ``span`` of the text, called ``place`` by steps; ``text`` is how it is written, without functions
    that have patterns of their own, which follow ``depth + 1`` levels inside. ``type`` is that of its result, in one
    application of it; empty where nobody asks for it. ``variables`` are those of the loops that its data are read
    in."""

    place: str
    pattern: str
    text: str
    type: str
    variables: tuple[str, ...]
    depth: int
    span: Span


@dataclass(slots=True)
class _Seen:
    """By the place of a pattern: the type of what it makes, and what its data are read at."""

    types: dict[Span, str] = field(default_factory=dict)
    variables: dict[Span, dict[str, None]] = field(default_factory=dict)


class _Watching(Evaluator):
    """Remembers the type of what each pattern makes where it is first applied, and the loops around its data."""

    seen: _Seen

    def apply(self, function: Value, argument: Value, span: Span, place: Span | None = None) -> Value:
        if isinstance(function, Partial) and isinstance(argument, ArrayValue):
            argument = self._watch(argument, function.span)
        result = super().apply(function, argument, span, place)
        if isinstance(function, Partial) and not isinstance(result, Partial) and function.span not in self.seen.types:
            self.seen.types[function.span] = ""  # asking for the type applies it again
            if isinstance(result, ScalarValue | PairValue | ArrayValue):
                self.seen.types[function.span] = to_text(self.type_of(result))
        return result

    def _watch(self, array: ArrayValue, span: Span) -> ArrayValue:
        """``array``, read by the pattern at ``span``."""

        def note(place: Length) -> None:
            if not self.emitter.looking:
                self.seen.variables.setdefault(span, {}).update(dict.fromkeys(sorted(free_names(place))))

        def element(place: Length) -> Value:
            note(place)
            return array.element(place)

        each = None
        if array.each is not None:

            def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
                def note_length(place: Length, value: Value) -> None:
                    note(place)
                    body(place, value)

                assert array.each is not None
                array.each(note_length, kind, unroll)

        return replace(array, element=element, each=each)


def describe(program: Program, units: tuple[LoopKind, ...]) -> tuple[Described, ...]:
    """The patterns of ``program`` on a target with ``units``: what makes data before what takes them, functions behind
    the pattern that has them."""
    seen = _Seen()

    def watching(*arguments: object) -> Evaluator:
        evaluator = _Watching(*arguments)  # type: ignore[arg-type]
        evaluator.seen = seen
        return evaluator

    values_of(program, watching)
    loops = lower(program, units, watching).function.body
    known = {
        statement.origin.variable
        for statement in statements(loops)
        if isinstance(statement, For | Declare) and statement.origin
    }
    descriptions: list[Described] = []
    _collect(label(program.term, {}), 0, seen, descriptions)
    return tuple(
        replace(description, variables=tuple(name for name in description.variables if name in known))
        for description in descriptions
    )


def _collect(term: Term, depth: int, seen: _Seen, descriptions: list[Described]) -> None:
    match term:
        case Apply(function=function, arguments=(data,), pipe=True):
            _collect(data, depth, seen, descriptions)
            _collect(function, depth, seen, descriptions)
        case Apply(function=Variable() as head, arguments=arguments) if pattern_of(head) is not None:
            takes = PATTERNS[pattern_of(head) or ""].takes
            functions = [argument for argument, kind in zip(arguments, takes, strict=False) if kind in "fo"]
            for argument in arguments:
                if argument not in functions:
                    _collect(argument, depth, seen, descriptions)
            _add(head, arguments, depth, seen, descriptions)
            for argument in functions:
                _collect(argument, depth + 1, seen, descriptions)
        case Variable() as head if pattern_of(head) is not None:
            _add(head, (), depth, seen, descriptions)
        case _:
            for part in children(term):
                _collect(part, depth, seen, descriptions)


def _add(head: Variable, arguments: tuple[Term, ...], depth: int, seen: _Seen, descriptions: list[Described]) -> None:
    written = ", ".join(_short(argument) for argument in arguments)
    text = f"{head.name}({written})" if arguments else head.name
    type, variables = seen.types.get(head.span, ""), tuple(seen.variables.get(head.span, ()))
    descriptions.append(Described(head.label, pattern_of(head) or "", text, type, variables, depth, head.span))


def _short(argument: Term) -> str:
    """An argument, or the place where a function with patterns stands."""
    has_patterns = any(pattern_of(term) is not None for term in all_terms(argument))
    if has_patterns and isinstance(argument, Lambda | NatLambda):
        return f"fun({argument.parameter} => …)"
    return "…" if has_patterns else term_text(argument)
