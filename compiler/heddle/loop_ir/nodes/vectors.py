"""Vectors in loop IR: all lanes of a value at once.

A vector is a value whose dtype names its lanes, ``float64x32``: as many as the schedule says. How many of them a
register holds is left to the machine that compiles the text, so that the same text suits every width. Vectors are
declared, assigned and computed with like scalars; what touches memory, or makes one from the other, has nodes here. A
mask is a vector of truth values.

All of it is inside :class:`Lanes`, except for the declaration of a vector that outlives one, and for
:class:`LaneSum`.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.nodes.expressions import Array, Expr
from heddle.origin import Origin


@dataclass(frozen=True, slots=True)
class VectorStore:
    """``array[index : index + lanes] = value``, or a reduction (``+`` or ``*``) into it."""

    array: Array
    index: Expr
    value: Expr
    origin: Origin
    reduce: str | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scatter:
    """``array[indices] = value`` lane by lane, or a reduction into it; no two lanes have the same index."""

    array: Array
    indices: Expr
    value: Expr
    origin: Origin
    reduce: str | None = None
