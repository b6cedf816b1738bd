"""One search for each block of a GPU and each level above its entries, in front of the launch: the threads of the block
then search between the first row of their block and that of the next one, not among all rows
(docs/sources.toml T50)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import ParentSearch, Range
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import relation_below, walked_positions
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Block,
    Declare,
    For,
    If,
    LoopKind,
    Search,
    SearchKind,
    Stmt,
    Store,
    Var,
)
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.origin import Origin, Role

THREADS = 128
"""Of a block that searches; each thread finds the first rows of one block."""


def search_per_block(environment: LoopEnvironment, inner: LoopEnvironment, variable: str, domain: Range) -> None:
    """``inner`` is the body of the loop over blocks ``variable``. Where the blocks cut positions of a level into
    pieces, emits the launch that searches into ``environment``, and narrows the searches of ``inner``."""
    for positions in walked_positions(environment.kernel.graph):
        if len(positions.components) < 2:
            continue
        below = relation_below(environment.kernel.graph, positions.position)
        in_pieces = (
            below is not None
            and not below.of_statements
            and variable in below.children
            and below.is_window({variable}) is not None
        )
        levels = (
            _search_levels(environment, positions, environment.kernel.graph.parallel[variable].command)
            if in_pieces
            else []
        )
        if levels:
            _search(environment, positions, levels, variable, domain)
            _narrow(inner, positions, levels, variable, domain)


@dataclass(frozen=True, slots=True)
class _Level:
    """A level ``number`` whose positions, ``among`` all of them, are found by a search in ``array``. ``starts`` holds
    the first one of each block and, behind them, where another block would start."""

    number: int
    array: Array
    among: Range
    starts: Array
    origin: Origin


def _search_levels(environment: LoopEnvironment, positions: Positions, command: int) -> list[_Level]:
    """The levels above the last one of ``positions``, the innermost first, as far as searches and equal positions lead
    upwards."""
    levels: list[_Level] = []
    ranges, names = positions.ranges(environment), environment.kernel.names
    for number in range(positions.last_level - 1, positions.first_level - 1, -1):
        storage, place = environment.storage(positions.access, number + 1), number - positions.first_level
        parent = kind_of(storage).parent(storage, Var(positions.position))
        if isinstance(parent, ParentSearch):
            starts = names.fresh(f"{environment.position_wish(positions.access, number)}_starts")
            origin = Origin(Role.SEARCH, positions.components[place], positions.access.tensor, number, command)
            array = Array(starts, INDEX, ArrayRole.WORKSPACE)
            levels.append(_Level(number, parent.array, ranges[place], array, origin))
        elif parent != Var(positions.position):
            break
    return levels


def _search(
    environment: LoopEnvironment, positions: Positions, levels: list[_Level], variable: str, domain: Range
) -> None:
    """The launch that searches; each level in the one below."""
    names, origin = environment.kernel.names, levels[0].origin
    blocks = build.maximum(build.sub(domain.upper, domain.lower), build.index(0))
    count = build.add(blocks, build.index(1))
    for level in levels:
        environment.emit(Allocate(level.starts, count, level.origin))
    with names.scope():
        part, lane, number = (Var(names.fresh(name_hint)) for name_hint in ("part", "lane", f"{variable}_number"))
        place = environment.child()
        place.known[variable] = build.add(domain.lower, number)
        first = place.window(positions.position, "").lower
        statements: list[Stmt] = []
        for level in levels:
            row = Var(names.fresh("row"))
            among = level.among
            statements.append(
                Search(row.name, SearchKind.BEFORE, level.array, among.lower, among.upper, first, level.origin)
            )
            statements.append(Store(level.starts, number, row, level.origin))
            first = row
        value = build.add(build.mul(part, build.index(THREADS)), lane)
        guarded = If(build.compare("<", number, count), Block(tuple(statements)), origin)
        block = Block((Declare(number.name, INDEX, value, origin), guarded))
        lanes = For(lane.name, build.index(0), build.index(THREADS), block, origin, LoopKind.GPU_THREAD)
        parts = build.ceil_divide(count, build.index(THREADS))
        environment.emit(For(part.name, build.index(0), parts, lanes, origin, LoopKind.GPU_BLOCK))


def _narrow(inner: LoopEnvironment, positions: Positions, levels: list[_Level], variable: str, domain: Range) -> None:
    names, ranges = inner.kernel.names, list(positions.ranges(inner))
    offset = build.sub(Var(variable), domain.lower)
    following = build.add(offset, build.index(1))
    for level in levels:
        name_hint = inner.position_wish(positions.access, level.number)
        lower = inner.declare(names.fresh(f"{name_hint}_first"), build.load(level.starts, offset), level.origin)
        last = inner.declare(names.fresh(f"{name_hint}_last"), build.load(level.starts, following), level.origin)
        upper = build.minimum(build.add(last, build.index(1)), level.among.upper)  # which may be 0: no rows at all
        ranges[level.number - positions.first_level] = Range(lower, upper)
    inner.position_ranges[positions.position] = ranges
