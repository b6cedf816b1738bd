"""Work that nobody shares."""

from __future__ import annotations

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.finding import Finding, try_fix
from heddle.iteration_graph.graph.provenance import loop_variables
from heddle.targets import C

LEAST = 64
"""Operations below which nobody would share."""


def single_worker(account: Account) -> Finding | None:
    graph, counts = account.result.graph, account.counts
    if graph is None or graph.parallel or account.result.plan.target != C.name or counts.work < LEAST:
        return None
    text = (
        f"One thread computes all of the {counts.work:,} products and sums, one after the other. That is right for "
        "small data, where waking threads costs more than it saves."
    )
    for variable in loop_variables(graph.statement)[:2]:
        schedule = [*account.result.plan.schedule, f"parallelize({variable}, CPUThread, NoRaces)"]
        repair = try_fix(account, f"Share out {variable} among threads", schedule=schedule)
        if repair is not None and repair.account.counts.workers > 1:
            after = repair.account.counts
            gain = f"{after.workers} iterations are shared out; the largest has {after.imbalance:.2f} times the mean."
            return Finding("one-worker", text, repair.fix, gain)
    return Finding("one-worker", text)
