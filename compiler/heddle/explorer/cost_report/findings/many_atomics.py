"""Updates that must not be interrupted, one for each product."""

from __future__ import annotations

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.finding import Finding, first_tried
from heddle.lowering.function import find_unsegmented
from heddle.schedule.primitives.parallelize import Parallelize

MANY, LEAST, BETTER = 0.5, 16, 0.5
"""Atomic updates for each product; how many there must be; what a repair may leave of them."""


def many_atomics(account: Account) -> Finding | None:
    counts, schedule = account.counts, account.result.plan.schedule
    if counts.atomics < max(LEAST, MANY * counts.work):
        return None
    text = (
        f"{counts.atomics:,} atomic updates for {counts.work:,} operations: nearly every result goes to memory by "
        "itself and waits there for the others."
        f"{_explain_unsegmented(account)}"
    )
    places = [
        (command.number, command.command)
        for command in account.result.commands
        if isinstance(command.command, Parallelize) and command.command.race == "Atomics"
    ]
    tries = [
        (f"Let {command.variable} add up first", [*schedule[:number], text, *schedule[number + 1 :]])
        for number, command in reversed(places)
        for race in ("ParallelReduction", "Temporary")
        for text in [f"parallelize({command.variable}, {command.unit}, {race})"]
    ]
    best = min(first_tried(account, tries, len(tries)), key=lambda repair: repair.account.counts.atomics, default=None)
    if best is None or best.account.counts.atomics > BETTER * counts.atomics:
        return Finding("many-atomics", text)
    return Finding("many-atomics", text, best.fix, f"{best.account.counts.atomics:,} atomic updates remain.")


def _explain_unsegmented(account: Account) -> str:
    """Why a loop over positions does not add up a row before it stores it."""
    graph = account.result.lowered_graph
    reasons = {} if graph is None else find_unsegmented(graph)
    texts = [f" The rows of {loop} are not summed in registers, since {why.value}." for loop, why in reasons.items()]
    return "".join(texts)
