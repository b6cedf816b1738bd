"""Sparse loops at one variable: a single iterator by position, or a merge of several (FEATURES T45, T46)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.levels.level import LevelStorage, Range
from compiler.iteration_graph.lattice import Lattice, Point, below, iterators, lattice_of, point_texts
from compiler.iteration_graph.merging import GALLOP
from compiler.iteration_graph.nodes import Statement
from compiler.iteration_graph.provenance import level_variables
from compiler.iteration_graph.zero import without
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    Assign,
    Block,
    Case,
    Cast,
    Declare,
    Expr,
    For,
    If,
    Merge,
    Reduction,
    Stmt,
    Var,
    Walk,
    While,
)
from compiler.lowering.block import block
from compiler.lowering.counted import LowerBody, enter, loop_kind, loop_origin
from compiler.lowering.gallop import Runner, gallop
from compiler.lowering.scope import Scope
from compiler.notation.nodes import Access
from compiler.notation.printer import to_text
from compiler.origin import Origin, Role


def merge_lattice(scope: Scope, variable: str, statement: Statement) -> Lattice:
    """The lattice at an underived variable, given which levels have positions already."""

    def classify(access: Access) -> bool:
        if access.tensor in scope.kernel.graph.workspaces or variable not in access.indices:
            return False
        level = level_variables(scope.kernel.graph, access).index(variable) + 1
        iterated = not LEVEL_KINDS[scope.storage(access, level).kind].can_locate
        return iterated and (access, level) not in scope.positions

    return lattice_of(statement, classify)


def iterated_at(scope: Scope, variable: str, statement: Statement) -> bool:
    """Whether sparse levels drive the loop of ``variable``."""
    return bool(iterators(merge_lattice(scope, variable, statement)))


@dataclass(frozen=True, slots=True)
class _Iterator:
    """One operand's walk through a segment: its position variable runs over [begin, end)."""

    access: Access
    level: int
    storage: LevelStorage
    segment: Range
    name: str


def lower_coiteration(
    scope: Scope,
    loop: str,
    variable: str,
    body: Statement,
    lower_body: LowerBody,
    reductions: tuple[Reduction, ...],
) -> None:
    """Emit the loop(s) over the underived ``variable``, driven by sparse levels, inside the window of ``loop``.

    ``scope`` belongs to this loop alone: what it says of coverage holds for the loop."""
    lattice = merge_lattice(scope, variable, body)
    window = None if loop == variable else scope.window(variable, loop)
    scope.covers = scope.covers and Point(frozenset(), True) in lattice
    merge = _Merge(scope, loop, variable, body, lower_body, lattice)
    walks = {access: _iterator(scope, access, variable, window) for access in iterators(lattice)}
    if len(lattice) == 1 and len(lattice[0].iterators) == 1 and not lattice[0].full:
        merge.single(walks[next(iter(lattice[0].iterators))], reductions)
    else:
        merge.several(walks, window or scope.domain(variable))


def _iterator(scope: Scope, access: Access, variable: str, window: Range | None) -> _Iterator:
    level = level_variables(scope.kernel.graph, access).index(variable) + 1
    storage = scope.storage(access, level)
    parent = scope.position(access, level - 1)
    segment = LEVEL_KINDS[storage.kind].children(storage, Range(parent, build.add(parent, build.index(1))))
    wish = scope.position_wish(access, level)
    if window is not None:
        assert storage.crd is not None
        begin = scope.search(f"{wish}_begin", storage.crd, segment, window.lower, level)
        end = scope.search(f"{wish}_end", storage.crd, Range(begin, segment.upper), window.upper, level)
        segment = Range(begin, end)
    return _Iterator(access, level, storage, segment, scope.kernel.names.fresh(wish))


def _walk(walk: _Iterator, end: Expr) -> Walk:
    return Walk(to_text(walk.access), walk.access.tensor, walk.level, walk.name, end)


