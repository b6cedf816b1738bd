"""What happened in one run of the interpreter, step by step: the data of the page's animations."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.interpreter.faults import Iteration

Value = int | float | complex | bool


@dataclass(frozen=True, slots=True)
class Event:
    """``statement`` counts in the order of :func:`heddle.loop_ir.walk.statements`, from 0; ``line`` is its 1-based
    line in the flat and structured text. ``worker`` holds the enclosing parallel loops and their iterations."""

    statement: int
    line: int
    worker: Iteration


@dataclass(frozen=True, slots=True)
class LoopEvent(Event):
    """An iteration of a ``for`` loop starts."""

    variable: str
    value: int


@dataclass(frozen=True, slots=True)
class ScalarEvent(Event):
    """A scalar gets a value: by a declaration, an assignment or a search."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class LoadEvent(Event):
    array: str
    index: int
    value: Value


@dataclass(frozen=True, slots=True)
class StoreEvent(Event):
    """``value`` is what the element holds afterwards."""

    array: str
    index: int
    value: Value
    atomic: bool


@dataclass(frozen=True, slots=True)
class FillEvent(Event):
    """The first ``size`` elements all get ``value``."""

    array: str
    size: int
    value: Value


@dataclass(frozen=True, slots=True)
class AllocateEvent(Event):
    array: str
    size: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where one operand of a merge stands: ``position`` in a level of ``tensor``, of which it may reach ``end`` - 1."""

    operand: str
    tensor: str
    level: int
    position: int
    end: int


@dataclass(frozen=True, slots=True)
class MergeEvent(Event):
    """An iteration of a lattice point's loop starts. ``otherwise`` is active unless a :class:`CaseEvent` follows."""

    variable: str
    point: tuple[str, ...]
    otherwise: tuple[str, ...] | None
    cursors: tuple[Cursor, ...]


@dataclass(frozen=True, slots=True)
class CaseEvent(Event):
    """The branch of a lattice point was taken in the iteration that runs."""

    variable: str
    point: tuple[str, ...]
