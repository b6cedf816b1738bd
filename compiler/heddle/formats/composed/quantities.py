"""What the tests of a composition ask of an entry: the table of quantities. How they are counted says
``runtime/tensors/part_quantities.py``."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.limits import MAX_BLOCK

MAX_RANGES = 4096
"""Ranges that the columns are cut into, and entries of a piece."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """``arguments`` are the names of the numbers in parentheses, each from ``least`` to ``most``.
    ``matrices``: only matrices have it."""

    name: str
    summary: str
    arguments: tuple[str, ...] = ()
    least: int = 1
    most: int = MAX_BLOCK
    matrices: bool = False

    @property
    def spelled(self) -> str:
        return f"{self.name}({','.join(self.arguments)})" if self.arguments else self.name


_QUANTITIES = (
    Quantity("length", "how many entries its row has, or the fibre over the last dimension"),
    Quantity("slot", "its number in its row, from 0"),
    Quantity(
        "piece",
        "the length of its piece, when rows are cut at c equal ranges of columns and then every w entries",
        ("c", "w"),
        most=MAX_RANGES,
        matrices=True,
    ),
    Quantity("tile", "how many entries its tile of a × b has", ("a", "b"), matrices=True),
    Quantity("diagonal", "its column minus its row", matrices=True),
    Quantity("depth", "how much of its diagonal is stored, in percent", matrices=True),
    Quantity("row", "its first coordinate"),
    Quantity("column", "its last coordinate"),
    Quantity("along", "its coordinate in dimension d, from 0", ("d",), least=0, most=31),
    Quantity("count", "how many entries share its coordinate in dimension d", ("d",), least=0, most=31),
)
QUANTITIES = {quantity.name: quantity for quantity in _QUANTITIES}
