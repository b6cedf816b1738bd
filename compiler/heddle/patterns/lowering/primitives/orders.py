"""Other orders of the same elements: how an element of the result is found in the source."""

from __future__ import annotations

from dataclasses import replace

from heddle.loop_ir.nodes import BOOL, Binary, Const, LoopKind, Select
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Region, store
from heddle.patterns.lowering.primitives.maps import same_length
from heddle.patterns.lowering.primitives.pieces import Arguments, Spans, only_visited, size_of_rows
from heddle.patterns.lowering.scalars import convert, promote
from heddle.patterns.lowering.values import ArrayValue, ScalarValue, Value, Visit, Word
from heddle.patterns.lowering.visit import visit
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import Permutation
from heddle.patterns.typing.types import ArrayType, to_text
from heddle.symbolic.build import maximum, minimum, mod
from heddle.symbolic.nodes import At, Length, length
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.walk import free_names


def transpose(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    source = evaluator.array(arguments[0], spans[0], name)
    variable, size = size_of_rows(evaluator, source, spans[0], name)
    if variable in free_names(size):
        raise problem(
            "ragged-transpose",
            f"Only rows of one length can be transposed; here row {variable} has {length_text(size)} elements.",
            spans[0],
            expected="rows of one length",
            actual=to_text(evaluator.type_of(source)),
        )

    def column(at: Length) -> Value:
        def element(place: Length) -> Value:
            row = source.element(place)
            assert isinstance(row, ArrayValue)
            return row.element(at)

        return ArrayValue(source.size, element, named="j")

    def into(region: object) -> None:
        """Rows that a map makes are made as it says, each element once, wherever it goes."""
        assert isinstance(region, Region)
        columns = region.turn()
        store(evaluator, source if columns else value, columns or region, span)

    value = ArrayValue(size, column, named=source.named)
    return replace(value, into=into) if source.from_map else value


def concat(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    left, right = (evaluator.array(value, at, name) for value, at in zip(arguments, spans, strict=True))

    def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
        visit(evaluator, left, body, span, kind=kind)
        visit(evaluator, right, lambda at, element: body(left.size + at, element), span, kind=kind)

    def element(place: Length) -> Value:
        inside = Binary("<", evaluator.emitter.expression(place), evaluator.emitter.expression(left.size), "bool")
        first = _only_read(evaluator, left, place, span, spans[0], name)
        other = _only_read(evaluator, right, place - left.size, span, spans[1], name)
        dtype = promote(first, other)
        return ScalarValue(Select(inside, convert(first, dtype), convert(other, dtype), dtype), dtype)

    return ArrayValue(left.size + right.size, element, each, named=left.named)


def _only_read(evaluator: Evaluator, source: ArrayValue, place: Length, span: Span, at: Span, name: str) -> ScalarValue:
    """The element at a position that ``source`` may not have, to be chosen only where it has it: no statement may
    compute it, since that would run everywhere."""
    with evaluator.emitter.chosen(place, source.size, source.named) as (inside, emitted):
        scalar = evaluator.scalar(source.element(inside), at)
    if emitted and not evaluator.emitter.looking:
        raise problem(
            "only-visited",
            f"An element of {name} is read here, and its value takes statements, which would also run where there is "
            "none.",
            span,
            expected="elements that are read or computed in one expression",
            actual=name,
            hint="Keep the array with toGlobal first.",
        )
    return scalar


def take(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    count, source = evaluator.nat(arguments[0], spans[0], name), evaluator.array(arguments[1], spans[1], name)
    evaluator.at_least_zero(count, spans[0], f"the argument of {name}")
    evaluator.at_least_zero(source.size - count, spans[0], f"what {name} leaves")
    if name == "take":
        return ArrayValue(count, source.element, kind=source.kind, named=source.named)
    return ArrayValue(
        source.size - count, lambda place: source.element(place + count), kind=source.kind, named=source.named
    )


def reverse(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    source = evaluator.array(arguments[0], spans[0], name)
    return ArrayValue(
        source.size, lambda place: source.element(source.size - 1 - place), kind=source.kind, named=source.named
    )


def gather(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    indices, source = (evaluator.array(value, at, name) for value, at in zip(arguments, spans, strict=True))
    evaluator.warn_of_work(source, spans[1], "once for each index that names it")

    def element(place: Length) -> Value:
        where = evaluator.index(indices.element(place), source.size, spans[0], evaluator.text[slice(*spans[1])])
        return source.element(where)

    return ArrayValue(indices.size, element, kind=indices.kind, named=indices.named)


def scatter(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    indices, source = (evaluator.array(value, at, name) for value, at in zip(arguments, spans, strict=True))
    emitter = evaluator.emitter
    with emitter.names.scope(), emitter.symbolic("i", indices.size) as place:
        index_value = indices.element(place)
    atom = index_value.length.atom if isinstance(index_value, ScalarValue) and index_value.length is not None else None
    plain = (
        isinstance(index_value, ScalarValue)
        and index_value.source is not None
        and isinstance(atom, At)
        and atom.index == place
    )
    if not plain:
        raise problem(
            "scatter",
            "scatter takes its indices from a parameter as they are: that each comes once is checked before the kernel "
            "runs.",
            spans[0],
            expected="an array of int that is a parameter",
            actual=evaluator.kind(indices),
        )
    assert isinstance(atom, At)
    whole = evaluator.type_of(source)
    if isinstance(whole, ArrayType) and whole.ragged:
        raise problem(
            "scatter",
            "scatter moves elements of one length; these have lengths that depend on where they are.",
            spans[1],
            expected="elements that are alike",
            actual=to_text(whole),
        )
    same_length(evaluator, indices, source, name, spans, span)
    evaluator.claim(Permutation(atom.array, source.size, spans[0]))

    def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
        def place_value(at: Length, value: Value) -> None:
            index = indices.element(at)
            assert isinstance(index, ScalarValue)
            assert index.length is not None
            body(index.length, value)

        visit(evaluator, source, place_value, span, kind=kind)

    def element(place: Length) -> Value:
        if emitter.looking:
            return source.element(place)
        raise only_visited(evaluator, span, "scatter")

    return ArrayValue(source.size, element, each, kind=source.kind, named=source.named)


def pad(evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    left, right = (evaluator.nat(value, at, name) for value, at in zip(arguments[:2], spans[:2], strict=True))
    mode, source = arguments[2], evaluator.array(arguments[3], spans[3], name)
    for number, at in ((left, spans[0]), (right, spans[1])):
        evaluator.at_least_zero(number, at, f"the argument of {name}")
    size = source.size
    if isinstance(mode, Word) and mode.word == "wrap" and (left + right).terms:
        evaluator.at_least_zero(size - 1, spans[3], "the length of what is wrapped, less 1,")

    def element(place: Length) -> Value:
        emitter = evaluator.emitter
        inner = place - left
        match mode:
            case Word(word="clamp"):
                nearest = maximum(0, minimum(inner, size - 1, facts=emitter.facts), facts=emitter.facts)
                if nonnegative(size - 1, emitter.facts):
                    return source.element(nearest)
                element = _only_read(evaluator, source, nearest, span, spans[3], name)
                return _or_zero(evaluator, element, size)
            case Word(word="wrap"):
                return source.element(mod(inner + left * size, size, emitter.facts))
            case ScalarValue():
                at = emitter.expression(place)
                inside = Binary(
                    "&&",
                    Binary(">=", at, emitter.expression(left), BOOL),
                    Binary("<", at, emitter.expression(left + size), BOOL),
                    BOOL,
                )
                element = _only_read(evaluator, source, inner, span, spans[3], name)
                dtype = promote(mode, element)
                return ScalarValue(Select(inside, convert(element, dtype), convert(mode, dtype), dtype), dtype)
            case _:
                raise evaluator.mismatch("pad", "pad takes clamp, wrap or a scalar", "clamp", mode, spans[2])

    return ArrayValue(left + size + right, element, kind=source.kind, named=source.named)


def _or_zero(evaluator: Evaluator, value: ScalarValue, size: Length) -> Value:
    """``value``, or 0 where the array that it is read from has no element: then nothing is next to what is missing."""
    filled = Binary(">", evaluator.emitter.expression(size), evaluator.emitter.expression(length(0)), BOOL)
    return ScalarValue(Select(filled, value.expression, convert(_zero(), value.dtype), value.dtype), value.dtype)


def _zero() -> ScalarValue:
    return ScalarValue(Const(0, "int32"), "int32", length(0), literal=True)
