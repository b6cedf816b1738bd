"""What a reader makes of a text: what it says of a plan, and what it says that a plan does not hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.tuning.mapping.options import Option


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A piece of the text that did not become a part of the plan, and why."""

    text: str
    why: str


@dataclass(slots=True)
class Imported:
    """What was read; parts that the text does not mention are None or empty, and stay as they are in an open plan.

    ``complete``: tensors without a format are dense. ``sizes`` are by index variable. ``notes`` say what was taken in
    a sense that the text does not spell out.
    """

    expression: str | None = None
    complete: bool = False
    formats: dict[str, str] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    schedule: list[str] = field(default_factory=list)
    target: str | None = None
    threads: int | None = None
    left: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    options: tuple[Option, ...] = ()
    """Mapping options, which become commands for the program that is open."""

    def leave(self, text: str, why: str) -> None:
        self.left.append(LeftOut(text if len(text) <= SHOWN else f"{text[:SHOWN]}…", why))

    @property
    def empty(self) -> bool:
        return self.expression is None and not (self.formats or self.schedule or self.options)


SHOWN = 120
"""Characters of what is left out that are repeated."""
