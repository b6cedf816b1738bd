"""What loops and branches of a co-iteration say of themselves, for traces: it changes nothing that runs
(docs/sources.toml V6)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.nodes.expressions import Expr


@dataclass(frozen=True, slots=True)
class Walk:
    """One operand that a merge iterates: its position ``name`` runs up to ``end`` in the coordinates of a level."""

    operand: str
    tensor: str
    level: int
    name: str
    end: Expr


@dataclass(frozen=True, slots=True)
class Merge:
    """What a loop of a co-iteration stands for: the point of ``variable``'s merge lattice (docs/sources.toml V6).

    A point is the texts of its operands. ``otherwise`` is the point that is active where no tested :class:`Case` holds,
    None where nothing is computed then. It says nothing about what runs; traces report it.
    """

    variable: str
    point: tuple[str, ...]
    walks: tuple[Walk, ...]
    otherwise: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """The lattice point that is active where a branch's condition is ``when``."""

    variable: str
    point: tuple[str, ...]
    when: bool = True
