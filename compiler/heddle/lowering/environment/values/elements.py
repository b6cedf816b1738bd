"""The elements of workspace arrays."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import WorkspaceKind
from heddle.iteration_graph.graph.provenance import relation_above
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr, Load
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.notation.nodes import Access


def element(environment: LoopEnvironment, access: Access) -> Expr:
    """The value of a workspace at an access: in an array by its coordinates, in a map by the slot that is visited."""
    arrays = environment.kernel.workspaces[access.tensor]
    if environment.kernel.graph.workspaces[access.tensor].kind is WorkspaceKind.MAPPED:
        return Load(arrays.map.vals, environment.position(access, len(access.indices)), access.indices)
    return Load(arrays.values, position_in(environment, access), access.indices)


def position_in(environment: LoopEnvironment, access: Access) -> Expr:
    """Where the element of a workspace array stands, from the values of its indices; in a map, its key."""
    position: Expr = build.index(0)
    program = environment.kernel.graph.signature.program
    workspace = environment.kernel.graph.workspaces.get(access.tensor)
    indices = access.indices
    if workspace is not None and workspace.dimensions is not None:
        indices = tuple(access.indices[dimension] for dimension in workspace.dimensions)
    if (
        program is not None
        and workspace is not None
        and access.tensor in environment.kernel.graph.signature.temporaries
    ):
        for variable, whole in zip(indices, workspace.variables, strict=True):
            if whole not in environment.kernel.dimensions:  # a part of a loop that was cut
                position = build.mul(position, extent(environment, variable))
                first = environment.domain(variable).lower
                position = build.add(position, build.sub(environment.value(variable), first))
                continue
            position = build.mul(position, environment.kernel.dimensions[whole])
            position = build.add(position, environment.coordinate(variable))
        return position
    for variable in indices:
        position = build.mul(position, extent(environment, variable))
        position = build.add(position, build.sub(environment.value(variable), environment.domain(variable).lower))
    return position


def knows(environment: LoopEnvironment, variable: str) -> bool:
    """Whether a value of ``variable`` can be had here: a part of a cut variable follows from the whole and the other
    part."""
    relation = relation_above(environment.kernel.graph, variable)
    if variable in environment.known or relation is None or not relation.derives(variable):
        return variable in environment.known
    beside = (child for child in relation.children if child != variable)
    return all(child in environment.known for child in beside) and all(
        knows(environment, parent) for parent in relation.parents
    )


def extent(environment: LoopEnvironment, variable: str) -> Expr:
    """How many values a variable can have here."""
    domain = environment.domain(variable)
    return build.sub(domain.upper, domain.lower)
