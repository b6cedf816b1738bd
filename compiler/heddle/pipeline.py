"""Plan -> CompileResult. Reads like a table of contents: every pass is named, timed and traced."""

from __future__ import annotations

import copyreg
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial

from heddle.advice import StoreInOrder
from heddle.codegen.languages import printer_of
from heddle.conversions import Requests, extend_requests
from heddle.decomposition.refusals import of_the_whole
from heddle.decomposition.remarks import empty_ranges
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, Severity
from heddle.formats.printer import format_text
from heddle.frontends.front_end import Loops, Statements
from heddle.frontends.table import front_end_of
from heddle.index_width import wide_tensors
from heddle.iteration_graph.build.temporary_formats import PatternFormat
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.logs import LOGGER
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.printing.printer import print_flat
from heddle.lowering.later_refusals import may_be_refused
from heddle.lowering.optimized import lower_optimized, require_lowerable
from heddle.lowering.passes import Context, run_passes, structured_text
from heddle.notation.nodes import Assignment
from heddle.plan import Options, Plan
from heddle.result import CompileResult
from heddle.schedule.apply import refusal_error, remarks
from heddle.schedule.automatic_workspace import find_obstacle
from heddle.semantics.declared import check_in_types
from heddle.semantics.target_support import complex_tensor
from heddle.stages.scheduled_loops import schedule_loops
from heddle.stages.stages import Stages, same_text
from heddle.targets import Feature, Target, target_named
from heddle.trace import Trace


class Until(Enum):
    """How far a compile goes. VERDICT: until it is known whether there will be code."""

    CODE = auto()
    VERDICT = auto()


def lower(plan: Plan) -> CompileResult:
    """All stages of a Plan. A user error ends in ``diagnostics``, with every stage before it kept."""
    start = time.perf_counter()
    result = _result(plan, Until.CODE, None)
    milliseconds, outcome = 1e3 * (time.perf_counter() - start), "no error" if result.ok else "refused"
    LOGGER.debug("lowered %r for %s in %.1f ms: %s", plan.expression, plan.target, milliseconds, outcome)
    return result


def lower_again(plan: Plan, earlier: CompileResult) -> CompileResult:
    """The same, where a like plan was compiled before: what the two have in common is taken from there."""
    return _result(plan, Until.CODE, earlier)


def judge(plan: Plan, earlier: CompileResult) -> CompileResult:
    """The same without code: whether ``plan`` compiles, as cheaply as that can be known."""
    return _result(plan, Until.VERDICT, earlier)


def _result(plan: Plan, until: Until, earlier: CompileResult | None) -> CompileResult:
    trace, stages, error = _compile(plan, until, earlier)
    diagnostics: tuple[Diagnostic, ...] = ()
    if error is not None:
        if stages.decomposed is not None:
            error = of_the_whole(error, stages.decomposed, converting=plan.options.convert == "automatic")
        if until is Until.CODE:
            error = _with_option(error, plan, stages, trace)
        diagnostics = tuple(_place(diagnostic, plan) for diagnostic in error.diagnostics)
    if stages.decomposed is not None and stages.signature is not None:
        whole = stages.signature.tensors[stages.decomposed.tensor]
        diagnostics += empty_ranges(whole, plan.shapes.get(whole.name))
    if stages.graphs:
        diagnostics += remarks(stages.graphs[-1], stages.commands, plan.schedule)
    diagnostics += tuple(stages.notes)
    return _as_result(stages, trace, diagnostics)


def _as_result(stages: Stages, trace: Trace, diagnostics: tuple[Diagnostic, ...]) -> CompileResult:
    return CompileResult(
        plan=stages.plan,
        program=stages.program,
        loops=stages.loops,
        code=stages.code,
        passes=tuple(trace.passes),
        diagnostics=diagnostics,
    )


_Outcome = tuple[Trace, Stages, CompileError | None]


def _compile(plan: Plan, until: Until, earlier: CompileResult | None) -> _Outcome:
    """The text is read once. For a program of statements the loops are made as often as it takes to know how operands
    and temporaries are stored, and lowered once that is known."""
    trace, stages = Trace(), Stages(plan, earlier)
    try:
        match front_end_of(plan.language).entry:
            case Statements(assignment=assignment):
                stages.assignment = assignment(_read(plan, trace, stages))
            case Loops(lower=lower_program, numbers=numbers):
                program = _read(plan, trace, stages)
                check_in_types(plan, numbers(program))
                loops = lower_program(program, plan.schedule, target_named(plan.target), trace)
                stages.bound = loops.bound
                if plan.schedule and loops.bound is not None:
                    # Behind steps another text is warned of, which is not the one that the places are shown in.
                    stages.notes = tuple(replace(note, location=None) for note in loops.bound.program.notes)
                function = _from_loops(plan, loops.function, trace)
                if until is Until.CODE:
                    _print(function, target_named(plan.target), trace, stages)
                return trace, stages, None
            case entry:
                raise TypeError(f"unexpected entry {entry!r}")
    except CompileError as error:
        return trace, stages, error
    return _Statements(trace, stages, stages.assignment, until).compile()


def _read(plan: Plan, trace: Trace, stages: Stages) -> object:
    """The program, with what its language says of it."""
    front_end, earlier = front_end_of(plan.language), stages.earlier
    with trace.step(front_end.name, front_end.title) as step:
        if earlier is not None and earlier.program.read is not None and same_text(plan, earlier.plan):
            stages.read = earlier.program.read
        else:
            stages.read = front_end.read(plan.expression, plan.sizes)
        step.text = partial(front_end.to_text, stages.read)
        stages.notes = front_end.notes(stages.read)
    return stages.read


