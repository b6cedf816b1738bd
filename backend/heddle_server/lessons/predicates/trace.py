"""trace.*, result.* and cache.*: what happened when the checked interpreter ran the kernel on the data of the task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from heddle.explorer.cost_report.account import lanes_idle, sectors_used
from heddle.explorer.cost_report.counted import UNITS, Counts
from heddle_server.lessons.condition import Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.graph import loops_over
from heddle_server.lessons.predicates.predicate import TENSOR, VARIABLE, Finder, Kind, Predicate, predicate

COUNTED: tuple[tuple[str, str, Callable[[Counts], Value], str], ...] = (
    ("trace.work", "operations", lambda counts: counts.work,
     "Executions of statements that compute with values of operands."),
    ("trace.multiplications", "multiplications", lambda counts: counts.multiplications,
     "Multiplications of values."),
    ("trace.iterations", "iterations", lambda counts: counts.iterations,
     "Iterations of all loops."),
    ("trace.merges", "iterations", lambda counts: counts.merges,
     "Iterations of loops in which several operands advance together, comparing coordinates."),
    ("trace.index_loads", "loads", lambda counts: counts.index_loads,
     "Loads from arrays of coordinates and positions."),
    ("trace.gathers", "loads", lambda counts: counts.gathers,
     "Loads of values at a place that a stored coordinate decided."),
    ("trace.scatters", "stores", lambda counts: counts.scatters,
     "Stores of values at a place that a stored coordinate decided."),
    ("trace.stores", "stores", lambda counts: counts.stores,
     "Stores to results and workspaces."),
    ("trace.atomics", "updates", lambda counts: counts.atomics,
     "Atomic updates."),
    ("trace.zeroed", "elements", lambda counts: counts.zeroed,
     "Elements of results and workspaces that were set to their initial value."),
    ("trace.imbalance", "times", lambda counts: counts.imbalance,
     "The largest share of the work over the mean share: 1 is perfect, and 8 of 8 workers is no help "
     "at all."),
)  # fmt: skip
"""Numbers of the whole run: name, unit, where it stands in the counts, what it is."""

COUNTED_BY: tuple[tuple[str, str, tuple[str, Kind], Callable[[Counts], Counter[str]], str], ...] = (
    ("trace.visits", "iterations", VARIABLE, lambda counts: counts.visited,
     "Iterations of the loop over a variable. A loop over stored coordinates is named as in the code: "
     "jA for j in A."),
    ("trace.loads", "loads", TENSOR, lambda counts: counts.loads,
     "Loads of values of a tensor or workspace."),
    ("trace.elements", "values", TENSOR, lambda counts: counts.elements,
     "Different values of a tensor that were loaded."),
)  # fmt: skip
"""Numbers by a name, of a tensor or a loop."""


OF_STATEMENTS = (
    *("trace.work", "trace.merges", "trace.index_loads", "trace.gathers", "trace.scatters"),
    "trace.imbalance",
)
"""What is counted by the kinds of arrays, coordinates and values, which are alike in programs of patterns."""


def _whole(name: str, count: Callable[[Counts], Value]) -> Finder:
    def found(evidence: Evidence) -> Value:
        if name in OF_STATEMENTS:
            evidence.of_statements()
        return count(evidence.counts)

    return found


def _by(count: Callable[[Counts], Counter[str]]) -> Finder:
    return lambda evidence, name: count(evidence.counts)[name]


@predicate("result.right", "truth")
def right(evidence: Evidence) -> Value:
    """The result is what NumPy computes, in every order of the parallel iterations that is tried, without a fault."""
    return evidence.wrong is None


@predicate("result.same", "truth")
def same(evidence: Evidence) -> Value:
    """The result is what the plan at the start computes, for tasks that let the expression be written anew."""
    ours = evidence.run.result
    if evidence.start is None:
        raise Unknown("there is no plan at the start")
    first = evidence.start.run.result
    if ours is None or first is None:
        raise Unknown(f"the run ended early: {evidence.run.fault or evidence.start.run.fault}")
    return ours.shape == first.shape and bool(np.allclose(ours, first, rtol=1e-9, atol=0))


@predicate("result.answer", "truth")
def answer(evidence: Evidence) -> Value:
    """The result is what the author's solution computes, on data with signs, ties and zeros. Every task whose
    expression may change is checked for it, whether its checks say so or not."""
    return evidence.difference is None


@predicate("trace.faults", "faults")
def faults(evidence: Evidence) -> Value:
    """1 where the checked run ended in a fault or a broken claim: a race, an access out of bounds, a bound that the
    data break."""
    return int(evidence.run.fault is not None)


@predicate("trace.workers", "workers", VARIABLE, optional=1)
def workers(evidence: Evidence, variable: str | None = None) -> Value:
    """Iterations of the loop that is shared out to threads or blocks; 1 where none is. With a variable, of the loop
    that comes from it, where several are shared out."""
    if variable is None:
        return evidence.counts.workers
    shared = [loop for loop in loops_over(evidence, variable) if evidence.graph.parallel[loop].unit in UNITS]
    counted = evidence.counts.workers_by_loop
    # A reduction with copies runs over parts of the loop, in a loop named after it.
    return max((len(counted[name]) for loop in shared for name in (loop, f"{loop}_part") if name in counted), default=1)


@predicate("trace.lanes_idle", "share")
def idle(evidence: Evidence) -> Value:
    """Share of a GPU's lanes that wait while the busiest lane of their warp works, over all warps that do something."""
    share = lanes_idle(evidence.launches)
    if share is None:
        raise Unknown("no thread of a GPU computed anything")
    return share


@predicate("trace.sectors_used", "share", TENSOR, optional=1)
def used(evidence: Evidence, tensor: str | None = None) -> Value:
    """Sectors of 32 bytes that the accesses of warps need at least, over those that they touch; of one tensor or of
    all. 1 is coalesced."""
    share = sectors_used(evidence.launches, tensor)
    if share is None:
        raise Unknown("no thread of a GPU read or wrote memory")
    return share


@predicate("cache.misses", "misses", TENSOR, ("size", "number"))
def cache_misses(evidence: Evidence, tensor: str, size: float) -> Value:
    """Misses of a tensor in a simulated cache of so many bytes, in lines of 64 bytes and 8 ways."""
    return evidence.misses(int(size))[tensor]


PREDICATES = (
    *(right, same, answer, faults, workers, idle, used, cache_misses),
    *(Predicate(name, unit, (), 0, summary, _whole(name, count)) for name, unit, count, summary in COUNTED),
    *(Predicate(name, unit, (by,), 0, summary, _by(count)) for name, unit, by, count, summary in COUNTED_BY),
)
