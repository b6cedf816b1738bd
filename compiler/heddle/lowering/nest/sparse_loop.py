"""What all loops over sparse levels at one variable share: their place in the nest, and coordinates by position."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.levels.kinds import kind_of
from heddle.iteration_graph.algebra.lattice import Lattice, Point, point_texts
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Block, Declare, Expr, Var, Walk, While
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.nest.column_fill import ColumnVisits
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.lowering.nest.operand_iterators import OperandIterator
from heddle.lowering.nest.repeated_fill import Visits
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text
from heddle.origin import Origin, Role


def traced_walk(iterator: OperandIterator, end: Expr) -> Walk:
    """How traces name what iterates over an operand, up to ``end``."""
    return Walk(to_text(iterator.access), iterator.access.tensor, iterator.level, iterator.name, end)


@dataclass(frozen=True, slots=True)
class SparseLoop:
    """``loop`` runs over the coordinates of ``variable`` that ``lattice`` says, with ``body`` inside it."""

    environment: LoopEnvironment
    loop: str
    variable: str
    body: Statement
    lower: LowerStatement
    lattice: Lattice
    visits: Visits | ColumnVisits | None = None
    """What counts the coordinates, where a fill is combined for those that are left out."""

    def origin(self, role: Role, iterator: OperandIterator | None = None) -> Origin:
        """Merging belongs to the variable; what concerns one operand also names its level."""
        access, level = (iterator.access, iterator.level) if iterator is not None else (None, 0)
        return self.environment.origin(role, self.variable, access, level)

    def past_equal(
        self, inner: LoopEnvironment, iterator: OperandIterator, first: Expr, end: Expr, coordinate: Expr
    ) -> Expr:
        """Step from ``first`` past the positions that hold ``coordinate``; they are the iterator's positions here."""
        origin = self.origin(Role.BOUNDS, iterator)
        name = self.environment.kernel.names.fresh(f"{iterator.name}_next")
        inner.emit(Declare(name, INDEX, first, origin, mutable=True))
        path = (*inner.path(iterator.access, iterator.level)[:-1], name)
        there = kind_of(iterator.storage).coordinate(iterator.storage, Var(name), path)
        more = build.both(build.compare("<", Var(name), end), build.compare("==", there, coordinate))
        inner.emit(While(more, Block((Assign(name, build.index(1), origin, reduce="+"),)), origin))
        inner.set_position(iterator.access, iterator.level, Var(iterator.name), Var(name))
        return Var(name)

    def lower_in(self, branch: LoopEnvironment, statement: Statement) -> None:
        """The statement at the coordinate, in a block of its own: no guard there may skip the steps behind it."""
        recover_coordinates(branch)
        self.note_visit(branch)
        self.lower(branch, statement)

    def note_visit(self, branch: LoopEnvironment) -> None:
        """Count the coordinate, where the number of those that are visited matters."""
        if self.visits is not None:
            self.visits.note(branch)

    def point(self, point: Point) -> tuple[str, ...]:
        """How traces and pictures name ``point``."""
        if self.visits is not None:
            point = replace(point, full=True)  # as the lattice has it: all other coordinates follow behind the loop
        return point_texts(point, self.variable)

    def level(self, access: Access) -> int:
        """The level of ``access``, from 1, that stores the variable."""
        return level_variables(self.environment.kernel.graph, access).index(self.variable) + 1

    def coordinate(self, inner: LoopEnvironment, iterator: OperandIterator) -> Expr:
        """The coordinate at which ``iterator`` stands."""
        path = inner.path(iterator.access, iterator.level)
        parent = None if iterator.storage.repeats else inner.position(iterator.access, iterator.level - 1)
        storage = inner.storage(iterator.access, iterator.level)
        return kind_of(storage).coordinate(storage, inner.position(iterator.access, iterator.level), path, parent)
