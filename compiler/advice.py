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


Advice = UseOther | WriteInstead | StoreInOrder | StartInOrderOfResult | ScheduleForTarget
