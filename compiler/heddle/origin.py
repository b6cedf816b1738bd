"""Where a piece of generated code comes from: one record feeds colours, hover links and blame."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a statement is for; the page gives each role a colour and an icon."""

    BOUNDS = "bounds"
    GUARD = "guard"
    RECOVERY = "recovery"
    SEARCH = "search"
    ASSEMBLY = "assembly"
    REDUCTION = "reduction"
    INIT = "init"
    COMPUTE = "compute"


@dataclass(frozen=True, slots=True)
class Origin:
    """Role, index variable, tensor level (1-based) and 0-based number of the schedule command that caused a node."""

    role: Role
    variable: str | None = None
    tensor: str | None = None
    level: int | None = None
    command: int | None = None
