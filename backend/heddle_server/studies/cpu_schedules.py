"""SpMV on CPU threads, by rows and by entries: what the studies compare on the target c
(docs/sources.toml A.1, X1 to X4)."""

from __future__ import annotations


def rows(parts: int = 64) -> tuple[str, ...]:
    """As many rows for each part."""
    return (f"divide(i, i0, i1, {parts})", "parallelize(i0, CPUThread, NoRaces)")


def row_chunks() -> tuple[str, ...]:
    """Listing A.1: chunks of 16 rows."""
    return ("split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)")


def balanced_rows(parts: int = 64) -> tuple[str, ...]:
    """Whole rows, with about as many entries for each part."""
    return (f"balance(i, i0, i1, A, {parts})", "parallelize(i0, CPUThread, NoRaces)")


def entries(*, ahead: bool = False, parts: int = 64) -> tuple[str, ...]:
    """As many entries for each part, with atomics for a row that two parts share. ``ahead``: tiles of 8 products are
    computed first, in an unrolled loop."""
    cut = ("fuse(i, j, f)", "pos(f, fpos, A)", f"divide(fpos, part, inside, {parts})")
    threads = ("parallelize(part, CPUThread, Atomics)",)
    if not ahead:
        return (*cut, *threads)
    tiles = ("split(inside, tile, entry, 8)", "precompute(A(i,j) * x(j), entry, entry_ahead, products)")
    return (*cut, *tiles, "unroll(entry_ahead, 8)", *threads)
