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
from typing import TYPE_CHECKING

from heddle.origin import Origin

if TYPE_CHECKING:
    from heddle.loop_ir.nodes import Stmt
    from heddle.loop_ir.nodes.expressions import Array, Expr


@dataclass(frozen=True, slots=True)
class Broadcast:
    """``lanes`` lanes with the same ``value``."""

    value: Expr
    lanes: int


@dataclass(frozen=True, slots=True)
class VectorLoad:
    """``array[index : index + lanes]``. Unlike :class:`Load` it does not widen 32-bit indices. Lanes that ``mask``
    leaves out are 0, and their elements are not read. ``path`` is the structured form's subscript of the first lane."""

    array: Array
    index: Expr
    lanes: int
    mask: Expr | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gather:
    """``array[indices]``, an element for each lane; ``indices`` is a vector of int32. Lanes that ``mask`` leaves out
    are 0, and their elements are not read."""

    array: Array
    indices: Expr
    mask: Expr | None = None


@dataclass(frozen=True, slots=True)
class LaneRange:
    """The mask of those of ``lanes`` lanes from ``lower`` up to ``upper``, which may lie before the first and after
    the last."""

    lower: Expr
    upper: Expr
    lanes: int


@dataclass(frozen=True, slots=True)
class Keep:
    """``value`` in the lanes of ``mask``, 0 in the others."""

    value: Expr
    mask: Expr


@dataclass(frozen=True, slots=True)
class LaneSum:
    """The sum of all lanes, a scalar: halves are added until one lane is left, on every machine in the same order."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class VectorMasks:
    """Whether the machine that compiles the text has instructions that mask vectors: a constant there, unknown here."""

    dtype: str = "bool"


@dataclass(frozen=True, slots=True)
class RegistersHold:
    """Whether half of the vector registers of the machine that compiles the text hold ``size`` bytes: a constant there,
    unknown here."""

    size: int
    dtype: str = "bool"


@dataclass(frozen=True, slots=True)
class VectorUnit:
    """What kernels may ask of a machine: whether instructions mask vectors, and the bytes that half of its vector
    registers hold."""

    masks: bool
    held_bytes: int


AVX512, AVX2 = VectorUnit(masks=True, held_bytes=1024), VectorUnit(masks=False, held_bytes=256)


VectorExpression = Broadcast | VectorLoad | Gather | LaneRange | Keep | LaneSum | VectorMasks | RegistersHold


@dataclass(frozen=True, slots=True)
class Lanes:
    """``body`` for the lanes 0 to ``count - 1`` at once; vectors inside have ``count`` lanes.

    ``variable`` is the loop variable that the lanes stand for. The body is straight-line code: declarations and sums of
    vectors, loads, stores, and index scalars with the value that they have in the first lane. No lane may touch what
    another one writes.
    """

    variable: str
    count: int
    body: Stmt
    origin: Origin


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
