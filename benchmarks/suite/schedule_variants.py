"""Schedules other than the one that the rules choose: each differs from it in one decision that the rules make."""

from __future__ import annotations

import re
from collections.abc import Iterator

Schedule = tuple[str, ...]

UNROLLED = (2, 4, 8)
WIDTHS = (4, 8, 16, 32)
PARTS = (4, 64)
ROWS = (16, 256)
DISTANCES = (8, 16)
_COMMAND = re.compile(r"(\w+)\((.*)\)")


def variants(
    schedule: Schedule, sparse: str, rows: str, summed: str | None, located: tuple[str, ...] = ()
) -> Iterator[tuple[str, Schedule]]:
    """Names and schedules. Not all of them compile for every kernel; which do is for the caller to find out.

    Parameters
    ----------
    schedule
        the commands to start from.
    sparse
        the tensor whose outermost level is shared out.
    rows
        the variable of that level.
    summed
        the variable of its innermost level, where sums run over it.
    located
        operands, as the schedule leaves them, that may be prefetched.
    """
    found = (
        *_threads(schedule, sparse, rows),
        *_sums(schedule, summed),
        *_widths(schedule),
        *_ahead(schedule, located),
    )
    yield from ((name, one) for name, one in found if one != schedule)


def _arguments(command: str) -> tuple[str, list[str]]:
    found = _COMMAND.fullmatch(command)
    if found is None:
        raise ValueError(f"not a command: {command}")
    return found[1], [argument.strip() for argument in found[2].split(",")]


def _threads(schedule: Schedule, sparse: str, rows: str) -> Iterator[tuple[str, Schedule]]:
    """One thread, whole rows one by one, in chunks, and in parts of equally many nonzeros; by position, where only the
    rows that are stored are visited."""
    rest = tuple(command for command in schedule if not _shares_out(command, schedule))
    by_position = [arguments for name, arguments in map(_arguments, rest) if name == "pos" and arguments[0] == rows]
    rows = by_position[0][1] if by_position else rows
    outer, inner = f"{rows}_outer", f"{rows}_inner"
    on_threads = f"parallelize({outer}, CPUThread, NoRaces)"
    yield "one thread", rest
    yield "whole rows", (*rest, f"parallelize({rows}, CPUThread, NoRaces)")
    for size in ROWS:
        yield f"{size} rows at a time", (*rest, f"split({rows}, {outer}, {inner}, {size})", on_threads)
    for parts in PARTS:
        yield f"{parts} parts", (*rest, f"balance({rows}, {outer}, {inner}, {sparse}, {parts})", on_threads)


def _shares_out(command: str, schedule: Schedule) -> bool:
    """Whether a command only says how rows go to threads."""
    name, arguments = _arguments(command)
    if name == "parallelize":
        return arguments[1] == "CPUThread"
    tagged = {_arguments(other)[1][0] for other in schedule if "CPUThread" in other}
    return name == "balance" and arguments[1] in tagged


def _sums(schedule: Schedule, summed: str | None) -> Iterator[tuple[str, Schedule]]:
    """One accumulator, several, and one in each vector lane."""
    if summed is None:
        return
    in_lanes = f"parallelize({summed}, CPUVector, ParallelReduction)"
    rest = tuple(one for one in schedule if one != in_lanes and _arguments(one)[0] != "unroll")
    yield "one sum", rest
    for factor in UNROLLED:
        yield f"{factor} sums", (f"unroll({summed}, {factor})", *rest)
    yield "sums in lanes", (in_lanes, *rest)


def _ahead(schedule: Schedule, located: tuple[str, ...]) -> Iterator[tuple[str, Schedule]]:
    """Nothing prefetched, each operand alone, and other distances."""
    rest = tuple(command for command in schedule if _arguments(command)[0] != "prefetch")
    yield "nothing ahead", rest
    for operand in located:
        for distance in DISTANCES:
            yield f"{operand} {distance} ahead", (*rest, f"prefetch({operand}, {distance})")


def _widths(schedule: Schedule) -> Iterator[tuple[str, Schedule]]:
    """Register tiles of other widths: the first split, where lanes of its inner loop are vectors."""
    for place, command in enumerate(schedule):
        name, arguments = _arguments(command)
        if name == "split" and f"parallelize({arguments[2]}, CPUVector, NoRaces)" in schedule:
            for width in WIDTHS:
                changed = f"split({', '.join(arguments[:3])}, {width})"
                yield f"{width} columns", (*schedule[:place], changed, *schedule[place + 1 :])
            return
