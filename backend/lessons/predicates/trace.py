"""trace.*, result.* and cache.*: what happened when the checked interpreter ran the kernel on the data of the task."""

from __future__ import annotations

from backend.lessons.condition import Value
from backend.lessons.evidence import Evidence, Unknown
from backend.lessons.predicates.predicate import TENSOR, VARIABLE, predicate


@predicate("result.right", "truth")
def right(evidence: Evidence) -> Value:
    """The result is what NumPy computes, in every order of the parallel iterations that is tried, without a fault."""
    return evidence.wrong is None


@predicate("trace.faults", "faults")
def faults(evidence: Evidence) -> Value:
    """1 where the checked run ended in a fault or a broken claim: a race, an access out of bounds, a bound that the
    data break."""
    return int(evidence.run.fault is not None)


@predicate("trace.work", "operations")
def work(evidence: Evidence) -> Value:
    """Executions of statements that compute with values of operands."""
    return evidence.counts.work


@predicate("trace.multiplications", "multiplications")
def multiplications(evidence: Evidence) -> Value:
    """Multiplications of values."""
    return evidence.counts.multiplications


@predicate("trace.iterations", "iterations")
def iterations(evidence: Evidence) -> Value:
    """Iterations of all loops."""
    return evidence.counts.iterations


@predicate("trace.visits", "iterations", VARIABLE)
def visits(evidence: Evidence, variable: str) -> Value:
    """Iterations of the loop over a variable. A loop over stored coordinates is named as in the code: jA for j in A."""
    return evidence.counts.visited[variable]


@predicate("trace.merges", "iterations")
def merges(evidence: Evidence) -> Value:
    """Iterations of loops in which several operands advance together, comparing coordinates."""
    return evidence.counts.merges


@predicate("trace.loads", "loads", TENSOR)
def loads(evidence: Evidence, tensor: str) -> Value:
    """Loads of values of a tensor or workspace."""
    return evidence.counts.loads[tensor]


@predicate("trace.elements", "values", TENSOR)
def elements(evidence: Evidence, tensor: str) -> Value:
    """Different values of a tensor that were loaded."""
    return evidence.counts.elements[tensor]


@predicate("trace.index_loads", "loads")
def index_loads(evidence: Evidence) -> Value:
    """Loads from arrays of coordinates and positions."""
    return evidence.counts.index_loads


@predicate("trace.gathers", "loads")
def gathers(evidence: Evidence) -> Value:
    """Loads of values at a place that a stored coordinate decided."""
    return evidence.counts.gathers


@predicate("trace.stores", "stores")
def stores(evidence: Evidence) -> Value:
    """Stores to results and workspaces."""
    return evidence.counts.stores


@predicate("trace.atomics", "updates")
def atomics(evidence: Evidence) -> Value:
    """Atomic updates."""
    return evidence.counts.atomics


@predicate("trace.zeroed", "elements")
def zeroed(evidence: Evidence) -> Value:
    """Elements of results and workspaces that were set to their initial value."""
    return evidence.counts.zeroed


@predicate("trace.workers", "workers")
def workers(evidence: Evidence) -> Value:
    """Iterations of the loop that is shared out to threads or blocks; 1 where none is."""
    return evidence.counts.workers


@predicate("trace.imbalance", "times")
def imbalance(evidence: Evidence) -> Value:
    """The largest share of the work over the mean share: 1 is perfect, and 8 of 8 workers is no help at all."""
    return evidence.counts.imbalance


@predicate("trace.lanes_idle", "share")
def lanes_idle(evidence: Evidence) -> Value:
    """Share of a GPU's lanes that wait while the busiest lane of their warp works, over all warps that do something."""
    busy = total = 0
    for launch in evidence.launches:
        for block in launch["blocks"]:
            size = launch["warp_size"]
            for first in range(0, len(block["work"]), size):
                warp = block["work"][first : first + size]
                busy, total = busy + sum(warp), total + max(warp) * size
    if not total:
        raise Unknown("no thread of a GPU computed anything")
    return 1 - busy / total


@predicate("trace.sectors_used", "share", TENSOR, optional=1)
def sectors_used(evidence: Evidence, tensor: str | None = None) -> Value:
    """Sectors of 32 bytes that the accesses of warps need at least, over those that they touch; of one tensor or of
    all. 1 is coalesced."""
    found = [
        one for launch in evidence.launches for one in launch["memory"] if tensor is None or one["tensor"] == tensor
    ]
    touched = sum(one["sectors"] for one in found)
    if not touched:
        raise Unknown("no thread of a GPU read or wrote memory")
    return sum(one["fewest"] for one in found) / touched


@predicate("cache.misses", "misses", TENSOR, ("size", "number"))
def cache_misses(evidence: Evidence, tensor: str, size: float) -> Value:
    """Misses of a tensor in a simulated cache of so many bytes, in lines of 64 bytes and 8 ways."""
    return evidence.misses(int(size))[tensor]


PREDICATES = (
    *(right, faults, work, multiplications, iterations, visits, merges, loads, elements, index_loads, gathers),
    *(stores, atomics, zeroed, workers, imbalance, lanes_idle, sectors_used, cache_misses),
)
