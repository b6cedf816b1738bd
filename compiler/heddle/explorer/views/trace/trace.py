"""CompileResult -> TraceView: one run of the checked interpreter on small operands, step by step
(docs/sources.toml V4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from heddle.codegen.languages import printer_of
from heddle.conversions import Converted
from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.trace.gpu_work import launch_work
from heddle.explorer.views.trace.trace_merges import merges_of
from heddle.explorer.views.trace.trace_operands import (
    PASS_SMALLER,
    SHRINKING,
    TOO_LARGE,
    ExampleSizes,
    Origin,
    TraceOperands,
    TraceSizeError,
    trace_operands,
)
from heddle.explorer.views.trace.trace_schema import TraceStepView, TraceTensorView, TraceValue, TraceView
from heddle.explorer.views.trace.trace_steps import Program, program_of, steps_of, trace_value
from heddle.frontends.table import assignment_of
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.interpreter.faults import DataRace, Fault, StepLimitExceeded
from heddle.loop_ir.interpreter.interpreter import check_written, interpret
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import Function, ParameterKind
from heddle.loop_ir.printing.printer import statement_lines
from heddle.loop_ir.walk import all_statements
from heddle.notation.nodes import Assignment, index_variables
from heddle.plan import TensorSpec, plan_hash
from heddle.result import CompileResult
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.calling import outputs, plain_arguments, take_result
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack_operands
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import Signature
from heddle.targets import INTERPRETER, target_named

MAX_ITERATIONS = 4000
"""Iterations of loops and filled elements."""

MAX_LAUNCHED_ITERATIONS = 500_000
"""The same where threads of a GPU are launched: each has workspaces of its own, which a schedule may give to far more
threads than there are rows. How many iterations are followed is then bounded by ``MAX_EVENTS`` alone."""

MAX_EVENTS = 20_000
"""Loads, stores, assignments and starts of iterations."""

LEAST_BYTES, MOST_BYTES, FEW_STEPS = 100, 450_000, 600
"""Of a step, and of all that an answer says of a run on made operands; so few steps always have room."""


Followed = TypeVar("Followed")


def trace_view(result: CompileResult, operands: Mapping[str, object] | None = None) -> TraceView:
    """What the kernel does on ``operands`` (arrays, nested lists, numbers), statement by statement.

    Operands that are not given are made: the running example for the first sparse matrix when the sizes allow it, else
    random whole numbers, always the same, of sizes that shrink until the run can be followed. A fault of the kernel
    and a broken claim end the trace and are in its ``diagnostics``.

    Raises
    ------
    CompileError
        the result's own errors, operands that do not fit, ``trace/too-large``, ``plan/no-statements`` for a language
        without statements.
    """
    inputs = operands or {}
    return _follow(result, inputs, lambda sizes: _trace(result, inputs, sizes), _has_room)


def example_run(result: CompileResult) -> ExampleRun:
    """The same without all that only pictures need, on made operands alone. Raises what ``trace_view`` does."""
    return _follow(result, {}, lambda sizes: _run_on(result, {}, sizes).in_short(), lambda run: True)


def example_operands(result: CompileResult) -> list[TraceTensorView]:
    """The operands that a run is given first, as they are stored; nothing is run. Raises what ``trace_view`` does."""
    traced = _traced(result)
    chosen = trace_operands(result.plan, traced.assignment, traced.signature, {})
    _, call = bound_call(result, chosen)
    return _operand_views(traced, call, chosen, _columns_of(call.operands))


def _follow(
    result: CompileResult,
    inputs: Mapping[str, object],
    run: Callable[[ExampleSizes], Followed],
    has_room: Callable[[Followed], bool],
) -> Followed:
    """What ``run`` gives for the largest sizes that can be followed and have room; where none have, for the largest:
    tables that lanes of a GPU fill and sort take as many steps for two entries as others for a matrix."""
    first: CompileError | None = None
    largest: Followed | None = None
    for sizes in SHRINKING:
        try:
            followed = run(sizes)
            if has_room(followed) or _gives_all(result, inputs):
                return followed
            largest = followed if largest is None else largest
        except CompileError as error:
            first = first or error
            # Whoever gives every operand has chosen the sizes.
            if not isinstance(error, TraceSizeError) or _gives_all(result, inputs):
                break
    if largest is not None:
        return largest
    assert first is not None
    raise first


def _has_room(view: TraceView) -> bool:
    """Whether the run is short enough for one answer."""
    steps = len(view["steps"])
    if steps <= FEW_STEPS or steps * LEAST_BYTES > MOST_BYTES:
        return steps <= FEW_STEPS
    return len(json.dumps(view, separators=(",", ":"))) <= MOST_BYTES


def _gives_all(result: CompileResult, inputs: Mapping[str, object]) -> bool:
    return result.signature is not None and all(tensor.name in inputs for tensor in result.signature.inputs)


@dataclass(frozen=True, slots=True)
class _Traced:
    """What a trace is of: the loops, and the statements that they were made of."""

    result: CompileResult
    function: Function
    signature: Signature
    assignment: Assignment
    kernel: Converted
    graph: IterationGraph


def _traced(result: CompileResult) -> _Traced:
    """Raises what ``trace_view`` does for a compile with errors."""
    result.raise_errors()
    if result.assignment is None:
        # A language whose programs become loops directly says so itself.
        assignment_of(result.plan.language, result.plan.expression, result.plan.sizes)
    function, signature, assignment, graph = result.function, result.signature, result.assignment, result.graph
    if function is None or signature is None or assignment is None or graph is None or result.kernel is None:
        raise InternalError("A trace needs a compile without errors")
    return _Traced(result, function, signature, assignment, result.kernel, graph)


def _trace(result: CompileResult, operands: Mapping[str, object], sizes: ExampleSizes) -> TraceView:
    """Raises what ``trace_view`` does."""
    ran = _run_on(result, operands, sizes)
    return _view(ran.traced, ran.run, ran.program, ran.tensors, ran.arguments)


def _run_on(result: CompileResult, operands: Mapping[str, object], sizes: ExampleSizes) -> _Ran:
    """Raises what ``trace_view`` does."""
    traced = _traced(result)
    chosen = trace_operands(result.plan, traced.assignment, traced.signature, operands, sizes)
    kernel, call = bound_call(result, chosen)
    arguments = small_arguments(traced.function, call)
    run = _execute(traced, kernel, call, arguments)
    tensors = {**call.operands, traced.signature.result.name: run.output}
    columns = _columns_of(tensors)
    program = _program(traced, columns)
    return _Ran(traced, run, program, _tensor_views(traced, call, chosen, run, columns), arguments)


def _columns_of(tensors: Mapping[str, Tensor]) -> dict[str, tuple[list[int], ...]]:
    return {name: tuple(column.tolist() for column in position_coordinates(tensor)) for name, tensor in tensors.items()}


@dataclass(frozen=True, slots=True)
class _Run:
    """What the interpreter did. ``unwritten`` is None when the run did not end: then the memory of ``output`` holds
    nothing that is the kernel's."""

    events: list[Event]
    output: Tensor
    problems: tuple[Diagnostic, ...] = ()
    unwritten: Mapping[str, tuple[int, ...]] | None = None


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """The tensors of a run, and what it did."""

    tensors: list[TraceTensorView]
    steps: list[TraceStepView]


