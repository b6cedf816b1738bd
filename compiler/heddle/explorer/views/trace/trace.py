"""CompileResult -> TraceView: one run of the checked interpreter on small operands, step by step
(docs/sources.md V4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heddle.codegen.languages import printer_of
from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.trace.gpu_work import launch_work
from heddle.explorer.views.trace.trace_merges import merges_of
from heddle.explorer.views.trace.trace_operands import (
    SHRINKING,
    TOO_LARGE,
    ExampleSizes,
    Origin,
    TraceOperands,
    TraceSizeError,
    trace_operands,
)
from heddle.explorer.views.trace.trace_schema import TraceTensorView, TraceValue, TraceView
from heddle.explorer.views.trace.trace_steps import program_of, steps_of, trace_value
from heddle.frontends.table import assignment_of
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.interpreter.faults import DataRace, Fault, StepLimitExceeded
from heddle.loop_ir.interpreter.interpreter import check_written, interpret
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import Function, ParameterKind
from heddle.loop_ir.printing.printer import statement_lines
from heddle.loop_ir.walk import all_statements
from heddle.notation.nodes import index_variables
from heddle.plan import TensorSpec, plan_hash
from heddle.result import CompileResult
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.calling import outputs, plain_arguments, take_result
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.packing.pack import pack_operands
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.tensor import Tensor
from heddle.targets import INTERPRETER, target_named

MAX_ITERATIONS = 4000
"""Iterations of loops and filled elements."""

MAX_LAUNCHED_ITERATIONS = 500_000
"""The same where threads of a GPU are launched: each has workspaces of its own, which a schedule may give to far more
threads than there are rows. How many iterations are followed is then bounded by ``MAX_EVENTS`` alone."""

MAX_EVENTS = 20_000
"""Loads, stores, assignments and starts of iterations."""


def trace_view(result: CompileResult, operands: Mapping[str, object] | None = None) -> TraceView:
    """What the kernel does on ``operands`` (arrays, nested lists, numbers), statement by statement.

    Operands that are not given are made: the running example for the first sparse matrix when the sizes allow it, else
    random whole numbers, always the same, of sizes that shrink until the run can be followed. A fault of the kernel
    and a broken claim end the trace and are in its ``diagnostics``.

    Raises:
        CompileError: the result's own errors, operands that do not fit, ``trace/too-large``,
            ``plan/no-statements`` for a language without statements.
    """
    inputs = operands or {}
    first: CompileError | None = None
    for sizes in SHRINKING:
        try:
            return _trace(result, inputs, sizes)
        except CompileError as error:
            first = first or error
            # Whoever gives every operand has chosen the sizes.
            if not isinstance(error, TraceSizeError) or _gives_all(result, inputs):
                break
    assert first is not None
    raise first


def _gives_all(result: CompileResult, inputs: Mapping[str, object]) -> bool:
    return result.signature is not None and all(tensor.name in inputs for tensor in result.signature.inputs)


def _trace(result: CompileResult, operands: Mapping[str, object], sizes: ExampleSizes) -> TraceView:
    """Raises what ``trace_view`` does."""
    result.raise_errors()
    if result.assignment is None:
        # A language whose programs become loops directly says so itself.
        assignment_of(result.plan.language, result.plan.expression, result.plan.sizes)
    function, signature, assignment, graph = result.function, result.signature, result.assignment, result.graph
    if function is None or signature is None or assignment is None or graph is None or result.kernel is None:
        raise InternalError("A trace needs a compile without errors")
    chosen = trace_operands(result.plan, assignment, signature, operands, sizes)
    kernel, call = bound_call(result, chosen)
    arguments = small_arguments(function, call)
    output = call.output
    events: list[Event] = _BoundedEvents()
    most = MAX_LAUNCHED_ITERATIONS if result.launches else MAX_ITERATIONS
    problems: list[Diagnostic] = []
    unwritten: Mapping[str, tuple[int, ...]] | None = None
    try:
        call.reset()
        initialised = outputs(function) if signature.accumulates else frozenset()
        run = interpret(function, arguments, step_limit=most, events=events, initialised=initialised)
        check_written(function, run)
    except StepLimitExceeded:
        raise _too_long(f"more than {most} iterations and filled elements") from None
    except Fault as fault:
        problems.append(_fault_diagnostic(fault, function, graph, result.plan.schedule))
    else:
        unwritten = run.unwritten
        if run.status:
            problems += kernel.refusal(run.status).diagnostics
        elif run.obtained:
            output = take_result(function, output, signature.result, run)
    origins = {conversion.name: conversion.tensor for conversion in result.conversions}
    if result.decomposed is not None:
        origins |= {part.name: result.decomposed.tensor for part in result.decomposed.parts}
    tensors = {**call.operands, signature.result.name: output}
    columns = {
        name: tuple(column.tolist() for column in position_coordinates(tensor)) for name, tensor in tensors.items()
    }
    printer = printer_of(function, target_named(result.plan.target))
    c_lines = printer.statement_lines(function) if result.source is not None else None
    variables = index_variables(assignment)
    program = program_of(function, result.kernel.assignment, variables, columns, statement_lines(function), c_lines)
    steps = list(steps_of(program, events))
    return TraceView(
        hash=plan_hash(result.plan),
        ok=not problems,
        diagnostics=[diagnostic_view(problem) for problem in problems],
        tensors=[
            *(
                _operand_view(name, tensor, chosen.origins[origins.get(name, name)], columns[name])
                for name, tensor in call.operands.items()
            ),
            _result_view(signature.result.name, output, columns, unwritten),
        ],
        parameters={
            parameter.name: trace_value(arguments[parameter.name])
            for parameter in function.parameters
            if parameter.kind is not ParameterKind.ARRAY
        },
        steps=steps,
        merges=merges_of(events, program.lines, program.c_lines),
        launches=launch_work(function, result.launches, steps),
        visits=sum(step["visit"] is not None for step in steps),
        loads=sum(len(step["loads"]) for step in steps),
        stores=sum(step["store"] is not None for step in steps),
        atomics=sum(step["store"] is not None and step["store"]["atomic"] for step in steps),
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
            hint="Pass smaller operands; a schedule behaves the same way on a few rows.",
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
