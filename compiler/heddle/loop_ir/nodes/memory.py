"""Statements of loop IR that obtain memory or rearrange its contents: workspaces, allocated results, hash maps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.loop_ir.nodes.expressions import Array, Expr, Map
from heddle.origin import Origin


class MemorySpace(StrEnum):
    """Whose memory a workspace is: all workers', that of a block or warp of GPU threads, or one GPU thread's own."""

    GLOBAL = "global"
    SHARED = "shared"
    REGISTER = "register"


@dataclass(frozen=True, slots=True)
class Allocate:
    """Declares a workspace array of ``size`` elements that lives until the enclosing block ends: uninitialised, or all
    ``zero``. On a GPU ``space`` says which threads have it in common (docs/sources.toml T31)."""

    array: Array
    size: Expr
    origin: Origin
    zero: bool = False
    space: MemorySpace = MemorySpace.GLOBAL


@dataclass(frozen=True, slots=True)
class AllocateResult:
    """Obtains the memory of an ``allocated`` parameter, uninitialised. Stands in the function's outermost block; from
    there on the array is used like that of any other parameter."""

    array: Array
    size: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Grow:
    """Makes ``array`` hold at least ``needed`` elements and keeps its contents; its capacity at least doubles."""

    array: Array
    needed: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Scan:
    """The inclusive prefix sum of the integers ``array[0:size)``, in place: every element becomes the sum of those up
    to it. A sum that the array's dtype cannot hold ends the kernel with the status ``INDEX_OVERFLOW``."""

    array: Array
    size: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Sort:
    """Sorts the integers ``array[lower:upper)``, ascending."""

    array: Array
    lower: Expr
    upper: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class AllocateMap:
    """Declares a map without entries that lives until the enclosing block ends."""

    map: Map
    origin: Origin


@dataclass(frozen=True, slots=True)
class Slot:
    """Declares the index scalar ``name``: the slot of ``key`` in ``map``. A key that ``map`` does not have yet gets the
    next slot and the value zero. ``new``, where given, is declared as a truth value: whether the key was added."""

    name: str
    map: Map
    key: Expr
    origin: Origin
    new: str | None = None


@dataclass(frozen=True, slots=True)
class SortMap:
    """Renumbers the slots of ``map`` so that its keys ascend."""

    map: Map
    origin: Origin


@dataclass(frozen=True, slots=True)
class ClearMap:
    """Removes all entries of ``map``, in time proportional to their number."""

    map: Map
    origin: Origin
