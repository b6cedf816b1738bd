"""Kernels as loop IR: their parameters, the status that they return, and their body."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from heddle.loop_ir.nodes.control import Block
from heddle.loop_ir.nodes.expressions import Array
from heddle.loop_ir.nodes.simple import Require


class ParameterKind(StrEnum):
    DIMENSION = "dimension"
    ARRAY = "array"
    SCALAR = "scalar"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A kernel parameter, in call order. Dimensions are ``int64`` scalars: the size of ``tensor``'s 0-based dimension
    ``dimension``. Scalars are operands of order 0, passed by value. ``output`` arrays are written by the kernel;
    the memory of those that are ``allocated`` it obtains itself, by an :class:`AllocateResult`."""

    kind: ParameterKind
    name: str
    dtype: str
    tensor: str
    array: Array | None = None
    dimension: int | None = None
    output: bool = False
    allocated: bool = False


OUT_OF_MEMORY = -1
"""The status of a kernel that could not allocate a workspace or a result."""

INDEX_OVERFLOW = -2
"""The status of a kernel whose result has more entries than its index arrays can count (:class:`Scan`)."""


@dataclass(frozen=True, slots=True)
class SharedPattern:
    """The first ``levels`` storage levels of the result are those of the operand ``tensor``, with the same arrays."""

    tensor: str
    levels: int


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel: returns status 0, the ``code`` of the first :class:`Require` that failed, ``OUT_OF_MEMORY`` or
    ``INDEX_OVERFLOW``.

    ``requirements`` lists the ``Require`` statements of the body, so that callers can tell what a status means. With a
    ``pattern`` the result shares index arrays with an operand, and the kernel gets only its other arrays.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    requirements: tuple[Require, ...] = field(default=())
    pattern: SharedPattern | None = None
    memo: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """What was found of it once: its statements (``walk.py``), its texts (``printing/printer.py``)."""
