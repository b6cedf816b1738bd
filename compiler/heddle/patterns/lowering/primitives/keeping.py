"""Values that are kept in memory, and functions that are applied again and again."""

from __future__ import annotations

from heddle.loop_ir.nodes import MemorySpace
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Starts, materialize
from heddle.patterns.lowering.values import Value
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem

SPACES = {"toGlobal": MemorySpace.GLOBAL, "toLocal": MemorySpace.SHARED, "toPrivate": MemorySpace.REGISTER}
MOST_ITERATIONS = 32


def keep(
    starts: Starts,
    evaluator: Evaluator,
    arguments: tuple[Value, ...],
    spans: tuple[Span, ...],
    span: Span,
    name: str,
) -> Value:
    return materialize(evaluator, arguments[0], SPACES[name], starts, span, name.removeprefix("to").lower())


def iterate(
    starts: Starts,
    evaluator: Evaluator,
    arguments: tuple[Value, ...],
    spans: tuple[Span, ...],
    span: Span,
    name: str,
) -> Value:
    count = evaluator.nat(arguments[0], spans[0], name).constant
    if not isinstance(count, int) or not 0 <= count <= MOST_ITERATIONS:
        raise problem(
            "iterate",
            "How often iterate applies its function must be a number in the text.",
            spans[0],
            expected=f"a number from 0 to {MOST_ITERATIONS}",
            actual=evaluator.text[slice(*spans[0])],
        )
    value = arguments[2]
    for number in range(count):
        value = evaluator.apply(arguments[1], value, spans[1])
        if number + 1 < count:
            value = materialize(evaluator, value, MemorySpace.GLOBAL, starts, span, "step")
    return value
