"""What a fact is: a function of the evidence, with its unit and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Literal

from heddle_server.lessons.condition import Value

Kind = Literal["word", "number"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """``parameters`` have a name and a kind; those behind ``optional`` may be left out. ``unit`` is what a number
    counts, or truth, text, list."""

    name: str
    unit: str
    parameters: tuple[tuple[str, Kind], ...]
    optional: int
    summary: str
    find: Callable[..., Value]

    @property
    def spelled(self) -> str:
        names = [name for name, _ in self.parameters]
        shown = [*names[: len(names) - self.optional], *(f"[{name}]" for name in names[len(names) - self.optional :])]
        return f"{self.name}({', '.join(shown)})" if names else self.name


Finder = Callable[..., Value]


def predicate(name: str, unit: str, *parameters: tuple[str, Kind], optional: int = 0) -> Callable[[Finder], Predicate]:
    """Makes a predicate of a function whose docstring says what it means."""

    def decorate(find: Finder) -> Predicate:
        assert find.__doc__ is not None, name
        return Predicate(name, unit, parameters, optional, " ".join(cleandoc(find.__doc__).split()), find)

    return decorate


TENSOR: tuple[str, Kind] = ("tensor", "word")
VARIABLE: tuple[str, Kind] = ("variable", "word")
