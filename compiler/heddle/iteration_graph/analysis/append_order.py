"""May the coordinates of a sparse result be appended in the order of these loops?"""

from __future__ import annotations

from heddle.advice import StartInOrderOfResult, UseOther
from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of, result_target
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.analysis.shared_rows import shared_units
from heddle.iteration_graph.analysis.shared_writes import repeats
from heddle.iteration_graph.graph.nodes import (
    Assign,
    Forall,
    IterationGraph,
    Series,
    Statement,
    Where,
    WorkspaceKind,
)
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    assignments,
    coordinates,
    leaves,
    level_roots,
    level_variables,
    loop_variables,
    out_of_order,
    position_relation,
    reads,
    relation_above,
    relation_below,
    roots,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.storage_order import arrow
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import accesses


def check_append(graph: IterationGraph) -> None:
    """Raises Refusal ``schedule/append-…`` when coordinates would come out of order, twice, or from two workers."""
    plan = assembly_of(graph)
    _check_producers(graph)
    if not isinstance(plan, Appended) or plan.target.tensor in graph.scattered:
        return
    path = next(path for path, assign in all_assignments(graph) if assign.target == plan.target)
    names = level_variables(graph, plan.target)
    first, last = plan.groups[0].first, plan.groups[-1].last
    rows, appended = names[: first - 1], names[first - 1 : last]
    if len(set(names)) < len(names):
        raise _order(graph, path, "two of its dimensions have the same coordinate")
    _check_fused(graph, path, names, plan)
    wanted = list(dict.fromkeys(leaf for name in appended for leaf in leaves(graph, name)))
    visited = [loop for loop in path if loop in wanted]
    if visited != wanted:
        raise _order(graph, path, f"its coordinates come in the order {' → '.join(visited)}")
    for name in (*rows, *appended):
        if (loop := out_of_order(graph, name)) is not None:
            raise _order(graph, path, f"{loop} visits {name} in another order")
    for loop in path[: path.index(wanted[-1]) + 1]:
        if repeats(graph, loop):
            raise _order(graph, path, f"positions of {loop} have the same coordinate several times")
    for loop in path[: path.index(wanted[-1])]:
        outside = [root for root in _find_chosen(graph, loop, names) if root not in names[:last]]
        if outside:
            raise _order(graph, path, f"every iteration of {loop} would append to the same {_row(graph, rows)} again")
    late = [leaf for name in rows for leaf in leaves(graph, name) if path.index(leaf) > path.index(wanted[0])]
    if late:
        raise _order(graph, path, f"{late[0]} chooses the row only inside {wanted[0]}")
    _check_workers(graph, path, set(rows), wanted, first)


def _check_fused(graph: IterationGraph, path: tuple[str, ...], names: list[str], plan: Appended) -> None:
    """A fused loop knows all its coordinates at once: they are appended together, or none of them is."""
    together = {name: group for group in plan.groups for name in names[group.first - 1 : group.last]}
    last = names[: plan.groups[-1].last]
    for relation in graph.relations:
        if len(relation.parents) == 1:
            continue
        (fused,) = relation.children
        chosen_roots = _find_chosen(graph, fused, names)
        if not set(chosen_roots) & set(together):
            continue
        places = [names.index(root) for root in chosen_roots if root in last]
        if (
            len({together.get(root) for root in chosen_roots}) > 1
            or len(places) < len(chosen_roots)
            or places != sorted(places)
        ):
            raise _order(graph, path, f"{fused} fuses {' and '.join(chosen_roots)}")


def _find_chosen(graph: IterationGraph, loop: str, names: list[str]) -> list[str]:
    """What of the result a loop chooses: the blocks of another tensor choose the coordinates that they cut."""
    parts = level_roots(graph, loop)
    return [root for part in parts for root in ((part,) if part in names else roots(graph, part))]


def _check_workers(graph: IterationGraph, path: tuple[str, ...], rows: set[str], wanted: list[str], first: int) -> None:
    result = graph.signature.result.name
    for number, loop in enumerate(path):
        tag = graph.parallel.get(loop)
        if tag is None:
            continue
        over_rows = set(_find_chosen(graph, loop, sorted(rows))) <= rows
        outermost = number == 0 and first == 1 and loop == wanted[0]
        if tag.unit is not LoopKind.CPU_VECTOR and (over_rows or outermost):
            if not over_rows:
                _check_visits(graph, loop)
            continue
        threads = LoopKind.CPU_THREAD.value
        better = f"Parallelize {path[0]} on {threads}" if path[0] != loop else f"Use {threads}"
        raise Refusal(
            "schedule/append-parallel",
            f"the iterations of {loop} append to the same part of {result} one after the other, so they cannot run "
            f"on {tag.unit.value} at the same time. {better}: its iterations own rows of {result} alone.",
            argument="variable",
            expected=f"a loop whose iterations own rows of {result}",
            actual=loop,
            advice=(UseOther("unit", threads),) if path[0] == loop else (),
        )


def _check_visits(graph: IterationGraph, loop: str) -> None:
    """How many coordinates a workspace lists is known only after its producer: too late to give workers their part."""
    walked = iterators(lattice_at(graph, loop)) if loop in graph.underived else []
    for access in walked:
        if access.tensor in graph.workspaces:
            raise visits_workspace(loop, access.tensor)


