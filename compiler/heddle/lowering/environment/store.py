"""Writing into the result."""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.analysis.shared_writes import races_with, uses_atomics
from heddle.iteration_graph.graph.nodes import Assign as Assignment
from heddle.iteration_graph.graph.nodes import Statement, WorkspaceKind
from heddle.iteration_graph.graph.provenance import find_assignments
from heddle.loop_ir.dtypes import reduction_identity
from heddle.loop_ir.nodes import Array, Const, Declare, Expr, Store, Var
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.values.compute import typed_constant
from heddle.lowering.environment.values.elements import position_in
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


def assignments_to_memory(environment: LoopEnvironment, statement: Statement) -> list[Assignment]:
    """The assignments below ``statement`` to arrays that lie outside of it: the result, and workspaces in reach."""
    kernel = environment.kernel

    def lies_outside(name: str) -> bool:
        if name == kernel.result:
            return True
        dense = name in kernel.workspaces and kernel.graph.workspaces[name].kind is WorkspaceKind.DENSE
        return dense and (name in environment.workspace_parallel or name in kernel.kept)

    return [assign for assign in find_assignments(kernel.graph, statement) if lies_outside(assign.target.tensor)]


def leave_out(environment: LoopEnvironment, statement: Statement) -> None:
    """Nothing is computed here of what ``statement`` assigns: it must hold its first value already."""
    environment.restrict_writes(False)
    environment.kernel.partly_written.update(
        assign.target.tensor for assign in assignments_to_memory(environment, statement)
    )


def note_absent(environment: LoopEnvironment, statement: Statement, rest: Statement) -> None:
    """Only ``rest`` is computed here of ``statement``: other tensors of it must hold their first values already."""
    present = {assign.target.tensor for assign in find_assignments(environment.kernel.graph, rest)}
    written = {assign.target.tensor for assign in assignments_to_memory(environment, statement)}
    environment.kernel.partly_written.update(written - present)


def racing_loops(environment: LoopEnvironment, target: Access) -> list[str]:
    """The parallel loops around this place whose iterations may write the same location of ``target``."""
    first = environment.workspace_parallel.get(target.tensor, 0)
    return [
        variable
        for variable, _ in environment.context.nest.parallel[first:]
        if races_with(environment.kernel.graph, variable, target)
    ]


def is_shared(environment: LoopEnvironment, target: Access) -> bool:
    """Whether other workers may update the same location, so that an update must be atomic."""
    racing = racing_loops(environment, target)
    return bool(racing) and uses_atomics(environment.kernel.graph, racing)


def written_dtype(environment: LoopEnvironment, tensor: str) -> str:
    """The dtype of the result, or of a workspace."""
    workspace = environment.kernel.graph.workspaces.get(tensor)
    return workspace.dtype if workspace is not None else environment.kernel.graph.signature.tensors[tensor].dtype


def declare_sum(environment: LoopEnvironment, target: Access, variable: str, operator: str) -> Var:
    """A scalar that the iterations of the loop over ``variable`` combine into in place of ``target``."""
    dtype = written_dtype(environment, target.tensor)
    total = Var(environment.kernel.names.fresh(f"{target.tensor}_sum"), dtype)
    origin = Origin(Role.REDUCTION, variable, target.tensor)
    environment.emit(Declare(total.name, dtype, neutral(operator, dtype), origin, mutable=True))
    return total


def neutral(operator: str, dtype: str) -> Const:
    """What the reduction of an assignment ``operator`` starts with."""
    return typed_constant(reduction_identity(ASSIGNMENTS[operator], dtype), dtype)


def store(environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None = None) -> None:
    """Write ``value`` to where assignments to ``target`` go at this place. ``atomic`` says what is known better here
    than from the loops around; without it, this is the last store of its lane.

    Raises
    ------
    Refusal
        ``schedule/gpu-reduction`` where a lane would have several last stores.
    """
    destination = environment.destination(target.tensor)
    if destination is not None:
        destination.store(environment, target, value, operator, atomic)
    else:
        store_in_memory(environment, target, value, operator, atomic)


def store_in_memory(
    environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
) -> None:
    """Write ``value`` to the result or to a workspace; the first and only write to a location needs no reduction and no
    zero before it."""
    kernel = environment.kernel
    if atomic is None:
        atomic = operator != "=" and is_shared(environment, target)  # what is assigned comes once to each place
    reduce = ASSIGNMENTS[operator] if operator != "=" and not environment.context.writes_every_element_once else None
    command = kernel.graph.parallel[racing_loops(environment, target)[-1]].command if atomic else None
    note_partial_store(environment, target)
    if target.tensor in kernel.workspaces:
        role, position, path = (
            Role.REDUCTION if reduce else Role.COMPUTE,
            position_in(environment, target),
            target.indices,
        )
    else:
        role = Role.REDUCTION if atomic else Role.COMPUTE
        position = environment.position(target, len(target.indices))
        path = environment.path(target, len(target.indices))
    origin = Origin(role, None, target.tensor, command=command)
    environment.emit(Store(array_of(environment, target), position, value, origin, reduce, atomic, path))


def note_partial_store(environment: LoopEnvironment, target: Access) -> None:
    """What is stored here may leave elements of the tensor without a value: it must hold its first values before."""
    if not environment.context.writes_every_element_once:
        environment.kernel.partly_written.add(target.tensor)


def array_of(environment: LoopEnvironment, target: Access) -> Array:
    """The values of the result, or of a workspace."""
    kernel = environment.kernel
    workspace = kernel.workspaces.get(target.tensor)
    return workspace.values if workspace is not None else kernel.values[target.tensor]


def declare_value(environment: LoopEnvironment, target: Access, value: Expr) -> tuple[Var, Origin]:
    """``value`` as a scalar of its own, for stores in two branches, and where it comes from."""
    origin = Origin(Role.COMPUTE, None, target.tensor)
    with environment.kernel.names.scope():
        scalar = Var(
            environment.kernel.names.fresh(f"{target.tensor}_value"), written_dtype(environment, target.tensor)
        )
        environment.emit(Declare(scalar.name, scalar.dtype, value, origin))
    return scalar, origin


def add(store: Store, operator: str) -> Store:
    """``store``, combined with what is there by the reduction of an assignment ``operator``; ``=`` replaces it."""
    if operator == "=":
        return store
    return replace(store, origin=replace(store.origin, role=Role.REDUCTION), reduce=ASSIGNMENTS[operator])
