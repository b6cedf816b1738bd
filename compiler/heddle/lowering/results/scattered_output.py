"""Count and scatter: rows of the result come out of order, entries of one row in order (a transposed copy).

A first pass counts the entries of each row, a prefix sum turns the counts into starts, and a second pass stores each
entry where its row has come to. The starts of the rows move with that, and are moved back behind the loops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import Assign as Assignment
from heddle.iteration_graph.graph.nodes import IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Block, Declare, For, Store, Var
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.results.result_memory import ResultMemory
from heddle.lowering.results.two_phase_output import TwoPhaseOutput


@dataclass(slots=True)
class ScatteredOutput(TwoPhaseOutput):
    """Each entry knows its row; no loop owns one."""

    def segment_loop(self, graph: IterationGraph) -> str | None:
        return None

    def row_making(self, kind: KernelKind) -> RowMaking:
        return RowMaking.LISTED

    def memory(self, kernel: KernelContext, outer: LoopEnvironment) -> ResultMemory:
        return ScatteredMemory(kernel, self.appended, outer, None, self.starts)

    def open_segment(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        return False

    def append(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        (group,), target = self.appended.groups, self.appended.target
        if not isinstance(statement, Assignment) or (target, group.last) in environment.positions:
            return False
        kernel, origin, unit = environment.kernel, self.origin(group), build.index(1)
        row, starts = environment.position(target, group.first - 1), self.starts[group.first]
        if environment.context.counting:
            environment.emit(Store(starts, build.add(row, unit), unit, origin, reduce="+"))
            return True
        names = level_variables(kernel.graph, target)
        entry = Var(kernel.names.fresh(f"{names[group.last - 1]}{target.tensor}"))
        environment.emit(Declare(entry.name, INDEX, build.load(starts, row), origin))
        environment.emit(Store(starts, row, unit, origin, reduce="+"))
        for level in range(group.first, group.last + 1):
            environment.set_position(target, level, entry)
            crd = kernel.storages[target.tensor, level].crd
            assert crd is not None
            environment.emit(Store(crd, entry, environment.known[names[level - 1]], origin))
        environment.context = replace(environment.context, writes_every_element_once=True)
        lower(environment, statement)
        return True


@dataclass(slots=True)
class ScatteredMemory(ResultMemory):
    """The starts of the rows count how far these have come."""

    def finish(self) -> None:
        """Every row has come to where the next one starts."""
        (group,) = self.appended.groups
        names, origin, pos = self.kernel.names, self.origin(level=group.first), self.pos(group.first)
        start = Var(names.fresh(f"{self.kernel.result}{group.first}_start"))
        self.outer.emit(Declare(start.name, INDEX, build.index(0), origin, mutable=True))
        with names.scope():
            row, end = Var(names.fresh("row")), Var(names.fresh("row_end"))
            body = (
                Declare(end.name, INDEX, build.load(pos, row), origin),
                Store(pos, row, start, origin),
                Assign(start.name, end, origin),
            )
        self.outer.emit(For(row.name, build.index(0), self.segments, Block(body), origin))
