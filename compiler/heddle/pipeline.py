"""Plan -> CompileResult. Reads like a table of contents: every pass is named, timed and traced."""

from __future__ import annotations

import copyreg
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from heddle.advice import StoreInOrder
from heddle.codegen.device.launch_text import Launch
from heddle.codegen.languages import printer_of
from heddle.conversions import Converted, Requests, convert, extend_requests
from heddle.decomposition.decomposed import Decomposed
from heddle.decomposition.refusals import of_the_whole
from heddle.decomposition.remarks import empty_ranges
from heddle.decomposition.rewrite import decompose
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, Severity
from heddle.formats.printer import format_text
from heddle.frontends.front_end import Loops, Statements
from heddle.frontends.table import front_end_of
from heddle.index_width import wide_tensors
from heddle.iteration_graph.algebra.result_fill import with_result_fill
from heddle.iteration_graph.analysis.iterated import automatic_merges, lattice_at
from heddle.iteration_graph.build.concretize import build, build_series
from heddle.iteration_graph.build.temporary_formats import (
    PatternFormat,
    infer_temporary_formats,
    with_pattern_formats,
)
from heddle.iteration_graph.checks.gpu_schedule import check_assembly, check_gpu, check_temporaries
from heddle.iteration_graph.checks.verify import verify
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.printer import graph_text
from heddle.iteration_graph.graph.provenance import coordinates
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.iteration_graph.transform.sums_first import sums_apart_from_elements, with_sums_outward
from heddle.iteration_graph.transform.temporaries import with_parts
from heddle.logs import LOGGER
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.printing.printer import print_flat
from heddle.loop_ir.printing.source_text import SourceText
from heddle.lowering.optimized import lower_optimized
from heddle.lowering.passes import Context, run_passes, structured_text
from heddle.notation.nodes import Assignment
from heddle.patterns.program import Lowered
from heddle.plan import Options, Plan
from heddle.result import CompileResult, GeneratedCode, ScheduledLoops, TypedProgram
from heddle.schedule.apply import apply, refusal_error, remarks
from heddle.schedule.assembly import assemble_graph
from heddle.schedule.automatic_workspace import add_automatic_workspace, find_obstacle
from heddle.schedule.gpu_default import default_gpu_schedule
from heddle.schedule.syntax.parser import ParsedCommand, parse_command
from heddle.schedule.syntax.spoken_names import spoken_names
from heddle.semantics.declared import check_in_types, declared_signature
from heddle.semantics.support import find_unsupported
from heddle.semantics.target_support import check_target, complex_tensor
from heddle.signature import Signature
from heddle.targets import Feature, Target, target_named
from heddle.trace import Trace
from heddle.turned_operands import Turned, with_turned_operands


@dataclass(slots=True)
class _Stages:
    """What has been made so far; an error keeps it."""

    plan: Plan
    assignment: Assignment | None = None
    signature: Signature | None = None
    kernel: Converted | None = None
    decomposed: Decomposed | None = None
    graphs: list[IterationGraph] = field(default_factory=list)
    commands: list[ParsedCommand] = field(default_factory=list)
    lowered: IterationGraph | None = None
    function: Function | None = None
    source: SourceText | None = None
    launches: tuple[Launch, ...] = ()
    notes: Sequence[Diagnostic] = ()
    bound: Lowered | None = None
    patterns: tuple[PatternFormat, ...] = ()
    """Of the temporaries that are stored as an operand is because nobody declared their formats."""

    @property
    def program(self) -> TypedProgram:
        return TypedProgram(
            assignment=self.assignment, signature=self.signature, kernel=self.kernel, decomposed=self.decomposed
        )

    @property
    def loops(self) -> ScheduledLoops:
        return ScheduledLoops(graphs=tuple(self.graphs), commands=tuple(self.commands), lowered=self.lowered)

    @property
    def code(self) -> GeneratedCode:
        return GeneratedCode(function=self.function, source=self.source, launches=self.launches, bound=self.bound)


def lower(plan: Plan) -> CompileResult:
    """All stages of a Plan. A user error ends in ``diagnostics``, with every stage before it kept."""
    start = time.perf_counter()
    trace, stages, error = _compile(plan)
    milliseconds, outcome = 1e3 * (time.perf_counter() - start), "no error" if error is None else "refused"
    LOGGER.debug("lowered %r for %s in %.1f ms: %s", plan.expression, plan.target, milliseconds, outcome)
    diagnostics: tuple[Diagnostic, ...] = ()
    if error is not None:
        if stages.decomposed is not None:
            error = of_the_whole(error, stages.decomposed, converting=plan.options.convert == "automatic")
        diagnostics = tuple(_place(diagnostic, plan) for diagnostic in _with_option(error, plan).diagnostics)
    if stages.decomposed is not None and stages.signature is not None:
        whole = stages.signature.tensors[stages.decomposed.tensor]
        diagnostics += empty_ranges(whole, plan.shapes.get(whole.name))
    if stages.graphs:
        diagnostics += remarks(stages.graphs[-1], stages.commands, plan.schedule)
    diagnostics += tuple(stages.notes)
    return CompileResult(
        plan=stages.plan,
        program=stages.program,
        loops=stages.loops,
        code=stages.code,
        passes=tuple(trace.passes),
        diagnostics=diagnostics,
    )


