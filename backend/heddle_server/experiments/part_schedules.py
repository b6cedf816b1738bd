"""Schedules by part that several experiments take: a tile of the columns in registers, rows on threads."""

from __future__ import annotations

from collections.abc import Iterable

LANES = 32
"""Columns of a tile: two vectors of AVX-512, four of AVX2, in float32."""


def tile_commands(part: str, columns: int, *, pieces: bool, parts: int = 16) -> list[str]:
    """The product of one part of A with B: ``part`` is its name, "" where A is not a sum. ``pieces``: its rows are
    stored as a list, which is searched for where each thread's rows begin."""
    end = f"_{part}" if part else ""
    i, j, k, a = f"i{end}", f"j{end}", f"k{end}", f"A{end}"
    cut = [f"bound({k}, {k}b, {columns}, MaxExact)"]
    if columns > LANES:
        cut.append(f"split({k}b, {k}t, {k}v, {LANES})")
    lane, tiles = (f"{k}v", [f"{k}t"]) if columns > LANES else (f"{k}b", [])
    threads = f"divide({i}, {i}0, {i}1, {parts})" if pieces else f"balance({i}, {i}0, {i}1, {a}, {parts})"
    return [
        *cut,
        f"reorder({', '.join((i, *tiles, j, lane))})",
        f"precompute({a}({i},{j}) * B({j},{k}), {lane}, {lane}w, w{end})",
        f"parallelize({lane}w, CPUVector, NoRaces)",
        f"parallelize({lane}, CPUVector, NoRaces)",
        threads,
        f"parallelize({i}0, CPUThread, NoRaces)",
    ]


def in_buckets(buckets: int, columns: int, *, whole: bool) -> list[str]:
    """For each part of ``hyb(1,buckets)`` or ``hyb(1,buckets,whole)``."""
    commands = _join_parts(((f"ell{2**bucket}", True) for bucket in range(buckets + 1)), columns)
    return [*commands, *_rest(columns)] if whole else commands


def _join_parts(parts: Iterable[tuple[str, bool]], columns: int) -> list[str]:
    return [command for part, pieces in parts for command in tile_commands(part, columns, pieces=pieces)]


def _rest(columns: int) -> list[str]:
    """Of the long rows, which are stored whole: few rows, so that threads take one at a time."""
    *vectors, _, _ = tile_commands("rows", columns, pieces=True)
    return [*vectors, "pos(i_rows, i_rowsp, A_rows)", "parallelize(i_rowsp, CPUThread, NoRaces)"]
