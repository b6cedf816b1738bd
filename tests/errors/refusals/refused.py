"""One program that is refused: what it is told, where, and the repair that is offered."""

from __future__ import annotations

from dataclasses import dataclass, field

SPMV = "y(i) = A(i,j) * x(j)"
"""Refused with A stored as csr unless a case says otherwise."""


@dataclass(frozen=True)
class Refused:
    """``at`` is the underlined text of the expression or of the last command at fault; for a format the tensor's name,
    for the document the path. ``fix`` is the title of the only repair (None: none is offered), which must compile."""

    code: str
    message: str
    at: str
    fix: str | None
    schedule: tuple[str, ...] = ()
    expression: str = SPMV
    formats: dict[str, str] = field(default_factory=lambda: {"A": "csr"})
    target: str = "c"
    dtypes: dict[str, str] = field(default_factory=dict)
    fills: dict[str, float] = field(default_factory=dict)
    warning: bool = False
    """The program compiles, but the command does not do what it says."""
