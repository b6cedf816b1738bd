"""A plan's kernel on small operands under the checked interpreter, with all that happened."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.explorer.views.trace.trace import bound_call, small_arguments
from heddle.explorer.views.trace.trace_operands import TraceOperands
from heddle.frontends.table import front_end_of
from heddle.loop_ir.interpreter.execute_loops import Order
from heddle.loop_ir.interpreter.faults import Fault, StepLimitExceeded
from heddle.loop_ir.interpreter.interpreter import Interpretation, check_written, interpret
from heddle.loop_ir.interpreter.memory import Argument
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import Function
from heddle.result import CompileResult
from heddle.runtime.kernels.calling import outputs, take_result
from heddle.runtime.tensors.program_sizes import extents, read_integers
from heddle.runtime.tensors.shapes import result_shape, variable_sizes
from heddle.runtime.tensors.tensor import Tensor

MAX_STEPS = 2_000_000
MAX_EVENTS = 1_000_000
"""Loads, stores, assignments and starts of iterations that are kept for counting: about 200 MB."""

Operands = Mapping[str, NDArray[Any]]


class TooLong(Exception):  # noqa: N818 - not an error of the program
    """The run takes more steps or events than are counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """``fault`` says what went wrong, or is None. ``tensors`` are the operands as they are stored, and the result,
    whose name is ``computed``; ``result`` is the result as a dense array, None after a fault."""

    function: Function
    events: list[Event]
    steps: int
    fault: str | None
    computed: str
    tensors: Mapping[str, Tensor]
    result: NDArray[Any] | None
    sizes: Mapping[str, int]


class Events(list[Event]):
    """Refuses to grow beyond what is counted."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def append(self, event: Event, /) -> None:
        if len(self) >= self._most:
            raise TooLong
        list.append(self, event)


def interpret_kernel(
    function: Function,
    arguments: Mapping[str, Argument],
    events: Events | None,
    order: Order,
    seed: int,
    initialised: frozenset[str] = frozenset(),
) -> Interpretation | str:
    """What the run of a kernel came to, or the fault that ended it. While events are made, each of which stays, nothing
    is collected: looking through all of them again and again takes a third of the time.

    Raises TooLong.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        run = interpret(
            function, arguments, step_limit=MAX_STEPS, events=events, order=order, seed=seed, initialised=initialised
        )
        check_written(function, run)
        return run
    except StepLimitExceeded:
        raise TooLong from None
    except Fault as fault:
        return str(fault)
    finally:
        if was_enabled:
            gc.enable()


def run(
    result: CompileResult,
    operands: Operands,
    *,
    order: Order = "forward",
    seed: int = 0,
    most_events: int = MAX_EVENTS,
    traced: bool = True,
) -> Run:
    """Runs the kernel of ``result`` on dense ``operands``, one array for each operand of the expression. Without being
    ``traced`` it has no events, and is quicker.

    Raises
    ------
    CompileError
        the errors of ``result``, operands that do not fit.
    TooLong
        more than ``MAX_STEPS`` iterations or ``most_events`` events.
    """
    result.raise_errors()
    function, signature, assignment = result.function, result.signature, result.assignment
    if function is None or signature is None or assignment is None:
        raise InternalError("An account needs a compile without errors")
    shapes = {name: tuple(int(size) for size in np.shape(array)) for name, array in operands.items()}
    program = assignment.program
    if program is None or program.call is None:
        sizes = variable_sizes(assignment, shapes, result.plan.shapes)
        shape = result_shape(assignment, sizes)
    else:
        integers = {name: int(np.asarray(operands[name]).item()) for name in read_integers(program)}
        sizes = extents(program, shapes, integers)
        shape = tuple(program.call.shapes(shapes, integers)[signature.result.name])
    chosen = TraceOperands(dict(operands), {}, shape)
    kernel, call = bound_call(result, chosen)
    arguments = small_arguments(function, call)
    events, output = Events(most_events) if traced else None, call.output
    call.reset()
    initialised = outputs(function) if signature.accumulates else frozenset()
    done = interpret_kernel(function, arguments, events, order, seed, initialised)
    fault, steps = (done, 0) if isinstance(done, str) else (None, done.steps)
    if not isinstance(done, str):
        if done.status:
            fault = str(kernel.refusal(done.status))
        elif done.obtained:
            output = take_result(function, output, signature.result, done)
    tensors = {**call.operands, signature.result.name: output}
    return Run(
        function,
        events or [],
        steps,
        fault,
        signature.result.name,
        tensors,
        None if fault else output.to_numpy(),
        sizes,
    )


def reference(result: CompileResult, operands: Operands, sizes: Mapping[str, int]) -> NDArray[Any]:
    """What the expression means, by NumPy: shares no code with what lowers it."""
    front_end = front_end_of(result.plan.language)
    program = front_end.read(result.plan.expression)
    assert result.signature is not None
    return front_end.reference(program, operands, sizes)[result.signature.result.name]


ORDERS: tuple[tuple[Order, int], ...] = (("forward", 0), ("reverse", 0), ("shuffled", 1), ("shuffled", 2))
"""Of the iterations of parallel loops, in which a result must be the same."""


def wrong(result: CompileResult, operands: Operands, forward: Run) -> str | None:
    """Why the kernel is not right on ``operands`` in some order of its parallel iterations; None where it is.
    ``forward`` is its run in the first order.

    Raises TooLong.
    """
    parallel = result.graph is not None and bool(result.graph.parallel)
    for order, seed in ORDERS if parallel else ORDERS[:1]:
        done = forward if order == "forward" else run(result, operands, order=order, seed=seed, traced=False)
        if done.result is None:
            return done.fault
        expected = reference(result, operands, done.sizes)
        if not np.allclose(done.result, expected, rtol=1e-9, atol=0):
            place = np.argwhere(~np.isclose(done.result, expected, rtol=1e-9, atol=0))[0]
            where, actual, meant = tuple(int(x) for x in place), done.result[tuple(place)], expected[tuple(place)]
            return f"element {where} of the result is {actual:g}, expected {meant:g}"
    return None
