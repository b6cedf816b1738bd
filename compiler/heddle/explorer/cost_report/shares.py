"""Tiles small enough for small data: without them one share would have all of the work, and say nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from heddle.diagnostics import CompileError, Fix
from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.counted import UNITS
from heddle.explorer.cost_report.run import Operands, TooLong
from heddle.pipeline import lower
from heddle.result import CompileResult
from heddle.schedule.primitives.split import Split

FEWEST_SHARES = 4
"""Of the parallel loop: fewer show no balance."""
WANTED_SHARES = 8
SMALLER = 4
"""What a tile is divided by when it leaves too few shares still."""


@dataclass(frozen=True, slots=True)
class ScaledTile:
    """``command`` of the schedule was counted as ``counted``, which has a smaller tile."""

    command: str
    counted: str


@dataclass(frozen=True, slots=True, eq=False)
class ScaledAccount:
    """An account whose parallel loop has ``FEWEST_SHARES`` shares at least, where a smaller tile makes them."""

    account: Account
    tiles: tuple[ScaledTile, ...]

    def restore_tiles(self, fix: Fix) -> Fix:
        """``fix`` with the tiles of the plan: what was counted with smaller ones holds for these."""
        if fix.schedule is None:
            return fix
        plain = {tile.counted: tile.command for tile in self.tiles}
        return replace(fix, schedule=tuple(plain.get(text, text) for text in fix.schedule))


Tiles = Literal["scaled", "as written"]


def account_with_shares(
    result: CompileResult, operands: Operands, most_events: int, tiles: Tiles = "scaled"
) -> ScaledAccount:
    """The account of ``result`` on ``operands``; with ``scaled`` tiles those of its parallel loop are cut down where
    they are so large that fewer than ``FEWEST_SHARES`` shares exist. The threads of a GPU are counted as they are.

    Raises what :class:`Account` does.
    """
    account = Account(result, operands, most_events)
    if tiles == "as written" or result.launches or account.run.fault is not None:
        return ScaledAccount(account, ())
    if account.counts.workers >= FEWEST_SHARES:
        return ScaledAccount(account, ())
    for candidate in _smaller_tiles(account):
        if candidate.account.counts.workers >= FEWEST_SHARES:
            return candidate
    return ScaledAccount(account, ())


def _smaller_tiles(account: Account) -> Iterator[ScaledAccount]:
    """The account with ever smaller tiles of its parallel loop."""
    result = account.result
    graph, schedule = result.graph, result.plan.schedule
    if graph is None:
        return
    shared = {name for name, tag in graph.parallel.items() if tag.unit in UNITS}
    for parsed in result.commands:
        command = parsed.command
        if not isinstance(command, Split) or command.outer not in shared or parsed.selector is not None:
            continue
        size = min(command.size, max(1, -(-account.counts.work // WANTED_SHARES)))
        extent = account.run.sizes.get(command.variable)
        if extent is not None:
            size = min(size, max(1, -(-extent // WANTED_SHARES)))
        while True:
            text = f"split({command.variable}, {command.outer}, {command.inner}, {size})"
            texts = [*schedule[: parsed.number], text, *schedule[parsed.number + 1 :]]
            try:
                scaled = lower(replace(result.plan, schedule=tuple(texts)))
                if scaled.ok:
                    changed = Account(scaled, account.operands, account.most_events)
                    if changed.run.fault is None:
                        yield ScaledAccount(changed, (ScaledTile(schedule[parsed.number], text),))
            except (CompileError, TooLong):
                pass
            if size == 1:
                break
            size = max(1, size // SMALLER)
