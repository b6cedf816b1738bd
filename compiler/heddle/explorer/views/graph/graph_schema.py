"""The JSON of the diagrams: variables, iteration graph, provenance graph and merge lattices."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.typed_dict import TypedDict

Space = Literal["coordinate", "position"]


class VariableView(TypedDict):
    """``underived`` variables are those of the expression; copies for the producer of a workspace are derived. ``loop``
    variables have a loop in the final nest."""

    name: str
    space: Space
    underived: bool
    reduction: bool
    loop: bool
    unit: str | None
    race: str | None
    unroll: int | None
    bounds: str
    recovery: str | None


class GraphNodeView(TypedDict):
    """``merge`` is ``∩`` or ``∪`` where several tensors meet. ``parent`` is the enclosing loop (null at the root)."""

    variable: str
    parent: str | None
    depth: int
    merge: Literal["∩", "∪"] | None
    iteration: str
    iterated: list[str]
    located: list[str]


class PathStepView(TypedDict):
    variable: str
    level: int
    kind: str


class TensorPathView(TypedDict):
    """One access's way through the iteration graph, in its level order.

    ``temporary`` is true for workspaces, which have a path where they are written and one for each access that reads
    them."""

    tensor: str
    access: str
    result: bool
    temporary: bool
    steps: list[PathStepView]


class IterationGraphView(TypedDict):
    """``statements`` are in the order in which they run: producers before their consumers. ``chains`` has the loops
    around each of them, outermost first."""

    nodes: list[GraphNodeView]
    paths: list[TensorPathView]
    statements: list[str]
    chains: list[list[str]]
    text: str


class RelationView(TypedDict):
    """One provenance relation: ``parents`` are nearer to the expression, ``children`` nearer to the loops.

    ``workspace`` is set where the children are copies of the parents for the producer of a workspace: it is written at
    the children and read at the parents, and none is recovered from the other."""

    kind: str
    command: int | None
    parents: list[str]
    children: list[str]
    bounds: list[str]
    recover: list[str]
    workspace: str | None


class ProvenanceView(TypedDict):
    variables: list[str]
    relations: list[RelationView]
    text: str


class LatticePointView(TypedDict):
    iterators: list[str]
    expression: str
    loop: bool


class PrunedPointView(TypedDict):
    """A set of operands that has no case of its own, and why: ``annihilator`` (nothing is left to compute) or
    ``density`` (an operand that has every coordinate makes it one with a larger point)."""

    iterators: list[str]
    rule: Literal["annihilator", "density"]
    reason: str


class LatticeOperandView(TypedDict):
    """An operand that is iterated at the variable: ``level`` is 1-based."""

    access: str
    tensor: str
    level: int


class LatticeView(TypedDict):
    """``points`` are in the order of their loops, largest first; ``pruned`` is empty above four operands."""

    variable: str
    points: list[LatticePointView]
    operands: list[LatticeOperandView]
    pruned: list[PrunedPointView]
