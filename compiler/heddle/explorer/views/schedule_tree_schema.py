"""The schedule as a tree, in the JSON of a compile."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.typed_dict import TypedDict


class TreeRowView(TypedDict):
    """A node, below the last one before it whose ``depth`` is less. A band has ``loops``, of which those that are
    ``coincident`` may run in any order or at once; a leaf has the number of its ``assignment`` in the program."""

    depth: int
    kind: Literal["domain", "sequence", "filter", "band", "leaf"]
    text: str
    loops: list[str]
    coincident: list[str]
    assignment: int | None


class LoopDistanceView(TypedDict):
    loop: str
    distance: str


class DependenceView(TypedDict):
    """What the assignment ``writer`` computes and ``reader`` reads, and how many iterations of each loop around both
    lie between; no distances where they share none."""

    write: str
    read: str
    writer: int
    reader: int
    distances: list[LoopDistanceView]


class ForbiddingView(TypedDict):
    """A dependence for which ``command`` was refused: in the loop that it asks for, what the assignment ``writer``
    computes would be read ``distance`` iterations later by ``reader``."""

    command: str
    write: str
    read: str
    writer: int
    reader: int
    distance: str


class TensorVersionView(TypedDict):
    """What a statement computes, in the order of the statements: a ``result``, or a temporary. ``reads`` are those of
    other statements and those that the caller passes; ``dimensions`` say how large the memory is that there is of it
    under the schedule, none for a number."""

    name: str
    result: bool
    reads: list[str]
    dimensions: list[str]


class ScheduleTreeView(TypedDict):
    """``forbidding`` is empty unless the last command that was looked at asks for a loop that these forbid."""

    rows: list[TreeRowView]
    versions: list[TensorVersionView]
    dependences: list[DependenceView]
    forbidding: list[ForbiddingView]
