"""What the loops around a place say of it. Nothing here changes: a place that differs has another context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.iteration_graph.analysis.column_fill import ColumnFill
from heddle.loop_ir.nodes import Array, Expr, Var
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_nest import LoopNest, Worker
from heddle.lowering.environment.loop_sums import LoopSums
from heddle.notation.nodes import Access


@dataclass(frozen=True, slots=True)
class Appending:
    """Inside a segment of an appended result. ``counters``: where the next coordinate of each group of levels (by its
    first) goes. ``counted_rows``: the groups (by their first level) whose row at hand notes how many coordinates it
    gets. ``presence`` is set as soon as a value is computed for the coordinates that are being appended."""

    counters: dict[int, Var]
    counted_rows: frozenset[int] = frozenset()
    presence: Var | None = None


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


@dataclass(frozen=True, slots=True)
class LoopContext:
    """What holds at a place in the loops.

    Attributes
    ----------
    kind
        of the pass over the loops.
    nest
        the loops around the place.
    worker
        of the loop over threads around it.
    accumulators
        what these loops add up.
    writes_every_element_once
        what is stored here, over all iterations, reaches every element of its tensor, each once.
    present
        of operands in a loop over the smallest of many coordinates, whether they are there.
    searches
        terms that were searched around here, with a copy of what follows for each outcome.
    appending
        what is appended to the result, inside a segment.
    repeats
        loops that combine the same term in every iteration, since the operands that they run over are absent.
    repetition
        whose assignments here stand for many that are alike.
    column_counts
        where the loops around the place leave out what the fill behind them combines.
    """

    kind: KernelKind = KernelKind.EVALUATE
    nest: LoopNest = field(default_factory=LoopNest)
    worker: Worker | None = None
    accumulators: LoopSums = field(default_factory=LoopSums)
    writes_every_element_once: bool = True
    present: Mapping[Access, Expr] = field(default_factory=dict)
    searches: int = 0
    appending: Appending | None = None
    repeats: frozenset[str] = frozenset()
    repetition: Repetition | None = None
    column_counts: ColumnCounts | None = None

    @property
    def counting(self) -> bool:
        """Whether coordinates of the result are counted here, and values are computed in a second pass."""
        return self.kind is KernelKind.ASSEMBLE
