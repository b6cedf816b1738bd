"""The ways of computing an MTTKRP: each is a format of the tensor and a schedule, a row of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heddle.algorithms.roles import FACTORS, MODES, Role, shapes_of
from heddle.names import Names
from heddle.notation.reserved import RESERVED
from heddle.plan import Plan
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import suggest

CHUNK = 128
"""Entries that a thread takes at once, as in GenTen."""

TILE = 32
"""Columns that are summed up in registers at once, as in GenTen."""

Reasons = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a schedule is chosen by: of the tensor the ``shape``, how many entries are ``stored`` and their
    ``statistics``; ``rank`` columns, and the ``machine``."""

    shape: tuple[int, ...]
    rank: int
    stored: int
    machine: Machine
    statistics: Mapping[str, Statistics]


Schedule = Callable[[Role, Plan, Facts], tuple[tuple[str, ...], Reasons]]


@dataclass(frozen=True, slots=True)
class Method:
    """``name`` is ours, ``known_as`` that of GenTen or of others. ``format`` is that of the tensor for a mode,
    ``schedule`` gives the commands for a plan whose formats are chosen, with reasons. ``reproducible``: to the same
    bits for any number of threads. ``shared``: coordinates and values are those of all modes."""

    name: str
    known_as: str
    title: str
    format: Callable[[int, int], str]
    schedule: Schedule
    reproducible: bool = True
    shared: bool = False


def row_order(order: int, mode: int) -> str:
    """The dimensions with ``mode`` outermost."""
    return ",".join(map(str, (mode, *(other for other in range(order) if other != mode))))


def coordinates(order: int, mode: int) -> str:
    """One copy for all modes."""
    return "coo"


def shared_rows(order: int, mode: int) -> str:
    """Coordinates and values of all modes, and for this one the numbers of the entries in the order of its rows."""
    return f"coo-perm:{row_order(order, mode)}"


def sorted_rows(order: int, mode: int) -> str:
    """A copy whose entries are sorted by row, and where each row begins."""
    if order == 2:
        return f"dense, compressed : {row_order(order, mode)}"
    below = ["compressed(nonunique)", *["singleton(nonunique)"] * (order - 3), "singleton"]
    return f"dense, {', '.join(below)} : {row_order(order, mode)}"


def fibres(order: int, mode: int) -> str:
    return f"csf:{row_order(order, mode)}"


def by_rules(role: Role, plan: Plan, facts: Facts) -> tuple[tuple[str, ...], Reasons]:
    """What the rules choose for these formats."""
    chosen = suggest(plan, facts.statistics, facts.machine, shapes_of(role, facts.shape, facts.rank))
    return chosen.schedule, chosen.reasons


def alone(role: Role, plan: Plan, facts: Facts) -> tuple[tuple[str, ...], Reasons]:
    return (), ("One thread, no command.",)


def at_once(race: str, *, by_rows: bool = False, tiled: bool = False) -> Schedule:
    """Chunks of entries on threads, whichever rows they belong to; ``race`` says how they share the rows. The entries
    are in the order of the rows where they are sorted ``by_rows``. ``tiled``: a row is summed up in registers, for as
    many columns at once as these hold, until the next begins."""

    def schedule(role: Role, plan: Plan, facts: Facts) -> tuple[tuple[str, ...], Reasons]:
        order, mode = len(facts.shape), role.mode
        assert mode is not None
        names = Names({*MODES, *FACTORS, *RESERVED, "X", "V", "r"})
        stored = [mode, *(other for other in range(order) if other != mode)] if by_rows else list(range(order))
        first, *rest = (MODES[other] for other in stored)
        commands: list[str] = []
        if tiled and facts.rank <= TILE:
            commands.append(f"bound(r, {names.fresh('r1')}, {facts.rank}, MaxExact)")
        elif tiled:
            tile, lane = names.fresh("r0"), names.fresh("r1")
            commands += [f"split(r, {tile}, {lane}, {TILE})", f"reorder({', '.join((tile, first, *rest, lane))})"]
        for variable in rest:
            fused = names.fresh("f")
            commands.append(f"fuse({first}, {variable}, {fused})")
            first = fused
        place, chunk, inside = names.fresh("p"), names.fresh("p0"), names.fresh("p1")
        commands += [
            f"pos({first}, {place}, X)",
            f"split({place}, {chunk}, {inside}, {CHUNK})",
            f"parallelize({chunk}, CPUThread, {race})",
        ]
        return tuple(commands), (f"Threads take {CHUNK} entries at a time: {_HOW[race, tiled]}.",)

    return schedule


_HOW = {
    ("Atomics", False): "each entry updates its row atomically",
    ("Atomics", True): "each sums up a row in registers, and updates it atomically where the next begins",
    ("Temporary", False): "each adds into one of 8 copies of the result",
}


METHODS: tuple[Method, ...] = (
    Method("single", "single", "One thread over the coordinates", coordinates, alone, shared=True),
    Method(
        "atomic", "atomic (A)", "Each entry updates its row atomically", coordinates, at_once("Atomics"), False, True
    ),
    Method(
        "tiled",
        "atomic, tiled (B)",
        "A row is updated atomically where the next begins",
        coordinates,
        at_once("Atomics", tiled=True),
        reproducible=False,
        shared=True,
    ),
    Method(
        "duplicated",
        "duplicated",
        "Threads add into copies of the result",
        coordinates,
        at_once("Temporary"),
        shared=True,
    ),
    Method(
        "permuted",
        "perm (C)",
        "Entries in the order of rows, which are updated atomically where the next begins",
        shared_rows,
        at_once("Atomics", by_rows=True, tiled=True),
        reproducible=False,
        shared=True,
    ),
    Method("rows", "row-based", "Whole rows to threads, entries by their numbers", shared_rows, by_rules, shared=True),
    Method("sorted", "sorted copy", "A copy sorted by rows, whole rows to threads", sorted_rows, by_rules),
    Method("fibres", "CSF (SPLATT)", "A tree of fibres for each mode, whole rows to threads", fibres, by_rules),
)
BY_NAME = {method.name: method for method in METHODS}
