"""The ways of computing an MTTKRP: each is a format of the tensor and a schedule, a row of one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compiler.algorithms.roles import FACTORS, MODES, Role
from compiler.names import Names
from compiler.plan import Plan
from compiler.tuning.facts.machine import Machine
from compiler.tuning.facts.statistics import Statistics
from compiler.tuning.search.suggest import suggest

CHUNK = 128
"""Entries that a thread takes at once, as in GenTen."""

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


@dataclass(frozen=True, slots=True)
class Method:
    """``name`` is ours, ``known_as`` that of GenTen or of others. ``format`` is that of the tensor for a mode,
    ``schedule`` gives the commands for a plan whose formats are chosen, with reasons. ``shared``: no copy of its own
    for each mode."""

    name: str
    known_as: str
    title: str
    format: Callable[[int, int], str]
    schedule: Callable[[Role, Plan, Facts], tuple[tuple[str, ...], Reasons]]
    parallel: bool = True
    shared: bool = False


def row_order(order: int, mode: int) -> str:
    """The dimensions with ``mode`` outermost."""
    return ",".join(map(str, (mode, *(other for other in range(order) if other != mode))))


def coordinates(order: int, mode: int) -> str:
    """One copy for all modes."""
    return "coo"


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
    shapes = {FACTORS[mode]: (facts.shape[mode], facts.rank) for mode in role.operands}
    chosen = suggest(plan, facts.statistics, facts.machine, {**shapes, "X": facts.shape})
    return chosen.schedule, chosen.reasons


def alone(role: Role, plan: Plan, facts: Facts) -> tuple[tuple[str, ...], Reasons]:
    return (), ("One thread, no command.",)


def at_once(race: str) -> Callable[[Role, Plan, Facts], tuple[tuple[str, ...], Reasons]]:
    """Chunks of entries on threads, whichever rows they belong to; ``race`` says how they share the rows."""

    def schedule(role: Role, plan: Plan, facts: Facts) -> tuple[tuple[str, ...], Reasons]:
        order = len(facts.shape)
        names = Names({*MODES, *FACTORS, "X", "V", "r"})
        commands, whole = [], MODES[0]
        for variable in MODES[1:order]:
            fused = names.fresh("f")
            commands.append(f"fuse({whole}, {variable}, {fused})")
            whole = fused
        place, chunk, inside = names.fresh("p"), names.fresh("p0"), names.fresh("p1")
        commands += [
            f"pos({whole}, {place}, X)",
            f"split({place}, {chunk}, {inside}, {CHUNK})",
            f"parallelize({chunk}, CPUThread, {race})",
        ]
        how = "each updates rows atomically" if race == "Atomics" else "each adds into one of 8 copies of the result"
        return tuple(commands), (f"Threads take {CHUNK} entries at a time, wherever they belong: {how}.",)

    return schedule


METHODS: tuple[Method, ...] = (
    Method("single", "single", "One thread over the coordinates", coordinates, alone, parallel=False, shared=True),
    Method("atomic", "atomic (A)", "Threads update rows atomically", coordinates, at_once("Atomics"), shared=True),
    Method(
        "duplicated",
        "duplicated",
        "Threads add into copies of the result",
        coordinates,
        at_once("Temporary"),
        shared=True,
    ),
    Method("sorted", "sorted copy", "A copy sorted by rows, whole rows to threads", sorted_rows, by_rules),
    Method("fibres", "CSF (SPLATT)", "A tree of fibres for each mode, whole rows to threads", fibres, by_rules),
)
BY_NAME = {method.name: method for method in METHODS}
