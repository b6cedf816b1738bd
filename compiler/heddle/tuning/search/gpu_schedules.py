"""GPU schedules with their parameters: listings A.2 to A.9 (docs/sources.toml) and what came after them."""

from __future__ import annotations

Commands = tuple[str, ...]
LANES = 32
"""Of a warp."""


def on_units(block: str, warp: str, thread: str) -> Commands:
    """The race strategies of the three units."""
    return (
        f"parallelize(block, GPUBlock, {block})",
        f"parallelize(warp, GPUWarp, {warp})",
        f"parallelize(thread, GPUThread, {thread})",
    )


def thread_per_row(threads: int = 256) -> Commands:
    """Listing A.7: each thread takes a row."""
    return (
        f"split(i, block, thread, {threads})",
        "parallelize(block, GPUBlock, NoRaces)",
        "parallelize(thread, GPUThread, NoRaces)",
    )


def warp_per_row(block_rows: int = 256, warps: int = 8) -> Commands:
    """A.8: the warps of a block take its rows in turns, the lanes of each the entries of its row."""
    return (
        f"split(i, block, block_row, {block_rows})",
        f"split(block_row, warp_row, warp, {warps})",
        "pos(j, jpos, A)",
        f"split(jpos, thread_nz, thread, {LANES})",
        "reorder(block, warp, warp_row, thread, thread_nz)",
        *on_units("NoRaces", "NoRaces", "ParallelReduction"),
    )


def by_entries(entries: int = 8, warps: int = 8, *, ahead: bool = False, combine: bool = False) -> Commands:
    """A.9: every thread takes neighbouring entries. ``ahead`` (A.2): an unrolled loop computes their products first.
    ``combine``: the lanes of a warp combine what they have of the same row before one of them adds it."""
    unrolled = f"unroll(entry_ahead, {entries})"
    products = ("precompute(A(i,j) * x(j), entry, entry_ahead, products)", unrolled) if ahead else ()
    return (
        *_positions(entries, warps),
        f"split(fpos2, thread, entry, {entries})",
        "reorder(block, warp, thread, entry)",
        *products,
        *_adding(combine),
    )


def neighbouring_entries(turns: int = 8, warps: int = 8) -> Commands:
    """Neighbouring lanes take neighbouring entries; those of the same row combine before one of them adds."""
    return (
        *_positions(turns, warps),
        f"split(fpos2, turn, thread, {LANES})",
        "reorder(block, warp, turn, thread)",
        *_adding(True),
    )


def _positions(entries: int, warps: int) -> Commands:
    """Blocks and warps of SpMV, ``entries`` for each lane."""
    return (
        "fuse(i, j, f)",
        "pos(f, fpos, A)",
        f"split(fpos, block, fpos1, {entries * LANES * warps})",
        f"split(fpos1, warp, fpos2, {entries * LANES})",
    )


def _adding(combine: bool) -> Commands:
    return on_units("IgnoreRaces", *(("Atomics", "ParallelReduction") if combine else ("IgnoreRaces", "Atomics")))


def columns(fused: Commands, tensor: str, column: str, entries: int, warps: int) -> Commands:
    """A.4 and A.6: a warp takes neighbouring entries of ``tensor``, its lanes the columns of the dense operands.
    ``fused`` are the commands that make one loop f of all its levels."""
    return (
        *fused,
        f"pos(f, fpos, {tensor})",
        f"split(fpos, block, fpos1, {entries * warps})",
        f"split(fpos1, warp, nnz, {entries})",
        f"split({column}, dense_val, thread, {LANES})",
        "reorder(block, warp, dense_val, thread, nnz)",
        *on_units("IgnoreRaces", "IgnoreRaces", "Atomics"),
    )


def schedule_sampled(entries: int, warps: int) -> Commands:
    """SDDMM: a warp for each of some neighbouring entries, its lanes the sum over j."""
    return (
        "reorder(i, k, j)",
        "fuse(i, k, f)",
        "pos(f, fpos, B)",
        f"split(fpos, block, fpos1, {entries * warps})",
        f"split(fpos1, warp, nnz, {entries})",
        f"split(j, dense_val, thread, {LANES})",
        "reorder(block, warp, nnz, thread, dense_val)",
        *on_units("IgnoreRaces", "Atomics", "ParallelReduction"),
    )
