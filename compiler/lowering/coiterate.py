"""Sparse loops at one variable: a single iterator by position, or a merge of several (FEATURES T45, T46)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import Range
from compiler.iteration_graph.assembly import Shared
from compiler.iteration_graph.lattice import Lattice, Point, below, iterators, point_texts
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
    LoopKind,
    Merge,
    Reduction,
    Stmt,
    Var,
    Walk,
    While,
)
from compiler.lowering.block import block
from compiler.lowering.bounding import bound, bounded_counter
from compiler.lowering.counted import LowerBody, enter, loop_kind, loop_origin
from compiler.lowering.gallop import Runner, gallop
from compiler.lowering.scope import Scope
from compiler.lowering.store import leave_out
from compiler.lowering.walks import OperandWalk, merge_lattice, operand_walk
from compiler.notation.nodes import Access
from compiler.notation.printer import to_text
from compiler.origin import Origin, Role


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
    scope.covers = scope.covers and (Point(frozenset(), True) in lattice or decides(scope, variable, lattice))
    merge = _Merge(scope, loop, variable, body, lower_body, lattice)
    alone = len(lattice) == 1 and len(lattice[0].iterators) == 1 and not lattice[0].full
    walks = {access: operand_walk(scope, access, variable, window, alone) for access in iterators(lattice)}
    if not alone:
        counter = bounded_counter(scope, variable, body)
        if counter is not None and not any(point.full for point in lattice):
            segments = {access: walk.segment for access, walk in walks.items()}
            scope.emit(
                Assign(counter.name, bound(lattice, segments), scope.origin(Role.ASSEMBLY, variable), reduce="+")
            )
        else:
            merge.several(walks, window or scope.domain(variable))
        return
    only = walks[next(iter(lattice[0].iterators))]
    if only.storage.repeats:
        merge.repeated(only)
    else:
        merge.single(only, reductions, checked=window is None)


def decides(scope: Scope, variable: str, lattice: Lattice) -> bool:
    """The loop visits what the result stores: the entries of the operand whose pattern it shares."""
    shared = scope.kernel.assembly
    if not isinstance(shared, Shared) or lattice != (Point(frozenset((shared.access,))),):
        return False
    return variable in level_variables(scope.kernel.graph, shared.access)[: shared.levels]


def _walk(walk: OperandWalk, end: Expr) -> Walk:
    return Walk(to_text(walk.access), walk.access.tensor, walk.level, walk.name, end)


@dataclass(slots=True)
class _Merge:
    scope: Scope
    loop: str
    variable: str
    body: Statement
    lower_body: LowerBody
    lattice: Lattice

    def origin(self, role: Role, walk: OperandWalk | None = None) -> Origin:
        """Merging belongs to the variable; what concerns one operand also names its level."""
        access, level = (walk.access, walk.level) if walk is not None else (None, 0)
        return self.scope.origin(role, self.variable, access, level)

    def single(self, walk: OperandWalk, reductions: tuple[Reduction, ...], checked: bool) -> None:
        """``for jA in segment``: a for-loop, so that it can run in parallel. ``checked``: some of its positions may
        hold nothing."""
        graph = self.scope.kernel.graph
        inner = enter(self.scope, self.loop)
        inner.set_position(walk.access, walk.level, Var(walk.name))
        kind = loop_kind(self.scope, self.loop)
        if kind is LoopKind.CPU_THREAD:
            inner.iteration = build.sub(Var(walk.name), walk.segment.lower)
        with self.scope.kernel.names.scope():
            inner.bind(self.variable, self._coordinate(inner, walk), Role.RECOVERY)
            level, coordinate = kind_of(walk.storage), inner.known[self.variable]
            for stored in level.stored(walk.storage, Var(walk.name), coordinate) if checked else ():
                inner.only_where(self.variable, stored, monotone=True)
            inner.recover()
            self.lower_body(inner, self.body)
        serial = loop_kind(self.scope, self.loop) is LoopKind.SERIAL
        unroll = graph.unroll.get(self.loop)
        origin = loop_origin(self.scope, self.loop)
        self.scope.emit(
            For(
                walk.name,
                walk.segment.lower,
                walk.segment.upper,
                block(inner.items, may_break=serial and unroll is None),
                Origin(origin.role, self.variable, walk.access.tensor, walk.level, origin.command),
                kind,
                unroll.factor if unroll is not None else None,
                reductions,
                private=tuple(inner.private or ()) if kind is LoopKind.CPU_THREAD else (),
                merge=Merge(
                    self.variable,
                    self._point(self.lattice[0]),
                    (_walk(walk, walk.segment.upper),),
                    self._point(self.lattice[0]),
                ),
            )
        )

    def repeated(self, walk: OperandWalk) -> None:
        """One iteration for all positions in a row with equal coordinates: the levels below tell them apart."""
        names, origin = self.scope.kernel.names, self.origin(Role.BOUNDS, walk)
        self.scope.emit(Declare(walk.name, INDEX, walk.segment.lower, origin, mutable=True))
        end = self.scope.declare(names.fresh(f"{walk.name}_end"), walk.segment.upper, origin)
        inner = enter(self.scope, self.loop)
        with names.scope():
            inner.set_position(walk.access, walk.level, Var(walk.name))
            inner.bind(self.variable, self._coordinate(inner, walk), Role.RECOVERY)
            first = build.add(Var(walk.name), build.index(1))
            following = self._equal(inner, walk, first, end, inner.known[self.variable])
            branch = inner.inside()
            self._lower_in(branch, self.body)
            inner.items.extend(block(branch.items).statements)
        inner.emit(Assign(walk.name, following, origin))
        point = self._point(self.lattice[0])
        merge = Merge(self.variable, point, (_walk(walk, end),), point)
        self.scope.emit(While(build.compare("<", Var(walk.name), end), block(inner.items), origin, merge))

    def _equal(self, inner: Scope, walk: OperandWalk, first: Expr, end: Expr, coordinate: Expr) -> Expr:
        """Walk from ``first`` to behind the positions that hold ``coordinate``; they are the walk's positions here."""
        origin = self.origin(Role.BOUNDS, walk)
        name = self.scope.kernel.names.fresh(f"{walk.name}_next")
        inner.emit(Declare(name, INDEX, first, origin, mutable=True))
        path = (*inner.path(walk.access, walk.level)[:-1], name)
        there = kind_of(walk.storage).coordinate(walk.storage, Var(name), path)
        more = build.both(build.compare("<", Var(name), end), build.compare("==", there, coordinate))
        inner.emit(While(more, Block((Assign(name, build.index(1), origin, reduce="+"),)), origin))
        inner.set_position(walk.access, walk.level, Var(walk.name), Var(name))
        return Var(name)

    def several(self, walks: dict[Access, OperandWalk], domain: Range) -> None:
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

    def _loop_body(self, point: Point, active: list[OperandWalk], ends: dict[Access, Expr]) -> Block:
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
        following = {
            walk.access: self._equal(inner, walk, Var(walk.name), ends[walk.access], here)
            for walk in active
            if walk.storage.repeats
        }
        steps = {
            walk.access: Assign(walk.name, build.index(1), self.origin(Role.BOUNDS, walk), reduce="+")
            for walk in active
            if walk.access not in following
        }
        decided = not lone and self._decided(point)
        self._cases(inner, point, matches, lone, steps if decided else {})
        for walk in active:
            if walk.access in following:
                inner.emit(Assign(walk.name, following[walk.access], self.origin(Role.BOUNDS, walk)))
            elif lone:
                inner.emit(steps[walk.access])
            elif not decided:
                inner.emit(replace(steps[walk.access], value=Cast(matches[walk.access], INDEX)))
        if point.full:
            inner.emit(Assign(self.variable, build.index(1), self.origin(Role.BOUNDS), reduce="+"))
        return block(inner.items)

    def _gallop(
        self, inner: Scope, active: list[OperandWalk], coordinates: dict[Access, Expr], ends: dict[Access, Expr]
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
            self._lower_in(branch, self.body)
        origin = replace(self.origin(Role.GUARD), command=command)
        label = Case(self.variable, self._point(self.lattice[0]))
        inner.emit(gallop(names, runners, block(branch.items), inner.known[self.variable], origin, label))
        return block(inner.items)

    def _decided(self, point: Point) -> bool:
        """Whether each case says of every operand if it is there: every set of operands that may meet is a case. Their
        steps then stand in the cases, where a processor need not wait for the comparison to know the next position."""
        sets = {case.iterators for case in below(self.lattice, point)}
        return len(sets | {frozenset()}) == 1 << len(point.iterators)

    def _cases(
        self, inner: Scope, point: Point, matches: dict[Access, Expr], lone: bool, steps: dict[Access, Assign]
    ) -> None:
        """The chain of cases, largest point first; the last needs no test when it must hold. ``steps`` of the operands
        that are there end each case."""
        everything = frozenset(iterators(self.lattice))
        cases: list[tuple[Expr, Block, Case]] = []
        for case in below(self.lattice, point):
            met = sorted(case.iterators, key=str)
            certain = lone or self._point(case) == self._untested(point)
            condition = build.TRUE if certain else build.both(*(matches[access] for access in met))
            rest = without(self.body, everything - case.iterators)
            branch = inner.inside()
            for absent in point.iterators - case.iterators:
                del branch.positions[absent, self._level(absent)]
            with self.scope.kernel.names.scope():
                if rest is None:
                    leave_out(branch, self.body)
                else:
                    self._lower_in(branch, rest)
            done = block(branch.items).statements + tuple(steps[access] for access in met if access in steps)
            cases.append((condition, Block(done), Case(self.variable, self._point(case))))
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

    def _lower_in(self, branch: Scope, statement: Statement) -> None:
        """The statement at the coordinate, in a block of its own: no guard there may skip the steps behind it."""
        branch.recover()
        self.lower_body(branch, statement)

    def _point(self, point: Point) -> tuple[str, ...]:
        return point_texts(point, self.variable)

    def _untested(self, point: Point) -> tuple[str, ...] | None:
        """The point below ``point`` that needs no test: none of its operands has to be at the coordinate, or all other
        cases are excluded and some operand is there."""
        if not point.full and self._decided(point):
            return self._point(below(self.lattice, point)[-1])
        return next((self._point(case) for case in below(self.lattice, point) if not case.iterators), None)

    def _level(self, access: Access) -> int:
        return level_variables(self.scope.kernel.graph, access).index(self.variable) + 1

    def _coordinate(self, inner: Scope, walk: OperandWalk) -> Expr:
        path = inner.path(walk.access, walk.level)
        parent = None if walk.storage.repeats else inner.position(walk.access, walk.level - 1)
        storage = inner.storage(walk.access, walk.level)
        return kind_of(storage).coordinate(storage, inner.positions[walk.access, walk.level], path, parent)
