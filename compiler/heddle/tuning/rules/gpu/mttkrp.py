"""GenTen's three forms of MTTKRP on a GPU as schedules (docs/sources.toml G5 to G10), for tensors of any order.

All of them give each *member* of a block a run of neighbouring nonzeros in COO and spread the columns of the factors
over the member's lanes. A adds every nonzero's contribution into the result atomically. B takes blocks of columns of
constant width, so that the columns of a lane are summed in registers while the row stays the same. C does so over
nonzeros sorted by the row of the result, and needs atomics for a run's first and last row alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from heddle.names import Names
from heddle.schedule.gpu_templates import ADDED, Commands, on_units, over_entries

__all__ = ["Form", "Mttkrp", "Tile", "mttkrp", "tile"]

ENTRIES = 128
"""Nonzeros of each member (G8)."""
THREADS = 128
"""Of a block: its members times their lanes (G8)."""
_MODES, _FACTORS = "iklmn", "CDEF"


class Form(StrEnum):
    """A: a loop over a lane's columns as long as the rank needs. B: blocks of columns of constant width. C: the same,
    and nonzeros in the order of the result's rows."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True)
class Tile:
    """``lanes`` (GenTen's VS) share ``columns`` (FBS) of the factors: at most four each."""

    lanes: int
    columns: int


def tile(rank: int) -> Tile:
    """The tile for factors with ``rank`` columns (G9)."""
    lanes = next(width for least, width in ((96, 32), (48, 16), (8, 8), (4, 4), (2, 2), (0, 1)) if rank >= least)
    return Tile(lanes, lanes * max(1, min(4, -(-rank // lanes))))


@dataclass(frozen=True, slots=True)
class Mttkrp:
    """``B`` is the sparse tensor, ``A`` the result; ``C``, ``D``, … are the factors of the other modes in order."""

    expression: str
    formats: dict[str, str]
    schedule: tuple[str, ...]


def mttkrp(order: int, form: Form, rank: int, mode: int = 0, entries: int = ENTRIES, threads: int = THREADS) -> Mttkrp:
    """The program for mode ``mode`` of a tensor of ``order`` 3 to 5 and factors with about ``rank`` columns: another
    number of columns is computed as well, only with tiles that were not chosen for it."""
    modes = _MODES[:order]
    others = [name for name in modes if name != modes[mode]]
    factors = [f"{factor}({name},j)" for factor, name in zip(_FACTORS, others, strict=False)]
    expression = f"A({modes[mode]},j) = B({','.join(modes)}) * {' * '.join(factors)}"
    first = [mode] if form is Form.C else []
    storage = [*first, *(place for place in range(order) if place not in first)]
    format = "coo" if storage == sorted(storage) else f"coo:{','.join(map(str, storage))}"
    names = Names({*modes, *_FACTORS, "A", "B", "j"})
    stored = [modes[place] for place in storage]
    return Mttkrp(expression, {"B": format}, over_columns("B", stored, "j", form, tile(rank), names, entries, threads))


def over_columns(
    tensor: str,
    stored: Sequence[str],
    column: str,
    form: Form,
    chosen: Tile,
    names: Names,
    entries: int = ENTRIES,
    threads: int = THREADS,
) -> Commands:
    """The commands for any product of one sparse ``tensor`` and dense operands with a ``column``, in tiles of it.
    ``stored``: the tensor's variables in the order in which its nonzeros are sorted."""
    lanes = min(chosen.columns, 16) if form is Form.A else chosen.lanes
    members = max(1, threads // lanes)
    walk = over_entries(tensor, stored, (column,), names)
    block, inside, member, entry = (names.fresh(n) for n in ("block", f"{walk.position}1", "member", "entry"))
    blocks, part, v, lane, thread = (names.fresh(n) for n in ("columns", "column", "v", "lane", "thread"))
    several = chosen.columns > lanes
    lane_loops = (v,) if several else ()  # the columns of one lane
    tiles: Commands = (f"split({column}, {blocks}, {lane}, {lanes})",)  # G10
    if several:
        tiles = (f"split({column}, {blocks}, {part}, {chosen.columns})", f"split({part}, {v}, {lane}, {lanes})")
    unrolled = (f"unroll({v}, {chosen.columns // lanes})",) if form is not Form.A and several else ()
    match form:
        case Form.A:
            tiles = (f"split({column}, {v}, {lane}, {lanes})",)
            order: tuple[str, ...] = (block, member, lane, entry, v)
        case Form.B | Form.C:
            order = (block, blocks, member, lane, entry, *lane_loops)
    return (
        *walk.commands,
        f"split({walk.position}, {block}, {inside}, {entries * members})",
        f"split({inside}, {member}, {entry}, {entries})",
        *tiles,
        f"reorder({', '.join(order)})",
        f"fuse({member}, {lane}, {thread})",
        *unrolled,
        *on_units(ADDED, block, None, thread),
    )
