"""The patterns of a program one by one, as data go through them, each with the type of what it makes."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.patterns.lowering.evaluator import Evaluator
from compiler.patterns.lowering.values import ArrayValue, PairValue, Partial, ScalarValue, Value
from compiler.patterns.program import Program, values_of
from compiler.patterns.rules.terms import all_terms, labelled, pattern_of
from compiler.patterns.syntax.nodes import Apply, Lambda, NatLambda, Span, Term, Variable, children
from compiler.patterns.syntax.printer import to_text as term_text
from compiler.patterns.typing.signatures import PATTERNS
from compiler.patterns.typing.types import to_text


@dataclass(frozen=True, slots=True)
class Described:
    """The pattern at ``span`` of the text, called ``place`` by steps; ``text`` is how it is written, without functions
    that have patterns of their own, which follow ``depth + 1`` levels inside. ``type`` is that of its result, in one
    application of it; empty where nobody asks for it."""

    place: str
    pattern: str
    text: str
    type: str
    depth: int
    span: Span


class _Watching(Evaluator):
    """Remembers the type of what each pattern makes where it is first applied."""

    seen: dict[Span, str]

    def apply(self, function: Value, argument: Value, span: Span, place: Span | None = None) -> Value:
        made = super().apply(function, argument, span, place)
        if isinstance(function, Partial) and not isinstance(made, Partial) and function.span not in self.seen:
            self.seen[function.span] = ""  # asking for the type applies it again
            if isinstance(made, ScalarValue | PairValue | ArrayValue):
                self.seen[function.span] = to_text(self.type_of(made))
        return made


def described(program: Program) -> tuple[Described, ...]:
    """The patterns of ``program``: what makes data before what takes them, functions behind the pattern that has
    them."""
    watching = _Watching
    seen: dict[Span, str] = {}

    def watched(*arguments: object) -> Evaluator:
        made = watching(*arguments)  # type: ignore[arg-type]
        made.seen = seen
        return made

    values_of(program, watched)
    found: list[Described] = []
    _collect(labelled(program.term, {}), 0, seen, found)
    return tuple(found)


def _collect(term: Term, depth: int, seen: dict[Span, str], found: list[Described]) -> None:
    match term:
        case Apply(function=function, arguments=(data,), pipe=True):
            _collect(data, depth, seen, found)
            _collect(function, depth, seen, found)
        case Apply(function=Variable() as head, arguments=arguments) if pattern_of(head) is not None:
            takes = PATTERNS[pattern_of(head) or ""].takes
            functions = [one for one, kind in zip(arguments, takes, strict=False) if kind in "fo"]
            for one in arguments:
                if one not in functions:
                    _collect(one, depth, seen, found)
            _add(head, arguments, depth, seen, found)
            for one in functions:
                _collect(one, depth + 1, seen, found)
        case Variable() as head if pattern_of(head) is not None:
            _add(head, (), depth, seen, found)
        case _:
            for part in children(term):
                _collect(part, depth, seen, found)


def _add(
    head: Variable, arguments: tuple[Term, ...], depth: int, seen: dict[Span, str], found: list[Described]
) -> None:
    written = ", ".join(_short(one) for one in arguments)
    text = f"{head.name}({written})" if arguments else head.name
    found.append(Described(head.label, pattern_of(head) or "", text, seen.get(head.span, ""), depth, head.span))


def _short(argument: Term) -> str:
    """An argument, or the place where a function with patterns stands."""
    has_patterns = any(pattern_of(one) is not None for one in all_terms(argument))
    if has_patterns and isinstance(argument, Lambda | NatLambda):
        return f"fun({argument.parameter} => …)"
    return "…" if has_patterns else term_text(argument)
