"""Locating: positions of tensors whose coordinates are known are computed or searched (docs/sources.md T6)."""

from __future__ import annotations

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import Range
from compiler.iteration_graph.graph.nodes import Statement
from compiler.iteration_graph.graph.provenance import assignments, level_variables, operand_accesses
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.notation.nodes import Access


def accesses_below(scope: LoopEnvironment, statement: Statement) -> list[Access]:
    """Operand accesses and the result access that a statement uses; what is summed in registers gets its
    position where the sums are stored."""
    operands = operand_accesses(scope.kernel.graph, statement)
    targets = [assign.target for _, assign in assignments(statement)]
    destination = scope.destination(scope.kernel.result)
    apart = destination is not None and bool(destination.columns)
    stored = [target for target in targets if target.tensor == scope.kernel.result and not apart]
    return list(dict.fromkeys([*operands, *stored]))


def locate(scope: LoopEnvironment, statement: Statement) -> Access | None:
    """Compute every position that follows from known coordinates. Returns an access whose next level has a known
    coordinate but must be searched, if any."""
    pending: Access | None = None
    for access in accesses_below(scope, statement):
        if not locate_access(scope, access):
            pending = pending or access
    return pending


def locate_access(scope: LoopEnvironment, access: Access) -> bool:
    """Compute the positions of one access as far as its coordinates are known; False when it then needs a search."""
    if access.tensor == scope.kernel.result:
        _locate_result(scope, access)
        return True
    for level, variable in enumerate(level_variables(scope.kernel.graph, access), start=1):
        if (access, level) in scope.positions:
            continue
        if not scope.determined(variable):
            break
        storage = scope.storage(access, level)
        kind = kind_of(storage)
        if not kind.can_locate:
            return False
        position = kind.locate(storage, scope.position(access, level - 1), scope.known[variable])
        scope.set_position(access, level, scope.named_position(access, level, position))
    return True


def _locate_result(scope: LoopEnvironment, target: Access) -> None:
    """Positions in the result: its own, or those of the operand whose pattern it shares. Appended ones come later."""
    for level, variable in enumerate(level_variables(scope.kernel.graph, target), start=1):
        if (target, level) in scope.positions:
            continue
        storage, owner = scope.storage(target, level), scope.kernel.output.owner(level)
        if owner is not None:
            shared = scope.positions.get((owner, level))
            position = shared.position if shared is not None else None
        elif kind_of(storage).can_locate and scope.determined(variable):
            located = kind_of(storage).locate(storage, scope.position(target, level - 1), scope.known[variable])
            position = scope.named_position(target, level, located)
        else:
            position = None
        if position is None:
            return
        scope.set_position(target, level, position)


def next_level(scope: LoopEnvironment, access: Access) -> int:
    """The first level whose position is not known."""
    level = 1
    while (access, level) in scope.positions:
        level += 1
    return level


def search_coordinate(scope: LoopEnvironment, access: Access) -> Expr:
    """Search the next level of ``access`` for its known coordinate; returns the condition that it is stored."""
    level = next_level(scope, access)
    storage = scope.storage(access, level)
    parents, kind = scope.position_range(access, level - 1), kind_of(storage)
    coordinate, wish = scope.known[scope.level_variable(access, level)], scope.position_wish(access, level)
    position, stored = kind.find(storage, parents, coordinate, wish, scope.path(access, level - 1), scope)
    end: Expr | None = None
    if storage.repeats:
        rest = Range(position, kind.children(storage, parents).upper)
        following = build.add(coordinate, build.index(1))
        end = kind.lower_bound(storage, parents.lower, rest, following, f"{wish}_end", scope)
    scope.set_position(access, level, position, end)
    return stored