@dataclass(frozen=True, slots=True, eq=False)
class _Ran:
    """A run with all that its view is made of."""

    traced: _Traced
    run: _Run
    program: Program
    tensors: list[TraceTensorView]
    arguments: Mapping[str, Any]

    def in_short(self) -> ExampleRun:
        return ExampleRun(self.tensors, list(steps_of(self.program, self.run.events)))


def _execute(traced: _Traced, kernel: Kernel, call: BoundCall, arguments: dict[str, Any]) -> _Run:
    """Run the loops, and follow each step."""
    function, signature, events = traced.function, traced.signature, _BoundedEvents()
    most = MAX_LAUNCHED_ITERATIONS if traced.result.launches else MAX_ITERATIONS
    try:
        call.reset()
        initialised = outputs(function) if signature.accumulates else frozenset()
        run = interpret(function, arguments, step_limit=most, events=events, initialised=initialised)
        check_written(function, run)
    except StepLimitExceeded:
        raise _too_long(f"more than {most} iterations and filled elements") from None
    except Fault as fault:
        problem = _fault_diagnostic(fault, function, traced.graph, traced.result.plan.schedule)
        return _Run(events, call.output, (problem,))
    if run.status:
        return _Run(events, call.output, tuple(kernel.refusal(run.status).diagnostics), run.unwritten)
    output = take_result(function, call.output, signature.result, run) if run.obtained else call.output
    return _Run(events, output, unwritten=run.unwritten)


