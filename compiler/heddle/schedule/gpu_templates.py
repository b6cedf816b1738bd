"""Schedules for a GPU as templates over the variables of a program: what the default and the rules are made of
(docs/sources.toml A.4 to A.9, G5 to G10).

``names`` gives the new variables names in addition to those of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heddle.iteration_graph.graph.slots import SlottedLoops
from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.names import Names

Commands = tuple[str, ...]

LANES = WARP_SIZE
THREADS = 256
"""Of a block, where each takes one iteration."""
WARPS = 8
"""Of a block, where warps take rows or entries."""
TURNS = 4
"""Entries that each lane of a warp takes, one after another: so few that a block can be traced step by step."""
BLOCKS_WITH_WORKSPACES = 64
"""Of 32 threads each, where every thread needs a workspace as long as a row of the result."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """The race strategies of the units."""

    block: str
    warp: str
    thread: str


ALONE = Strategy("NoRaces", "NoRaces", "NoRaces")
"""No two iterations add into the same element."""
ROWS_OF_WARPS = Strategy("NoRaces", "NoRaces", "ParallelReduction")
"""The lanes of a warp add into one element, which no others do."""
SUMMED = Strategy("ParallelReduction", "ParallelReduction", "ParallelReduction")
"""All add into one element that is known before."""
COMBINED = Strategy("IgnoreRaces", "Atomics", "ParallelReduction")
"""The lanes of a warp that found the same element combine, and one of them adds atomically."""
ADDED = Strategy("IgnoreRaces", "IgnoreRaces", "Atomics")
"""Every thread adds atomically what it has summed up for an element."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One loop over the stored entries of a tensor: ``commands`` make it, ``position`` is its variable."""

    commands: Commands
    position: str


def over_entries(tensor: str, levels: Sequence[str], rest: Sequence[str], names: Names) -> Walk:
    """All ``levels`` of ``tensor``, outermost first, in one loop, with the loops of ``rest`` inside it."""
    fused = levels[-1]
    commands = [f"reorder({', '.join((*levels, *rest))})"] if rest else []
    for variable in reversed(levels[:-1]):
        name = names.fresh("f")
        commands.append(f"fuse({variable}, {fused}, {name})")
        fused = name
    position = names.fresh("p")
    return Walk((*commands, f"pos({fused}, {position}, {tensor})"), position)


def thread_per_iteration(variable: str, names: Names, strategy: Strategy = ALONE) -> Commands:
    """A.7: each thread takes an iteration of ``variable``."""
    block, thread = names.fresh("block"), names.fresh("thread")
    return (f"split({variable}, {block}, {thread}, {THREADS})", *on_units(strategy, block, None, thread))


def thread_per_place(loops: SlottedLoops, names: Names) -> Commands:
    """Each thread takes a row of a block of a matrix in slots: neighbours load neighbouring elements of each slot."""
    row = names.fresh("row")
    return (
        f"reorder({loops.block}, {loops.inside}, {loops.slot})",
        f"fuse({loops.block}, {loops.inside}, {row})",
        *thread_per_iteration(row, names),
    )


def warp_per_row(row: str, inner: str, tensor: str, names: Names) -> Commands:
    """A.8: each warp takes a ``row`` of ``tensor``, its lanes the entries, whose sums they combine."""
    block, warp, position, turn, thread = (names.fresh(n) for n in ("block", "warp", "p", "turn", "thread"))
    return (
        f"split({row}, {block}, {warp}, {WARPS})",
        f"pos({inner}, {position}, {tensor})",
        f"split({position}, {turn}, {thread}, {LANES})",
        f"reorder({block}, {warp}, {thread}, {turn})",
        *on_units(ROWS_OF_WARPS, block, warp, thread),
    )


def neighbouring_entries(walk: Walk, names: Names, strategy: Strategy) -> Commands:
    """Neighbouring lanes take neighbouring entries, each lane :data:`TURNS` of them in turns."""
    block, inside, warp, share, turn, thread = (
        names.fresh(n) for n in ("block", f"{walk.position}1", "warp", f"{walk.position}2", "turn", "thread")
    )
    return (
        *walk.commands,
        f"split({walk.position}, {block}, {inside}, {TURNS * LANES * WARPS})",
        f"split({inside}, {warp}, {share}, {TURNS * LANES})",
        f"split({share}, {turn}, {thread}, {LANES})",
        f"reorder({block}, {warp}, {turn}, {thread})",
        *on_units(strategy, block, warp, thread),
    )


def rows_and_columns(row: str, inner: Sequence[str], column: str, lanes: int, names: Names) -> Commands:
    """Groups of ``lanes`` threads take a ``row`` each, and its columns; the sums over ``inner`` stay in registers."""
    block, member, tile, lane, thread = (names.fresh(n) for n in ("block", "member", "columns", "lane", "thread"))
    return (
        f"split({row}, {block}, {member}, {THREADS // lanes})",
        f"split({column}, {tile}, {lane}, {lanes})",
        f"reorder({', '.join((block, tile, member, lane, *inner))})",
        f"fuse({member}, {lane}, {thread})",
        *on_units(ALONE, block, None, thread),
    )


