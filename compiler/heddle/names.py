"""Fresh names, one object per compile: the same Plan always gives the same text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Names:
    """Hands out identifiers that are unique among those visible at one place of one compile."""

    def __init__(self, reserved: set[str] | None = None) -> None:
        self._taken: set[str] = set(reserved or ())

    def fresh(self, name_hint: str) -> str:
        """``name_hint`` itself when free, else ``wish2``, ``wish3`` …"""
        name, number = name_hint, 1
        while name in self._taken:
            number += 1
            name = f"{name_hint}{number}"
        self._taken.add(name)
        return name

    def fresh_with(self, name_hint: str, endings: tuple[str, ...]) -> str:
        """A name that is free, with each of ``endings``, too; all of them are taken from here on."""
        name, number = name_hint, 1
        while not self._taken.isdisjoint({name, *(name + ending for ending in endings)}):
            number += 1
            name = f"{name_hint}{number}"
        self._taken |= {name, *(name + ending for ending in endings)}
        return name

    def release(self, name: str) -> None:
        """What had this name is out of sight; it may be handed out again."""
        self._taken.discard(name)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names handed out inside are free again afterwards: sibling blocks may use the same ones."""
        before = set(self._taken)
        try:
            yield
        finally:
            self._taken = before