def _program(traced: _Traced, columns: Mapping[str, tuple[list[int], ...]]) -> Program:
    """What the events are told in terms of: lines of both texts, variables and coordinates."""
    function, plan = traced.function, traced.result.plan
    printer = printer_of(function, target_named(plan.target))
    c_lines = printer.statement_lines(function) if traced.result.source is not None else None
    variables = index_variables(traced.assignment)
    return program_of(function, traced.kernel.assignment, variables, columns, statement_lines(function), c_lines)


def _tensor_views(
    traced: _Traced, call: BoundCall, chosen: TraceOperands, run: _Run, columns: Mapping[str, tuple[list[int], ...]]
) -> list[TraceTensorView]:
    """The operands of the kernel, where each comes from, and the result behind them."""
    result = _result_view(traced.signature.result.name, run.output, columns, run.unwritten)
    return [*_operand_views(traced, call, chosen, columns), result]


def _operand_views(
    traced: _Traced, call: BoundCall, chosen: TraceOperands, columns: Mapping[str, tuple[list[int], ...]]
) -> list[TraceTensorView]:
    origins = {conversion.name: conversion.tensor for conversion in traced.result.conversions}
    decomposed = traced.result.decomposed
    if decomposed is not None:
        origins |= {part.name: decomposed.tensor for part in decomposed.parts}
    return [
        _operand_view(name, tensor, chosen.origins[origins.get(name, name)], columns[name])
        for name, tensor in call.operands.items()
    ]


def _view(
    traced: _Traced, run: _Run, program: Program, tensors: list[TraceTensorView], arguments: Mapping[str, Any]
) -> TraceView:
    steps = list(steps_of(program, run.events))
    stores = [step["store"] for step in steps if step["store"] is not None]
    return TraceView(
        hash=plan_hash(traced.result.plan),
        ok=not run.problems,
        diagnostics=[diagnostic_view(problem) for problem in run.problems],
        tensors=tensors,
        parameters={
            parameter.name: trace_value(arguments[parameter.name])
            for parameter in traced.function.parameters
            if parameter.kind is not ParameterKind.ARRAY
        },
        steps=steps,
        merges=merges_of(run.events, program.lines, program.c_lines),
        launches=launch_work(traced.function, traced.result.launches, steps),
        visits=sum(step["visit"] is not None for step in steps),
        loads=sum(len(step["loads"]) for step in steps),
        stores=len(stores),
        atomics=sum(store["atomic"] for store in stores),
    )


def refused_trace(result: CompileResult, error: CompileError) -> TraceView:
    """The answer when nothing could be run: the errors alone."""
    return TraceView(
        hash=plan_hash(result.plan),
        ok=False,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in error.diagnostics],
        tensors=[],
        parameters={},
        steps=[],
        merges=[],
        launches=[],
        visits=0,
        loads=0,
        stores=0,
        atomics=0,
    )


class _BoundedEvents(list[Event]):
    """Refuses to grow beyond what a page can show."""

    def append(self, event: Event, /) -> None:
        if len(self) >= MAX_EVENTS:
            raise _too_long(f"more than {MAX_EVENTS} loads, stores and assignments")
        super().append(event)


def bound_call(result: CompileResult, chosen: TraceOperands) -> tuple[Kernel, BoundCall]:
    """The kernel with its operands packed. Shapes are those of the small operands, whatever the Plan declares."""
    specs = {name: replace(spec, shape=None) for name, spec in result.plan.tensors.items()}
    name = result.signature.result.name if result.signature is not None else ""
    specs[name] = replace(specs.get(name, TensorSpec()), shape=chosen.result_shape)
    plan = replace(result.plan, target=INTERPRETER.name, tensors=specs)
    kernel = Kernel(replace(result, plan=plan))
    return kernel, kernel.bind(**pack_operands(chosen.operands, kernel.signature))


