"""Lowering the sections of a program, in which temporaries are stored sparsely.

A temporary that is stored gets its arrays as a result does, by an *output*, but in memory that ends with the kernel.
One that has the coordinates of an operand reads those arrays, and has only values of its own.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.analysis.assembly import sections_of
from heddle.iteration_graph.graph.sections import Section, SectionKind
from heddle.loop_ir.nodes import Allocate, AllocateResult, SharedPattern, Stmt
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.positions import positions
from heddle.lowering.results.dense_output import DenseOutput, SharedOutput
from heddle.lowering.results.outputs import output_of
from heddle.lowering.workspaces.workspace import lower_producer
from heddle.origin import Origin, Role


def lower_sections(kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
    """All loops of the kernel: those of the temporaries, then those of the result."""
    *earlier, last = sections_of(kernel.graph)
    body: list[Stmt] = []
    for section in earlier:
        body += _lower_section(kernel, section, lower)
    inner = replace(kernel, graph=last.graph) if earlier else kernel
    return [*body, *kernel.output.lower(inner, lower)]


def _lower_section(kernel: KernelContext, section: Section, lower: LowerStatement) -> list[Stmt]:
    match section.kind:
        case SectionKind.DENSE:
            inner = replace(kernel, graph=section.graph, output=DenseOutput())
            environment = LoopEnvironment(inner)
            environment.workspace_parallel[section.tensor] = 0  # it lies outside of all loops
            lower_producer(environment, section.graph.statement, kernel.graph.workspaces[section.tensor], lower)
            return list(environment.builder.block().statements)
        case SectionKind.STORED:
            return _lower_stored(kernel, section, lower)
        case _:
            raise TypeError(f"unexpected section {section!r}")


def _lower_stored(kernel: KernelContext, section: Section, lower: LowerStatement) -> list[Stmt]:
    name, layout = section.tensor, section.graph.signature.result.format
    inner = replace(kernel, graph=section.graph, output=output_of(section.graph, KernelKind.EVALUATE))
    if layout.cuts:
        kernel.partly_written.add(name)
    levels = range(1, len(layout.levels) + 1)
    if isinstance(inner.output, SharedOutput):
        for level in levels:
            owner = inner.output.owner(level)
            if owner is not None:
                kernel.storages[name, level] = replace(kernel.storages[owner.tensor, level], tensor=name)
    statements = [_allocate_locally(statement) for statement in inner.output.lower(inner, lower)]
    if not inner.output.allocates:
        size = positions(kernel.storages[name, level] for level in levels)
        statements.insert(0, Allocate(kernel.values[name], size, Origin(Role.INIT, None, name)))
    return statements


def _allocate_locally(statement: Stmt) -> Stmt:
    """Memory that ends with the kernel in the place of what the caller would get."""
    if isinstance(statement, AllocateResult):
        return Allocate(statement.array, statement.size, statement.origin)
    return statement


def pattern_of(kernel: KernelContext) -> SharedPattern | None:
    """The operand of the caller whose coordinates the result has."""
    pattern = kernel.output.pattern
    if pattern is None:
        return None
    *_, last = sections_of(kernel.graph)
    return replace(pattern, tensor=last.graph.pattern_operands.get(pattern.tensor, pattern.tensor))
