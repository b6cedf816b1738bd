"""Arrays in pieces, and pieces joined again."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Fix
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Starts
from heddle.patterns.lowering.values import ArrayValue, ScalarValue, Value, Visit
from heddle.patterns.lowering.visit import visit
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import Divides
from heddle.patterns.typing.types import ArrayType, Scalar, names_of, to_text
from heddle.symbolic.build import ceil_div, floor_div, maximum, minimum, mod
from heddle.symbolic.divide import exact_quotient
from heddle.symbolic.nodes import Length, Name, length
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.walk import free_names

Arguments = tuple[Value, ...]
Spans = tuple[Span, ...]


def size_of_rows(evaluator: Evaluator, array: ArrayValue, span: Span, pattern: str) -> tuple[str, Length]:
    """The size of a row, and the name of the position that it may depend on."""
    emitter = evaluator.emitter
    with emitter.names.scope(), emitter.symbolic(array.named, array.size) as place:
        row = evaluator.array(array.element(place), span, f"{pattern} takes an array of arrays; its element")
        name = place.atom
        assert isinstance(name, Name)
        return name.name, row.size


def split(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    piece, source = evaluator.nat(arguments[0], spans[0], name), evaluator.array(arguments[1], spans[1], name)
    count = exact_quotient(source.size, piece) if piece.terms else None
    if count is None:
        number, whole = piece.constant, source.size.constant
        if number is not None and (number <= 0 or whole is not None):
            better = evaluator.text[: spans[0][0]] + evaluator.text[spans[0][0] :].replace("split(", "splitUp(", 1)
            raise problem(
                "not-divisible",
                f"Pieces of {number} do not divide {length_text(source.size)} elements.",
                spans[0],
                expected=f"a divisor of {length_text(source.size)}",
                actual=str(number),
                hint=f"splitUp({number}) has a shorter last piece, for every length.",
                fixes=() if better == evaluator.text else (Fix("Use splitUp", expression=better),),
            )
        evaluator.at_least_zero(piece - 1, spans[0], "the length of the pieces less 1")
        evaluator.claim(Divides(piece, source.size, evaluator.variables(), spans[0]))
        count = floor_div(source.size, piece, evaluator.emitter.facts)

    def row(number: Length) -> Value:
        return ArrayValue(piece, lambda at: source.element(number * piece + at), named="j")

    return ArrayValue(count, row, kind=source.kind, named=source.named)


def split_up(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    piece, source = evaluator.nat(arguments[0], spans[0], name), evaluator.array(arguments[1], spans[1], name)
    _positive(evaluator, piece, spans[0], name)
    facts = evaluator.emitter.facts

    def row(number: Length) -> Value:
        size = minimum(piece, source.size - number * piece, facts=evaluator.emitter.facts)
        return ArrayValue(size, lambda at: source.element(number * piece + at), named="j")

    return ArrayValue(ceil_div(source.size, piece, facts), row, kind=source.kind, named=f"{source.named}_piece")


def deal(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    hands, source = evaluator.nat(arguments[0], spans[0], name), evaluator.array(arguments[1], spans[1], name)
    _positive(evaluator, hands, spans[0], name)

    def row(hand: Length) -> Value:
        size = ceil_div(source.size - hand, hands, evaluator.emitter.facts)
        if not nonnegative(size, evaluator.emitter.facts):
            size = floor_div(source.size - hand + hands - 1, hands, evaluator.emitter.facts)
        return ArrayValue(size, lambda at: source.element(at * hands + hand), named="t")

    return ArrayValue(hands, row, kind=source.kind, named="hand")


def _positive(evaluator: Evaluator, number: Length, span: Span, name: str) -> None:
    value = number.constant
    if value is not None and value <= 0:
        raise problem("length", f"{name} takes a positive number.", span, expected="1 or more", actual=str(value))
    evaluator.at_least_zero(number - 1, span, f"the argument of {name} less 1")


def join(starts: Starts, evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    source = evaluator.array(arguments[0], spans[0], name)
    variable, size = size_of_rows(evaluator, source, spans[0], name)
    type = ArrayType(source.size, ArrayType(size, Scalar("int32")), variable)
    owner = "joined"

    def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
        def of_row(number: Length, row: Value) -> None:
            assert isinstance(row, ArrayValue)
            first = starts.start(type, number, owner)
            visit(evaluator, row, lambda at, element: body(first + at, element), span, unroll=unroll)

        visit(evaluator, source, of_row, span, kind=kind)

    def element(place: Length) -> Value:
        if type.ragged:
            raise only_visited(evaluator, span, to_text(type))
        facts, divisor = evaluator.emitter.facts, size if size.terms else length(1)
        row = source.element(floor_div(place, divisor, facts))
        assert isinstance(row, ArrayValue)
        return row.element(mod(place, divisor, facts))

    def first(place: Length) -> Value:
        """For types: what an element is, in any row."""
        if type.ragged and evaluator.emitter.looking:
            return _of_any_row(evaluator, source, span)
        return element(place)

    return ArrayValue(starts.start(type, source.size, owner), first, each, kind=source.kind, named=source.named)


def _of_any_row(evaluator: Evaluator, source: ArrayValue, span: Span) -> Value:
    """An element of a row: elements that are arrays themselves must be alike in all rows."""
    emitter = evaluator.emitter
    with emitter.names.scope(), emitter.symbolic("row", source.size) as number:
        row = source.element(number)
        assert isinstance(row, ArrayValue)
        with emitter.symbolic("at", row.size) as at:
            value = row.element(at)
            type = evaluator.type_of(value)
            if isinstance(value, ScalarValue):
                return replace(value, size=None)
            if names_of(type) & (free_names(number) | free_names(at)):
                raise problem(
                    "ragged-join",
                    f"The elements of the joined rows are {to_text(type)}: their length depends on the row, which the "
                    "joined array does not know.",
                    span,
                    expected="elements that are alike in all rows",
                    actual=to_text(type),
                    hint="Join the elements of each row first.",
                )
            return value


def only_visited(evaluator: Evaluator, span: Span, actual: str) -> CompileError:
    return problem(
        "only-visited",
        "Rows of different lengths are joined here, and one element of the result is asked for: finding its row would "
        "take a search.",
        span,
        expected="a pattern that takes all elements one after the other, such as map or reduce",
        actual=actual,
        hint="Put the pattern inside the rows, or keep the joined array with toGlobal.",
    )


def slide(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    size, step = (evaluator.nat(value, at, name) for value, at in zip(arguments[:2], spans[:2], strict=True))
    source = evaluator.array(arguments[2], spans[2], name)
    for number, at in ((size, spans[0]), (step, spans[1])):
        _positive(evaluator, number, at, name)
    facts = evaluator.emitter.facts
    if size != step:
        often = f"{length_text(ceil_div(size, step))} times, once for each window that it is in"
        evaluator.warn_of_work(source, spans[2], often)
    rest = source.size - size
    if exact_quotient(rest, step) is None:
        evaluator.claim(Divides(step, rest, evaluator.variables(), spans[1]))
    count = floor_div(rest + step, step, facts)
    if not nonnegative(count, facts):
        count = maximum(0, count, facts=facts)

    def window(number: Length) -> Value:
        return ArrayValue(size, lambda at: source.element(number * step + at), named="w")

    return ArrayValue(count, window, kind=source.kind, named=source.named)
