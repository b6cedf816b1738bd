"""What a kernel takes and gives: enough to check operands, infer result shapes and marshal arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.formats.format import Format
from compiler.plan.plan import VERSION


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """One tensor of the expression. ``indices`` names the index variable of each dimension; ``fill`` is the value of
    what is not stored."""

    name: str
    indices: tuple[str, ...]
    format: Format
    dtype: str
    is_result: bool = False
    fill: int | float | bool = 0
    loops: Format | None = None
    """The format whose order the default loops follow; None: its own. A schedule makes the loops follow that."""
    patterns: tuple[str, ...] = ()
    """The operands that a result in parts has a value for each position of, one operand for each part."""

    @property
    def order(self) -> int:
        return len(self.indices)


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
    version: int = VERSION
    """The plan's, which says in what order loops run without a command."""

    @property
    def result(self) -> TensorSignature:
        return next(tensor for tensor in self.tensors.values() if tensor.is_result)

    @property
    def operands(self) -> list[TensorSignature]:
        return [tensor for tensor in self.tensors.values() if not tensor.is_result]

    @property
    def inputs(self) -> list[TensorSignature]:
        """What a caller passes: the operands, and the result when it is accumulated into."""
        return [*self.operands, self.result] if self.accumulates else self.operands