def visits_workspace(loop: str, workspace: str) -> Refusal:
    """Why a loop over what a workspace collects cannot run in parallel."""
    return Refusal(
        "schedule/workspace-visits",
        f"{loop} visits the coordinates that {workspace} collects, one after the other. "
        f"Parallelize a loop around the workspace.",
        argument="variable",
        expected=f"a loop around {workspace}",
        actual=loop,
    )


def _check_producers(graph: IterationGraph) -> None:
    """The list of a workspace belongs to one worker; the coordinates of a map are visited one by one."""
    for producer in _producers(graph.statement):
        name = assignments(producer)[-1][1].target.tensor
        workspace = graph.workspaces.get(name)
        if workspace is None or workspace.kind is WorkspaceKind.DENSE:
            continue
        visited = [index for access in reads(graph.statement, name) for index in access.indices]
        derived = [variable for variable in visited if relation_below(graph, variable) is not None]
        if workspace.kind is WorkspaceKind.MAPPED and derived:
            raise Refusal(
                "schedule/workspace-tiles",
                f"{derived[0]} visits the coordinates of {name}, a map of several coordinates, one after the other; "
                f"they cannot be cut into tiles or fused. Schedule the loops of the producer instead.",
                argument="variable",
                expected=f"the loops over {', '.join(dict.fromkeys(visited))} as they are",
                actual=derived[0],
            )
        if workspace.kind is WorkspaceKind.MAPPED:
            _check_visiting_order(graph, name)
        for variable in visited:
            _check_positions(graph, name, variable)
            _check_blocks(graph, name, variable)
        shared = shared_units(graph, producer)  # in a hash table: check_assembly
        for loop in loop_variables(producer):
            if loop in graph.parallel and loop not in shared:
                raise Refusal(
                    "schedule/workspace-parallel",
                    f"the iterations of {loop} list the coordinates that they write in {name}, which only one worker "
                    "can do. Parallelize a loop around the workspace.",
                    argument="variable",
                    expected=f"a loop around {name}",
                    actual=loop,
                )


def _check_positions(graph: IterationGraph, name: str, variable: str) -> None:
    """What a workspace does not list must not be read: positions of another tensor do not tell."""
    relation = position_relation(graph, variable)
    if relation is not None:
        raise Refusal(
            "schedule/workspace-positions",
            f"{relation.position} visits the positions of {relation.access.tensor}, but {name} lists coordinates of "
            f"its own: both must be merged. Leave out pos, or precompute the whole of what is appended.",
            argument="variable",
            expected=f"a loop over the coordinates {variable}",
            actual=relation.position,
        )


def _check_blocks(graph: IterationGraph, name: str, variable: str) -> None:
    """A loop inside blocks goes along one list of coordinates: those of the workspace, or those of a tensor that is not
    stored in these blocks."""
    above = relation_above(graph, variable)
    block = None if above is None else above.block
    if block is None or block.whole not in coordinates(graph):
        return
    walked = [access for access in iterators(lattice_at(graph, block.whole)) if access.tensor != name]
    if walked:
        raise Refusal(
            "schedule/workspace-blocks",
            f"{name} lists coordinates {variable} inside blocks, but {walked[0].tensor} is stored by {block.whole}: "
            f"one loop cannot follow both. Precompute the whole of what is appended, or store {walked[0].tensor} in "
            f"the same blocks.",
            argument="variable",
            expected=f"tensors in {block.text} along {block.whole}",
            actual=walked[0].tensor,
        )


def _check_visiting_order(graph: IterationGraph, name: str) -> None:
    """The keys of a map are sorted: its coordinates come in one order only."""
    for path, assign in all_assignments(graph):
        for access in accesses(assign.expression):
            loops = [loop for loop in path if loop in access.indices]
            if access.tensor == name and loops != list(access.indices):
                wanted = " → ".join(access.indices)
                raise Refusal(
                    "schedule/workspace-order",
                    f"{name} is a map whose coordinates are visited in the order {wanted}, but the loops come in the "
                    f"order {' → '.join(loops)}. Reorder them before {name} is made.",
                    expected=f"the loops {wanted}",
                    actual=" → ".join(path),
                )


def _producers(statement: Statement) -> list[Statement]:
    match statement:
        case Forall(body=body):
            return _producers(body)
        case Where(consumer=consumer, producer=producer):
            return [producer, *_producers(producer), *_producers(consumer)]
        case Series(statements=statements):
            return [producer for statement in statements for producer in _producers(statement)]
        case Assign():
            return []
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _row(graph: IterationGraph, rows: list[str]) -> str:
    result = graph.signature.result.name
    return f"{result}({', '.join(rows)}, …)" if rows else result


def _order(graph: IterationGraph, path: tuple[str, ...], reason: str) -> Refusal:
    target = result_target(graph)
    stored = arrow(graph.signature, target)
    return Refusal(
        "schedule/append-order",
        f"{target.tensor} is assembled in the order {stored}, each coordinate once, but {reason}. "
        f"Collect the values in a workspace first, or store {target.tensor} dense.",
        expected=f"the loops of {stored} outermost and in this order",
        actual=" → ".join(path),
        advice=(StartInOrderOfResult(),),
    )
