"""Fresh names, one object per compile: the same Plan always gives the same text."""

from __future__ import annotations


class Names:
    """Hands out identifiers that are unique within one compile."""

    def __init__(self, taken: set[str] | None = None) -> None:
        self._taken: set[str] = set(taken or ())

    def fresh(self, wish: str) -> str:
        """``wish`` itself when free, else ``wish2``, ``wish3`` …"""
        name, number = wish, 1
        while name in self._taken:
            number += 1
            name = f"{wish}{number}"
        self._taken.add(name)
        return name

    def reserve(self, *names: str) -> None:
        self._taken.update(names)