@dataclass(frozen=True, slots=True)
class _Statements:
    """A program of statements, which ``trace`` and ``stages`` have read, and the ways to compile it."""

    trace: Trace
    stages: Stages
    assignment: Assignment
    until: Until

    def compile(self) -> _Outcome:
        """Temporaries are stored like the operand that decides where they have a value, and dense where the program
        cannot be compiled so."""
        trace, stages, error = self._with_requests(Requests())
        if error is None or not stages.patterns:
            return trace, stages, error
        dense = self._with_requests(Requests(dense_temporaries=True))
        if dense[2] is None and dense[1].lowered is not None:
            # What is inlined is not stored at all.
            held = [pattern for pattern in stages.patterns if pattern.tensor in dense[1].lowered.workspaces]
            dense[1].notes = (*dense[1].notes, *(_dense_instead(pattern, error) for pattern in held))
        return dense

    def _with_requests(self, first: Requests) -> _Outcome:
        """A compile from the ``first`` requests on. Where operands may be converted, commands find the automatic
        workspace only if no conversion makes it needless."""
        plan = self.stages.plan
        if plan.options.convert != "automatic" or not plan.schedule:
            return self._convert(first)
        trace, stages, error = self._convert(replace(first, workspace_first=False))
        if error is not None and stages.graphs and find_obstacle(stages.graphs[0]) is not None:
            gathered = self._convert(first)
            if gathered[2] is None:
                return gathered
        return trace, stages, error

    def _convert(self, first: Requests) -> _Outcome:
        """The loops under the ``first`` requests and those for operands in other orders that a refusal adds, until they
        are refused for another reason or can be lowered."""
        known = [first]
        while True:
            trace, stages, error = self._schedule(known[-1])
            if error is None:
                return self._lower(trace, stages)
            converts = stages.plan.options.convert == "automatic" and stages.decomposed is None
            if not converts or stages.kernel is None:
                return trace, stages, error
            requests = extend_requests(known[-1], stages.kernel, self.assignment, error.diagnostics[0])
            if requests in known:
                return trace, stages, error
            known.append(requests)

    def _schedule(self, requests: Requests) -> _Outcome:
        trace, stages = Trace(self.trace.passes), replace(self.stages, graphs=[], commands=[])
        try:
            schedule_loops(self.assignment, requests, trace, stages)
        except CompileError as error:
            return trace, stages, error
        return trace, stages, None

    def _lower(self, trace: Trace, stages: Stages) -> _Outcome:
        """Code; where a verdict is enough, only what may still be refused is lowered."""
        assert stages.lowered is not None
        try:
            if self.until is Until.CODE:
                function = _lower_loops(stages, stages.lowered, trace)
                _print(function, target_named(stages.plan.target), trace, stages)
            elif may_be_refused(stages.graphs[-1]):
                _require_lowerable(stages, stages.lowered)
        except CompileError as error:
            return trace, stages, error
        return trace, stages, None


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


def _with_option(error: CompileError, plan: Plan, stages: Stages, trace: Trace) -> CompileError:
    """The error with one more repair where automatic conversion is one."""
    helps = any(isinstance(advice, StoreInOrder) for advice in error.diagnostics[0].advice)
    if not helps or plan.options.convert == "automatic":
        return error
    if not judge(replace(plan, options=Options("automatic")), _as_result(stages, trace, ())).ok:
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


def _from_loops(plan: Plan, function: Function, trace: Trace) -> Function:
    """Loops that a front end made itself, behind the passes."""
    try:
        return run_passes(function, Context(None, target_named(plan.target).only_gpu), trace)
    except Refusal as refusal:
        raise refusal_error(refusal, (), plan.schedule, Location(Part.PLAN, path="/schedule")) from None


def _print(function: Function, target: Target, trace: Trace, stages: Stages) -> None:
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


def _flat_text(function: Function) -> str:
    return print_flat(function).text


def _lower_loops(stages: Stages, lowered: IterationGraph, trace: Trace) -> Function:
    """The loops of ``lowered``, as launches where they run on GPU units."""
    with _refusing(stages):
        return lower_optimized(lowered, wide=_wide(stages), gpu=_is_for_gpu(stages), trace=trace)


def _require_lowerable(stages: Stages, lowered: IterationGraph) -> None:
    """Raises CompileError where the loops of ``lowered`` are refused."""
    with _refusing(stages):
        require_lowerable(lowered, wide=_wide(stages), gpu=_is_for_gpu(stages))


@contextmanager
def _refusing(stages: Stages) -> Iterator[None]:
    """Says of which command a refusal of the lowering is."""
    try:
        yield
    except Refusal as refusal:
        place = Location(Part.PLAN, path="/schedule")
        raise refusal_error(refusal, stages.commands, stages.plan.schedule, place) from None


def _wide(stages: Stages) -> frozenset[str]:
    assert stages.signature is not None
    return wide_tensors(stages.plan.shapes, stages.signature)


def _is_for_gpu(stages: Stages) -> bool:
    return target_named(stages.plan.target).only_gpu


copyreg.pickle(CompileResult, lambda result: (lower, (result.plan,)))
"""A result travels as its Plan, of which the same is made again: small, and whole wherever it arrives."""
