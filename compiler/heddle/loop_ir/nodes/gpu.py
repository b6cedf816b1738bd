"""Statements of loop IR for the threads of a GPU (docs/sources.toml T27, T28, T48).

The body of a loop over blocks is executed by every thread of the block, each with scalars of its own. Code outside the
loops over threads is *uniform*: all threads of the block, inside a loop over warps all threads of the warp, take the
same way through it. Barriers and combinations are only in uniform code, so that no thread misses one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.loop_ir.nodes.expressions import Array, Const, Expr
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


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Opens the hash table in which the threads of a group collect the entries of a row of the result: ``keys`` are
    their coordinates, ``values`` (None while coordinates are counted) start with ``start``.

    It declares both arrays and the index scalar ``room``: how many places the table of this row has, a power of two.
    There are at most ``most`` different coordinates; where they are ``counted``, no more than are inserted, either.
    Stands in the body of a loop over blocks; the pass that makes launches finds room for it.
    """

    keys: Array
    values: Array | None
    room: str
    start: Const
    most: Expr
    counted: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class Insert:
    """Declares the index scalar ``name``: the place of ``key``, from 0, in the hash table
    ``keys[lower : lower + room)``.

    A key that the table does not have yet takes an empty place, of which there must be one
    (:mod:`heddle.loop_ir.hash_tables`). Other
    threads may insert at the same time.
    """

    name: str
    keys: Array
    lower: Expr
    room: Expr
    key: Expr
    origin: Origin
