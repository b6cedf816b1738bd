"""The blocks of a format: ``i = i_block * s + i_inner``, as ``split`` cuts it, but made by the format of a tensor.

The tensor stores the two by levels of their own (Chou et al. 2020: coordinate remapping)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.format import Cut
from heddle.iteration_graph.graph.relation import Block
from heddle.iteration_graph.relations.split import SplitRelation
from heddle.notation.nodes import Access


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRelation(SplitRelation):
    """``tensors`` are those whose formats block the variable so, ``access`` reads the first of them. No command made
    it: ``command`` is None."""

    cut: Cut
    access: Access
    tensors: tuple[str, ...]
    kind: str = "block"

    @classmethod
    def of(cls, block: Block) -> BlockRelation:
        assert block.cut.size is not None
        names = (block.whole, block.outer, block.inner)
        return cls(None, *names, block.cut.size, cut=block.cut, access=block.access, tensors=block.tensors)

    @property
    def block(self) -> Block:
        return Block(self.parent, self.outer, self.inner, self.cut, self.access, self.tensors)

    def text(self) -> str:
        return f"blocks of {self.size}: {self.parent} into {self.outer}, {self.inner} ({', '.join(self.tensors)})"
