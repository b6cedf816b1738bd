"""Workspaces: what a producer computes for a consumer (docs/sources.toml T31).

A scalar; an array over the ranges of some loops; such an array with the list of the coordinates that were written,
which the consumer then iterates as if it were a sparse vector (``listed_workspace.py``); or a hash map from the
coordinates of several dimensions (``hash_workspace.py``).
"""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import Statement, Where, Workspace, WorkspaceKind
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Allocate, Const, Declare, Fill, Require, Stmt, Store, Var
from heddle.lowering.environment.allocation import allocate
from heddle.lowering.environment.destination import ScalarDestination
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.workspaces.hash_workspace import lower_mapped
from heddle.lowering.workspaces.listed_workspace import lower_listed
from heddle.lowering.workspaces.workspace_memory import first_value, size_of
from heddle.origin import Origin, Role

CHECKS = 1000
"""The status of the first claim that is made in the middle of a kernel; those in front of it count from 1."""


def lower_where(environment: LoopEnvironment, statement: Where, lower: LowerStatement) -> None:
    """The producer, then the consumer. While coordinates are counted, only what decides them is computed."""
    name = assignments(statement.producer)[-1][1].target.tensor
    workspace = environment.kernel.graph.workspaces[name]
    environment.workspace_parallel[name] = len(environment.context.nest.parallel)
    match workspace.kind:
        case WorkspaceKind.LISTED:
            lower_listed(environment, statement, workspace, lower)
        case WorkspaceKind.MAPPED:
            lower_mapped(environment, statement, workspace, lower)
        case WorkspaceKind.DENSE:
            if not environment.context.counting:
                lower_producer(environment, statement.producer, workspace, lower)
            lower(environment, statement.consumer)
        case _:
            raise TypeError(f"unexpected workspace {workspace!r}")


def lower_producer(
    environment: LoopEnvironment, statement: Statement, workspace: Workspace, lower: LowerStatement
) -> None:
    """What computes a scalar or an array, which starts with a value where the stores leave elements out."""
    name, producer, origin = workspace.name, environment.producer_child(), Origin(Role.INIT, None, workspace.name)
    start = first_value(assignments(statement)[-1][1], workspace)
    if not workspace.variables:
        environment.emit(Declare(name, workspace.dtype, start, origin, mutable=True))
        producer.redirect(name, ScalarDestination(Var(name, workspace.dtype)))
        lower(producer, statement)
        _show_scalar(producer, workspace)
        _require(producer, workspace)
    else:
        values, size = environment.kernel.workspaces[name].values, size_of(environment, workspace)
        if not _is_exported(environment, name):
            allocate(environment, values, size, False)
        lower(producer, statement)
        if name in environment.kernel.partly_written:
            environment.emit(Fill(values, size, start, origin))
    environment.builder.extend(producer.builder.items)


def memory_of_kept(environment: LoopEnvironment) -> list[Stmt]:
    """What is in front of all loops for tensors that statements inside of shared loops compute and keep: their memory,
    unless the caller gives it, and first values where stores leave elements out."""
    kernel, setup = environment.kernel, list[Stmt]()
    written = {assign.target.tensor: assign for _, assign in assignments(kernel.graph.statement)}
    for name in sorted(kernel.kept):
        workspace, values = kernel.graph.workspaces[name], kernel.workspaces[name].values
        origin, size = Origin(Role.INIT, None, name), size_of(environment, workspace)
        if not _is_exported(environment, name):
            setup.append(Allocate(values, size, origin, False))
        if name in kernel.partly_written:
            setup.append(Fill(values, size, first_value(written[name], workspace), origin))
    return setup


def _is_exported(environment: LoopEnvironment, name: str) -> bool:
    program = environment.kernel.graph.signature.program
    return program is not None and name in program.exported


def _show_scalar(environment: LoopEnvironment, workspace: Workspace) -> None:
    """A scalar that the caller gets as well goes to its memory."""
    if _is_exported(environment, workspace.name):
        array = environment.kernel.workspaces[workspace.name].values
        origin = Origin(Role.COMPUTE, None, workspace.name)
        environment.emit(Store(array, build.index(0), Var(workspace.name, workspace.dtype), origin))


def _require(environment: LoopEnvironment, workspace: Workspace) -> None:
    """A scalar that counts what must not be ends the kernel where it is not 0."""
    program = environment.kernel.graph.signature.program
    text = None if program is None else program.checks.get(workspace.name)
    if text is None:
        return
    requirements = environment.kernel.checked
    code = CHECKS + len(requirements)
    compare = build.compare("==", Var(workspace.name, workspace.dtype), Const(0, workspace.dtype))
    requirements.append(Require(compare, code, text, Origin(Role.BOUNDS, None, workspace.name)))
    environment.emit(requirements[-1])
