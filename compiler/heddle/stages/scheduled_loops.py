"""Statements of index notation to the loops that are lowered: the iteration graph, and the schedule on it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from heddle.conversions import Converted, Requests, convert
from heddle.decomposition.rewrite import decompose
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.iteration_graph.algebra.result_fill import with_result_fill
from heddle.iteration_graph.analysis.iterated import automatic_merges, lattice_at
from heddle.iteration_graph.build.concretize import build, build_series
from heddle.iteration_graph.build.scheduled_variables import NamesOfCommands
from heddle.iteration_graph.build.temporary_formats import infer_temporary_formats, with_pattern_formats
from heddle.iteration_graph.checks.gpu_schedule import check_assembly, check_gpu, check_temporaries
from heddle.iteration_graph.checks.verify import verify
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.printer import graph_text
from heddle.iteration_graph.graph.provenance import coordinates
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.iteration_graph.transform.sums_first import sums_apart_from_elements, with_sums_outward
from heddle.iteration_graph.transform.temporaries import with_parts
from heddle.notation.nodes import Assignment
from heddle.plan import Plan
from heddle.result import UnscheduledLoops
from heddle.schedule.apply import apply, refusal_error
from heddle.schedule.assembly import assemble_graph
from heddle.schedule.automatic_workspace import add_automatic_workspace
from heddle.schedule.gpu_default import default_gpu_schedule
from heddle.schedule.syntax.parser import parse_command
from heddle.schedule.syntax.spoken_names import spoken_names
from heddle.semantics.declared import declared_signature
from heddle.semantics.support import find_unsupported
from heddle.semantics.target_support import check_target
from heddle.stages.stages import Stages
from heddle.targets import target_named
from heddle.trace import Trace
from heddle.turned_operands import Turned, with_turned_operands


def schedule_loops(assignment: Assignment, requests: Requests, trace: Trace, stages: Stages) -> IterationGraph:
    """The loops of ``assignment`` that are lowered, with what is stored otherwise under ``requests``. Where an earlier
    compile began with the same loops, only the commands that it did not have are applied.

    Raises
    ------
    CompileError
        what is wrong with formats, with a command or with the result of them all.
    """
    graph = _start(assignment, requests, trace, stages)
    plan = stages.plan = _schedule(stages.plan, graph)
    graph = _apply_commands(plan, requests, trace, stages)
    check_target(plan, graph)
    turned = graph if plan.schedule else _turn_operands(plan, graph, trace, stages)
    outward = graph if plan.schedule else with_sums_outward(turned)
    _trace_sums(turned, outward, trace)
    with trace.step("assembly", "Assembly of the result") as step:
        graph = assemble_graph([*stages.graphs[:-1], outward], plan.schedule)
        step.text = partial(_loops_text, graph)
        stages.lowered = with_parts(with_implicit_positions(graph))
    _check_loops_of_target(plan, stages)
    return stages.lowered


def _start(assignment: Assignment, requests: Requests, trace: Trace, stages: Stages) -> IterationGraph:
    """The graph that commands start from: that of the earlier compile, where it is the same."""
    spoken = spoken_names(stages.plan.schedule)
    alike = stages.begin_alike(requests, spoken)
    if alike is None:
        _declare(assignment, requests, stages)
    with trace.step("graph", "Iteration graph") as step:
        if alike is None:
            alike = _build(assignment, requests, spoken, stages)
        stages.unscheduled, stages.patterns, stages.signature = alike, alike.patterns, alike.signature
        stages.decomposed, stages.kernel = alike.decomposed, alike.kernel
        stages.graphs.append(alike.graph)
        step.text = partial(_loops_text, alike.written)
    _trace_sums(alike.written, alike.graph, trace)
    return alike.graph


def _declare(assignment: Assignment, requests: Requests, stages: Stages) -> None:
    """What is declared of the tensors, and whether it can be computed."""
    signature = stages.signature = declared_signature(stages.plan, assignment)
    if not requests.dense_temporaries:
        declared = {name for name, spec in stages.plan.tensors.items() if spec.format is not None}
        stages.patterns = infer_temporary_formats(assignment, signature, declared)
        stages.signature = with_pattern_formats(signature, stages.patterns)
    problems = find_unsupported(stages.plan.expression, assignment, stages.signature)
    if problems:
        raise CompileError(*problems)


def _build(assignment: Assignment, requests: Requests, spoken: NamesOfCommands, stages: Stages) -> UnscheduledLoops:
    signature, plan = stages.signature, stages.plan
    assert signature is not None
    stages.decomposed = decompose(assignment, signature)
    if stages.decomposed is None:
        stages.kernel = convert(assignment, signature, requests)
        written = build(stages.kernel.assignment, stages.kernel.signature, spoken)
    else:
        stages.kernel = Converted(assignment, stages.decomposed.signature)
        written = build_series(stages.decomposed.statements, stages.decomposed.signature, spoken)
    stages.signature = with_result_fill(signature, written)
    return UnscheduledLoops(
        requests=requests,
        spoken=spoken,
        signature=stages.signature,
        patterns=stages.patterns,
        decomposed=stages.decomposed,
        kernel=stages.kernel,
        written=written,
        graph=_verified_unscheduled(written, requests.is_settled(), plan.options.convert == "automatic"),
    )


def _apply_commands(plan: Plan, requests: Requests, trace: Trace, stages: Stages) -> IterationGraph:
    """The graph after all commands; each graph on the way is one of the stages. Commands that the earlier compile has
    as well were applied there."""
    earlier, same = stages.earlier, 0
    if earlier is not None and earlier.loops.unscheduled is stages.unscheduled:
        same = _count_same(earlier.plan.schedule[: len(earlier.commands)], plan.schedule)
    for number, text in enumerate(plan.schedule):
        with trace.step(f"command-{number}", text.strip(), number) as step:
            if earlier is not None and number < same:
                parsed, graph = earlier.commands[number], earlier.graphs[number + 1]
            else:
                parsed = parse_command(text, number, plan.schedule)
                graph = apply(stages.graphs[-1], parsed, plan.schedule, requests.is_settled(number))
            stages.commands.append(parsed)
            stages.graphs.append(graph)
            step.text = partial(_loops_text, graph)
        if number == 0 and graph.bare is not None:
            gathered = add_automatic_workspace(stages.graphs[0])
            trace.insert_before_last("workspace", "Automatic workspace", partial(_loops_text, gathered))
    return stages.graphs[-1]


def _count_same(applied: tuple[str, ...], schedule: tuple[str, ...]) -> int:
    """How many commands at the start of two schedules are the same."""
    differs = (number for number, (text, other) in enumerate(zip(applied, schedule, strict=False)) if text != other)
    return next(differs, min(len(applied), len(schedule)))


def _check_loops_of_target(plan: Plan, stages: Stages) -> None:
    graph, gpu = stages.graphs[-1], target_named(plan.target).only_gpu
    assert stages.lowered is not None
    try:
        check_gpu(graph, gpu)
        check_temporaries(stages.lowered, gpu)
    except Refusal as refusal:
        raise refusal_error(refusal, stages.commands, plan.schedule, Location(Part.PLAN, path="/schedule")) from None


def _turn_operands(plan: Plan, graph: IterationGraph, trace: Trace, stages: Stages) -> IterationGraph:
    """``graph``, which no command changed, with copies of matrices in another order where these make it cheap."""
    assert stages.kernel is not None
    assert stages.signature is not None
    if stages.decomposed is not None or target_named(plan.target).only_gpu:
        return graph
    turned = with_turned_operands(stages.kernel, graph, verify)
    if turned is None:
        return graph
    stages.kernel = turned.kernel
    stages.signature = replace(stages.signature, temporaries=turned.kernel.signature.temporaries)
    with trace.step("turned", "Operands in another order") as step:
        step.text = partial(_turned_text, turned)
    return turned.graph


def _turned_text(turned: Turned) -> str:
    return f"{turned.reason}\n\n{_loops_text(turned.graph)}"


def _trace_sums(written: IterationGraph, changed: IterationGraph, trace: Trace) -> None:
    """Shows where sums inside elements went, if they did."""
    if changed is not written:
        with trace.step("sums-first", "Sums before elements") as step:
            step.text = partial(_loops_text, changed)


def _loops_text(graph: IterationGraph) -> str:
    return graph_text(graph, automatic_merges(graph))


def _schedule(plan: Plan, graph: IterationGraph) -> Plan:
    """``plan``; for a GPU a schedule is made where it has none."""
    if not target_named(plan.target).only_gpu or plan.schedule:
        return plan
    try:
        check_assembly(graph)
        schedule = default_gpu_schedule(graph)
        if schedule is None:
            check_gpu(graph, True)
    except Refusal as refusal:
        raise refusal_error(refusal, (), (), Location(Part.PLAN, path="/schedule")) from None
    return plan if schedule is None else replace(plan, schedule=schedule)


def _verified_unscheduled(graph: IterationGraph, settled: bool, converting: bool) -> IterationGraph:
    """The graph that commands start from. Without a command, what is refused is a conflict of storage orders or a merge
    of too many operands. Sums inside elements are computed before these where that ends the conflict; ``converting``,
    operands are stored in another order instead."""
    for variable in coordinates(graph):
        lattice_at(graph, variable)
    try:
        verify(graph, settled)
    except Refusal as refusal:
        for changed in () if converting else sums_apart_from_elements(graph):
            if _is_verified(changed, settled):
                return changed
        tensor = refusal.fixes[0].formats if refusal.fixes else None
        name = next(iter(tensor)) if tensor else None
        diagnostic = Diagnostic(
            refusal.unscheduled,
            refusal.message,
            Location(Part.FORMAT, tensor=name),
            expected=refusal.expected,
            actual=refusal.actual,
            hint=refusal.hint,
            fixes=refusal.fixes,
            advice=refusal.advice,
        )
        raise CompileError(diagnostic) from None
    return graph


def _is_verified(graph: IterationGraph, settled: bool) -> bool:
    try:
        verify(graph, settled)
    except Refusal:
        return False
    return True
