"""What a place in the loop nest answers to those that make its loops: the environment that provenance relations ask
(``iteration_graph.graph.environment.Environment``), and the searches of levels (``formats.levels.level.Emitter``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from heddle.formats.levels.level import LevelStorage, Range, Stored
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import grows_with, level_variables, relation_above, relation_below
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    Assign,
    Block,
    Cast,
    Const,
    Declare,
    Expr,
    If,
    Search,
    SearchKind,
    Select,
    Var,
    While,
)
from heddle.lowering.environment.block_builder import Guard
from heddle.lowering.environment.loop_state import LevelPosition, LoopState
from heddle.lowering.environment.row_products import row_products
from heddle.lowering.environment.values.formulas import integer
from heddle.notation.nodes import (
    Access,
    Expression,
    IndexValue,
    SizeValue,
    accesses,
    coordinate_variables,
    with_computed,
)
from heddle.origin import Origin, Role


@dataclass(slots=True)
class LoopEnvironment(LoopState):
    """A place, as relations and levels ask for it."""

    def value(self, variable: str) -> Expr:
        if variable not in self.known:
            relation = relation_above(self.kernel.graph, variable)
            assert relation is not None, f"{variable} is not known here"
            return relation.derive(variable, self)
        return self.known[variable]

    def domain(self, variable: str) -> Range:
        relation = relation_above(self.kernel.graph, variable)
        if relation is None:
            return Range(build.index(0), self.kernel.dimensions[variable])
        return relation.domain(variable, self)

    def window(self, variable: str, within: str) -> Range:
        if variable == within:
            return self.domain(variable)
        if variable in self.known:
            return Range(self.known[variable], build.add(self.known[variable], build.index(1)))
        below = relation_below(self.kernel.graph, variable)
        if below is None:
            return self.domain(variable)
        children = {child: self.window(child, within) for child in below.children}
        hull, domain = below.hull(variable, children, self), self.domain(variable)
        lower = hull.lower if domain.lower == build.index(0) else build.maximum(hull.lower, domain.lower)
        return Range(lower, build.minimum(hull.upper, domain.upper))

    def bind(self, variable: str, value: Expr, role: Role) -> None:
        below = relation_below(self.kernel.graph, variable)
        self.definitions[variable] = value
        if value == Var(variable):
            self.known[variable] = value
            return
        command = below.command if below is not None else None
        self.known[variable] = self.declare(variable, value, Origin(role, variable, command=command))

    def ranges(self, key: str, make: Callable[[], list[Range]]) -> list[Range]:
        if key not in self.position_ranges:
            self.position_ranges[key] = make()
        return self.position_ranges[key]

    def guard(self, variable: str) -> None:
        below = relation_below(self.kernel.graph, variable)
        origin = Origin(Role.GUARD, variable, command=below.command if below is not None else None)
        whole, value = self.domain(variable), self.value(variable)
        monotone = grows_with(self.kernel.graph, variable, self.context.nest.innermost)
        if whole.lower != build.index(0):
            self.builder.emit(Guard(build.compare(">=", value, whole.lower), origin, False, monotone))
        self.builder.emit(Guard(build.compare("<", value, whole.upper), origin, True, monotone))

    def guard_condition(self, variable: str, condition: Expr) -> None:
        self.builder.emit(Guard(condition, self.origin(Role.GUARD, variable), False, False))

    def declare_bound(self, name_hint: str, value: Expr, variable: str) -> Expr:
        if isinstance(value, Var | Const):
            return value
        return self.declare(self.kernel.names.fresh(name_hint), value, self.origin(Role.BOUNDS, variable))

    def storage(self, access: Access, level: int) -> LevelStorage:
        """The level with what is known here of the coordinates above it."""
        storage = self.kernel.storages[access.tensor, level]
        if storage.block is None:
            return storage
        above = [self.known.get(variable) for variable in level_variables(self.kernel.graph, access)[: level - 1]]
        block = self.positions.get((self._find_known_access(access, level - 2), level - 2))
        known = tuple(value for value in above if value is not None)
        return replace(storage, above=known, block_position=block.position if block is not None else None)

    def position(self, access: Access, level: int) -> Expr:
        return build.index(0) if level == 0 else self.positions[self._find_known_access(access, level), level].position

    def _find_known_access(self, access: Access, level: int) -> Access:
        """``access``, or another one of its tensor with the same coordinates down to ``level``: a consumer that walks
        positions reads their tensor in its producer alone."""
        if (access, level) in self.positions:
            return access
        path = level_variables(self.kernel.graph, access)[:level]
        for other, known in self.positions:
            same = known == level and other.tensor == access.tensor
            if same and level_variables(self.kernel.graph, other)[:level] == path:
                return other
        return access

    def position_range(self, access: Access, level: int) -> Range:
        """The known positions of ``access`` at a level: several where its coordinate repeats, else one."""
        if level == 0:
            return Range(build.index(0), build.index(1))
        known = self.positions[self._find_known_access(access, level), level]
        return Range(known.position, known.end or build.add(known.position, build.index(1)))

    def named_position(self, access: Access, level: int, position: Expr) -> Expr:
        """``position`` under a name of its own, unless it is one."""
        program = self.kernel.graph.signature.program
        lazy = program is not None and not program.lazy.isdisjoint(access.indices)
        if isinstance(position, Var | Const) or lazy:
            return position
        name = self.kernel.names.fresh(self.position_wish(access, level))
        origin = self.origin(Role.COMPUTE, self.level_variable(access, level), access, level)
        return self.declare(name, position, origin)

    def set_position(self, access: Access, level: int, position: Expr, end: Expr | None = None) -> None:
        self.positions[access, level] = LevelPosition(position, end)

    def only_where(self, variable: str, stored: Stored, monotone: bool) -> None:
        below = relation_below(self.kernel.graph, variable)
        origin = Origin(Role.GUARD, variable, command=below.command if below is not None else None)
        self.builder.emit(Guard(stored.condition, origin, stored.above, monotone))

    def search(self, name_hint: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        name = self.kernel.names.fresh(name_hint)
        origin = Origin(Role.SEARCH, None, array.tensor, level)
        self.emit(Search(name, SearchKind.AT_LEAST, array, among.lower, among.upper, value, origin))
        return Var(name)

    def products(self, access: Access, weights: Access) -> Array:
        return row_products(self.kernel, access, weights)

    def probe(self, name_hint: str, storage: LevelStorage, table: Range, first: Expr, coordinate: Expr) -> Expr:
        assert storage.crd is not None
        name = self.kernel.names.fresh(name_hint)
        origin = Origin(Role.SEARCH, None, storage.tensor, storage.number)
        self.emit(Declare(name, INDEX, first, origin, mutable=True))
        there = build.load(storage.crd, Var(name), (name,))
        wrong = build.both(build.compare(">=", there, build.index(0)), build.compare("!=", there, coordinate))
        following = build.add(Var(name), build.index(1))
        last = build.compare("==", following, table.upper)
        step = Assign(name, Select(last, table.lower, following), origin)
        self.emit(While(wrong, Block((step,)), origin))
        return Var(name)

    def find_parent(self, access: Access, level: int, array: Array, among: Range, child: Expr) -> Expr:
        variable = self.level_variable(access, level)
        origin = self.search_origin(access, level, variable)
        tracker = self.trackers.get((access, level))
        if tracker is None:
            name = self.kernel.names.fresh(self.position_wish(access, level))
            self.emit(Search(name, SearchKind.BEFORE, array, among.lower, among.upper, child, origin))
            return Var(name)
        end = build.load(array, build.add(Var(tracker), build.index(1)))
        passed = build.compare(">=", child, end)
        advance = While(passed, Block((Assign(tracker, build.index(1), origin, reduce="+"),)), origin)
        segment = self.context.accumulators.segment
        if segment is not None and not segment.rows and (segment.access, segment.level) == (access, level):
            self.emit(If(passed, Block((*segment.end_of_row(self), advance)), origin))
        else:
            self.emit(advance)
        return Var(tracker)

    # ------------------------------------------------------------------------------------------- helpers

    def coordinate(self, variable: str) -> Expr:
        """The value of an index variable or of a formula of some that are known."""
        return self.known[variable] if self.is_determined(variable) else self.value(variable)

    def _compute(self, name: str, formula: Expression) -> bool:
        """Make a coordinate known whose formula has all that it needs; False where something is missing."""
        program = self.kernel.graph.signature.program
        assert program is not None
        if not all(v in self.known or self.is_determined(v) for v in coordinate_variables(name, program)):
            return False
        inner = with_computed(accesses(formula), program)
        workspaces = self.kernel.graph.workspaces
        if any(a.tensor not in workspaces and a.indices and (a, len(a.indices)) not in self.positions for a in inner):
            return False

        def value(expression: Expression) -> Expr:
            match expression:
                case IndexValue(variable=variable):
                    return self.known[variable]
                case SizeValue(name=size):
                    return self.kernel.sizes[size]
                case _:
                    read = self.kernel.read(self, expression)
                    return read if dtype_of(read) == INDEX else Cast(read, INDEX)

        definition = integer(formula, value, program.signed)
        if name in program.lazy or isinstance(definition, Var | Const):
            self.known[name] = definition
        else:
            self.definitions[name] = definition
            self.known[name] = self.declare(name, definition, Origin(Role.RECOVERY, name))
        return True

    def is_determined(self, variable: str) -> bool:
        """Whether the coordinate is known; inside a block also where the blocked variable alone was bound."""
        program = self.kernel.graph.signature.program
        if variable not in self.known and program is not None and variable in program.computed:
            return self._compute(variable, program.computed[variable])
        above = relation_above(self.kernel.graph, variable)
        if variable not in self.known and above is not None and above.block is not None:
            siblings = [child for child in above.children if child != variable]
            if all(name in self.known for name in (above.block.whole, *siblings)):
                self.bind(variable, self.value(variable), Role.RECOVERY)
        return variable in self.known

    def level_variable(self, access: Access, level: int) -> str:
        return level_variables(self.kernel.graph, access)[level - 1]

    def position_wish(self, access: Access, level: int) -> str:
        return f"{self.level_variable(access, level)}{access.tensor}"

    def search_origin(self, access: Access, level: int, variable: str) -> Origin:
        below = relation_below(self.kernel.graph, variable)
        return Origin(Role.SEARCH, variable, access.tensor, level, below.command if below is not None else None)

    def path(self, access: Access, levels: int) -> tuple[str, ...]:
        """The structured subscript: coordinates of located levels, positions of iterated ones."""
        names: list[str] = []
        for level, variable in enumerate(level_variables(self.kernel.graph, access)[:levels], start=1):
            known = self.positions.get((access, level))
            position = known.position if known is not None else None
            stored = self.kernel.storages[access.tensor, level].crd is not None
            names.append(position.name if stored and isinstance(position, Var) else variable)
        return tuple(names)


LowerStatement = Callable[[LoopEnvironment, Statement], None]
"""What emits a statement into an environment: loops are given it for their bodies."""