def _compile(plan: Plan) -> tuple[Trace, _Stages, CompileError | None]:
    """A compile. Temporaries are stored like the operand that decides where they have a value, and dense where the
    program cannot be compiled so."""
    trace, stages, error = _with_requests(plan, Requests())
    if error is None or not stages.patterns:
        return trace, stages, error
    dense = _with_requests(plan, Requests(dense_temporaries=True))
    if dense[2] is None and dense[1].lowered is not None:
        # What is inlined is not stored at all.
        held = [pattern for pattern in stages.patterns if pattern.tensor in dense[1].lowered.workspaces]
        dense[1].notes = (*dense[1].notes, *(_dense_instead(pattern, error) for pattern in held))
    return dense


def _dense_instead(pattern: PatternFormat, error: CompileError) -> Diagnostic:
    """The warning about a temporary that has an element for each coordinate, and what keeps it from fewer."""
    layout, name = format_text(pattern.format), pattern.tensor
    return Diagnostic(
        "format/dense-temporary",
        f"{name} has values only where {pattern.like} stores some, but is stored dense: as {layout} the program is "
        f"refused: {error.diagnostics[0].message}",
        Location(Part.FORMAT, tensor=name),
        Severity.WARNING,
        expected=layout,
        actual="dense",
        hint=f"Store {name} dense to say that this is meant.",
        fixes=(Fix(f"Store {name} dense", formats={name: "dense"}),),
    )


def _with_requests(plan: Plan, first: Requests) -> tuple[Trace, _Stages, CompileError | None]:
    """A compile from the ``first`` requests on. Where operands may be converted, commands find the automatic workspace
    only if no conversion makes it needless."""
    if plan.options.convert != "automatic" or not plan.schedule:
        return _convert(plan, first)
    trace, stages, error = _convert(plan, replace(first, workspace_first=False))
    if error is not None and stages.graphs and find_obstacle(stages.graphs[0]) is not None:
        gathered = _convert(plan, first)
        if gathered[2] is None:
            return gathered
    return trace, stages, error


def _convert(plan: Plan, first: Requests) -> tuple[Trace, _Stages, CompileError | None]:
    """The same from the ``first`` requests on. Operands that are to be converted are known as soon as there is an
    iteration graph that follows all storage orders; until then it starts again for each command that needs operands in
    other orders."""
    known = [first]
    while True:
        trace, stages = Trace(), _Stages(plan)
        try:
            _run(plan, known[-1], trace, stages)
            return trace, stages, None
        except CompileError as error:
            converts = plan.options.convert == "automatic" and stages.decomposed is None
            if not converts or stages.assignment is None or stages.kernel is None:
                return trace, stages, error
            requests = extend_requests(known[-1], stages.kernel, stages.assignment, error.diagnostics[0])
            if requests in known:
                return trace, stages, error
            known.append(requests)


def _with_option(error: CompileError, plan: Plan) -> CompileError:
    """The error with one more repair where automatic conversion is one."""
    helps = any(isinstance(advice, StoreInOrder) for advice in error.diagnostics[0].advice)
    if not helps or plan.options.convert == "automatic":
        return error
    if _compile(replace(plan, options=Options("automatic")))[2] is not None:
        return error
    first, *others = error.diagnostics
    fix = Fix("Convert automatically at each call", options={"convert": "automatic"})
    return CompileError(replace(first, fixes=(*first.fixes, fix)), *others)


def _place(diagnostic: Diagnostic, plan: Plan) -> Diagnostic:
    """What concerns the expression as a whole underlines what is computed."""
    location = diagnostic.location
    if location is None or location.part is not Part.EXPRESSION or location.end > location.start:
        return diagnostic
    start, end = front_end_of(plan.language).computed(plan.expression)
    return replace(diagnostic, location=replace(location, start=start, end=end))


def _run(plan: Plan, requests: Requests, trace: Trace, stages: _Stages) -> None:
    front_end = front_end_of(plan.language)
    with trace.step(front_end.name, front_end.title) as step:
        program = front_end.read(plan.expression, plan.sizes)
        step.text = partial(front_end.to_text, program)
        stages.notes = front_end.notes(program)
    match front_end.entry:
        case Statements(assignment=assignment):
            function = _from_statements(plan, assignment(program), requests, trace, stages)
        case Loops(lower=lower_program, numbers=numbers):
            check_in_types(plan, numbers(program))
            loops = lower_program(program, plan.schedule, target_named(plan.target), trace)
            stages.bound = loops.bound
            if plan.schedule and loops.bound is not None:
                # Behind steps another text is warned of, which is not the one that the places are shown in.
                stages.notes = tuple(replace(note, location=None) for note in loops.bound.program.notes)
            function = _from_loops(plan, loops.function, trace)
        case _:
            raise TypeError(f"unexpected entry {front_end.entry!r}")
    _print(function, target_named(plan.target), trace, stages)


