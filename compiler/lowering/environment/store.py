"""Writing into the result."""

from __future__ import annotations

from dataclasses import replace

from compiler.iteration_graph.analysis.races import races_with, uses_atomics
from compiler.iteration_graph.graph.nodes import Assign as Assignment
from compiler.iteration_graph.graph.nodes import Statement, WorkspaceKind
from compiler.iteration_graph.graph.provenance import assignments
from compiler.loop_ir.dtypes import reduction_identity
from compiler.loop_ir.nodes import Array, Const, Declare, Expr, Store, Var
from compiler.lowering.environment.compute import typed_constant
from compiler.lowering.environment.elements import position_in
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


def assignments_to_memory(scope: LoopEnvironment, statement: Statement) -> list[Assignment]:
    """The assignments below ``statement`` to arrays that lie outside of it: the result, and workspaces in reach."""
    kernel = scope.kernel

    def lies_outside(name: str) -> bool:
        if name == kernel.result:
            return True
        dense = name in kernel.workspaces and kernel.graph.workspaces[name].kind is WorkspaceKind.DENSE
        return dense and name in scope.workspace_parallel

    return [assign for _, assign in assignments(statement) if lies_outside(assign.target.tensor)]


def leave_out(scope: LoopEnvironment, statement: Statement) -> None:
    """Nothing is computed here of what ``statement`` assigns: it must hold its first value already."""
    scope.covers = False
    scope.kernel.partly_written.update(assign.target.tensor for assign in assignments_to_memory(scope, statement))


def racing_loops(scope: LoopEnvironment, target: Access) -> list[str]:
    """The parallel loops around this place whose iterations may write the same location of ``target``."""
    first = scope.workspace_parallel.get(target.tensor, 0)
    return [variable for variable, _ in scope.nest.parallel[first:] if races_with(scope.kernel.graph, variable, target)]


def is_shared(scope: LoopEnvironment, target: Access) -> bool:
    """Whether other workers may update the same location, so that an update must be atomic."""
    racing = racing_loops(scope, target)
    return bool(racing) and uses_atomics(scope.kernel.graph, racing)


def written_dtype(scope: LoopEnvironment, tensor: str) -> str:
    """The dtype of the result, or of a workspace."""
    workspace = scope.kernel.graph.workspaces.get(tensor)
    return workspace.dtype if workspace is not None else scope.kernel.graph.signature.tensors[tensor].dtype


def declare_sum(scope: LoopEnvironment, target: Access, variable: str, operator: str) -> Var:
    """A scalar that the iterations of the loop over ``variable`` combine into in place of ``target``."""
    dtype = written_dtype(scope, target.tensor)
    total = Var(scope.kernel.names.fresh(f"{target.tensor}_sum"), dtype)
    origin = Origin(Role.REDUCTION, variable, target.tensor)
    scope.emit(Declare(total.name, dtype, neutral(operator, dtype), origin, mutable=True))
    return total


def neutral(operator: str, dtype: str) -> Const:
    """What the reduction of an assignment ``operator`` starts with."""
    return typed_constant(reduction_identity(ASSIGNMENTS[operator], dtype), dtype)


def store(scope: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None = None) -> None:
    """Write ``value`` to where assignments to ``target`` go at this place. ``atomic`` says what is known better here
    than from the loops around; without it, this is the last store of its lane.

    Raises:
        Refusal: ``schedule/gpu-reduction`` where a lane would have several last stores.
    """
    destination = scope.destination(target.tensor)
    if destination is not None:
        destination.store(scope, target, value, operator, atomic)
    else:
        store_in_memory(scope, target, value, operator, atomic)


def store_in_memory(scope: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None) -> None:
    """Write ``value`` to the result or to a workspace; the first and only write to a location needs no reduction and no
    zero before it."""
    kernel = scope.kernel
    if atomic is None:
        atomic = operator != "=" and is_shared(scope, target)  # what is assigned comes once to each place
    reduce = ASSIGNMENTS[operator] if operator != "=" and not scope.covers else None
    command = kernel.graph.parallel[racing_loops(scope, target)[-1]].command if atomic else None
    note_partial_store(scope, target)
    if target.tensor in kernel.workspaces:
        role, position, path = Role.REDUCTION if reduce else Role.COMPUTE, position_in(scope, target), target.indices
    else:
        role = Role.REDUCTION if atomic else Role.COMPUTE
        position = scope.position(target, len(target.indices))
        path = scope.path(target, len(target.indices))
    origin = Origin(role, None, target.tensor, command=command)
    scope.emit(Store(array_of(scope, target), position, value, origin, reduce, atomic, path))


def note_partial_store(scope: LoopEnvironment, target: Access) -> None:
    """What is stored here may leave elements of the tensor without a value: it must hold its first values before."""
    if not scope.covers:
        scope.kernel.partly_written.add(target.tensor)


def array_of(scope: LoopEnvironment, target: Access) -> Array:
    """The values of the result, or of a workspace."""
    kernel = scope.kernel
    workspace = kernel.workspaces.get(target.tensor)
    return workspace.values if workspace is not None else kernel.values[target.tensor]


def declare_value(scope: LoopEnvironment, target: Access, value: Expr) -> tuple[Var, Origin]:
    """``value`` as a scalar of its own, for stores in two branches, and where it comes from."""
    origin = Origin(Role.COMPUTE, None, target.tensor)
    with scope.kernel.names.scope():
        scalar = Var(scope.kernel.names.fresh(f"{target.tensor}_value"), written_dtype(scope, target.tensor))
        scope.emit(Declare(scalar.name, scalar.dtype, value, origin))
    return scalar, origin


def added(store: Store, operator: str) -> Store:
    """``store``, combined with what is there by the reduction of an assignment ``operator``; ``=`` replaces it."""
    if operator == "=":
        return store
    return replace(store, origin=replace(store.origin, role=Role.REDUCTION), reduce=ASSIGNMENTS[operator])
