"""What a program becomes whose operand is a sum of parts."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.parts import FormatPart
from heddle.notation.nodes import Assignment
from heddle.signature import Signature


@dataclass(frozen=True, slots=True)
class PartOperand:
    """One summand: the operand ``name`` that the kernel reads, and the part of the format that it is stored in."""

    name: str
    part: FormatPart


@dataclass(frozen=True, slots=True)
class Decomposed:
    """``statements`` in their order, each over index variables of its own, combine into the result; ``signature`` has
    the ``parts`` in the place of ``tensor``, which is what a caller passes."""

    tensor: str
    order: int
    parts: tuple[PartOperand, ...]
    statements: tuple[Assignment, ...]
    signature: Signature