def _from_loops(plan: Plan, function: Function, trace: Trace) -> Function:
    """Loops that a front end made itself, behind the passes."""
    try:
        return run_passes(function, Context(None, target_named(plan.target).only_gpu), trace)
    except Refusal as refusal:
        raise refusal_error(refusal, (), plan.schedule, Location(Part.PLAN, path="/schedule")) from None


def _from_statements(plan: Plan, assignment: Assignment, requests: Requests, trace: Trace, stages: _Stages) -> Function:
    """Statements of index notation to loops: through the iteration graph, on which the schedule works."""
    stages.assignment = assignment
    signature = stages.signature = declared_signature(plan, assignment)
    if not requests.dense_temporaries:
        declared = {name for name, spec in plan.tensors.items() if spec.format is not None}
        stages.patterns = infer_temporary_formats(assignment, signature, declared)
        signature = stages.signature = with_pattern_formats(signature, stages.patterns)
    problems = find_unsupported(plan.expression, assignment, signature)
    if problems:
        raise CompileError(*problems)
    with trace.step("graph", "Iteration graph") as step:
        stages.decomposed, said = decompose(assignment, signature), spoken_names(plan.schedule)
        if stages.decomposed is None:
            stages.kernel = convert(assignment, signature, requests)
            graph = build(stages.kernel.assignment, stages.kernel.signature, said)
        else:
            stages.kernel = Converted(assignment, stages.decomposed.signature)
            graph = build_series(stages.decomposed.statements, stages.decomposed.signature, said)
        signature = stages.signature = with_result_fill(signature, graph)
        written = graph
        graph = _verified_unscheduled(graph, requests.is_settled(), plan.options.convert == "automatic")
        stages.graphs.append(graph)
        step.text = partial(_loops_text, written)
    _trace_sums(written, graph, trace)
    plan = stages.plan = _schedule(plan, graph)
    for number, text in enumerate(plan.schedule):
        with trace.step(f"command-{number}", text.strip(), number) as step:
            parsed = parse_command(text, number, plan.schedule)
            graph = apply(graph, parsed, plan.schedule, requests.is_settled(number))
            stages.commands.append(parsed)
            stages.graphs.append(graph)
            step.text = partial(_loops_text, graph)
        if number == 0 and graph.bare is not None:
            gathered = add_automatic_workspace(stages.graphs[0])
            trace.insert_before_last("workspace", "Automatic workspace", partial(_loops_text, gathered))
    check_target(plan, graph)
    turned = graph if plan.schedule else _turn_operands(plan, graph, trace, stages)
    outward = graph if plan.schedule else with_sums_outward(turned)
    _trace_sums(turned, outward, trace)
    with trace.step("assembly", "Assembly of the result") as step:
        graph = assemble_graph([*stages.graphs[:-1], outward], plan.schedule)
        step.text = partial(_loops_text, graph)
        stages.lowered = with_parts(with_implicit_positions(graph))
    return _lower(plan, stages, stages.lowered, trace)


def _turn_operands(plan: Plan, graph: IterationGraph, trace: Trace, stages: _Stages) -> IterationGraph:
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


def _print(function: Function, target: Target, trace: Trace, stages: _Stages) -> None:
    """The texts of ``function``, for readers and for compilers."""
    stages.function = function
    with trace.step("structured", "Loops, structured") as step:
        step.text = partial(structured_text, function)
    with trace.step("flat", "Loops, flat") as step:
        step.text = partial(_flat_text, function)
    printer = printer_of(function, target)
    if Feature.COMPLEX_NUMBERS not in printer.target.features and stages.graphs and complex_tensor(stages.graphs[-1]):
        return  # the interpreter alone runs it
    with trace.step(printer.language.name, printer.language.title) as step:
        generated = printer.generate(function)
        stages.source, stages.launches = generated.source, generated.launches
        step.text = stages.source.text


def _loops_text(graph: IterationGraph) -> str:
    return graph_text(graph, automatic_merges(graph))


def _flat_text(function: Function) -> str:
    return print_flat(function).text


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


def _lower(plan: Plan, stages: _Stages, lowered: IterationGraph, trace: Trace) -> Function:
    """The loops of ``lowered``, as launches where they run on GPU units."""
    graph, place = stages.graphs[-1], Location(Part.PLAN, path="/schedule")
    assert stages.signature is not None
    wide = wide_tensors(plan.shapes, stages.signature)
    gpu = target_named(plan.target).only_gpu
    try:
        check_gpu(graph, gpu)
        check_temporaries(lowered, gpu)
        return lower_optimized(lowered, wide=wide, gpu=gpu, trace=trace)
    except Refusal as refusal:
        raise refusal_error(refusal, stages.commands, plan.schedule, place) from None


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


copyreg.pickle(CompileResult, lambda result: (lower, (result.plan,)))
"""A result travels as its Plan, of which the same is made again: small, and whole wherever it arrives."""
