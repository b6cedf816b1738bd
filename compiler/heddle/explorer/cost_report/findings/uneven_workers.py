"""Workers that wait for one that got much of the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.finding import Finding, first_tried, new_names
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import relation_above, roots
from heddle.loop_ir.nodes import LoopKind
from heddle.schedule.primitives.divide import Divide
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.primitives.split import Split

UNEVEN, FEWEST = 1.25, 4
"""How many times the mean share the largest must be. Of fewer shares small data tell little: tiles are as large as real
data need them."""
BETTER = 0.85
"""What a repair must leave of it at most."""
THREADS = 8
"""Workers of a repair where the plan does not say how many."""
MOST = 6


def uneven_workers(account: Account) -> Finding | None:
    counts, graph = account.counts, account.result.graph
    if graph is None or counts.workers < FEWEST or counts.imbalance < UNEVEN:
        return None
    total = sum(counts.shares.values())
    largest = max(counts.shares.values())
    variable = next((name for name, tag in graph.parallel.items() if tag.unit in _UNITS), "the loop")
    text = (
        f"One of {counts.workers} iterations of {variable} has {largest / total:.0%} of the work, "
        f"{counts.imbalance:.2f} times the mean: threads that have finished wait for it."
    )
    best = None
    for repair in first_tried(account, _schedules(account, graph), MOST):
        repaired_counts = repair.account.counts
        if repaired_counts.workers > 1 and (
            best is None or repaired_counts.imbalance < BETTER * best.account.counts.imbalance
        ):
            best = repair
    if best is None or best.account.counts.imbalance > BETTER * counts.imbalance:
        return Finding("uneven-workers", text)
    after = best.account.counts
    gain = f"The largest share becomes {after.imbalance:.2f} times the mean"
    gain += f", at the cost of {after.atomics:,} atomic updates." if after.atomics > counts.atomics else "."
    return Finding("uneven-workers", text, best.fix, gain)


_UNITS = (LoopKind.CPU_THREAD, LoopKind.GPU_BLOCK)


def _schedules(account: Account, graph: IterationGraph) -> Iterator[tuple[str, Sequence[str]]]:
    """Rows cut where the entries say, then entries cut wherever they lie."""
    commands = [(command.number, command.command) for command in account.result.commands]
    texts, names = account.result.plan.schedule, new_names(graph)
    sparse = [
        name for name, tensor in graph.signature.tensors.items() if not tensor.is_result and not tensor.format.is_dense
    ]
    for place, command in commands:
        if not isinstance(command, Parallelize) or command.unit != LoopKind.CPU_THREAD.value:
            continue
        cut = relation_above(graph, command.variable)
        (row,) = roots(graph, command.variable) if len(roots(graph, command.variable)) == 1 else ("",)
        cuts = [(number, division) for number, division in commands if isinstance(division, Split | Divide)]
        row_cut = next((cut for cut in cuts if cut[1].outer == command.variable), None)
        for tensor in sparse:
            if cut is None:
                outer, inner = names.fresh(f"{row}0"), names.fresh(f"{row}1")
                new = [f"balance({row}, {outer}, {inner}, {tensor}, {THREADS})"]
                yield f"Cut {row} by the entries of {tensor}", [
                    *texts[:place], *new, f"parallelize({outer}, CPUThread, {command.race})", *texts[place + 1 :]
                ]  # fmt: skip
            elif row_cut is not None and row_cut[1].variable == row:
                parts = row_cut[1].parts if isinstance(row_cut[1], Divide) else THREADS
                new = [f"balance({row}, {row_cut[1].outer}, {row_cut[1].inner}, {tensor}, {parts})"]
                yield f"Cut {row} by the entries of {tensor}", [
                    *texts[: row_cut[0]], *new, *texts[row_cut[0] + 1 :]
                ]  # fmt: skip
        for tensor in sparse:
            indices = graph.signature.tensors[tensor].indices
            if len(indices) == 2 and row == indices[0]:
                flat, position = names.fresh("f"), names.fresh("p")
                outer, inner = names.fresh("p0"), names.fresh("p1")
                yield (
                    f"Share out the entries of {tensor} instead of rows",
                    [
                        f"fuse({indices[0]}, {indices[1]}, {flat})",
                        f"pos({flat}, {position}, {tensor})",
                        f"divide({position}, {outer}, {inner}, {THREADS})",
                        f"parallelize({outer}, CPUThread, Atomics)",
                    ],
                )
