"""Lanes of a GPU's warps that wait for the busiest of them, or read far apart."""

from __future__ import annotations

from heddle.explorer.cost_report.account import Account, lanes_idle, sectors_used
from heddle.explorer.cost_report.findings.finding import Finding, new_names, try_fix

IDLE, USED, BETTER = 0.4, 0.5, 0.6
"""Share of lanes that wait, and share of sectors that are needed, from which it is said; what a repair may leave."""
BLOCK = 256


def idle_lanes(account: Account) -> Finding | None:
    """The repair gives lanes neighbouring entries of a matrix."""
    idle = lanes_idle(account.launches) if account.result.launches else None
    graph = account.result.graph
    if idle is None or idle < IDLE or graph is None:
        return None
    text = f"{idle:.0%} of the lanes of a warp wait on average, while the busiest one works."
    names = new_names(graph)
    for name, tensor in graph.signature.tensors.items():
        if tensor.is_result or tensor.format.is_dense or len(tensor.indices) != 2:
            continue
        flat, position, block, thread = (names.fresh(name_hint) for name_hint in ("f", "p", "b", "t"))
        for race in ("ParallelReduction", "Atomics"):
            schedule = [
                f"fuse({tensor.indices[0]}, {tensor.indices[1]}, {flat})",
                f"pos({flat}, {position}, {name})",
                f"split({position}, {block}, {thread}, {BLOCK})",
                f"parallelize({block}, GPUBlock, Atomics)",
                f"parallelize({thread}, GPUThread, {race})",
            ]
            repair = try_fix(account, f"Give lanes neighbouring entries of {name}", schedule=schedule)
            after = None if repair is None else lanes_idle(repair.account.launches)
            if repair is not None and after is not None and after <= BETTER * idle:
                gain = f"Then {after:.0%} wait, at the cost of {repair.account.counts.atomics:,} atomic updates."
                return Finding("idle-lanes", text, repair.fix, gain)
    return Finding("idle-lanes", text)


def far_lanes(account: Account) -> Finding | None:
    used = sectors_used(account.launches) if account.result.launches else None
    if used is None or used >= USED:
        return None
    text = (
        f"Lanes read far apart: {used:.0%} of the sectors of 32 bytes that warps touch would be enough. Let "
        "neighbouring lanes run over what lies side by side in memory."
    )
    return Finding("far-lanes", text)
