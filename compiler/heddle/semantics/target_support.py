"""What a schedule asks of a target that this does not have: parallel units, prefetches, complex numbers."""

from __future__ import annotations

from heddle.advice import ScheduleForTarget
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.iteration_graph.graph.gpu_units import uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag, PrefetchTag
from heddle.loop_ir.dtypes import COMPLEX
from heddle.loop_ir.nodes import LoopKind
from heddle.plan import Plan
from heddle.signature import TensorSignature
from heddle.targets import Feature, names_with, target_named


def check_target(plan: Plan, graph: IterationGraph) -> None:
    """The target of ``plan`` can run ``graph``.

    Raises
    ------
    CompileError
        ``plan/target``, ``schedule/prefetch-target``, ``schedule/unit-of-target``.
    """
    target, tensor = target_named(plan.target), complex_tensor(graph)
    if tensor is not None and Feature.COMPLEX_NUMBERS not in target.features:
        raise CompileError(_real_numbers_only(plan, tensor))
    program = graph.signature.program
    if program is not None and program.checks and (target.only_gpu or uses_gpu(graph)):
        raise CompileError(_indices_unchecked(plan, next(iter(program.checks.values()))))
    for name, asked in graph.prefetch.items():
        if Feature.PREFETCHES not in target.features:
            raise CompileError(_no_prefetch(plan, name, asked, f"on the target {plan.target}", plan.target))
        if uses_gpu(graph):
            raise CompileError(_no_prefetch(plan, name, asked, "in loops on GPU units", "loops on GPU units"))
    for variable, tag in graph.parallel.items():
        if tag.unit not in target.units:
            raise CompileError(_missing_unit(plan, target.units, variable, tag))


def complex_tensor(graph: IterationGraph) -> TensorSignature | None:
    """The first tensor of complex numbers."""
    return next((tensor for tensor in graph.signature.tensors.values() if tensor.dtype in COMPLEX), None)


def _real_numbers_only(plan: Plan, tensor: TensorSignature) -> Diagnostic:
    able = names_with(Feature.COMPLEX_NUMBERS)
    return Diagnostic(
        "plan/target",
        f"{tensor.name} holds {tensor.dtype}, and kernels for {plan.target} compute with real numbers. "
        f"Use the target {able}.",
        Location(Part.PLAN, path="/target"),
        expected=able,
        actual=plan.target,
    )


def _indices_unchecked(plan: Plan, check: str) -> Diagnostic:
    """The host would have to read what a launch counted before it starts the next one."""
    access = check.partition(" reads")[0]
    return Diagnostic(
        "plan/target",
        f"{access} takes indices from a tensor. They are checked in front of each read, which loops on a GPU do not "
        "do. Use the target c.",
        Location(Part.PLAN, path="/target"),
        expected="the target c, with loops on a CPU",
        actual=plan.target,
        advice=(ScheduleForTarget(),) if plan.schedule else (),
    )


def _no_prefetch(plan: Plan, tensor: str, asked: PrefetchTag, where: str, actual: str) -> Diagnostic:
    text, rest = plan.schedule[asked.command], list(plan.schedule)
    del rest[asked.command]
    return Diagnostic(
        "schedule/prefetch-target",
        f"{tensor} cannot be prefetched {where}, where threads take turns while they wait for memory. Remove the "
        "command.",
        Location(Part.SCHEDULE, 0, len(text), command=asked.command),
        expected="a loop that a CPU runs",
        actual=actual,
        fixes=(Fix(f"Remove {text.strip()}", schedule=tuple(rest)),),
        advice=(ScheduleForTarget(),),
    )


def _missing_unit(plan: Plan, units: tuple[LoopKind, ...], variable: str, tag: ParallelTag) -> Diagnostic:
    offered = " or ".join(unit.value for unit in units)
    text = plan.schedule[tag.command]
    repaired = text.replace(tag.unit.value, units[0].value)
    start = text.index(tag.unit.value)
    schedule = (*plan.schedule[: tag.command], repaired, *plan.schedule[tag.command + 1 :])
    return Diagnostic(
        "schedule/unit-of-target",
        f"{variable} is parallelized on {tag.unit.value}, which the target {plan.target} does not have. Use {offered}.",
        Location(Part.SCHEDULE, start, start + len(tag.unit.value), command=tag.command),
        expected=offered,
        actual=tag.unit.value,
        fixes=(Fix(f"Write {repaired.strip()}", schedule=schedule),),
        advice=(ScheduleForTarget(),),
    )
