"""Coordinate recovery (docs/sources.toml T42, T43): from the variables of loops to those that they were derived from.

How a relation recovers its parents is its own (``iteration_graph/relations``); here is in which order they are asked.
"""

from __future__ import annotations

from heddle.iteration_graph.graph.relation import Relation
from heddle.lowering.environment.loop_environment import LoopEnvironment


def recover_coordinates(environment: LoopEnvironment) -> None:
    """Bind every variable whose derived variables are all known, and so on up to the underived ones."""
    relation = _find_ready(environment)
    while relation is not None:
        environment.recovered |= {relation}
        relation.recover(environment)
        relation = _find_ready(environment)


def _find_ready(environment: LoopEnvironment) -> Relation | None:
    """The last relation that knows all its children and not yet all its parents."""
    known = environment.known
    for relation in reversed(environment.kernel.graph.relations):
        ready = relation not in environment.recovered and all(child in known for child in relation.children)
        if ready and any(parent not in known for parent in relation.parents):
            return relation
    return None
