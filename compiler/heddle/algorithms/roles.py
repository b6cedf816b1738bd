"""The kernels of a decomposition: each role has an expression, which follows from algorithm and order, and is a Plan.

The tensor is X, its factors A, B, C, …, the result V; modes are i, j, k, …, components r. A node of a tree is a matrix
P with a row for each distinct coordinate of its modes, so that everything in a tree is an MTTKRP, too: X then has these
rows, t of the node that is made and s of the one that is read, as dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heddle.algorithms.algorithm import Algorithm, KernelSpec
from heddle.algorithms.tree import Node
from heddle.plan import Plan, TensorSpec

MODES = "ijklmnopq"
FACTORS = "ABCDEFGHK"
PARTIAL = "P"
TENSOR_NORM = "tensor-norm"
LEAST_MODEL = "1e-10"
ROWS, SOURCE = -1, -2
"""Dimensions that are no mode: the rows of a node that is made, and of the one that is read."""


@dataclass(frozen=True, slots=True)
class Role:
    """``name`` is what documents call it, ``expression`` what it computes, ``mode`` the one whose factor it is for;
    ``operands`` are the modes of the factors that it reads. ``dimensions`` says of each dimension of the tensor that it
    multiplies which mode it is, or ROWS or SOURCE, and ``row`` which of them the result has.

    ``valued``: its result has the coordinates of the tensor. Without that and without a row it is one number.

    In a tree a role's result may be a ``node``, the partial product of those modes, and ``source`` the node that it is
    made from, None for the tensor; ``summed`` are the modes that it sums up.
    """

    name: str
    expression: str
    title: str
    mode: int | None = None
    operands: tuple[int, ...] = ()
    dimensions: tuple[int, ...] = ()
    row: int | None = None
    node: tuple[int, ...] | None = None
    source: tuple[int, ...] | None = None
    summed: tuple[int, ...] = ()
    valued: bool = False

    @property
    def original(self) -> bool:
        """Whether it multiplies the tensor as it is."""
        return self.node is None and self.source is None


def roles_of(order: int, update: Sequence[int], tree: Node | None = None, algorithm: str = "cp-als") -> dict[str, Role]:
    """The roles of an algorithm for a tensor of ``order`` dimensions, by name, in the order of ``update``; with a
    ``tree``, whose leaves are these modes, also those of its nodes, each before the first that needs it."""
    roles = [_mttkrp(order, mode) for mode in update] if tree is None else [*_below(order, tree, None)]
    x = _tensor(order)
    if algorithm == "cp-apr":
        roles += [*(_ratio(order, mode) for mode in update), *_qualities(order)]
    roles.append(Role(TENSOR_NORM, f"v = {x} * {x}", "Squared norm of the tensor", dimensions=tuple(range(order))))
    return {role.name: role for role in roles}


def _mttkrp(order: int, mode: int) -> Role:
    others = tuple(other for other in range(order) if other != mode)
    factors = " * ".join(f"{FACTORS[other]}({MODES[other]},r)" for other in others)
    title = f"Tensor times all factors but {FACTORS[mode]}"
    expression = f"V({MODES[mode]},r) = {_tensor(order)} * {factors}"
    return Role(f"mttkrp.{mode}", expression, title, mode, others, tuple(range(order)), mode)


def _ratio(order: int, mode: int) -> Role:
    """What the data are of the model; written as a product, since a quotient 0/0 would have to visit every cell."""
    every = tuple(range(order))
    expression = f"W({','.join(MODES[:order])}) = {_tensor(order)} * (1 / {_model(order)})"
    title = f"Data divided by the model, for {FACTORS[mode]}"
    return Role(f"ratio.{mode}", expression, title, mode, every, every, valued=True)


def _qualities(order: int) -> Iterator[Role]:
    every = tuple(range(order))
    x, factors = _tensor(order), " * ".join(f"{FACTORS[mode]}({MODES[mode]},r)" for mode in every)
    yield Role("inner", f"v = {x} * {factors}", "Inner product of tensor and model", None, every, every)
    yield Role(
        "likelihood", f"v = {x} * log({_model(order)})", "Data times the logarithm of the model", None, every, every
    )


def _model(order: int) -> str:
    """What the model is at a place, at least a little."""
    factors = " * ".join(f"{FACTORS[mode]}({MODES[mode]},q)" for mode in range(order))
    return f"max({LEAST_MODEL}, sum(q, {factors}))"


def _below(order: int, node: Node, source: tuple[int, ...] | None) -> Iterator[Role]:
    """The roles of what is below a node, which is ``source`` unless it is the root."""
    held = source if source is not None else tuple(range(order))
    for child in node.children:
        if not child.children and source is None:
            yield _mttkrp(order, child.modes[0])
            continue
        summed = tuple(mode for mode in held if mode not in child.modes)
        row = "t" if child.children else MODES[child.modes[0]]
        indices = [row, *(MODES[mode] for mode in summed), *(["s"] if source is not None else [])]
        factors = [f"{FACTORS[mode]}({MODES[mode]},r)" for mode in summed] + (["P(s,r)"] if source is not None else [])
        expression = f"V({row},r) = X({','.join(indices)}) * {' * '.join(factors)}"
        first = ROWS if child.children else child.modes[0]
        dimensions = (first, *summed, *((SOURCE,) if source is not None else ()))
        letters = "".join(FACTORS[mode] for mode in child.modes)
        if child.children:
            title = f"Partial product for {', '.join(letters)}"
            yield Role(child.name, expression, title, None, summed, dimensions, 0, child.modes, source, summed)
            yield from _below(order, child, child.modes)
        else:
            title = f"Partial product times all factors but {letters}"
            name = f"leaf.{child.modes[0]}"
            yield Role(name, expression, title, child.modes[0], summed, dimensions, 0, None, source, summed)


def _tensor(order: int) -> str:
    return f"X({','.join(MODES[:order])})"


def plan_of(
    algorithm: Algorithm,
    role: Role,
    kernel: KernelSpec | None = None,
    shape: tuple[int, ...] | None = None,
) -> Plan:
    """The Plan of a role: as pinned in the document, or by ``kernel``. With the ``shape`` of the tensor that it
    multiplies it says those of all operands, so that it opens with the very sizes."""
    chosen = kernel or algorithm.kernels.get(role.name, KernelSpec())
    shapes = shapes_of(role, shape, algorithm.parameters.rank) if shape is not None else {}
    input_sources = algorithm.inputs if role.original else {}
    names = sorted({*chosen.formats, *shapes})
    tensors = {name: TensorSpec(chosen.formats.get(name), shape=shapes.get(name)) for name in names}
    inputs = {name: dict(source) for name, source in input_sources.items()}
    return Plan(role.expression, tensors, chosen.schedule, inputs=inputs)


def shapes_of(role: Role, shape: tuple[int, ...], rank: int) -> dict[str, tuple[int, ...]]:
    """The shapes of a role's operands, for the ``shape`` of the tensor that it multiplies."""
    sizes = dict(zip(role.dimensions, shape, strict=True))
    read = {FACTORS[mode]: (sizes[mode], rank) for mode in role.operands}
    return {"X": shape, **read, **({PARTIAL: (sizes[SOURCE], rank)} if SOURCE in sizes else {})}


def formats_text(kernels: Mapping[str, KernelSpec]) -> dict[str, str]:
    """How each role stores the tensor."""
    return {name: kernel.formats.get("X", "dense") for name, kernel in kernels.items()}
