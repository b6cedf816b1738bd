"""The blocks of a format: ``i = i_block * s + i_inner``, as ``split`` cuts it, but made by the format of a tensor.

The tensor stores the two by levels of their own (Chou et al. 2020: coordinate remapping)."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.iteration_graph.graph.relation import Block
from compiler.iteration_graph.relations.split import SplitRelation


@dataclass(frozen=True, slots=True)
class BlockRelation(SplitRelation):
    """``tensors`` are those whose formats block the variable so. No command made it: ``command`` is None."""

    tensors: tuple[str, ...] = ()
    kind: str = "block"

    @classmethod
    def of(cls, block: Block) -> BlockRelation:
        return cls(None, block.whole, block.outer, block.inner, block.size, tensors=block.tensors)

    @property
    def block(self) -> Block:
        return Block(self.parent, self.outer, self.inner, self.size, self.tensors)

    def text(self) -> str:
        return f"blocks of {self.size}: {self.parent} into {self.outer}, {self.inner} ({', '.join(self.tensors)})"
