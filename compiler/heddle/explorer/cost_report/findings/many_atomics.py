"""Updates that must not be interrupted, one for each product."""

from __future__ import annotations

from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.findings.finding import Finding, first_tried
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
