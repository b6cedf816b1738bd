"""Maps in all their ways to run, pairs of arrays, and arrays made of positions."""

from __future__ import annotations

from heddle.loop_ir.nodes import INDEX, Const, LoopKind
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.values import ArrayValue, Closure, Composition, PairValue, ScalarValue, Value, Visit
from heddle.patterns.lowering.visit import UNITS
from heddle.patterns.syntax.nodes import Lambda, Span
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import Equal
from heddle.symbolic.equal import equal
from heddle.symbolic.nodes import At, Length, Opaque
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.walk import all_atoms

UNROLL = 4


def position(evaluator: Evaluator, place: Length, size: Length) -> ScalarValue:
    """``place`` as a scalar, known to be in [0, size)."""
    return ScalarValue(evaluator.emitter.expression(place), INDEX, place, size=size)


def map_(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    function, source = arguments[0], evaluator.array(arguments[1], spans[1], name)

    def element(place: Length) -> Value:
        return evaluator.apply(function, source.element(place), spans[0])

    each = None
    if source.each is not None:

        def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
            assert source.each is not None
            source.each(lambda at, element: body(at, evaluator.apply(function, element, spans[0])), kind, unroll)

    kind = UNITS[name]
    unroll = UNROLL if name == "mapUnroll" else source.unroll
    if kind is LoopKind.SERIAL and name == "map":
        kind = source.kind
    return ArrayValue(
        source.size, element, each, kind=kind, unroll=unroll, named=_name_loop(function, source), from_map=True
    )


def _name_loop(function: Value, source: ArrayValue) -> str:
    """Loops are called by the parameter of their function, where that has a name of its own."""
    while isinstance(function, Composition):
        function = function.first
    if source.named == "i" and isinstance(function, Closure) and isinstance(function.term, Lambda):
        return f"{function.term.parameter}_i" if len(function.term.parameter) > 1 else source.named
    return source.named


def mapi(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    function, source = arguments[0], evaluator.array(arguments[1], spans[1], name)

    def apply(place: Length, value: Value) -> Value:
        return evaluator.apply_two(function, position(evaluator, place, source.size), value, spans[0])

    each = None
    if source.each is not None:

        def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
            assert source.each is not None
            source.each(lambda at, element: body(at, apply(at, element)), kind, unroll)

    return ArrayValue(
        source.size,
        lambda place: apply(place, source.element(place)),
        each,
        kind=source.kind,
        named=source.named,
        from_map=True,
    )


def zip_(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    left, right = (evaluator.array(value, at, name) for value, at in zip(arguments, spans, strict=True))
    same_length(evaluator, left, right, name, spans, span)
    each = None
    if left.each is not None or right.each is not None:

        def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
            if left.each is not None:
                left.each(lambda at, element: body(at, PairValue(element, right.element(at))), kind, unroll)
            elif right.each is not None:
                right.each(lambda at, element: body(at, PairValue(left.element(at), element)), kind, unroll)

    kind = left.kind if left.kind is not LoopKind.SERIAL else right.kind
    named = left.named if left.named != "i" else right.named
    return ArrayValue(
        left.size, lambda place: PairValue(left.element(place), right.element(place)), each, kind=kind, named=named
    )


def same_length(
    evaluator: Evaluator, left: ArrayValue, right: ArrayValue, name: str, spans: tuple[Span, ...], span: Span
) -> None:
    """Two arrays of one length: proved, claimed, or refused where no data can make them so."""
    if equal(left.size, right.size, evaluator.emitter.facts):
        return
    if any(isinstance(atom, At | Opaque) for size in (left.size, right.size) for atom in all_atoms(size)):
        evaluator.claim(Equal(left.size, right.size, evaluator.variables(), span))
        return
    which = zip(spans, ("first", "second"), strict=True)
    raise problem(
        f"{name}-length",
        f"{name} pairs arrays of one length; these have {length_text(left.size)} and {length_text(right.size)}.",
        span,
        expected="one length",
        actual=f"{length_text(left.size)} and {length_text(right.size)}",
        hint=" and ".join(f"{evaluator.text[slice(*at)]} is the {word}" for at, word in which) + ".",
    )


def unzip(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    source = evaluator.array(arguments[0], spans[0], name)

    def half(number: int) -> ArrayValue:
        def element(place: Length) -> Value:
            element = source.element(place)
            if not isinstance(element, PairValue):
                raise evaluator.mismatch("type", "unzip takes an array of pairs", "pairs", element, spans[0])
            return element.first if number == 1 else element.second

        return ArrayValue(source.size, element, kind=source.kind, named=source.named)

    return PairValue(half(1), half(2))


def iota(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    size = evaluator.nat(arguments[0], spans[0], name)
    evaluator.at_least_zero(size, spans[0], "the length of iota")
    return ArrayValue(size, lambda place: position(evaluator, place, size))


def generate(
    evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str
) -> Value:
    size = evaluator.nat(arguments[0], spans[0], name)
    evaluator.at_least_zero(size, spans[0], "the length of generate")
    return ArrayValue(size, lambda place: evaluator.apply(arguments[1], position(evaluator, place, size), spans[1]))


def zeros(evaluator: Evaluator, arguments: tuple[Value, ...], spans: tuple[Span, ...], span: Span, name: str) -> Value:
    size = evaluator.nat(arguments[0], spans[0], name)
    evaluator.at_least_zero(size, spans[0], "the length of zeros")
    zero = ScalarValue(Const(0.0, "float32"), "float32", literal=True)
    return ArrayValue(size, lambda place: zero)
