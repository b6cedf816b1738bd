"""Events of a run -> counts: work, loads, atomics, zeroed elements, shares of the workers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from heddle.explorer.cost_report.run import Run
from heddle.explorer.views.trace.trace_steps import computing_statements
from heddle.loop_ir.interpreter.trace import (
    CaseEvent,
    FillEvent,
    LoadEvent,
    LoopEvent,
    MergeEvent,
    ScalarEvent,
    StoreEvent,
)
from heddle.loop_ir.nodes import (
    Array,
    ArrayRole,
    Assign,
    Binary,
    Declare,
    Expr,
    For,
    Function,
    Gather,
    Load,
    LoopKind,
    Search,
    Stmt,
    Store,
    Var,
    VectorLoad,
)
from heddle.loop_ir.walk import all_statements, expressions, subexpressions
from heddle.origin import Role

UNITS = (LoopKind.CPU_THREAD, LoopKind.GPU_BLOCK)
"""Whose iterations are the workers that share the work."""

WORK = (Role.COMPUTE, Role.REDUCTION, None)
"""Roles of statements that compute, and do not prepare or find a place for a result."""


@dataclass(slots=True)
class Counts:
    """What one run did. ``work`` counts the executions of statements that compute with values of operands, ``shares``
    the same for each iteration of the parallel loop over threads or blocks, of which ``workers_by_loop`` has the
    iterations where there are several. ``loads`` and ``stores`` are by tensor or workspace, of its values alone;
    ``elements`` how many different ones were loaded, ``gathered`` how often the place was decided by another load,
    ``scatters`` the same of stores. ``zeroed`` elements were set to their initial value. ``merges`` are the iterations
    of loops in which several operands advance together."""

    work: int = 0
    multiplications: int = 0
    iterations: int = 0
    merges: int = 0
    stores: int = 0
    atomics: int = 0
    scatters: int = 0
    zeroed: int = 0
    index_loads: int = 0
    loads: Counter[str] = field(default_factory=Counter)
    elements: Counter[str] = field(default_factory=Counter)
    gathered: Counter[str] = field(default_factory=Counter)
    shares: dict[int, int] = field(default_factory=dict)
    workers_by_loop: dict[str, frozenset[int]] = field(default_factory=dict)
    visited: Counter[str] = field(default_factory=Counter)

    @property
    def gathers(self) -> int:
        return sum(self.gathered.values())

    @property
    def workers(self) -> int:
        return max(len(self.shares), 1)

    @property
    def imbalance(self) -> float:
        """The largest share of the work over the mean share; 1 for equal shares, and for one worker alone."""
        total = sum(self.shares.values())
        return max(self.shares.values()) * len(self.shares) / total if total else 1.0


def count_events(run: Run) -> Counts:
    """Counts what happened in ``run``; one pass over its events."""
    function = run.function
    counts, listed = Counts(), all_statements(function)
    shares: dict[str, dict[int, int]] = {}
    computing = computing_statements(function, run.computed)
    computes = [
        is_computed and _role(statement) in WORK for is_computed, statement in zip(computing, listed, strict=True)
    ]
    multiplies = [_multiplications(statement) for statement in listed]
    gathering, scattering, resets = (
        find_gathers(function),
        find_scatters(function),
        [_role(statement) is Role.INIT for statement in listed],
    )
    owners = arrays_of(function)
    shared = {statement.variable for statement in listed if isinstance(statement, For) and statement.kind in UNITS}
    seen: set[tuple[str, int]] = set()
    for event in run.events:
        number = event.statement
        match event:
            case LoadEvent(array=array, index=index):
                owner = owners.get(array)
                if owner is not None and owner.role not in (ArrayRole.VALS, ArrayRole.WORKSPACE):
                    counts.index_loads += 1
                    continue
                name = owner.tensor or array if owner is not None else array
                counts.loads[name] += 1
                counts.gathered[name] += (number, array) in gathering
                if (array, index) not in seen:
                    seen.add((array, index))
                    counts.elements[name] += 1
            case LoopEvent(variable=variable, value=value):
                counts.iterations += 1
                counts.visited[variable] += 1
                if variable in shared:
                    shares.setdefault(variable, {}).setdefault(value, 0)
            case ScalarEvent() | StoreEvent():
                if isinstance(event, StoreEvent):
                    counts.stores += 1
                    counts.atomics += event.atomic
                    counts.scatters += number in scattering
                    counts.zeroed += resets[number]
                if computes[number]:
                    counts.work += 1
                    counts.multiplications += multiplies[number]
                    for name, value in event.worker:
                        if name in shared:
                            shares.setdefault(name, {}).setdefault(value, 0)
                            shares[name][value] += 1
                            break
            case FillEvent(size=size):
                counts.zeroed += size
            case MergeEvent(cursors=cursors):
                counts.merges += len(cursors) > 1  # one operand alone has a loop of its own, counted above
                counts.iterations += len(cursors) > 1
            case CaseEvent():
                pass
            case _:
                pass
    # Several parallel loops follow one another where results are prepared or combined: that of the work counts.
    counts.shares = max(shares.values(), key=lambda share: sum(share.values()), default={})
    counts.workers_by_loop = {variable: frozenset(share) for variable, share in shares.items()}
    return counts


def arrays_of(function: Function) -> dict[str, Array]:
    """The arrays of operands and the result by their names in the loops. Workspaces are not among them."""
    return {parameter.name: parameter.array for parameter in function.parameters if parameter.array is not None}


def find_gathers(function: Function) -> set[tuple[int, str]]:
    """Statements, by number, with the arrays of values that they load at a place that a coordinate decides: one that
    was itself loaded, directly or through scalars. Values next to that coordinate, at its own position, are none."""
    owners, arrays = arrays_of(function), set[tuple[int, str]]()
    loaded = _loaded_coordinates(function, owners)
    for number, statement in enumerate(all_statements(function)):
        for expression in expressions(statement):
            for part in subexpressions(expression):
                if isinstance(part, Load | VectorLoad | Gather) and (
                    isinstance(part, Gather) or _reads(part.index, loaded, owners)
                ):
                    arrays.add((number, part.array.name))
    return arrays


def find_scatters(function: Function) -> set[int]:
    """Stores, by the number of their statement, whose place a coordinate decides that was itself loaded."""
    owners = arrays_of(function)
    loaded = _loaded_coordinates(function, owners)
    listed = enumerate(all_statements(function))
    return {
        number
        for number, statement in listed
        if isinstance(statement, Store) and _reads(statement.index, loaded, owners)
    }


def _loaded_coordinates(function: Function, owners: dict[str, Array]) -> set[str]:
    """The scalars whose value comes from an array of coordinates."""
    loaded: set[str] = set()
    while True:
        before = len(loaded)
        for statement in all_statements(function):
            if isinstance(statement, Declare | Assign) and _reads(statement.value, loaded, owners):
                loaded.add(statement.name)
        if len(loaded) == before:
            return loaded


def _reads(expression: Expr, loaded: set[str], owners: dict[str, Array]) -> bool:
    for part in subexpressions(expression):
        if isinstance(part, Var) and part.name in loaded:
            return True
        if isinstance(part, Load | VectorLoad | Gather):
            owner = owners.get(part.array.name)
            if owner is not None and owner.role is ArrayRole.CRD:
                return True
    return False


def _multiplications(statement: Stmt) -> int:
    """Of numbers of a tensor's type, each time the statement runs."""
    if isinstance(statement, Search):
        return 0
    parts = (part for expression in expressions(statement) for part in subexpressions(expression))
    return sum(
        isinstance(part, Binary) and part.operator == "*" and np.dtype(part.dtype.split("x")[0]).kind in "fc"
        for part in parts
    )


def _role(statement: Stmt) -> Role | None:
    origin = getattr(statement, "origin", None)
    return origin.role if origin is not None else None
