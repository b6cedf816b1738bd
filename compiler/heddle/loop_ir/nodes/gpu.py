"""Statements of loop IR for the threads of a GPU (docs/sources.md T27, T28, T48).

The body of a loop over blocks is executed by every thread of the block, each with scalars of its own. Code outside the
loops over threads is *uniform*: all threads of the block, inside a loop over warps all threads of the warp, take the
same way through it. Barriers and combinations are only in uniform code, so that no thread misses one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.origin import Origin


class GroupScope(StrEnum):
    """Which threads act together."""

    WARP = "warp"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Barrier:
    """No thread of the group goes on before all have come here; what they wrote before is visible after it."""

    scope: GroupScope
    origin: Origin


@dataclass(frozen=True, slots=True)
class Combine:
    """The scalars ``name`` of all threads of the group are combined with ``operator``; each thread gets the result."""

    name: str
    operator: str
    scope: GroupScope
    origin: Origin


@dataclass(frozen=True, slots=True)
class CombineRuns:
    """Combines within the runs of neighbouring lanes of a warp whose index scalars ``key`` are equal.

    The first lane of each run gets the run's result in ``name``; other lanes must not read ``name`` any more. The node
    declares the truth value ``head``: whether the lane is the first of its run.
    """

    name: str
    key: str
    head: str
    operator: str
    origin: Origin
