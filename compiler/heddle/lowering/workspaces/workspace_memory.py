"""The memory of workspaces: how large it is, and what it starts with."""

from __future__ import annotations

from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.graph.nodes import Assign, Where, Workspace
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Const, Expr
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import neutral
from heddle.lowering.environment.values.compute import typed_constant
from heddle.lowering.environment.values.elements import extent


def start_value(statement: Where, workspace: Workspace) -> Const:
    """What a workspace holds before the producer runs: what is neutral for its reduction, or what its values are where
    all operands are absent."""
    return first_value(assignments(statement.producer)[-1][1], workspace)


def first_value(assign: Assign, workspace: Workspace) -> Const:
    """The same for what ``assign`` computes."""
    if assign.operator == "=":
        return typed_constant(background(assign.target).value, workspace.dtype)
    return neutral(assign.operator, workspace.dtype)


def size_of(environment: LoopEnvironment, workspace: Workspace) -> Expr:
    size: Expr = build.index(1)
    for variable in workspace.variables:
        size = build.mul(size, extent(environment, variable))
    return size
