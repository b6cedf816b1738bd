"""Segmented reductions: the lanes of a warp hold pieces of several rows (docs/sources.md T48).

Each lane keeps what it adds into the last element that it reaches, and the place of that element. Behind the loop over
the lanes, neighbours with the same element combine, and the first lane of each run adds the run's result: one atomic
update for each run of a warp in place of one for each lane.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.iteration_graph.analysis.races import combines_runs, races_with
from compiler.iteration_graph.graph.nodes import Forall, IterationGraph, ParallelTag
from compiler.iteration_graph.graph.provenance import variables
from compiler.iteration_graph.graph.refusal import Refusal
from compiler.loop_ir import build
from compiler.loop_ir.analysis.launch_shape import WARP_SIZE
from compiler.loop_ir.nodes import (
    BOOL,
    INDEX,
    Block,
    CombineRuns,
    Declare,
    For,
    If,
    LoopKind,
    Store,
    Var,
)
from compiler.lowering.environment.elements import extent
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.partial_results import Run
from compiler.lowering.environment.store import array_of, declare_sum, in_memory
from compiler.names import Names
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class LaneSums:
    """The lanes of the loop over ``variable``, tagged by ``tag``, add into elements of ``target``."""

    target: Access
    operator: str
    variable: str
    tag: ParallelTag

    @property
    def origin(self) -> Origin:
        return Origin(Role.REDUCTION, self.variable, self.target.tensor, command=self.tag.command)


def find_lane_sums(scope: LoopEnvironment, statement: Forall) -> LaneSums | None:
    """Whether the iterations of a parallel reduction add into elements that each of them finds by itself.

    Raises:
        Refusal: ``schedule/gpu-reduction`` where they are not the lanes of one warp.
    """
    graph, variable = scope.kernel.graph, statement.variable
    tag = graph.parallel.get(variable)
    written = in_memory(scope, statement)
    if tag is None or len(written) != 1 or written[0].operator == "=" or written[0].target.tensor in scope.scalars:
        return None
    if not combines_runs(tag) or not races_with(graph, variable, written[0].target):
        return None
    sums = LaneSums(written[0].target, written[0].operator, variable, tag)
    _check_warp(scope, sums)
    return sums


def _check_warp(scope: LoopEnvironment, sums: LaneSums) -> None:
    """Only the lanes of a warp exchange what they have; each of them has one iteration."""
    trips = build.constant(extent(scope, sums.variable))
    warps = any(tag.unit is LoopKind.GPU_WARP for _, tag in scope.parallel)
    if trips is None:
        found = "a number of iterations that is known at run time only"
    elif not warps:
        found = "no GPUWarp around it"
    elif trips > WARP_SIZE:
        found = f"{trips} iterations"
    else:
        return
    variable, target = sums.variable, sums.target
    in_warps = () if warps or trips is None else _in_warps(scope.kernel.graph, variable)
    raise Refusal(
        "schedule/gpu-reduction",
        f"which {target.tensor}({', '.join(target.indices)}) an iteration of {variable} adds into is known only inside "
        f"the loop. Such sums are combined over the {WARP_SIZE} lanes of one warp, but {variable} has {found}. Split "
        f"{variable} by {WARP_SIZE}, with the outer part on GPUWarp, or use Atomics.",
        argument="race",
        expected=f"at most {WARP_SIZE} iterations inside a loop on GPUWarp",
        found=found,
        replacement=None if in_warps else "Atomics",
        instead=in_warps,
        command=sums.tag.command,
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


def start_runs(scope: LoopEnvironment, inner: LoopEnvironment, sums: LaneSums) -> None:
    """Declare each lane's sum and its place in front of the loop; what a lane stores last in ``inner`` goes there."""
    total = declare_sum(scope, sums.target, sums.variable, sums.operator)
    place = Var(scope.kernel.names.fresh(f"{sums.target.tensor}_place"))
    scope.emit(Declare(place.name, INDEX, build.index(-1), sums.origin, mutable=True))  # a lane without any element
    run = Run(total, place, sums.variable, scope.entered | {sums.variable}, sums.tag.command)
    inner.runs = {**scope.runs, sums.target.tensor: run}


def finish_runs(scope: LoopEnvironment, sums: LaneSums) -> None:
    """Combine neighbouring lanes with the same element; the first lane of each run adds what the run has."""
    names, origin, run = scope.kernel.names, sums.origin, scope.runs[sums.target.tensor]
    head = Var(names.fresh(f"{sums.target.tensor}_head"), BOOL)
    reduce = ASSIGNMENTS[sums.operator]
    scope.emit(CombineRuns(run.total.name, run.place.name, head.name, reduce, origin))
    add = Store(array_of(scope, sums.target), run.place, run.total, origin, reduce, atomic=True)
    holds = build.both(head, build.compare(">=", run.place, build.index(0)))
    with names.scope():
        adding = Block((If(holds, Block((add,)), origin),))
        lane = names.fresh("lane")
        scope.emit(For(lane, build.index(0), extent(scope, sums.variable), adding, origin, LoopKind.GPU_THREAD))
