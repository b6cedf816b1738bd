"""One search for each block of a GPU, in front of the launch (FEATURES T50): the threads of the block then search their
rows between the first row of their block and that of the next one, not among all rows."""

from __future__ import annotations

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import ParentSearch, Range
from compiler.iteration_graph.provenance import relation_below
from compiler.iteration_graph.relations.position import PositionRelation
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
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
    Store,
    Var,
)
from compiler.lowering.scope import Scope
from compiler.origin import Origin, Role

THREADS = 128
"""Of a block that searches; each thread finds the first row of one block."""


def search_per_block(scope: Scope, inner: Scope, variable: str, domain: Range) -> None:
    """``inner`` is the body of the loop over blocks ``variable``. Where the blocks cut positions of a level into
    pieces, emits the launch that searches into ``scope``, and narrows the searches of ``inner``."""
    for relation in scope.kernel.graph.relations:
        if not isinstance(relation, PositionRelation) or len(relation.components) < 2:
            continue
        below = relation_below(scope.kernel.graph, relation.position)
        in_pieces = below is not None and variable in below.children and below.is_window({variable}) is not None
        parent = kind_of(scope.storage(relation.access, relation.last_level)).parent(
            scope.storage(relation.access, relation.last_level), build.index(0)
        )
        if in_pieces and isinstance(parent, ParentSearch):
            _narrow(scope, inner, relation, parent.array, variable, domain)


def _narrow(scope: Scope, inner: Scope, relation: PositionRelation, array: Array, variable: str, domain: Range) -> None:
    kernel, level = scope.kernel, relation.last_level - 1
    ranges = list(relation.ranges(scope))
    rows = ranges[level - relation.first_level]
    tag = kernel.graph.parallel[variable]
    origin = Origin(Role.SEARCH, relation.components[-2], relation.access.tensor, level, tag.command)
    starts = Array(kernel.names.fresh(f"{relation.position}_starts"), INDEX, ArrayRole.WORKSPACE)
    blocks = build.maximum(build.sub(domain.upper, domain.lower), build.index(0))
    count = build.add(blocks, build.index(1))
    scope.emit(Allocate(starts, count, origin))
    with kernel.names.scope():
        names = (kernel.names.fresh(wish) for wish in ("part", "lane", f"{variable}_number", "row"))
        part, lane, number, row = (Var(name) for name in names)
        place = scope.inside()
        place.known[variable] = build.add(domain.lower, number)
        first = place.window(relation.position, "").lower
        found = Block(
            (
                Search(row.name, SearchKind.BEFORE, array, rows.lower, rows.upper, first, origin),
                Store(starts, number, row, origin),
            )
        )
        value = build.add(build.mul(part, build.index(THREADS)), lane)
        one = Block((Declare(number.name, INDEX, value, origin), If(build.compare("<", number, count), found, origin)))
        lanes = For(lane.name, build.index(0), build.index(THREADS), one, origin, LoopKind.GPU_THREAD)
        parts = build.ceil_divide(count, build.index(THREADS))
        scope.emit(For(part.name, build.index(0), parts, lanes, origin, LoopKind.GPU_BLOCK))
    own = build.sub(Var(variable), domain.lower)
    wish = scope.position_wish(relation.access, level)
    lower = inner.declare(kernel.names.fresh(f"{wish}_first"), build.load(starts, own), origin)
    last = inner.declare(kernel.names.fresh(f"{wish}_last"), build.load(starts, build.add(own, build.index(1))), origin)
    upper = build.minimum(build.add(last, build.index(1)), rows.upper)  # which may be 0: no rows at all
    ranges[level - relation.first_level] = Range(lower, upper)
    inner.cache[relation.position] = ranges
