"""The formats that have a name of their own: one table for the parser, the printer and the page's list."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.format import Format, Level

_DENSE = Level("dense")
_COMPRESSED = Level("compressed")


@dataclass(frozen=True, slots=True)
class Preset:
    """``dimensions`` is the order of the stored dimensions. Where ``order`` is None, one level stands for all."""

    name: str
    order: int | None
    levels: tuple[Level, ...]
    dimensions: tuple[int, ...]
    summary: str

    def instance(self, order: int) -> Format:
        """The format for a tensor of that many dimensions; ``order`` must be the preset's own where it has one."""
        if self.order is None:
            return Format(self.levels * order, tuple(range(order)))
        assert order == self.order
        return Format(self.levels, self.dimensions)


PRESETS = (
    Preset("dense", None, (_DENSE,), (), "Every value, row by row"),
    Preset("sparse", 1, (_COMPRESSED,), (0,), "Sparse vector: the nonzero coordinates and their values"),
    Preset("csr", 2, (_DENSE, _COMPRESSED), (0, 1), "Compressed sparse rows: every row, its nonzero columns"),
    Preset("csc", 2, (_DENSE, _COMPRESSED), (1, 0), "Compressed sparse columns: every column, its nonzero rows"),
    Preset("dcsr", 2, (_COMPRESSED,) * 2, (0, 1), "Doubly compressed rows: only rows that hold something"),
    Preset("dcsc", 2, (_COMPRESSED,) * 2, (1, 0), "Doubly compressed columns: only columns that hold something"),
    Preset("csf", None, (_COMPRESSED,), (), "Compressed sparse fibres: every level compressed"),
)


def presets_for(order: int) -> tuple[Preset, ...]:
    """The presets that fit a tensor of ``order`` dimensions, exact orders first."""
    fitting = [preset for preset in PRESETS if preset.order in (None, order)]
    return tuple(sorted(fitting, key=lambda preset: preset.order is None))
