"""The schedule as a tree, in the JSON of a compile."""

from __future__ import annotations

from typing import Literal

from compiler.views.typed_dict import TypedDict


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


class ScheduleTreeView(TypedDict):
    rows: list[TreeRowView]
    dependences: list[DependenceView]
