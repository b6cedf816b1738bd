"""Reductions and prefix sums: an accumulator, and a loop that combines each element with it."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import Fix
from heddle.loop_ir.nodes import Assign, Const, Declare, LoopKind, MemorySpace, Reduction, Var
from heddle.origin import Role
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Guard, Region, Starts, allocate, store
from heddle.patterns.lowering.scalars import convert, promote
from heddle.patterns.lowering.values import ArrayValue, OperatorValue, PairValue, ScalarValue, Value, Visit
from heddle.patterns.lowering.visit import visit
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.signatures import REDUCING
from heddle.patterns.typing.types import ArrayType, Scalar, Type, same, to_text
from heddle.symbolic.nodes import Length

Arguments = tuple[Value, ...]
Spans = tuple[Span, ...]
UNROLL = 4


def reduce(starts: Starts, evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    """In any order: only operators of which that is known, with a start that changes nothing."""
    operator, start, source = arguments[0], arguments[1], evaluator.array(arguments[2], spans[2], name)
    if not isinstance(operator, OperatorValue) or operator.operator not in REDUCING:
        actual = evaluator.text[slice(*spans[0])]
        raise problem(
            "not-associative",
            f"reduce combines in any order, which changes the result of {actual}.",
            spans[0],
            expected=f"one of {' '.join(REDUCING)}",
            actual=actual,
            hint="reduceSeq takes any function, the first element first.",
            fixes=_as_sequential(evaluator, span),
        )
    _check_neutral(evaluator, operator.operator, start, spans[1])
    return _scalar_reduction(evaluator, operator, evaluator.scalar(start, spans[1]), source, span, True)


def _as_sequential(evaluator: Evaluator, span: Span) -> tuple[Fix, ...]:
    text = evaluator.text
    at = text.rfind("reduce(", 0, span[1])
    return () if at < 0 else (Fix("Use reduceSeq", expression=f"{text[:at]}reduceSeq({text[at + 7 :]}"),)


def _check_neutral(evaluator: Evaluator, operator: str, start: Value, span: Span) -> None:
    neutral = {"+": 0, "*": 1, "&&": True, "||": False}.get(operator)
    if neutral is None:
        return
    value = start.expression.value if isinstance(start, ScalarValue) and isinstance(start.expression, Const) else None
    if value is None or value != neutral:
        actual = evaluator.text[slice(*span)]
        raise problem(
            "not-neutral",
            f"reduce({operator}, {actual}) may start several partial results, and each of them would have "
            f"{actual} more.",
            span,
            expected=str(neutral).lower(),
            actual=actual,
            hint=f"Start with {str(neutral).lower()} and combine {actual} with the result, or use reduceSeq.",
        )


def reduce_seq(
    starts: Starts, evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str
) -> Value:
    function, start, source = arguments[0], arguments[1], evaluator.array(arguments[2], spans[2], name)
    if isinstance(start, ScalarValue):
        return _scalar_reduction(evaluator, function, start, source, span, False, unroll=name == "reduceUnroll")
    if isinstance(start, PairValue):
        raise evaluator.mismatch("type", "A reduction starts with a scalar or an array", "a scalar", start, spans[1])
    return _array_reduction(starts, evaluator, function, evaluator.array(start, spans[1], name), source, span)


def _scalar_reduction(
    evaluator: Evaluator,
    function: Value,
    start: ScalarValue,
    source: ArrayValue,
    span: Span,
    free: bool,
    unroll: bool = False,
) -> Value:
    """``free``: in any order, so that parallel units may share it."""
    emitter = evaluator.emitter
    dtype = _accumulator(evaluator, function, start, source, span)
    name = emitter.names.fresh("total" if free else "state")
    emitter.emit(Declare(name, dtype, convert(start, dtype), emitter.origin(Role.INIT), mutable=True))
    state = ScalarValue(Var(name, dtype), dtype)
    if emitter.looking and source.each is None:  # its type took one look at an element: what is left is that it loops
        with emitter.loop(source.size, source.named):
            return state
    operator = function.operator if isinstance(function, OperatorValue) and function.operator in REDUCING else None

    def combine(place: Length, value: Value) -> None:
        origin = emitter.origin(Role.REDUCTION)
        if operator is not None:
            emitter.emit(Assign(name, convert(evaluator.scalar(value, span), dtype), origin, operator))
            return
        scalar = evaluator.scalar(evaluator.apply_two(function, state, value, span), span)
        emitter.emit(Assign(name, convert(scalar, dtype), origin))

    if free and operator is not None:
        shared = (Reduction(name, operator),) if source.kind is not LoopKind.SERIAL else ()
        visit(evaluator, source, combine, span, reductions=shared)
    else:
        serial = replace(source, kind=LoopKind.SERIAL, unroll=UNROLL if unroll else None)
        visit(evaluator, serial, combine, span, unroll=UNROLL if unroll else None)
    return state


def _accumulator(evaluator: Evaluator, function: Value, start: ScalarValue, source: ArrayValue, span: Span) -> str:
    """The type of the accumulator: that of the start and of what the function makes of it."""
    emitter = evaluator.emitter
    with emitter.names.scope(), emitter.looking_at(source.named, source.size) as place:
        element = source.element(place)
        state = start
        for _ in range(3):
            if isinstance(function, OperatorValue):
                scalar = evaluator.scalar(element, span)
            else:
                scalar = evaluator.scalar(evaluator.apply_two(function, state, element, span), span)
            dtype = promote(state, scalar) if state.literal or state.dtype != scalar.dtype else scalar.dtype
            if dtype == state.dtype and not state.literal:
                return dtype
            state = ScalarValue(Var("state", dtype), dtype)
        return state.dtype


def _array_reduction(
    starts: Starts, evaluator: Evaluator, function: Value, start: ArrayValue, source: ArrayValue, span: Span
) -> Value:
    emitter = evaluator.emitter

    def kind() -> Type:
        with emitter.names.scope(), emitter.looking_at(source.named, source.size) as place:
            next_value = evaluator.apply_two(function, start, source.element(place), span)
            type, first = evaluator.type_of(next_value), evaluator.type_of(start)
        if not (isinstance(type, ArrayType) and isinstance(first, ArrayType)) or not (
            same(_float_like(type), _float_like(first), emitter.facts)
        ):
            raise problem(
                "type",
                "What a reduction makes has the type of its start.",
                span,
                expected=to_text(first),
                actual=to_text(type),
            )
        return type

    def into(region: object) -> None:
        assert isinstance(region, Region)
        if emitter.looking and source.each is None:  # its type took one look at a step: what is left is that it loops
            with emitter.loop(source.size, source.named):
                return
        store(evaluator, start, region, span)

        def step(_: Length, value: Value) -> None:
            guard = Guard()
            with emitter.aside():
                watched = replace(region, guard=guard)
                store(evaluator, evaluator.apply_two(function, watched.read(), value, span), watched, span)
            next_value = evaluator.apply_two(function, region.read(), value, span)
            if not guard.elsewhere:
                store(evaluator, next_value, region, span)
                return
            other = allocate(evaluator, region.type, "next", MemorySpace.REGISTER, starts, span)
            store(evaluator, next_value, other, span)
            store(evaluator, other.read(), region, span)

        visit(evaluator, replace(source, kind=LoopKind.SERIAL), step, span)

    # Once: each element that is read would look at a step again, and so would what is inside of that.
    reduced = kind()

    def element(place: Length) -> Value:
        region = allocate(evaluator, reduced, "states", MemorySpace.REGISTER, starts, span)
        into(region)
        read = region.read()
        assert isinstance(read, ArrayValue)
        return read.element(place)

    return ArrayValue(start.size, element, into=into, named="c")


def _float_like(type: Type) -> Type:
    """The type with one kind of scalar, to compare lengths alone."""
    match type:
        case ArrayType(size=size, element=element, variable=variable):
            return ArrayType(size, _float_like(element), variable)
        case _:
            return Scalar("float32")


def scan(starts: Starts, evaluator: Evaluator, arguments: Arguments, spans: Spans, span: Span, name: str) -> Value:
    function, source = arguments[0], evaluator.array(arguments[2], spans[2], name)
    start = evaluator.scalar(arguments[1], spans[1])
    emitter = evaluator.emitter

    def each(body: Visit, kind: LoopKind | str, unroll: int | None) -> None:
        dtype = _accumulator(evaluator, function, start, source, span)
        state = emitter.declare("state", convert(start, dtype), dtype, mutable=True, role=Role.INIT)

        def step(place: Length, value: Value) -> None:
            next_value = evaluator.apply_two(function, ScalarValue(state, dtype), value, span)
            emitter.emit(Assign(state.name, convert(evaluator.scalar(next_value, span), dtype), emitter.origin()))
            body(place, ScalarValue(state, dtype))

        visit(evaluator, replace(source, kind=LoopKind.SERIAL), step, span)

    def element(place: Length) -> Value:
        if emitter.looking:
            dtype = _accumulator(evaluator, function, start, source, span)
            return ScalarValue(Var("state", dtype), dtype)
        raise problem(
            "only-visited",
            "One element of a scan is asked for, which takes all those before it.",
            span,
            expected="a pattern that takes all elements one after the other",
            actual="scan",
            hint="Keep the scan with toGlobal.",
        )

    return ArrayValue(source.size, element, each, named=source.named)
