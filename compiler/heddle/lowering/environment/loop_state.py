"""A place in the loop nest: what is known there and the statements emitted so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.provenance import relation_above
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir.nodes import INDEX, Declare, Expr, Stmt, Var
from heddle.lowering.environment.block_builder import BlockBuilder
from heddle.lowering.environment.destination import Destination
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.loop_context import LoopContext
from heddle.lowering.environment.loop_sums import LoopSums
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class LevelPosition:
    """Where an access stands at a level: at one position, or from there to ``end`` where its coordinate repeats."""

    position: Expr
    end: Expr | None = None


@dataclass(slots=True)
class LoopState:
    """What is known at a place in the loops, what holds there, and where it emits.

    Attributes
    ----------
    kernel
        what all places share.
    context
        what the loops around the place say of it; another one from here on is assigned as a whole.
    builder
        the insertion point.
    known
        the values of variables.
    definitions
        formulas of them in terms of loop variables, for cloned loops.
    positions
        where accesses stand at their levels.
    position_ranges
        for each variable of positions their ranges at each level.
    trackers
        the positions that only advance.
    workspace_parallel
        how many parallel loops stand around each workspace in reach: they do not share it.
    recovered
        the relations whose variables are all known.
    """

    kernel: KernelContext
    context: LoopContext = field(default_factory=LoopContext)
    builder: BlockBuilder = field(default_factory=BlockBuilder)
    known: dict[str, Expr] = field(default_factory=dict)
    definitions: dict[str, Expr] = field(default_factory=dict)
    positions: dict[tuple[Access, int], LevelPosition] = field(default_factory=dict)
    position_ranges: dict[str, list[Range]] = field(default_factory=dict)
    trackers: dict[tuple[Access, int], str] = field(default_factory=dict)
    workspace_parallel: dict[str, int] = field(default_factory=dict)
    recovered: frozenset[Relation] = frozenset()

    def child(self) -> Self:
        """A place in a new block within this one: what becomes known there is not known here."""
        return self._place(self.context, BlockBuilder())

    def producer_child(self) -> Self:
        """The same for what computes a workspace: it starts the values, and appends nothing to the result."""
        context = replace(self.context, writes_every_element_once=True, appending=None)
        return self._place(context, BlockBuilder())

    def at_same_point(self) -> Self:
        """Another place that emits into the same block: for one statement of several."""
        return self._place(self.context, self.builder)

    def restrict_writes(self, once: bool) -> None:
        """From here on what is stored reaches every element once only if it did before, and ``once`` holds."""
        once &= self.context.writes_every_element_once
        self.context = replace(self.context, writes_every_element_once=once)

    def note_repeats(self, loops: frozenset[str]) -> None:
        """From here on these loops combine the same term in every iteration, too."""
        self.context = replace(self.context, repeats=self.context.repeats | loops)

    def set_accumulators(self, accumulators: LoopSums) -> None:
        """What the loops add up from here on."""
        self.context = replace(self.context, accumulators=accumulators)

    def _place(self, context: LoopContext, builder: BlockBuilder) -> Self:
        # Each loop has several: ``dataclasses.replace`` would take three times as long.
        place = object.__new__(type(self))
        place.kernel, place.context, place.builder = self.kernel, context, builder
        place.known, place.definitions = dict(self.known), dict(self.definitions)
        place.positions, place.position_ranges = dict(self.positions), dict(self.position_ranges)
        place.trackers, place.workspace_parallel = dict(self.trackers), dict(self.workspace_parallel)
        place.recovered = self.recovered
        return place

    def destination(self, tensor: str) -> Destination | None:
        """Where assignments to ``tensor`` go here; None for its memory."""
        return self.context.accumulators.destinations.get(tensor)

    def redirect(self, tensor: str, destination: Destination | None) -> None:
        """Let assignments to ``tensor`` go to ``destination`` from here on, or to its memory for None."""
        self.set_accumulators(self.context.accumulators.redirect(tensor, destination))

    def emit(self, statement: Stmt) -> None:
        self.builder.emit(statement)

    def origin(self, role: Role, variable: str | None = None, access: Access | None = None, level: int = 0) -> Origin:
        """The origin of a node here; the command is the one that created the variable, if any."""
        above = relation_above(self.kernel.graph, variable) if variable is not None else None
        tensor = access.tensor if access is not None else None
        return Origin(role, variable, tensor, level or None, above.command if above is not None else None)

    def declare(self, name: str, value: Expr, origin: Origin) -> Expr:
        self.emit(Declare(name, INDEX, value, origin))
        return Var(name)
