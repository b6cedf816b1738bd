"""Relations that ask something of the loops, such as that a part of a tensor is walked from its beginning."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.relation import Relation


class ConstrainingRelation(Relation):
    """A relation that does not suit every graph."""

    __slots__ = ()

    @abstractmethod
    def check(self, graph: IterationGraph) -> None:
        """Raises Refusal where the loops of ``graph`` do not suit the relation."""

    def check_workspace(self, graph: IterationGraph, moved: Sequence[str], dimensions: Sequence[str]) -> None:
        """Raises Refusal where no workspace has the loops ``dimensions`` for its dimensions, if its producer sums over
        the loops ``moved``."""
        return


def constraining_relations(graph: IterationGraph) -> Iterator[ConstrainingRelation]:
    """Those of ``graph``, in the order of the commands."""
    return (relation for relation in graph.relations if isinstance(relation, ConstrainingRelation))
