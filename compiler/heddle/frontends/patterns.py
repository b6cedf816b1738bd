"""Patterns over arrays whose lengths may depend on positions and data: a language that makes its loops itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from heddle.diagnostics import CompileError
from heddle.frontends.front_end import FrontEnd, Loops, Made, NextStep

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from heddle.patterns.program import Program
    from heddle.patterns.syntax.nodes import Term
    from heddle.targets import Target
    from heddle.trace import Trace

EXAMPLE = (
    "nFun(n => nFun(m => fun(A: [[float]_m]_n => fun(xs: [float]_m => "
    "A :>> map(fun(row => zip(xs, row) :>> map(*) :>> reduce(+, 0)))))))"
)


@dataclass(frozen=True, slots=True)
class Parsed:
    text: str
    term: Term


def _check_length(text: str) -> None:
    from heddle.patterns.syntax.lexer import check_length

    check_length(text)


@lru_cache(maxsize=1)  # the plan's checks and the compile read the same text, one after the other
def _parse(text: str) -> Parsed:
    from heddle.patterns.syntax.parser import parse

    return Parsed(text, parse(text))


def _tensors(parsed: Parsed) -> dict[str, int]:
    """The parameters, each with the levels of its arrays."""
    from heddle.patterns.syntax.nodes import ArrayTerm, Lambda, NatLambda

    term, orders = parsed.term, dict[str, int]()
    while isinstance(term, NatLambda | Lambda):
        if isinstance(term, Lambda):
            type, order = term.annotation, 0
            while isinstance(type, ArrayTerm):
                type, order = type.element, order + 1
            orders[term.parameter] = order
        term = term.body
    return orders


def _find_computed_span(text: str) -> tuple[int, int]:
    """What stands inside of the functions around a program."""
    from heddle.patterns.syntax.nodes import Lambda, NatLambda

    try:
        term = _parse(text).term
    except CompileError:
        return len(text) - len(text.lstrip()), len(text.rstrip())
    while isinstance(term, NatLambda | Lambda):
        term = term.body
    return term.span


def _check(parsed: Parsed) -> Program:
    from heddle.patterns.program import check

    return check(parsed.text, parsed.term)


def _to_text(program: Program) -> str:
    from heddle.patterns.syntax.printer import to_text

    return to_text(program.term)


def _reference(
    program: Program, operands: Mapping[str, NDArray[Any] | float], sizes: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    from heddle.patterns.meaning import evaluate

    return {"result": evaluate(program.term, operands, sizes)}


def _loops(program: Program, schedule: tuple[str, ...], target: Target, trace: Trace) -> Made:
    from heddle.loop_ir.nodes import LoopKind
    from heddle.patterns.program import lower

    units = (LoopKind.SERIAL, *target.units)
    if schedule:
        from heddle.patterns.rules.steps import apply_step, begin

        state = begin(program)
        for number, text in enumerate(schedule):
            with trace.step(f"command-{number}", text.strip(), number) as step:
                state = apply_step(state, text, number, units)
                step.text = state.program.text
        program = state.program
    with trace.step("types", "Types and claims") as step:
        from heddle.patterns.typing.types import to_text

        step.text = "\n".join(
            (*(f"{name}: {to_text(type)}" for name, type in program.types), f"result: {to_text(program.result)}")
        )
    lowered = lower(program, units)
    return Made(lowered.function, lowered)


def _cases(parsed: Parsed, sparse: Mapping[str, int]) -> float:
    from heddle.patterns.syntax.cases import cases

    return cases(parsed.term, sparse)


def _next_steps(program: Program, schedule: tuple[str, ...], target: Target) -> tuple[int, tuple[NextStep, ...]]:
    from heddle.loop_ir.nodes import LoopKind
    from heddle.patterns.rules.steps import apply_step, begin, legal

    units = (LoopKind.SERIAL, *target.units)
    state, applied = begin(program), 0
    for text in schedule:
        try:
            state = apply_step(state, text, applied, units)
        except CompileError:
            break
        applied += 1
    steps = legal(state, applied, units)
    return applied, tuple(NextStep(step.name, step.text, step.place, step.why_not) for step in steps)


PATTERNS = FrontEnd(
    name="patterns",
    title="Patterns",
    example=EXAMPLE,
    editor="patterns",
    check_length=_check_length,
    parse=_parse,
    tensors=_tensors,
    computed=_find_computed_span,
    check=_check,
    to_text=_to_text,
    reference=_reference,
    entry=Loops(_loops, _next_steps, lambda program: program.numbers),
    cases=_cases,
    notes=lambda program: program.notes,
)
