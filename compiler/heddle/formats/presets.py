"""The formats that have a name of their own: one table for the parser, the printer and the page's list.

Add a format with a name, or a fast conversion:

1. ``compiler/heddle/formats/presets.py``: one entry. Parser, printer and page list it by themselves.
2. A conversion that is faster than packing level by level: a function in ``compiler/heddle/runtime/packing/``, and a
   row of ``PATHS`` in ``paths.py`` (from which operands, to which formats, over which other format). The first row
   that fits and does not decline is taken.
3. Tests: ``tests/compiler/runtime/packing/test_row_formats.py`` compares a path with the last one, which packs
   everything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.format import Format, Level

_DENSE = Level("dense")
_COMPRESSED = Level("compressed")
_REPEATED = Level("compressed", unique=False)
_MIDDLE = Level("singleton", unique=False)
_LAST = Level("singleton")
_REFERENCED = Level("referenced", ordered=False, unique=False)
_RELAYED = Level("relayed", ordered=False, unique=False)
_LAST_RELAYED = Level("relayed", ordered=False)


@dataclass(frozen=True, slots=True)
class Preset:
    """``dimensions`` is the order of the stored dimensions. Where ``order`` is None, the format is for any number of
    dimensions, ``least`` or more: one level stands for all, of several the last but one for all between those before it
    and the last."""

    name: str
    order: int | None
    levels: tuple[Level, ...]
    dimensions: tuple[int, ...]
    summary: str
    least: int = 0

    @property
    def stem(self) -> str:
        """The name without the numbers after it."""
        return self.name.partition("(")[0]

    @property
    def numbers(self) -> int:
        """How many numbers stand after its name: block sizes, then those of kinds."""
        return sum(level.number is not None for level in self.levels)

    def instance(self, order: int, numbers: tuple[int, ...] = ()) -> Format:
        """The format for a tensor of that many dimensions; ``order`` must be the preset's own where it has one.
        ``numbers`` replace its block sizes and those of kinds where they are as many."""
        if self.order is None:
            return Format(_levels(self.levels, order), tuple(range(order)))
        assert order == self.order
        wanted = iter(numbers if len(numbers) == self.numbers else ())
        sized = [
            level if level.size is None else replace(level, size=next(wanted, level.size)) for level in self.levels
        ]
        levels = [
            level if level.parameter is None else replace(level, parameter=next(wanted, level.parameter))
            for level in sized
        ]
        return Format(tuple(levels), self.dimensions)

    def text(self, numbers: tuple[int, ...]) -> str:
        """Its name with other numbers."""
        return f"{self.stem}({','.join(map(str, numbers))})" if self.numbers else self.name


PRESETS = (
    Preset("dense", None, (_DENSE,), (), "Every value, row by row"),
    Preset("sparse", 1, (_COMPRESSED,), (0,), "Sparse vector: the nonzero coordinates and their values"),
    Preset("csr", 2, (_DENSE, _COMPRESSED), (0, 1), "Compressed sparse rows: every row, its nonzero columns"),
    Preset("csc", 2, (_DENSE, _COMPRESSED), (1, 0), "Compressed sparse columns: every column, its nonzero rows"),
    Preset("dcsr", 2, (_COMPRESSED,) * 2, (0, 1), "Doubly compressed rows: only rows that have entries"),
    Preset("dcsc", 2, (_COMPRESSED,) * 2, (1, 0), "Doubly compressed columns: only columns that have entries"),
    Preset("ell", 2, (_DENSE, Level("padded")), (0, 1), "ELL: equally many slots for every row, unused ones padded"),
    Preset(
        "ell(4)",
        2,
        (_DENSE, Level("padded", parameter=4)),
        (0, 1),
        "ELL with 4 slots for every row, so that loops over them have a known length; no row may have more entries",
    ),
    Preset(
        "pieces(4)",
        2,
        (_REPEATED, Level("padded", parameter=4)),
        (0, 1),
        "Rows cut into pieces of 4 entries; a row that needs several occurs several times, the last piece is padded",
    ),
    Preset("dia", 2, (_DENSE, Level("offset")), (0, 1), "DIA: the diagonals that have entries, stored whole"),
    Preset(
        "bcsr(4,4)",
        2,
        (_DENSE, _COMPRESSED, Level("dense", size=4), Level("dense", size=4)),
        (0, 1, 0, 1),
        "BCSR: rows of blocks; blocks that have entries are stored whole",
    ),
    Preset(
        "bcsr(8)",
        2,
        (_DENSE, _COMPRESSED, Level("dense", size=8)),
        (0, 1, 0),
        "BCSR with blocks of one column: 8 rows share its index and are contiguous for vector lanes",
    ),
    Preset(
        "sell(8)",
        2,
        (_DENSE, Level("slots"), Level("dense", size=8), Level("optional")),
        (0, 1, 0, 1),
        "Sliced ELL: slices of 8 rows, contiguous for vector lanes; each slice has its own number of slots",
    ),
    Preset(
        "sell(8,64)",
        2,
        (Level("sorted", parameter=64), Level("slots"), Level("dense", size=8), Level("optional")),
        (0, 1, 0, 1),
        "Sliced ELL with sorted rows (SELL-C-σ): among every 64 rows, those of similar length share a slice",
    ),
    Preset(
        "sell-runs(8)",
        2,
        (_DENSE, Level("slots"), Level("dense", size=8), Level("runs")),
        (0, 1, 0, 1),
        "Sliced ELL that knows where the columns of 8 rows are consecutive: these are read together",
    ),
    Preset(
        "dia(8)",
        2,
        (_DENSE, Level("diagonals"), Level("dense", size=8), Level("shifted")),
        (0, 1, 0, 1),
        "DIA in blocks of 8 rows for vector lanes; the diagonals that have entries, stored whole",
    ),
    Preset(
        "dbsr(4,4)",
        2,
        (_COMPRESSED, _COMPRESSED, Level("dense", size=4), Level("dense", size=4)),
        (0, 1, 0, 1),
        "Doubly compressed BCSR: only rows of blocks that have entries",
    ),
    Preset(
        "srbcrs(8,4)",
        2,
        (_DENSE, Level("chunks", parameter=4), Level("dense", size=8)),
        (0, 1, 0),
        "SR-BCRS: blocks of 8 rows and one column, filled up to whole groups of 4",
    ),
    Preset(
        "csb(64,64)",
        2,
        (_DENSE, _DENSE, Level("compressed", unique=False, size=64), Level("singleton", size=64)),
        (0, 1, 0, 1),
        "CSB: a list of entries for each block of 64 × 64; coordinates inside the block are small numbers",
    ),
    Preset("csf", None, (_COMPRESSED,), (), "Compressed sparse fibres: every level compressed"),
    Preset("coo", None, (_REPEATED, _MIDDLE, _LAST), (), "Coordinates: one array per dimension, sorted"),
    Preset(
        "ell3d(4,8)",
        3,
        (_DENSE, Level("chunks", parameter=4), Level("padded", parameter=8)),
        (0, 1, 2),
        "ELL in three dimensions: the rows of every slice in groups of 4, each row with 8 slots",
    ),
    Preset(
        "coo-perm",
        None,
        (_DENSE, _REFERENCED, _RELAYED, _LAST_RELAYED),
        (),
        "Coordinates that all orders of the dimensions share: of every row the numbers of its entries",
        least=2,
    ),
    Preset("csl", 3, (_DENSE, _REPEATED, _LAST), (0, 1, 2), "Compressed slices: of every slice its entries, as pairs"),
)


def _levels(pattern: tuple[Level, ...], order: int) -> tuple[Level, ...]:
    if len(pattern) == 1:
        return pattern * order
    *above, middle, last = pattern
    if order > len(above):
        return (*above, *(middle,) * (order - len(above) - 1), last)
    return (*above[: order - 1], replace(above[order - 1], unique=True))


def presets_for(order: int) -> tuple[Preset, ...]:
    """The presets that fit a tensor of ``order`` dimensions, those of vectors and matrices alone first."""
    fitting = [preset for preset in PRESETS if preset.order in (None, order) and order >= preset.least]
    return tuple(sorted(fitting, key=lambda preset: preset.order is None or preset.order > 2))
