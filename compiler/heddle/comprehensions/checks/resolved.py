"""A program whose names are resolved: every assignment makes a version of its tensor, and reads say which one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.comprehensions.checks.calls import Agreement
from heddle.comprehensions.language.nodes import Apply, Definition, In, Node, Statement, Type
from heddle.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Step:
    """One statement. ``target`` is the version of ``base`` that it makes; with ``keeps`` the values of that version are
    combined with by ``operator`` (without ``!``). ``variables`` has those of the target first. Reads are of versions,
    let-clauses are in place of their names."""

    number: int
    target: str
    base: str
    indices: tuple[str, ...]
    operator: str
    keeps: str | None
    expression: Node
    variables: tuple[str, ...]
    source: Statement
    explicit: Mapping[str, In] = field(default_factory=dict)
    exists: tuple[Apply, ...] = ()
    dtype: str = "float32"

    @property
    def reduced(self) -> tuple[str, ...]:
        """The variables that are only on the right."""
        return tuple(variable for variable in self.variables if variable not in self.indices)


@dataclass(frozen=True, slots=True)
class Resolved:
    """``parameters`` are the inputs with their types; ``initial`` says for each version that the caller passes under
    the name of a result what that name is; ``bases`` the tensor that each version is of; ``types`` of all versions;
    ``orders`` how many dimensions each has."""

    definition: Definition
    parameters: Mapping[str, Type]
    steps: tuple[Step, ...]
    initial: Mapping[str, str]
    bases: Mapping[str, str]
    types: Mapping[str, str]
    orders: Mapping[str, int]
    results: Mapping[str, str]
    """By the name of a return, the version that it gives."""
    sizes: tuple[str, ...]
    integers: tuple[str, ...]
    """Inputs without dimensions that are integers: they may stand in ranges and subscripts."""
    agreements: tuple[Agreement, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
