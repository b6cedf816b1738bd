"""The space of a program in patterns: how rows are found, how maps and reductions are cut, and who runs them. A choice
becomes steps of its schedule (Pizzuti et al. 2020, §5.1 and §6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.frontends.table import front_end_of
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.rules.rule import sites
from heddle.patterns.rules.steps import Stepped, apply_step, begin, with_last_parameters
from heddle.patterns.rules.terms import labels
from heddle.patterns.strategies import STRATEGIES
from heddle.patterns.typing.types import ArrayType
from heddle.plan import Plan
from heddle.targets import target_named
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.schedules import NONE
from heddle.tuning.genes.space import Gene, Space, Value
from heddle.tuning.search.pattern_reductions import choose_vector_reductions

MOST_REMEMBERED = 1024
"""Choices of which a space remembers the plan."""

AS_WRITTEN = "auto"
"""How rows are found where no step says it."""

PIECES = (0, 8, 16, 32, 64, 128, 512)
"""Elements in a piece of a map; 0 for no pieces."""

CUTS = (NONE, *(f"dealt {s}" for s in (4, 8, 16, 32)), *(f"in parts of {n}" for n in (8, 16, 32, 64, 128)))
"""Of a reduction: s sums side by side, or a sum for each part."""


@dataclass(slots=True)
class _Writing:
    """The steps so far and the program behind them. What the program does not allow is left out."""

    state: Stepped
    units: tuple[LoopKind, ...]
    steps: list[str]

    def take(self, text: str) -> list[str] | None:
        """The names of the patterns that the step makes, None where it is left out."""
        before = labels(self.state.term)
        try:
            self.state = apply_step(self.state, text, len(self.steps), self.units)
        except CompileError:
            return None
        self.steps.append(text)
        return [name for name in labels(self.state.term) if name not in before]


def pattern_space(plan: Plan, machine: Machine) -> Space:
    """The space of ``plan``, of whose schedule those steps are kept that give the program its parameters.

    Raises
    ------
    CompileError
        the program or its schedule is wrong; ``tune/no-patterns`` for what has no map, no reduction and no rows of
        different lengths.
    """
    units = (LoopKind.SERIAL, *target_named(plan.target).units)
    read = front_end_of(plan.language).read(plan.expression, plan.sizes)
    _, parameters = with_last_parameters(read, plan.schedule, units)
    state = begin(read)
    for number, text in enumerate(parameters):
        state = apply_step(state, text, number, units)
    start = _Writing(state, units, list(parameters))
    genes = [*_sums(start), *_cuts(start), *_runs(start.state, machine)]
    if not genes:
        raise CompileError(
            Diagnostic(
                "tune/no-patterns",
                "A search cuts maps and reductions and finds rows in other ways, and this program has none of them.",
                Location(Part.EXPRESSION, 0, len(plan.expression)),
                expected="a program with map, reduce or rows of different lengths",
                actual=plan.expression,
                hint="Tune a program that maps or reduces arrays.",
            )
        )

    @lru_cache(maxsize=MOST_REMEMBERED)
    def build(choice: tuple[tuple[str, Value], ...]) -> Plan:
        writing = _Writing(start.state, units, list(parameters))
        _write(writing, dict(choice))
        return replace(plan, schedule=tuple(writing.steps))

    space = Space(tuple(genes), lambda choice: build(tuple(choice.items())))
    plain = space.genome({})
    guess = space.genome({gene.name: gene.values[1] for gene in genes if gene.name == "threads" and gene.values[1:]})
    in_lanes = [space.genome({"vectors": name}) for name in choose_vector_reductions(plan, read).reductions]
    return replace(space, starts=tuple(dict.fromkeys((*([guess] if guess != plain else []), *in_lanes, plain))))


def _sums(start: _Writing) -> list[Gene]:
    """For each array whose rows have different lengths the strategies that it takes."""
    genes: list[Gene] = []
    for name, type in start.state.program.types:
        if not isinstance(type, ArrayType) or not type.ragged:
            continue
        others = [
            strategy for strategy in STRATEGIES if strategy != AS_WRITTEN and _takes(start, f"sums({name}, {strategy})")
        ]
        if others:
            genes.append(Gene(f"sums {name}", (AS_WRITTEN, *others), f"how the rows of {name} are found"))
    return genes


def _takes(start: _Writing, text: str) -> bool:
    tried = _Writing(start.state, start.units, list(start.steps))
    return tried.take(text) is not None


def _cuts(start: _Writing) -> list[Gene]:
    """Those that apply to the program as it is written: behind other steps they would, too, but to no end."""
    genes: list[Gene] = []
    for name in _list_patterns(start.state, "map"):
        if _takes(start, f"splitUpJoin({name}, {PIECES[1]})"):
            genes.append(Gene(f"pieces {name}", PIECES, f"elements of {name} in a piece"))
    for name in _list_patterns(start.state, "reduce"):
        cuts = [cut for cut in CUTS if cut == NONE or _takes(start, _cut(name, cut))]
        if cuts[1:]:
            genes.append(Gene(f"cut {name}", tuple(cuts), f"how the sum of {name} is cut"))
    return genes


def _cut(name: str, how: str) -> str:
    kind, _, number = how.rpartition(" ")
    return f"{'dealReduce' if kind == 'dealt' else 'partReduce'}({name}, {number})"


def _runs(state: Stepped, machine: Machine) -> list[Gene]:
    """What becomes of threads, lanes and unrolling. The first map of the text is the outermost."""
    maps, reductions = _list_patterns(state, "map"), _list_patterns(state, "reduce")
    genes: list[Gene] = []
    if maps and machine.threads > 1:
        genes.append(Gene("threads", (NONE, *maps), "the map that threads share, by pieces where it is cut"))
    if maps or reductions:
        genes.append(Gene("vectors", (NONE, *reductions, *maps), "what is in vector lanes: a sum or a map"))
    if reductions:
        genes.append(Gene("unroll", (NONE, *reductions), "the reduction that takes several steps at a time"))
    return genes


def _list_patterns(state: Stepped, family: str) -> list[str]:
    """The patterns of a family in the order of the text, those that rules find."""
    known = sites(state.term)
    return [name for name in labels(state.term) if name in known and re.sub(r"\d+\Z", "", name) == family]


def _write(writing: _Writing, choice: Mapping[str, Value]) -> None:
    """Reductions first, which lie inside of maps; threads last, when the loops over pieces are there."""
    for gene, value in choice.items():
        kind, _, name = gene.partition(" ")
        if kind == "sums" and value != AS_WRITTEN:
            writing.take(f"sums({name}, {value})")
    inner: dict[str, str] = {}
    for name, value in _list_choices(choice, "cut"):
        patterns = writing.take(_cut(name, str(value))) or []
        inner[name] = next((pattern for pattern in patterns if pattern.startswith("reduce")), name)
        if choice.get("vectors") == name:
            _lanes(writing, patterns)
    outer: dict[str, str] = {}
    for name, value in _list_choices(choice, "pieces"):
        patterns = writing.take(f"splitUpJoin({name}, {value})") or []
        outer[name] = next((pattern for pattern in patterns if pattern.startswith("map")), name)
    lanes, threads, unrolled = (str(choice.get(kind, NONE)) for kind in ("vectors", "threads", "unroll"))
    if lanes.startswith("map"):
        writing.take(f"mapVec({lanes})")
    elif lanes != NONE and lanes not in inner:
        writing.take(f"vectorReduce({lanes})")
    if unrolled != NONE:
        writing.take(f"reduceUnroll({inner.get(unrolled, unrolled)})")
    if threads != NONE:
        writing.take(f"mapPar({outer.get(threads, threads)})")


def _lanes(writing: _Writing, patterns: Sequence[str]) -> None:
    """The sums side by side in vector lanes: the map in front of them becomes part of each."""
    deal = next((pattern for pattern in patterns if pattern.startswith("deal")), None)
    sums = next((pattern for pattern in patterns if pattern.startswith("map")), None)
    if deal is not None and sums is not None:
        steps = (f"mapLater({deal})", f"fuse({sums})", f"mapVec({sums})")
        all(writing.take(text) is not None for text in steps)  # the next makes sense behind the one before alone


def _list_choices(choice: Mapping[str, Value], kind: str) -> list[tuple[str, Value]]:
    """The patterns for which the genes of a kind say something, with what they say."""
    rows = ((gene.partition(" "), value) for gene, value in choice.items())
    return [(name, value) for (prefix, _, name), value in rows if prefix == kind and value not in (0, NONE)]
