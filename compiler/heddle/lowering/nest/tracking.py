"""Starting trackers in front of a serial loop (docs/sources.toml T44): one search, then only steps forward."""

from __future__ import annotations

from collections.abc import Callable

from heddle.formats.levels.level import Range, Stored
from heddle.iteration_graph.graph.provenance import grows_with, position_relation
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Binary, Expr, Search, SearchKind, Var
from heddle.loop_ir.rebuild import map_operands
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.notation.nodes import Access
from heddle.origin import Role


class _Probe(LoopEnvironment):
    """Recovers variables at the first iteration of a loop: it declares nothing but the searches for the parents."""

    __slots__ = ("bounding", "outer", "variable")
    outer: LoopEnvironment
    variable: str
    bounding: bool
    """While the bounds of positions are computed: what they need is searched and declared in front of the loop."""

    def bind(self, variable: str, value: Expr, role: Role) -> None:
        self.known[variable] = value

    def guard(self, variable: str) -> None:
        return None

    def search(self, name_hint: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        if self.bounding:
            return self.outer.search(name_hint, array, among, value, level)
        return Var(name_hint)  # of a variable that is recovered in the loop, not tracked

    def declare_bound(self, name_hint: str, value: Expr, variable: str) -> Expr:
        if self.bounding:
            return self.outer.declare_bound(name_hint, value, variable)
        return super().declare_bound(name_hint, value, variable)

    def only_where(self, variable: str, stored: Stored, monotone: bool) -> None:
        return None

    def ranges(self, key: str, make: Callable[[], list[Range]]) -> list[Range]:
        before, self.bounding = self.bounding, True
        ranges = self.outer.ranges(key, make)
        self.bounding = before
        return ranges

    def find_parent(self, access: Access, level: int, array: Array, among: Range, child: Expr) -> Expr:
        variable = self.level_variable(access, level)
        relation = position_relation(self.kernel.graph, variable)
        if relation is not None and not grows_with(self.kernel.graph, relation.position, self.variable):
            return Var(self.position_wish(access, level))  # it is searched in every iteration: a tracker only advances
        name = self.outer.kernel.names.fresh(self.position_wish(access, level))
        origin = self.search_origin(access, level, variable)
        value = _positive_divisors(child)
        self.outer.emit(Search(name, SearchKind.BEFORE, array, among.lower, among.upper, value, origin))
        self.outer.trackers[access, level] = name
        return Var(name)


def _positive_divisors(expression: Expr) -> Expr:
    """In front of a loop that has no iteration, because a dimension has the size 0, its positions are divided by 0."""
    match map_operands(expression, _positive_divisors):
        case Binary(operator="//" | "%" as operator, left=left, right=right) if build.constant(right) is None:
            return Binary(operator, left, build.maximum(right, build.index(1)))
        case rebuilt:
            return rebuilt


def start_tracking(environment: LoopEnvironment, variable: str, first: Expr) -> None:
    """In front of the loop over ``variable`` that starts at ``first``, find every parent position that the loop will
    track. ``environment`` must belong to this loop alone: its trackers hold for one loop."""
    inner = environment.child()
    probe = _Probe(**{name: getattr(inner, name) for name in LoopEnvironment.__dataclass_fields__})
    probe.outer, probe.variable, probe.bounding = environment, variable, False
    probe.known[variable] = first
    recover_coordinates(probe)