def rows_and_several_columns(
    row: str, inner: Sequence[str], column: str, lanes: int, each: int, product: str, names: Names
) -> Commands:
    """The same with ``each`` columns for a lane, at a distance of ``lanes``: a stored entry that is loaded once serves
    them all. ``product`` is what is summed, which takes as many registers."""
    block, member, tile, part, lane, thread = (
        names.fresh(n) for n in ("block", "member", "columns", "column", "lane", "thread")
    )
    step, summed, sums = names.fresh("v"), names.fresh("vw"), names.fresh("w")
    return (
        f"split({row}, {block}, {member}, {THREADS // lanes})",
        f"split({column}, {tile}, {part}, {lanes * each})",
        f"split({part}, {step}, {lane}, {lanes})",
        f"reorder({', '.join((block, tile, member, lane, *inner, step))})",
        f"fuse({member}, {lane}, {thread})",
        f"precompute({product}, {step}, {summed}, {sums})",
        f"unroll({step}, {each})",
        f"unroll({summed}, {each})",
        *on_units(ALONE, block, None, thread),
    )


def dot_per_entry(walk: Walk, names: Names, others: Sequence[str], depth: str, entries: int) -> Commands:
    """SDDMM: a warp for each of some neighbouring entries, its lanes the sum over ``depth``; ``others`` around it."""
    shares = _warps_of_entries(walk, names, depth, "turn", entries)
    order = (shares.block, shares.warp, shares.entry, *others, shares.thread, shares.tile)
    return (
        *shares.commands,
        f"reorder({', '.join(order)})",
        *on_units(ROWS_OF_WARPS, shares.block, shares.warp, shares.thread),
    )


def columns_of_entries(
    walk: Walk, names: Names, others: Sequence[str], column: str, entries: int, strategy: Strategy
) -> Commands:
    """A.4, A.6: a warp takes neighbouring entries, its lanes the columns of the dense operands."""
    shares = _warps_of_entries(walk, names, column, "columns", entries)
    order = (shares.block, shares.warp, *others, shares.tile, shares.thread, shares.entry)
    return (
        *shares.commands,
        f"reorder({', '.join(order)})",
        *on_units(strategy, shares.block, shares.warp, shares.thread),
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """``commands`` cut the loops into these variables."""

    commands: Commands
    block: str
    warp: str
    entry: str
    tile: str
    thread: str


def _warps_of_entries(walk: Walk, names: Names, dense: str, tile: str, entries: int) -> _Shares:
    """Each warp takes neighbouring ``entries``, its lanes the iterations of ``dense``, in turns named ``tile``."""
    block, inside, warp, entry, turn, thread = (
        names.fresh(n) for n in ("block", f"{walk.position}1", "warp", "entry", tile, "thread")
    )
    commands = (
        *walk.commands,
        f"split({walk.position}, {block}, {inside}, {entries * WARPS})",
        f"split({inside}, {warp}, {entry}, {entries})",
        f"split({dense}, {turn}, {thread}, {LANES})",
    )
    return _Shares(commands, block, warp, entry, turn, thread)


def rows_of_few_threads(variable: str, names: Names) -> Commands:
    """Each thread takes several iterations of ``variable``: all of them have a workspace of their own."""
    block, rest, thread, row = (names.fresh(name_hint) for name_hint in ("block", "rest", "thread", "row"))
    return (
        f"divide({variable}, {block}, {rest}, {BLOCKS_WITH_WORKSPACES})",
        f"divide({rest}, {thread}, {row}, {LANES})",
        *on_units(ALONE, block, None, thread),
    )


def block_per_row(row: str, producer: Sequence[str]) -> Commands:
    """A block for each ``row``, whose threads collect it in a hash table: the warps take the iterations of the last but
    one of the loops of the ``producer``, the lanes those of the last one."""
    *_, lanes = producer
    warps = producer[-2:-1]
    return (
        f"parallelize({row}, GPUBlock, NoRaces)",
        *(f"parallelize({loop}, GPUWarp, Atomics)" for loop in warps),
        f"parallelize({lanes}, GPUThread, Atomics)",
    )


def on_units(strategy: Strategy, block: str, warp: str | None, thread: str) -> Commands:
    """Each variable on its unit; no warps where ``warp`` is None."""
    warps = () if warp is None else (f"parallelize({warp}, GPUWarp, {strategy.warp})",)
    return (
        f"parallelize({block}, GPUBlock, {strategy.block})",
        *warps,
        f"parallelize({thread}, GPUThread, {strategy.thread})",
    )
