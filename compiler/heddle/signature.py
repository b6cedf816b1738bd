"""What a kernel takes and gives: enough to check operands, infer result shapes and marshal arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.diagnostics import InternalError
from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.notation.program import Program
from heddle.plan.plan import VERSION


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """One tensor of the expression. ``indices`` names the index variable of each dimension; ``fill`` is the value of
    what is not stored."""

    name: str
    indices: tuple[str, ...]
    format: Format
    dtype: str
    is_result: bool = False
    fill: Fill = 0
    loops: Format | None = None
    """The format whose order the default loops follow; None: its own. A schedule makes the loops follow that."""
    read_as: str | None = None
    """The wider dtype in which values are computed with, because the result is declared with it; None: their own."""
    patterns: tuple[str, ...] = ()
    """The operands that a result in parts has a value for each position of, one operand for each part."""

    @property
    def order(self) -> int:
        return len(self.indices)

    @property
    def computed_dtype(self) -> str:
        """The dtype in which expressions read the values."""
        return self.read_as or self.dtype


@dataclass(frozen=True, slots=True)
class PartSignature:
    """One summand of an operand: under its ``name`` in the format, and as the ``operand`` that the kernel reads.
    ``variables`` has its own index variable for each one of the expression."""

    name: str
    operand: str
    variables: dict[str, str]
    unique: bool = False
    """Its tests say that no coordinate above its pieces comes twice, though its levels would let it."""


@dataclass(frozen=True, slots=True)
class SumOfParts:
    """The operand ``tensor`` as the sum of ``parts``. Entries that agree in the dimensions ``decided_by`` are in the
    same part: the tests ask for nothing else. ``full`` are parts whose loops come to coordinates of these dimensions of
    which they hold no entry."""

    tensor: str
    parts: tuple[PartSignature, ...]
    decided_by: frozenset[int]
    full: tuple[str, ...] = ()
    macro: str | None = None

    def is_apart(self, indices: tuple[str, ...], signature: Signature) -> bool:
        """Whether the part that has ``indices`` as variables writes elements there that no other part writes."""
        return not self.full and self.divides(indices, signature)

    def divides(self, indices: tuple[str, ...], signature: Signature) -> bool:
        """Whether entries that add into one element at ``indices`` are all in one part."""
        owned = (signature.tensors[part.operand].indices for part in self.parts)
        return any({part_indices[dimension] for dimension in self.decided_by} <= set(indices) for part_indices in owned)

    def unique(self, operand: str) -> bool:
        """Whether the pieces of the part that is read as ``operand`` repeat no coordinate."""
        return any(part.unique for part in self.parts if part.operand == operand)


@dataclass(frozen=True, slots=True)
class Signature:
    """Tensors by name, result first. Dimensions that share an index variable must have the same size."""

    tensors: dict[str, TensorSignature]
    accumulates: bool = False
    """The kernel combines with what the result holds already, so that it takes the result as an operand, too."""
    temporaries: dict[str, TensorSignature] = field(default_factory=dict)
    """What earlier statements compute for later ones."""
    result_first: bool = False
    """The default loops follow the result's storage order before that of any operand."""
    workspace_first: bool = True
    """The first command finds the automatic workspace where the result needs one."""
    version: int = VERSION
    """The plan's, which says in what order loops run without a command."""
    program: Program | None = None
    """What the language of several statements says beside them."""
    sum: SumOfParts | None = None
    """The operand that is a sum of parts, if one is; ``tensors`` has the parts in its place."""

    def repeats(self, tensor: str, level: int) -> bool:
        """Whether several positions of a level, counted from 1, may have the same coordinate."""
        levels = self.tensors[tensor].format.levels
        repeated = not levels[level - 1].unique and level < len(levels)
        return repeated and (self.sum is None or not self.sum.unique(tensor))

    @property
    def result(self) -> TensorSignature:
        for tensor in self.tensors.values():
            if tensor.is_result:
                return tensor
        raise InternalError("a signature without a result")

    @property
    def stored_temporaries(self) -> tuple[str, ...]:
        """The temporaries that store some of their coordinates alone, in the order in which they are computed."""
        return tuple(name for name, tensor in self.temporaries.items() if not tensor.format.is_dense)

    @property
    def arguments(self) -> list[TensorSignature]:
        """What a call gives and takes: also the results that are computed before the last one."""
        exported = self.program.exported if self.program is not None else ()
        return [*(self.temporaries[name] for name in exported), *self.tensors.values()]

    @property
    def operands(self) -> list[TensorSignature]:
        return [tensor for tensor in self.tensors.values() if not tensor.is_result]

    @property
    def inputs(self) -> list[TensorSignature]:
        """What a caller passes: the operands, and the result when it is accumulated into."""
        return [*self.operands, self.result] if self.accumulates else self.operands