@dataclass(slots=True)
class _Merge:
    scope: Scope
    loop: str
    variable: str
    body: Statement
    lower_body: LowerBody
    lattice: Lattice

    def origin(self, role: Role, walk: _Iterator | None = None) -> Origin:
        """Merging belongs to the variable; what concerns one operand also names its level."""
        access, level = (walk.access, walk.level) if walk is not None else (None, 0)
        return self.scope.origin(role, self.variable, access, level)

    def single(self, walk: _Iterator, reductions: tuple[Reduction, ...]) -> None:
        """``for jA in segment``: a for-loop, so that it can run in parallel."""
        graph = self.scope.kernel.graph
        inner = enter(self.scope, self.loop)
        inner.set_position(walk.access, walk.level, Var(walk.name))
        with self.scope.kernel.names.scope():
            inner.bind(self.variable, self._coordinate(inner, walk), Role.RECOVERY)
            self.lower_body(inner, self.body)
        unroll = graph.unroll.get(self.loop)
        origin = loop_origin(self.scope, self.loop)
        self.scope.emit(
            For(
                walk.name,
                walk.segment.lower,
                walk.segment.upper,
                block(inner.items),
                Origin(origin.role, self.variable, walk.access.tensor, walk.level, origin.command),
                loop_kind(self.scope, self.loop),
                unroll.factor if unroll is not None else None,
                reductions,
                merge=Merge(
                    self.variable,
                    self._point(self.lattice[0]),
                    (_walk(walk, walk.segment.upper),),
                    self._point(self.lattice[0]),
                ),
            )
        )

    def several(self, walks: dict[Access, _Iterator], domain: Range) -> None:
        """One while-loop per lattice point, each with a case for every point below it."""
        names = self.scope.kernel.names
        ends: dict[Access, Expr] = {}
        for access, walk in walks.items():
            origin = self.origin(Role.BOUNDS, walk)
            self.scope.emit(Declare(walk.name, INDEX, walk.segment.lower, origin, mutable=True))
            ends[access] = self.scope.declare(names.fresh(f"{walk.name}_end"), walk.segment.upper, origin)
        counter = any(point.full for point in self.lattice)
        if counter:
            self.scope.emit(Declare(self.variable, INDEX, domain.lower, self.origin(Role.BOUNDS), mutable=True))
        for point in self.lattice:
            active = [walks[access] for access in sorted(point.iterators, key=str)]
            conditions = [build.compare("<", Var(walk.name), ends[walk.access]) for walk in active]
            if point.full:
                conditions.append(build.compare("<", Var(self.variable), domain.upper))
            with names.scope():
                loop_body = self._loop_body(point, active, ends)
            merge = Merge(
                self.variable,
                self._point(point),
                tuple(_walk(walk, ends[walk.access]) for walk in active),
                self._untested(point),
            )
            self.scope.emit(While(build.both(*conditions), loop_body, self.origin(Role.BOUNDS), merge))

    def _loop_body(self, point: Point, active: list[_Iterator], ends: dict[Access, Expr]) -> Block:
        inner = enter(self.scope, self.loop)
        coordinates: dict[Access, Expr] = {}
        for walk in active:
            inner.set_position(walk.access, walk.level, Var(walk.name))
            crd = self._coordinate(inner, walk)
            if len(active) == 1 and not point.full:
                coordinates[walk.access] = crd
                continue
            name = self.scope.kernel.names.fresh(f"{walk.name}_crd")
            coordinates[walk.access] = inner.declare(name, crd, self.origin(Role.RECOVERY, walk))
        if point.full:
            inner.bind(self.variable, Var(self.variable), Role.RECOVERY)
        else:
            smallest = list(coordinates.values())
            value, tag = smallest[0], self.scope.kernel.graph.merge.get(self.loop)
            gallops = tag is not None and tag.strategy == GALLOP
            for other in smallest[1:]:
                value = build.maximum(value, other) if gallops else build.minimum(value, other)
            inner.bind(self.variable, value, Role.RECOVERY)
            if gallops:
                return self._gallop(inner, active, coordinates, ends)
        here = inner.known[self.variable]
        matches = {access: build.compare("==", crd, here) for access, crd in coordinates.items()}
        lone = len(active) == 1 and not point.full
        self._cases(inner, point, matches, lone)
        for walk in active:
            step: Expr = build.index(1) if lone else Cast(matches[walk.access], INDEX)
            inner.emit(Assign(walk.name, step, self.origin(Role.BOUNDS, walk), reduce="+"))
        if point.full:
            inner.emit(Assign(self.variable, build.index(1), self.origin(Role.BOUNDS), reduce="+"))
        return block(inner.items)

    def _gallop(
        self, inner: Scope, active: list[_Iterator], coordinates: dict[Access, Expr], ends: dict[Access, Expr]
    ) -> Block:
        """The body where all operands meet, and jumps where they do not."""
        names, command = self.scope.kernel.names, self.scope.kernel.graph.merge[self.loop].command
        runners = []
        for walk in active:
            assert walk.storage.crd is not None
            origin = replace(self.origin(Role.SEARCH, walk), command=command)
            runners.append(Runner(walk.name, ends[walk.access], walk.storage.crd, coordinates[walk.access], origin))
        branch = inner.inside()
        with names.scope():
            self.lower_body(branch, self.body)
        origin = replace(self.origin(Role.GUARD), command=command)
        label = Case(self.variable, self._point(self.lattice[0]))
        inner.emit(gallop(names, runners, block(branch.items), inner.known[self.variable], origin, label))
        return block(inner.items)

    def _cases(self, inner: Scope, point: Point, matches: dict[Access, Expr], lone: bool) -> None:
        """The chain of cases, largest point first; the last needs no test when it must hold."""
        everything = frozenset(iterators(self.lattice))
        cases: list[tuple[Expr, Block, Case]] = []
        for case in below(self.lattice, point):
            condition = build.TRUE if lone else build.both(*(matches[a] for a in sorted(case.iterators, key=str)))
            rest = without(self.body, everything - case.iterators)
            branch = inner.inside()
            for absent in point.iterators - case.iterators:
                del branch.positions[absent, self._level(absent)]
            with self.scope.kernel.names.scope():
                if rest is None:
                    branch.covers = False
                    branch.kernel.needs_zero = True
                else:
                    self.lower_body(branch, rest)
            cases.append((condition, block(branch.items), Case(self.variable, self._point(case))))
        chain: Stmt | None = None
        for condition, case_body, label in reversed(cases):
            if condition == build.TRUE:
                chain = case_body
            else:
                chain = If(condition, case_body, self.origin(Role.GUARD), chain, label)
        match chain:
            case Block(statements=only):
                inner.items.extend(only)
            case None:
                pass
            case _:
                inner.emit(chain)

    def _point(self, point: Point) -> tuple[str, ...]:
        return point_texts(point, self.variable)

    def _untested(self, point: Point) -> tuple[str, ...] | None:
        """The point below ``point`` that needs no test, because no operand of it has to be at the coordinate."""
        if len(point.iterators) == 1 and not point.full:
            return self._point(point)
        return next((self._point(case) for case in below(self.lattice, point) if not case.iterators), None)

    def _level(self, access: Access) -> int:
        return level_variables(self.scope.kernel.graph, access).index(self.variable) + 1

    def _coordinate(self, inner: Scope, walk: _Iterator) -> Expr:
        path = inner.path(walk.access, walk.level)
        return LEVEL_KINDS[walk.storage.kind].coordinate(walk.storage, Var(walk.name), path)
