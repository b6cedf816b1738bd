"""Statements of loop IR that hold no others: scalars, loads and stores, searches, claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.loop_ir.nodes.expressions import Array, Expr
from heddle.origin import Origin


class SearchKind(StrEnum):
    """BEFORE: the largest p in [lower, upper) with array[p] <= value (``lower`` when there is none).
    AT_LEAST: the smallest p in [lower, upper) with array[p] >= value (``upper`` when there is none).
    GALLOP: the same as AT_LEAST, by doubling steps from ``lower``: fast where the answer is near."""

    BEFORE = "before"
    AT_LEAST = "at_least"
    GALLOP = "gallop"


@dataclass(frozen=True, slots=True)
class Declare:
    """Declares the scalar ``name``. ``mutable`` scalars may be assigned later."""

    name: str
    dtype: str
    value: Expr
    origin: Origin
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """``name = value``, or ``name = name reduce value`` (``reduce`` is ``+ * min max && ||``)."""

    name: str
    value: Expr
    origin: Origin
    reduce: str | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """``array[index] = value`` or a reduction into it; ``atomic`` when other workers may hit the same location."""

    array: Array
    index: Expr
    value: Expr
    origin: Origin
    reduce: str | None = None
    atomic: bool = False
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """Declares the mutable index scalar ``name`` as the result of a binary search in ``array``."""

    name: str
    kind: SearchKind
    array: Array
    lower: Expr
    upper: Expr
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Fill:
    """``array[0:size] = value``, in parallel when large."""

    array: Array
    size: Expr
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Prefetches the cache line of ``array[index]``; changes nothing that is computed."""

    array: Array
    index: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Require:
    """A checked claim: when ``condition`` is false the kernel stops at once and returns the status ``code``: a positive
    one of its own, or INDEX_OVERFLOW."""

    condition: Expr
    code: int
    message: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Comment:
    text: str
    origin: Origin
