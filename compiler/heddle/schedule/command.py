"""Commands as data: what a schedule command is made of, and how it says no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Literal, Protocol

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.refusal import Refusal

ArgumentKind = Literal[
    "variable",
    "variables",
    "variable-set",
    "new-variable",
    "new-variable-set",
    "new-tensor",
    "integer",
    "tensor",
    "temporary",
    "expression",
    "enumeration",
    "parts",
]
"""A set is written ``{i, j}``, or as one name alone; ``variables`` takes all arguments that are left; ``parts`` are
those of an operand that is a sum of them: ``A[*]``."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a command, as the parser, the form, the completion and the reference see it."""

    name: str
    kind: ArgumentKind
    doc: str
    choices: tuple[str, ...] = ()
    optional: bool = False
    suggestions: tuple[str | int, ...] = ()
    """Integers that are worth a try; for a new variable how it is named after the command's variable, as ``{}0``."""


class Command(Protocol):
    """A frozen dataclass whose fields are the arguments."""

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        """A new graph, in which the command is applied; ``graph`` stays as it is. ``number`` is the command's 0-based
        index in the schedule: what it makes carries it as its origin.

        Raises
        ------
        Refusal
            a precondition does not hold, with the evidence in this program; nothing is half applied.
        """
        ...


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """What the registry knows of a command. ``before`` and ``after`` are loops in the printer's notation."""

    name: str
    make: Callable[..., Command]
    summary: str
    before: str
    after: str
    preconditions: tuple[str, ...]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The arguments in their order, from the fields of the command's dataclass."""
        return _parameters_of(self.make)

    @property
    def signature(self) -> str:
        """``split(i, i0, i1, size)``; what may be left out is in brackets."""
        names = [
            f"[{p.name}]" if p.optional else f"{p.name}, …" if p.kind == "variables" else p.name
            for p in self.parameters
        ]
        return f"{self.name}({', '.join(names)})"


@cache
def _parameters_of(make: Callable[..., Command]) -> tuple[Parameter, ...]:
    """Asked for each candidate of *What may come next*."""
    parameters: list[Parameter] = []
    for item in fields(make):  # type: ignore[arg-type]
        meta = item.metadata
        optional = item.default is not MISSING
        suggested = meta["suggestions"]
        parameters.append(Parameter(item.name, meta["kind"], meta["doc"], meta["choices"], optional, suggested))
    return tuple(parameters)


def argument(
    kind: ArgumentKind,
    doc: str,
    choices: tuple[str, ...] = (),
    suggestions: tuple[str | int, ...] = (),
    **options: Any,
) -> Any:
    """A dataclass field that is an argument of a command."""
    return field(metadata={"kind": kind, "doc": doc, "choices": choices, "suggestions": suggestions}, **options)


__all__ = ["ArgumentKind", "Command", "CommandSpec", "Parameter", "Refusal", "argument"]