def small_arguments(function: Function, call: BoundCall) -> dict[str, Any]:
    """The arguments for the interpreter. A plan for large shapes has loops whose indices are wider than those that the
    small operands are stored with: the same numbers, in the type that the loops were made for."""
    arguments = plain_arguments(function, {**call.operands, **call.shown}, call.output)
    for parameter in function.parameters:
        argument = arguments.get(parameter.name)
        if isinstance(argument, np.ndarray) and argument.dtype == np.int32 and parameter.dtype == "int64":
            arguments[parameter.name] = argument.astype(np.int64)
    return arguments


def _too_long(actual: str) -> TraceSizeError:
    return TraceSizeError(
        Diagnostic(
            TOO_LARGE,
            f"This run takes {actual}, too many to follow step by step.",
            expected=f"at most {MAX_ITERATIONS} iterations, or {MAX_LAUNCHED_ITERATIONS} where threads of a GPU fill"
            f" workspaces, and {MAX_EVENTS} loads, stores and assignments",
            actual=actual,
            hint=PASS_SMALLER,
        )
    )


def _fault_diagnostic(fault: Fault, function: Function, graph: IterationGraph, schedule: tuple[str, ...]) -> Diagnostic:
    """What went wrong, in which line of the loops, and because of which command."""
    number = next(n for n, statement in enumerate(all_statements(function)) if statement is fault.statement)
    line = statement_lines(function)[number]
    command = _command(fault, graph)
    where = "".join(f", {name}={value}" for name, value in fault.iteration).removeprefix(", ")
    cause = f" It comes from the command {schedule[command]}." if command is not None else ""
    return Diagnostic(
        "trace/fault",
        f"{fault.detail[:1].upper()}{fault.detail[1:]}, in line {line} of the loops{f' at {where}' if where else ''}."
        f"{cause}",
        Location(Part.SCHEDULE, 0, len(schedule[command]), command=command) if command is not None else None,
        expected="a run without races, accesses out of bounds, overflows and reads of unwritten elements",
        actual=type(fault).__name__,
    )


def _command(fault: Fault, graph: IterationGraph) -> int | None:
    """A race is the work of the parallelized loop whose iterations meet; else the statement knows its command."""
    if isinstance(fault, DataRace):
        mine = dict(fault.iteration)
        for variable, value in fault.other_iteration:
            if variable in graph.parallel and mine.get(variable) != value:
                return graph.parallel[variable].command
    return fault.origin.command if fault.origin is not None else None


def _operand_view(name: str, tensor: Tensor, origin: Origin, columns: tuple[list[int], ...]) -> TraceTensorView:
    return TraceTensorView(
        tensor=name,
        origin=origin,
        shape=list(tensor.shape),
        nonzeros=int(np.count_nonzero(tensor.vals)),
        arrays=_arrays(name, tensor),
        coordinates=_by_position(tensor, columns),
    )


def _arrays(name: str, tensor: Tensor) -> dict[str, list[TraceValue | None]]:
    return {
        f"{name}_vals" if role == "vals" else f"{name}{level}_{role}": [trace_value(value) for value in array]
        for (role, level), array in tensor.arrays().items()
    }


def _result_view(
    name: str,
    tensor: Tensor,
    columns: Mapping[str, tuple[list[int], ...]],
    unwritten: Mapping[str, tuple[int, ...]] | None,
) -> TraceTensorView:
    """``unwritten`` is None when the run did not end: then the memory holds nothing that is the kernel's."""
    array = f"{name}_vals"
    values: list[TraceValue | None] = [None] * tensor.stored
    nonzeros = 0
    if unwritten is not None:
        missing = set(unwritten.get(array, ()))
        written = [place for place in range(tensor.stored) if place not in missing]
        for place in written:
            values[place] = trace_value(tensor.vals[place])
        nonzeros = int(np.count_nonzero(tensor.vals[written]))
    return TraceTensorView(
        tensor=name,
        origin="result",
        shape=list(tensor.shape),
        nonzeros=nonzeros,
        arrays={**_arrays(name, tensor), array: values},
        coordinates=_by_position(tensor, columns[name]),
    )


def _by_position(tensor: Tensor, columns: tuple[list[int], ...]) -> list[list[int]]:
    return [[column[position] for column in columns] for position in range(tensor.stored)]
