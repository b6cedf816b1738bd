"""All rules, in the order in which what they find is shown."""

from __future__ import annotations

from collections.abc import Callable

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.far_reuse import far_reuse
from heddle.explorer.cost_report.findings.finding import Finding
from heddle.explorer.cost_report.findings.idle_lanes import far_lanes, idle_lanes
from heddle.explorer.cost_report.findings.many_atomics import many_atomics
from heddle.explorer.cost_report.findings.single_worker import single_worker
from heddle.explorer.cost_report.findings.uneven_workers import uneven_workers
from heddle.explorer.cost_report.findings.wasteful_storage import wasteful_storage

RULES: tuple[Callable[[Account], Finding | None], ...] = (
    wasteful_storage,
    uneven_workers,
    many_atomics,
    idle_lanes,
    far_lanes,
    far_reuse,
    single_worker,
)


def findings(account: Account) -> list[Finding]:
    """What costs something; of a run that ended in a fault nothing is said."""
    if account.run.fault is not None:
        return []
    return [finding for rule in RULES if (finding := rule(account)) is not None]
