"""A tensor that comes from memory again and again, since others push it out of the cache between two uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.finding import Finding, first_tried, new_names, times
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loop_variables

CACHE = 4096
"""Bytes of the cache that stands for one of a real machine, as the data stand for real data."""
AGAIN = 1.5
"""How many times a line must come on average."""
LEAST = 32
"""Misses below which it does not matter."""
BETTER = 0.8
"""Share of all misses that a repair may leave."""
MOST = 8
TILE = 8
"""Doubles in a line of the cache."""


def far_reuse(account: Account) -> Finding | None:
    graph, missed, lines = account.result.graph, account.misses(CACHE), account.lines
    if graph is None or not missed:
        return None
    tensor, count = max(missed.items(), key=lambda entry: (entry[1] - lines[entry[0]], entry[0]))
    if count < LEAST or count < AGAIN * lines[tensor]:
        return None
    text = (
        f"{tensor} misses {count:,} times in a cache of {CACHE // 1024} KiB, {times(count / lines[tensor])} its "
        f"{lines[tensor]:,} lines: so much else is loaded between two uses of a line that it is gone."
    )
    total = sum(missed.values())
    best, left = None, BETTER * total
    for repair in first_tried(account, _schedules(account, graph), MOST):
        now = sum(repair.account.misses(CACHE).values())
        if now <= left and repair.account.counts.work == account.counts.work:
            best, left = repair, now
    if best is None:
        return Finding("far-reuse", text)
    after = best.account.misses(CACHE)
    gain = (
        f"{tensor} then misses {after[tensor]:,} times; all tensors together miss {int(left):,} times instead of "
        f"{total:,}."
    )
    return Finding("far-reuse", text, best.fix, gain)


def _schedules(account: Account, graph: IterationGraph) -> Iterator[tuple[str, Sequence[str]]]:
    """A tile of the innermost loop outside, then other orders of the loops. A plan whose loops run in parallel keeps
    its order."""
    loops, old = list(loop_variables(graph.statement)), account.result.plan.schedule
    if not 2 <= len(loops) <= 4 or graph.parallel:
        return
    names = new_names(graph)
    for variable in reversed(loops[1:]):
        outer, inner = names.fresh(f"{variable}0"), names.fresh(f"{variable}1")
        inside = [inner if loop == variable else loop for loop in loops]
        order = [outer, *(loop for loop in inside if loop != inner), inner]
        yield (
            f"Tiles of {variable} outside",
            [
                *old,
                f"split({variable}, {outer}, {inner}, {TILE})",
                f"reorder({', '.join(order)})",
            ],
        )
    for other in islice(permutations(loops), 1, None):
        yield f"Loops in the order {', '.join(other)}", [*old, f"reorder({', '.join(other)})"]
