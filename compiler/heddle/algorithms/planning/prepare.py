"""A document and its tensor, resolved: which roles there are, and how each is computed. Nothing is compiled to machine
code, and no factor exists yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.choose import Choice, choices
from heddle.algorithms.memory_budget import require_room
from heddle.algorithms.resolve import modes_of, resolved_roles, tree_of
from heddle.algorithms.tensor_input import Input, require_counts
from heddle.algorithms.tree import BEST
from heddle.algorithms.trees.distinct import derive
from heddle.algorithms.trees.offers import offers, require_tree


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """``algorithm`` has its tree written out, and its kernels as the person pinned them; ``choices`` say how each role
    is computed. ``role_inputs`` are the tensors of roles that do not multiply ``tensor``, and ``shapes`` those of the
    tensor that each role multiplies. ``modes`` change, in the order in which they are visited."""

    algorithm: Algorithm
    tensor: Input
    modes: tuple[int, ...]
    choices: Mapping[str, Choice]
    role_inputs: Mapping[str, Input]
    shapes: Mapping[str, tuple[int, ...]]

    def find_multiplied(self, role: str) -> Input:
        """The tensor that a role multiplies."""
        return self.role_inputs.get(role, self.tensor)


def prepare(algorithm: Algorithm, tensor: Input) -> Prepared:
    """How ``algorithm`` decomposes ``tensor``.

    Raises
    ------
    CompileError
        ``algorithm/…``, or the diagnostics of a pinned kernel at its place in the document.
    """
    shape = tensor.shape
    algorithm = with_tree(algorithm, tensor)
    roles = resolved_roles(algorithm, len(shape))
    require_room(shape, algorithm.parameters.rank)
    if algorithm.algorithm == "cp-apr":
        require_counts(tensor)
    tree = tree_of(algorithm, len(shape))
    inputs = derive(tensor, tree) if tree is not None else {}
    shapes = {name: (shape if role.original else inputs[name].shape) for name, role in roles.items()}
    chosen = choices(algorithm, roles, tensor, inputs)
    return Prepared(algorithm, tensor, modes_of(algorithm, len(shape)), chosen, inputs, shapes)


def with_tree(algorithm: Algorithm, tensor: Input) -> Algorithm:
    """The same with the best tree for ``tensor`` written out, where that is asked for.

    Raises
    ------
    CompileError
        ``algorithm/tree-memory``, ``algorithm/reuse``, ``algorithm/modes``.
    """
    parameters, order = algorithm.parameters, len(tensor.shape)
    if parameters.reuse == BEST:
        first = offers(tensor, modes_of(algorithm, order), parameters.rank, parameters.memory)[0]
        return replace(algorithm, parameters=replace(parameters, reuse=first.reuse))
    tree = tree_of(algorithm, order)
    if tree is not None:
        require_tree(tree, tensor, parameters.rank, parameters.memory)
    return algorithm
