"""A program of patterns on small arguments under the checked interpreter, and what it takes there to find its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.explorer.cost_report.run import MAX_EVENTS, ORDERS, Events, Run, interpret_kernel
from heddle.frontends.table import front_end_of
from heddle.loop_ir.interpreter.execute_loops import Order
from heddle.loop_ir.interpreter.trace import ScalarEvent
from heddle.loop_ir.nodes import INDEX, Assign, For, LoopKind
from heddle.loop_ir.walk import statements
from heddle.origin import Role
from heddle.patterns.batched.evaluate import MeaninglessError, TooLargeError, UntoldError
from heddle.patterns.batched.evaluate import evaluate as meant
from heddle.patterns.program import Lowered, Program
from heddle.patterns.rules.steps import with_last_parameters
from heddle.patterns.typing.layout import start_of
from heddle.patterns.typing.types import ArrayType
from heddle.result import CompileResult
from heddle.runtime.kernels.calling import plain_arguments
from heddle.runtime.patterns.flat import flatten
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.nodes import length
from heddle.targets import INTERPRETER, target_named

Arguments = Mapping[str, Any]
"""By parameter, as a kernel of patterns takes them."""


class RefusedCallError(CompileError):
    """The kernel was not run: the arguments break what the types claim of them."""


def run_program(
    result: CompileResult,
    arguments: Arguments,
    *,
    order: Order = "forward",
    seed: int = 0,
    most_events: int = MAX_EVENTS,
    traced: bool = True,
) -> Run:
    """Runs the kernel of ``result`` on ``arguments``, whose claims are checked first. The tensors of the run are flat:
    the arrays of the loops, by their names there. Without being ``traced`` it has no events, and is quicker.

    Raises
    ------
    CompileError
        the errors of ``result``.
    RefusedCallError
        arguments that do not fit, a claim that they break.
    TooLong
        more than ``MAX_STEPS`` iterations or ``most_events`` events.
    """
    result.raise_errors()
    function, lowered = result.function, result.bound
    if function is None or lowered is None:
        raise InternalError("An account of a program needs a compile without errors")
    kernel = PatternKernel(replace(result, plan=replace(result.plan, target=INTERPRETER.name)))
    try:
        call = kernel.prepare(arguments)
    except CompileError as error:
        raise RefusedCallError(*error.diagnostics) from None
    events = Events(most_events) if traced else None
    values = plain_arguments(function, call.arguments, call.arguments[lowered.result_array])
    done = interpret_kernel(function, values, events, order, seed)
    fault, steps = (done, 0) if isinstance(done, str) else (None, done.steps)
    if not isinstance(done, str) and done.status:
        fault = f"the kernel ended early, with status {done.status}"
    return Run(
        function,
        events or [],
        steps,
        fault,
        lowered.result_array,
        call.arguments,
        None if fault else call.output.to_numpy(),
        call.sizes,
    )


def wrong_program(result: CompileResult, arguments: Arguments, forward: Run) -> str | None:
    """Why the kernel is not right on ``arguments`` in some order of its parallel iterations; None where it is. What is
    right, the evaluator says for the program before its steps, or behind the last one that changed its parameters.

    Raises TooLong, CompileError ``run/no-reference``.
    """
    loops = (statement for statement in statements(forward.function.body) if isinstance(statement, For))
    parallel = any(loop.kind is not LoopKind.SERIAL for loop in loops)
    plan = result.plan
    program = front_end_of(plan.language).read(plan.expression, plan.sizes)
    program, _ = with_last_parameters(program, plan.schedule, (LoopKind.SERIAL, *target_named(plan.target).units))
    expected = _evaluate_reference(program, arguments, forward.sizes)
    for order, seed in ORDERS if parallel else ORDERS[:1]:
        done = forward
        if order != "forward":
            done = run_program(result, arguments, order=order, seed=seed, traced=False)
        if done.result is None:
            return done.fault
        actual = done.result.reshape(-1)
        near = np.isclose(actual, expected, rtol=1e-9 if actual.dtype == np.float64 else 1e-4, atol=0)
        if not near.all():
            place = int(np.argmin(near))
            return f"element {place} of the result is {actual[place]:g}, expected {expected[place]:g}"
    return None


def _evaluate_reference(program: Program, arguments: Arguments, sizes: Mapping[str, int]) -> NDArray[Any]:
    try:
        return meant(program.term, arguments, sizes)
    except (TooLargeError, UntoldError) as error:
        text = f"What this program means cannot be computed: {error}."
        raise CompileError(Diagnostic("run/no-reference", text, expected="smaller data", actual=str(error))) from None
    except MeaninglessError as error:
        raise InternalError(f"The arguments were accepted, and the reference finds no meaning: {error}") from None


def additions(result: CompileResult, arguments: Arguments, run: Run) -> int:
    """Additions of lengths that ``run`` took to find where rows begin: in loops, counted, and one for each row of an
    array that the runtime adds up before the kernel runs."""
    lowered = _lower(result)
    summing = {
        number
        for number, statement in enumerate(statements(run.function.body))
        if isinstance(statement, Assign) and statement.reduce == "+" and statement.origin.role is Role.BOUNDS
    }
    counted = sum(isinstance(event, ScalarEvent) and event.statement in summing for event in run.events)
    return counted + sum(rows_added_up(lowered, arguments, run))


def rows_added_up(lowered: Lowered, arguments: Arguments, run: Run) -> list[int]:
    """For each array that the runtime adds up before the kernel runs, how many rows it has the starts of."""
    arrays = _arrays(lowered, arguments, run)
    return [int(evaluate(memo.size, run.sizes, arrays)) for memo in lowered.memos]


def bytes_of_arguments(result: CompileResult, arguments: Arguments, run: Run) -> int:
    """Bytes of all arguments as they lie in memory, the padding of records included, and of the arrays that the runtime
    adds up. The fields of records that lie together are one piece of memory."""
    lowered = _lower(result)
    arrays = _arrays(lowered, arguments, run)
    total = 0
    for buffer in lowered.buffers:
        first, _ = buffer.fields[0]
        total += int(evaluate(buffer.records, run.sizes, arrays)) * first.stride * np.dtype(first.dtype).itemsize
    return total + sum((rows + 1) * np.dtype(INDEX).itemsize for rows in rows_added_up(lowered, arguments, run))


def first_place(result: CompileResult, arguments: Arguments, run: Run, parameter: str, row: int) -> int | None:
    """How many records lie in front of a row of ``parameter``, counted from 0: the number of rows is where they end.
    None where it has no rows, or not so many."""
    lowered = _lower(result)
    type, arrays = dict(lowered.program.types).get(parameter), _arrays(lowered, arguments, run)
    if not isinstance(type, ArrayType) or not isinstance(type.element, ArrayType):
        return None
    if not 0 <= row <= int(evaluate(type.size, run.sizes, arrays)):
        return None
    return int(evaluate(start_of(type, length(row)), run.sizes, arrays))


def _arrays(lowered: Lowered, arguments: Arguments, run: Run) -> dict[str, NDArray[Any]]:
    """All arrays by their names in the loops, those that no loop reads too."""
    arrays = {name: tensor.vals for name, tensor in run.tensors.items()}
    for buffer in lowered.buffers:
        value = arguments[buffer.parameter]
        for number in buffer.path:
            value = value[number - 1]
        arrays.update(flatten(buffer, value).arrays)
    return arrays


def _lower(result: CompileResult) -> Lowered:
    if result.bound is None:
        raise InternalError("Only programs of patterns are bound to their loops")
    return result.bound
