"""What would help against a refusal, as values: code decides by these, never by the words that a person reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UseOther:
    """Another ``value`` for an ``argument`` of the command."""

    argument: str
    value: str


@dataclass(frozen=True, slots=True)
class WriteInstead:
    """Other commands in the place of the one at fault."""

    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectParts:
    """The command for the parts of ``selection`` alone, written as ``A[0, 1]``."""

    selection: str


@dataclass(frozen=True, slots=True)
class WantedOrder:
    """``tensor``, where the loops read it by ``indices``, with its dimensions stored in ``order``. ``original`` are the
    indices without the names that commands gave to copies of variables."""

    tensor: str
    indices: tuple[str, ...]
    original: tuple[str, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoreInOrder:
    """The loops could follow every tensor if all of ``orders`` held."""

    orders: tuple[WantedOrder, ...]


@dataclass(frozen=True, slots=True)
class StartInOrderOfResult:
    """Let the loops start in the storage order of the result, whatever the operands would like."""


@dataclass(frozen=True, slots=True)
class ScheduleForTarget:
    """The schedule is one for another kind of target."""


@dataclass(frozen=True, slots=True)
class KeepApart:
    """Let no two iterations of the loop ``variable`` add into the same element ``tensor(indices)`` without
    protection."""

    variable: str
    tensor: str
    indices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoreInOtherParts:
    """Store ``tensor`` in parts of whole rows, as ``whole`` has them, or in the ranges of rows of ``ranges``, which all
    parts go through in one loop; ``row`` is the index of its rows."""

    tensor: str
    whole: str
    ranges: str
    row: str


@dataclass(frozen=True, slots=True)
class CutFirst:
    """Strip-mine the loop ``variable``, and name its tiles in the command instead."""

    variable: str


@dataclass(frozen=True, slots=True)
class WalkPositions:
    """Fuse the loops ``outer`` and ``inner`` and walk the stored positions of ``tensor``, with atomic updates."""

    outer: str
    inner: str
    tensor: str


@dataclass(frozen=True, slots=True)
class PositionsFirst:
    """Walk the stored positions of ``tensor`` instead of the fused ``variable``, and name these in the command."""

    variable: str
    tensor: str


@dataclass(frozen=True, slots=True)
class TaggedBefore:
    """The command numbered ``command`` gave the loop its tag: leave that out."""

    command: int


@dataclass(frozen=True, slots=True)
class NestFirst:
    """Bring the loop ``inner`` directly inside ``outer``, or take them the other way round."""

    outer: str
    inner: str


@dataclass(frozen=True, slots=True)
class AllowSlots:
    """Give each coordinate above level ``level`` (1-based) ``count`` slots, or cut it into pieces."""

    level: int
    count: int


@dataclass(frozen=True, slots=True)
class ComputeIn:
    """Compile the kernel for values of ``tensor`` in ``dtype``, which those of the operand have, not in ``instead``."""

    tensor: str
    dtype: str
    instead: str


Advice = (
    UseOther
    | WriteInstead
    | SelectParts
    | StoreInOrder
    | StartInOrderOfResult
    | ScheduleForTarget
    | KeepApart
    | StoreInOtherParts
    | CutFirst
    | WalkPositions
    | PositionsFirst
    | TaggedBefore
    | NestFirst
    | AllowSlots
    | ComputeIn
)
