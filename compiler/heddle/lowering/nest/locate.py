"""Locating: positions of tensors whose coordinates are known are computed or searched (docs/sources.toml T6)."""

from __future__ import annotations

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import find_assignments, level_variables, operand_accesses
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.notation.nodes import Access


def accesses_below(environment: LoopEnvironment, statement: Statement) -> list[Access]:
    """Operand accesses and the result access that a statement uses; what is summed in registers gets its
    position where the sums are stored."""
    operands = operand_accesses(environment.kernel.graph, statement)
    targets = [assign.target for assign in find_assignments(environment.kernel.graph, statement)]
    destination = environment.destination(environment.kernel.result)
    apart = destination is not None and bool(destination.columns)
    stored = [target for target in targets if target.tensor == environment.kernel.result and not apart]
    return list(dict.fromkeys([*operands, *stored]))


def locate(environment: LoopEnvironment, statement: Statement) -> Access | None:
    """Compute every position that follows from known coordinates. Returns an access whose next level has a known
    coordinate but must be searched, if any."""
    pending: Access | None = None
    for access in accesses_below(environment, statement):
        if not locate_access(environment, access):
            pending = pending or access
    return pending


def locate_access(environment: LoopEnvironment, access: Access) -> bool:
    """Compute the positions of one access as far as its coordinates are known; False when it then needs a search."""
    if access.tensor == environment.kernel.result:
        _locate_result(environment, access)
        return True
    for level, variable in enumerate(level_variables(environment.kernel.graph, access), start=1):
        if (access, level) in environment.positions:
            continue
        if not environment.is_determined(variable):
            break
        storage = environment.storage(access, level)
        kind = kind_of(storage)
        if not kind.can_locate:
            return False
        position = kind.locate(storage, environment.position(access, level - 1), environment.known[variable])
        environment.set_position(access, level, environment.named_position(access, level, position))
    return True


def _locate_result(environment: LoopEnvironment, target: Access) -> None:
    """Positions in the result: its own, or those of the operand whose pattern it shares. Appended ones come later."""
    place = environment.kernel.places.get(target)
    if place is not None:
        there = environment.positions.get((place.owner, place.level))
        if there is not None and (target, len(target.indices)) not in environment.positions:
            environment.set_position(target, len(target.indices), build.add(place.first, there.position))
        return
    for level, variable in enumerate(level_variables(environment.kernel.graph, target), start=1):
        if (target, level) in environment.positions:
            continue
        storage, owner = environment.storage(target, level), environment.kernel.output.owner(level)
        if owner is not None:
            shared = environment.positions.get((owner, level))
            position = shared.position if shared is not None else None
        elif kind_of(storage).can_locate and environment.is_determined(variable):
            located = kind_of(storage).locate(
                storage, environment.position(target, level - 1), environment.known[variable]
            )
            position = environment.named_position(target, level, located)
        else:
            position = None
        if position is None:
            return
        environment.set_position(target, level, position)


def next_level(environment: LoopEnvironment, access: Access) -> int:
    """The first level whose position is not known."""
    level = 1
    while (access, level) in environment.positions:
        level += 1
    return level


def search_coordinate(environment: LoopEnvironment, access: Access) -> Expr:
    """Search the next level of ``access`` for its known coordinate; returns the condition that it is stored."""
    level = next_level(environment, access)
    storage = environment.storage(access, level)
    parents, kind = environment.position_range(access, level - 1), kind_of(storage)
    coordinate, name_hint = (
        environment.known[environment.level_variable(access, level)],
        environment.position_wish(access, level),
    )
    position, stored = kind.find(
        storage, parents, coordinate, name_hint, environment.path(access, level - 1), environment
    )
    end: Expr | None = None
    if storage.repeats:
        rest = Range(position, kind.children(storage, parents).upper)
        following = build.add(coordinate, build.index(1))
        end = kind.lower_bound(storage, parents.lower, rest, following, f"{name_hint}_end", environment)
    environment.set_position(access, level, position, end)
    return stored
