"""Segmented reductions: the lanes of a warp hold pieces of several rows (docs/sources.toml T48).

Each lane keeps what it adds into the last element that it reaches, and the place of that element. Behind the loop over
the lanes, neighbours with the same element combine, and the first lane of each run adds the run's result: one atomic
update for each run of a warp in place of one for each lane.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.shared_writes import combines_runs, races_with
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, ParallelTag
from heddle.iteration_graph.graph.provenance import variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Assign,
    Block,
    CombineRuns,
    Declare,
    Expr,
    For,
    If,
    LoopKind,
    Store,
    Var,
)
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import (
    array_of,
    assignments_to_memory,
    declare_sum,
    note_partial_store,
    store_in_memory,
)
from heddle.lowering.environment.values.elements import extent
from heddle.names import Names
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class LaneReduction:
    """The lanes of the loop over ``variable``, tagged by ``tag``, add into elements of ``target``."""

    target: Access
    operator: str
    variable: str
    tag: ParallelTag
    stores_once: bool = False

    @property
    def origin(self) -> Origin:
        return Origin(Role.REDUCTION, self.variable, self.target.tensor, command=self.tag.command)

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> LaneTotals:
        """Declare each lane's sum and its position in front of the loop; what a lane stores last goes there."""
        total = declare_sum(environment, self.target, self.variable, self.operator)
        position = Var(environment.kernel.names.fresh(f"{self.target.tensor}_place"))
        environment.emit(
            Declare(position.name, INDEX, build.index(-1), self.origin, mutable=True)
        )  # of a lane without any
        totals = LaneTotals(self, total, position, environment.context.nest.entered | {self.variable})
        inner.redirect(self.target.tensor, totals)
        return totals


@dataclass(frozen=True, slots=True)
class LaneTotals:
    """Each lane keeps in ``total`` what it adds last, for the element at ``position``, -1 for none. Its last store
    stands inside the loops ``entered``."""

    reduction: LaneReduction
    total: Var
    position: Var
    entered: frozenset[str]
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """What a lane adds last waits for its neighbours; what it knows to be complete, or shared, is stored at once.

        Raises
        ------
        Refusal
            ``schedule/gpu-reduction`` where a lane would have several last stores.
        """
        if atomic is not None:
            store_in_memory(environment, target, value, operator, atomic)
            return
        note_partial_store(environment, target)
        position = environment.position(target, len(target.indices))
        self._require_single_store(environment, target)
        environment.emit(Assign(self.total.name, value, self.reduction.origin))
        environment.emit(Assign(self.position.name, position, self.reduction.origin))

    def _require_single_store(self, environment: LoopEnvironment, target: Access) -> None:
        inside, variable = sorted(environment.context.nest.entered - self.entered), self.reduction.variable
        if inside:
            raise Refusal(
                "schedule/gpu-reduction",
                f"each iteration of {variable} adds into several elements of {target.tensor}, one in every iteration "
                f"of {inside[0]}, but the lanes of a warp can combine one element each. Reorder {inside[0]} outside "
                f"{variable}, or use Atomics.",
                argument="race",
                expected=f"one element of {target.tensor} for each iteration of {variable}",
                actual=f"one for each iteration of {inside[0]}",
                replacement="Atomics",
                command=self.reduction.tag.command,
            )

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        """Combine neighbouring lanes with the same element; the first lane of each run adds what the run has."""
        names, reduction, origin = environment.kernel.names, self.reduction, self.reduction.origin
        head = Var(names.fresh(f"{reduction.target.tensor}_head"), BOOL)
        reduce = ASSIGNMENTS[reduction.operator]
        inner.emit(CombineRuns(self.total.name, self.position.name, head.name, reduce, origin))
        add = Store(array_of(environment, reduction.target), self.position, self.total, origin, reduce, atomic=True)
        holds = build.both(head, build.compare(">=", self.position, build.index(0)))
        with names.scope():
            adding = Block((If(holds, Block((add,)), origin),))
            lane = names.fresh("lane")
            lanes = extent(inner, reduction.variable)
            inner.emit(For(lane, build.index(0), lanes, adding, origin, LoopKind.GPU_THREAD))


def find_lane_reduction(environment: LoopEnvironment, statement: Forall) -> LaneReduction | None:
    """Whether the iterations of a parallel reduction add into elements that each of them finds by itself.

    Raises
    ------
    Refusal
        ``schedule/gpu-reduction`` where they are not the lanes of one warp.
    """
    graph, variable = environment.kernel.graph, statement.variable
    tag = graph.parallel.get(variable)
    written = assignments_to_memory(environment, statement)
    if tag is None or len(written) != 1 or written[0].operator == "=":
        return None
    destination = environment.destination(written[0].target.tensor)
    if destination is not None and destination.scalar is not None:
        return None
    if not combines_runs(tag) or not races_with(graph, variable, written[0].target):
        return None
    reduction = LaneReduction(written[0].target, written[0].operator, variable, tag)
    _check_warp(environment, reduction)
    return reduction


def _check_warp(environment: LoopEnvironment, reduction: LaneReduction) -> None:
    """Only the lanes of a warp exchange what they have; each of them has one iteration."""
    trips = build.constant(extent(environment, reduction.variable))
    warps = any(tag.unit is LoopKind.GPU_WARP for _, tag in environment.context.nest.parallel)
    if trips is None:
        actual = "a number of iterations that is known only at run time"
    elif not warps:
        actual = "no GPUWarp around it"
    elif trips > WARP_SIZE:
        actual = f"{trips} iterations"
    else:
        return
    variable, target = reduction.variable, reduction.target
    in_warps = () if warps or trips is None else _in_warps(environment.kernel.graph, variable)
    raise Refusal(
        "schedule/gpu-reduction",
        f"which {target.tensor}({', '.join(target.indices)}) an iteration of {variable} adds into is known only inside "
        f"the loop. Such sums are combined over the {WARP_SIZE} lanes of one warp, but {variable} has {actual}. Split "
        f"{variable} by {WARP_SIZE}, with the outer part on GPUWarp, or use Atomics.",
        argument="race",
        expected=f"at most {WARP_SIZE} iterations inside a loop on GPUWarp",
        actual=actual,
        replacement=None if in_warps else "Atomics",
        instead=in_warps,
        command=reduction.tag.command,
    )


def _in_warps(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The commands that put the iterations of ``variable`` on the lanes of warps."""
    names = Names(set(variables(graph)))
    warp, lane = names.fresh("warp"), names.fresh("lane")
    return (
        f"split({variable}, {warp}, {lane}, {WARP_SIZE})",
        f"parallelize({warp}, GPUWarp, Atomics)",
        f"parallelize({lane}, GPUThread, ParallelReduction)",
    )
