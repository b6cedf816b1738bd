"""Sums that stay in registers while a loop adds to them: lanes over the results, and around them the loop that adds."""

from __future__ import annotations

from collections.abc import Sequence

from heddle.iteration_graph.graph.provenance import assignments, leaves
from heddle.notation.printer import to_text
from heddle.tuning.mapping.writer import Writer

MOST_VECTORS = 8
"""Vectors of sums in a tile: an addition takes four or five cycles and two begin in each, and half of the registers of
AVX2 are left (sums of 50 rows of a table, 64 columns, float32: 1.8 times as fast as sums in memory)."""


def sums_in_registers(writer: Writer, loops: Sequence[str], lane: str) -> bool:
    """Takes the commands that compute the one statement under ``loops``, a nest, so, in lanes over ``lane``. False
    where there are several or none adds, or where tiles of columns would not be full."""
    below = [(path, assign) for path, assign in assignments(writer.graph.statement) if lane in path]
    size = writer.sizes.get(lane)
    if len(below) != 1 or size is None or below[0][1].operator != "+=" or leaves(writer.graph, lane) != (lane,):
        return False
    sums = [loop for loop in loops if not writer.keeps(loop)]
    columns = _columns(size, writer.width)
    if columns is None or not sums:
        return False
    outer = [loop for loop in loops if loop not in sums and loop != lane]
    tile, inner, lane_copy, sum_ = writer.fresh(f"{lane}0", f"{lane}1", f"{lane}w", "w")
    commands = [
        f"split({lane}, {tile}, {inner}, {columns})",
        f"reorder({', '.join((*outer, tile, *sums, inner))})",
        f"precompute({to_text(below[0][1].expression)}, {{{inner}}}, {{{lane_copy}}}, {sum_})",
        *(f"parallelize({loop}, CPUVector, NoRaces)" for loop in (lane_copy, inner)),
    ]
    if writer.try_commands(*commands) is not None:
        return False
    writer.reasons["Sums of several columns stay in registers while a loop adds to them."] = None
    return True


def _columns(size: int, lanes: int) -> int | None:
    """The most columns that whole vectors hold and that fill all tiles."""
    fitting = [columns for columns in range(lanes, MOST_VECTORS * lanes + 1, lanes) if size % columns == 0]
    return max(fitting, default=None)
