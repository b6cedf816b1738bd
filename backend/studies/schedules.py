"""The schedules of SpMV that the studies compare: those of paper 000's appendix, and what runs them on CPU threads."""

from __future__ import annotations

ROW_THREADS, BLOCK_ROWS = 256, 256
"""A.7: threads of a block, one row each. A.8: rows of a block."""


def thread_per_row() -> tuple[str, ...]:
    """A.7."""
    return (
        f"split(i, block, thread, {ROW_THREADS})",
        "parallelize(block, GPUBlock, NoRaces)",
        "parallelize(thread, GPUThread, NoRaces)",
    )


def warp_per_row(block_rows: int = BLOCK_ROWS) -> tuple[str, ...]:
    """A.8: 8 warps take the rows of a block in turns, the 32 lanes of each the entries of its row."""
    return (
        f"split(i, block, block_row, {block_rows})",
        f"split(block_row, warp_row, warp, {min(8, block_rows)})",
        "pos(j, jpos, A)",
        "split(jpos, thread_nz, thread, 32)",
        "reorder(block, warp, warp_row, thread, thread_nz)",
        "parallelize(block, GPUBlock, NoRaces)",
        "parallelize(warp, GPUWarp, NoRaces)",
        "parallelize(thread, GPUThread, ParallelReduction)",
    )


def by_entries(*, ahead: bool = False, lanes: str = "Atomics") -> tuple[str, ...]:
    """A.9: every thread takes 8 neighbouring entries. ``ahead`` (A.2): an unrolled loop computes their products first.
    ``lanes``: how the threads of a warp add into a row that they share."""
    warp = "Atomics" if lanes == "ParallelReduction" else "IgnoreRaces"
    products = ("precompute(A(i,j) * x(j), entry, entry_ahead, products)", "unroll(entry_ahead, 8)") if ahead else ()
    return (
        "fuse(i, j, f)",
        "pos(f, fpos, A)",
        "split(fpos, block, fpos1, 2048)",
        "split(fpos1, warp, fpos2, 256)",
        "split(fpos2, thread, entry, 8)",
        "reorder(block, warp, thread, entry)",
        *products,
        "parallelize(block, GPUBlock, IgnoreRaces)",
        f"parallelize(warp, GPUWarp, {warp})",
        f"parallelize(thread, GPUThread, {lanes})",
    )


def neighbouring_entries() -> tuple[str, ...]:
    """Neighbouring lanes take neighbouring entries; those of one row combine before one of them adds."""
    return (
        "fuse(i, j, f)",
        "pos(f, fpos, A)",
        "split(fpos, block, fpos1, 2048)",
        "split(fpos1, warp, fpos2, 256)",
        "split(fpos2, entry, thread, 32)",
        "reorder(block, warp, entry, thread)",
        "parallelize(block, GPUBlock, IgnoreRaces)",
        "parallelize(warp, GPUWarp, Atomics)",
        "parallelize(thread, GPUThread, ParallelReduction)",
    )


def cpu_rows(parts: int = 64) -> tuple[str, ...]:
    """As many rows for each part."""
    return (f"divide(i, i0, i1, {parts})", "parallelize(i0, CPUThread, NoRaces)")


def cpu_row_chunks() -> tuple[str, ...]:
    """A.1: chunks of 16 rows."""
    return ("split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)")


def cpu_balanced_rows(parts: int = 64) -> tuple[str, ...]:
    """Whole rows, with about as many entries for each part."""
    return (f"balance(i, i0, i1, A, {parts})", "parallelize(i0, CPUThread, NoRaces)")


def cpu_entries(*, ahead: bool = False, parts: int = 64) -> tuple[str, ...]:
    """As many entries for each part, with atomics for a row that two parts share. ``ahead``: tiles of 8 products are
    computed first, in an unrolled loop."""
    cut = ("fuse(i, j, f)", "pos(f, fpos, A)", f"divide(fpos, part, inside, {parts})")
    threads = ("parallelize(part, CPUThread, Atomics)",)
    if not ahead:
        return (*cut, *threads)
    tiles = ("split(inside, tile, entry, 8)", "precompute(A(i,j) * x(j), entry, entry_ahead, products)")
    return (*cut, *tiles, "unroll(entry_ahead, 8)", *threads)
