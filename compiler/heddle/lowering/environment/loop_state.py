"""A place in the loop nest: what is known there and the statements emitted so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.analysis.column_fill import ColumnFill
from heddle.iteration_graph.graph.provenance import relation_above
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir.nodes import INDEX, Array, Declare, Expr, Stmt, Var
from heddle.lowering.environment.accumulators import Accumulators
from heddle.lowering.environment.appending import Appending
from heddle.lowering.environment.destination import Destination
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_nest import LoopNest, Worker
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class Guard:
    """Run what follows only where ``condition`` holds. ``above``: it bounds its variable from above, not from below.
    ``monotone``: the variable grows with the loop, so that a serial loop may end where such a condition first fails."""

    condition: Expr
    origin: Origin
    above: bool
    monotone: bool


@dataclass(frozen=True, slots=True)
class LevelPosition:
    """Where an access stands at a level: at one position, or from there to ``end`` where its coordinate repeats."""

    position: Expr
    end: Expr | None = None


@dataclass(frozen=True, slots=True)
class Repetition:
    """What is assigned to ``tensor`` counts as often as the product of ``times``, each of them more than 0."""

    tensor: str
    times: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ColumnCounts:
    """Inside the loops of a column fill: how often each element is visited, in ``counts``."""

    fill: ColumnFill
    counts: Array


@dataclass(slots=True)
class LoopState:
    """``known`` maps variables to values, ``definitions`` to formulas in terms of loop variables (for cloned loops).
    ``position_ranges`` holds for each variable of positions their ranges at each level; ``trackers`` the positions that
    only advance; ``recovered`` the relations whose variables are all known."""

    kernel: KernelContext
    known: dict[str, Expr] = field(default_factory=dict)
    definitions: dict[str, Expr] = field(default_factory=dict)
    positions: dict[tuple[Access, int], LevelPosition] = field(default_factory=dict)
    position_ranges: dict[str, list[Range]] = field(default_factory=dict)
    trackers: dict[tuple[Access, int], str] = field(default_factory=dict)
    recovered: frozenset[Relation] = frozenset()
    nest: LoopNest = field(default_factory=LoopNest)
    worker: Worker | None = None
    """Of the loop over threads around this place."""
    accumulators: Accumulators = field(default_factory=Accumulators)
    """What the loops around this place add up."""
    kind: KernelKind = KernelKind.EVALUATE
    """Of the pass over the loops."""
    covers: bool = True
    """What is stored here, over all iterations, reaches every element of its tensor, each once."""
    workspace_parallel: dict[str, int] = field(default_factory=dict)
    """How many parallel loops stand around each workspace in reach: they do not share it."""
    present: dict[Access, Expr] = field(default_factory=dict)
    """Of operands in a loop over the smallest of many coordinates, whether they are there."""
    searches: int = 0
    """Terms that were searched around here, with a copy of what follows for each outcome."""
    appending: Appending | None = None
    """What is appended to the result, inside a segment."""
    repeats: frozenset[str] = frozenset()
    """Loops that combine the same term in every iteration, since the operands that they run over are absent here."""
    repetition: Repetition | None = None
    """Whose assignments here stand for many that are alike."""
    column_counts: ColumnCounts | None = None
    """Where the loops around this place leave out what the fill behind them combines."""
    items: list[Stmt | Guard] = field(default_factory=list)

    def inside(self) -> Self:
        """The environment of a block within this one."""
        # Each loop has several: ``dataclasses.replace`` would take three times as long.
        environment = object.__new__(type(self))
        for name in type(self).__dataclass_fields__:
            setattr(environment, name, getattr(self, name))
        environment.known = dict(self.known)
        environment.definitions = dict(self.definitions)
        environment.positions = dict(self.positions)
        environment.position_ranges = dict(self.position_ranges)
        environment.trackers = dict(self.trackers)
        environment.workspace_parallel = dict(self.workspace_parallel)
        environment.items = []
        return environment

    def producing(self) -> Self:
        """The environment of what computes a workspace: it starts the values, and appends nothing to the result."""
        producer = self.inside()
        producer.covers, producer.appending = True, None
        return producer

    def beside(self) -> Self:
        """Another environment that emits into the same block: for one statement of several."""
        other = self.inside()
        other.items = self.items
        return other

    @property
    def counting(self) -> bool:
        """Whether coordinates of the result are counted here, and values are computed in a second pass."""
        return self.kind is KernelKind.ASSEMBLE

    def destination(self, tensor: str) -> Destination | None:
        """Where assignments to ``tensor`` go here; None for its memory."""
        return self.accumulators.destinations.get(tensor)

    def redirect(self, tensor: str, destination: Destination | None) -> None:
        """Let assignments to ``tensor`` go to ``destination`` from here on, or to its memory for None."""
        self.accumulators = self.accumulators.redirect(tensor, destination)

    def emit(self, statement: Stmt) -> None:
        self.items.append(statement)

    def origin(self, role: Role, variable: str | None = None, access: Access | None = None, level: int = 0) -> Origin:
        """The origin of a node here; the command is the one that created the variable, if any."""
        above = relation_above(self.kernel.graph, variable) if variable is not None else None
        tensor = access.tensor if access is not None else None
        return Origin(role, variable, tensor, level or None, above.command if above is not None else None)

    def declare(self, name: str, value: Expr, origin: Origin) -> Expr:
        self.emit(Declare(name, INDEX, value, origin))
        return Var(name)
