"""A program of a paper, and the plan that the page has of it once its fields are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Program:
    """``where`` it is printed, and what is ``mended`` of the print, if anything. ``shapes`` are those of operands that
    are made, ``rows`` of integer operands: how many rows they look up, and their shape; ``sizes`` are integer
    parameters. ``arguments`` and ``inputs`` are what *Take the arguments from a matrix* writes."""

    name: str
    where: str
    language: Literal["comprehension", "patterns"]
    text: str
    shapes: Shapes
    mended: str = ""
    rows: Mapping[str, tuple[int, tuple[int, int]]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
    target: str = "c"

    @property
    def presses(self) -> int:
        """*Take the arguments from a matrix*, *Choose a schedule for me* and *Run*."""
        return 3 if self.arguments else 2

    def plan(self, threads: int) -> dict[str, Any]:
        """Without a schedule."""
        made = {name: {"generator": "dense", "shape": list(shape), "seed": 1} for name, shape in self.shapes.items()}
        looked_up = {
            name: {"generator": "indices", "rows": rows, "shape": list(shape), "seed": 1}
            for name, (rows, shape) in self.rows.items()
        }
        plan: dict[str, Any] = {
            "version": 2,
            "expression": self.text,
            "language": self.language,
            "inputs": {**made, **looked_up, **self.inputs},
            "run": {"threads": threads},
        }
        if self.sizes:
            plan["sizes"] = dict(self.sizes)
        if self.arguments:
            plan["arguments"] = dict(self.arguments)
        if self.formats:
            plan["tensors"] = {name: {"format": format} for name, format in self.formats.items()}
        if self.target != "c":
            plan["target"] = self.target
        return plan
