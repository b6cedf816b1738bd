"""The relation by which the format of a tensor cuts an index variable: into blocks, or into parts."""

from __future__ import annotations

from heddle.iteration_graph.graph.relation import Block, Relation
from heddle.iteration_graph.relations.block import BlockRelation
from heddle.iteration_graph.relations.parts import PartsRelation


def cut_by(block: Block) -> Relation:
    return BlockRelation.of(block) if block.cut.parts is None else PartsRelation.of(block)
