"""Why a plan is faster or slower than another: the work of each share, the bytes moved, and one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.explorer.cost_report.account import Account, lanes_idle
from heddle.explorer.cost_report.cache import LINE_BYTES
from heddle.explorer.cost_report.comparison_schema import ComparedSideView

CACHE_BYTES = 4096
"""Of the simulated cache whose misses are the bytes moved: small, as the data are."""
MOST_SHARES = 256
"""Shares that are listed."""
NOTICED = 1.05
"""Ratios nearer to 1 than this are called the same."""


@dataclass(frozen=True, slots=True)
class Side:
    """What is compared of one plan. ``shares`` are the operations of the iterations of the loop that is shared out, in
    their order; of a plan whose loops all run one after the other, one share with all of them. ``bytes`` were moved
    between memory and a cache of ``CACHE_BYTES``. ``lanes_idle`` is None away from GPUs."""

    shares: tuple[int, ...]
    work: int
    bytes: int
    atomics: int = 0
    lanes_idle: float | None = None

    @property
    def imbalance(self) -> float:
        """The largest share over the mean share."""
        total = sum(self.shares)
        return max(self.shares) * len(self.shares) / total if total else 1.0


def side_of(account: Account) -> Side:
    """Raises what the account's run does."""
    counts = account.counts
    shares = tuple(share for _, share in sorted(counts.shares.items())) or (counts.work,)
    moved = sum(account.misses(CACHE_BYTES).values()) * LINE_BYTES
    idle = lanes_idle(account.launches) if account.result.launches else None
    return Side(shares, counts.work, moved, counts.atomics, idle)


def side_view(side: Side, title: str, schedule: tuple[str, ...]) -> ComparedSideView:
    """``schedule`` is what was counted, with the tiles that were."""
    return ComparedSideView(
        title=title,
        schedule=list(schedule),
        shares=list(side.shares[:MOST_SHARES]),
        count=len(side.shares),
        imbalance=side.imbalance,
        work=side.work,
        bytes=side.bytes,
        atomics=side.atomics,
        lanes_idle=side.lanes_idle,
    )


def compare_sides(before: Side, after: Side) -> str:
    """One sentence with what differs, the shares first: ``Largest share 3.1 × the mean → 1.0 ×; 2.1 × fewer bytes.``"""
    parts = [
        _shares(before, after),
        _ratio(before.work, after.work, "operations"),
        _ratio(before.bytes, after.bytes, "bytes") or "the same bytes",
        _lanes(before, after),
        _atomics(before, after),
    ]
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}."


def describe_side(side: Side) -> str:
    """The same of a plan that nothing is compared with."""
    if len(side.shares) == 1:
        return f"One share does all of the {side.work:,} operations; {side.bytes:,} bytes moved."
    return (
        f"{len(side.shares):,} shares, the largest {side.imbalance:.1f} × the mean; {side.work:,} operations, "
        f"{side.bytes:,} bytes moved."
    )


def _shares(before: Side, after: Side) -> str:
    many_before, many_after = len(before.shares), len(after.shares)
    match (many_before > 1, many_after > 1):
        case (True, True):
            return f"largest share {before.imbalance:.1f} × the mean → {after.imbalance:.1f} ×"
        case (False, True):
            return f"one share of all the work → {many_after:,} shares, the largest {after.imbalance:.1f} × the mean"
        case (True, False):
            return f"{many_before:,} shares, the largest {before.imbalance:.1f} × the mean → one share of all the work"
        case _:
            return "one share of all the work, as before"


def _ratio(before: int, after: int, noun: str) -> str:
    """``2.1 × fewer bytes``; empty where both are about the same."""
    low, high = sorted((before, after))
    if high < NOTICED * max(low, 1) or not high:
        return ""
    if not low:
        return f"{noun}: none → {after:,}" if after else f"{noun}: {before:,} → none"
    return f"{high / low:.{1 if high < 10 * low else 0}f} × {'fewer' if after < before else 'more'} {noun}"


def _lanes(before: Side, after: Side) -> str:
    if after.lanes_idle is None:
        return ""
    now = f"{after.lanes_idle:.1%} of the lanes waiting"
    return now if before.lanes_idle is None else f"lanes waiting {before.lanes_idle:.1%} → {after.lanes_idle:.1%}"


def _atomics(before: Side, after: Side) -> str:
    if before.atomics == after.atomics:
        return ""
    return f"atomic updates {before.atomics:,} → {after.atomics:,}"
