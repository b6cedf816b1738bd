"""A format: a list of levels and the order in which they store the dimensions (DESIGN §3.2, Chou et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """One storage level. ``kind`` names a file of ``formats/levels``; the flags are the properties of that level."""

    kind: str
    ordered: bool = True
    unique: bool = True


@dataclass(frozen=True, slots=True)
class Format:
    """``levels[k]`` stores dimension ``order[k]`` of the tensor (both 0-based). A scalar has no levels."""

    levels: tuple[Level, ...]
    order: tuple[int, ...]

    @property
    def is_dense(self) -> bool:
        return all(level.kind == "dense" for level in self.levels)
