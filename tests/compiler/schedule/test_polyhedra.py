"""Schedules of comprehensions before a judge of their own: isl (https://libisl.sourceforge.io), which decides for all
sizes whether every element is read after it was computed and before its memory gets another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.iteration_graph.analysis.dependences import forbidding
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.sequence import in_order
from heddle.iteration_graph.transform.shared_loops import find_siblings, fuse
from heddle.plan import Plan
from heddle.schedule.apply import apply_command
from heddle.schedule.command import Refusal
from heddle.schedule.primitives.together import FORBIDDEN
from heddle.schedule.syntax.parser import parse_command
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.mapping.commands import map_options
from heddle.tuning.mapping.options import PRESETS
from tests.compiler.comprehensions.programs import CASES, Case
from tests.compiler.schedule.polyhedra import Model, NotAffineError
from tests.compiler.schedule.test_fusion import SCHEDULES, SHIFTED, STENCIL
from tests.fuzz.comprehensions.comprehension_programs import draw_comprehension_program

DRAWN = 60
MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
SEVERAL = [name for name, case in CASES.items() if len(re.findall(r"[^=!<>]=!?[^=]", case.text)) > 1]


def graph_of(case: Case, schedule: str | tuple[str, ...] = "", formats: dict[str, str] | None = None) -> IterationGraph:
    result = hd.lower(case.text, formats, schedule, language="comprehension", sizes=case.fixed)
    result.raise_errors()
    return result.graphs[-1]


@pytest.mark.combinations(6)
@pytest.mark.parametrize("number", range(len(SCHEDULES)))
def test_no_schedule_breaks_a_dependence(number: int) -> None:
    case, formats, schedule = SCHEDULES[number]
    assert Model(graph_of(case, schedule, formats)).broken() == []


@pytest.mark.combinations(12, "preset")
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", CASES)
def test_no_preset_of_mapping_options_breaks_one(preset: str, name: str) -> None:
    case = CASES[name]
    plan = Plan(case.text, language="comprehension", sizes=case.fixed)
    assert Model(graph_of(case, map_options(plan, PRESETS[preset]).commands)).broken() == []


def test_no_drawn_schedule_breaks_one() -> None:
    """Of the programs that ``./heddle fuzz`` draws; those without several statements have no dependences."""
    judged = Counter[str]()
    for seed in range(DRAWN):
        program = draw_comprehension_program(seed)
        result = hd.lower(program.text, program.formats, program.schedule, language="comprehension")
        if not result.ok or not program.schedule:
            continue
        try:
            model = Model(result.graphs[-1])
            said = model.broken()
        except NotAffineError as other:
            judged[str(other)] += 1
            continue
        assert said == [], f"seed {seed}\n{program}"
        judged["dependences"] += any(True for _ in model.pairs())
    assert judged["dependences"] >= 8, judged


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", ["fcrelu", "softmax", "mlp3", "kru", "2LUT", "norm", "sgemm", "wavenet"])
def test_no_candidate_of_a_search_breaks_one(name: str) -> None:
    case = CASES[name]
    space = space_of(Plan(case.text, language="comprehension", sizes=case.fixed), machine=MACHINE)
    rng = np.random.default_rng(9)
    drawn = [[int(rng.integers(size)) for size in space.sizes] for _ in range(5)]
    for genome in (*space.starts, *drawn):
        plan = space.plan(genome)
        assert Model(graph_of(case, plan.schedule)).broken() == [], plan.schedule


def siblings(statement: Statement) -> Iterator[tuple[str, str]]:
    """Outermost loops of two statements of one sequence, at every depth."""
    parts = in_order(statement)
    heads = [one.variable for one in parts if isinstance(one, Forall)]
    for number, first in enumerate(heads):
        yield from ((first, second) for second in heads[number + 1 :])
    for part in parts:
        if isinstance(part, Forall):
            yield from siblings(part.body)


def tried(graph: IterationGraph, first: str, second: str) -> tuple[IterationGraph | None, str]:
    """What together makes of the two loops, and the code of its refusal or ``taken``."""
    try:
        return apply_command(graph, parse_command(f"together({first}, {second})", 0)), "taken"
    except Refusal as refusal:
        return None, refusal.code


def distances_are_none(graph: IterationGraph, first: str, second: str) -> bool:
    """Whether isl says that one loop would compute and read every element in the same iteration."""
    model = Model(graph)
    return all(
        model.distances(pair, first, second).is_subset(type(model.distances(pair, first, second))("{ [0] }"))
        for pair in model.pairs()
        if first in pair.writer.loops and second in pair.reader.loops
    )


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", SEVERAL)
def test_together_and_isl_agree_about_every_pair_of_loops(name: str) -> None:
    """Whatever together takes has distance 0, and whatever it refuses for a dependence has not."""
    waiting, seen = [graph_of(CASES[name])], set[Statement]()
    verdicts = Counter[str]()
    while waiting and len(seen) < 6:
        graph = waiting.pop()
        seen.add(graph.statement)
        for first, second in siblings(graph.statement):
            made, code = tried(graph, first, second)
            verdicts[code] += 1
            if code in ("taken", FORBIDDEN):
                assert distances_are_none(graph, first, second) == (code == "taken"), (first, second)
            if made is not None:
                assert Model(made).broken() == []
                if made.statement not in seen:
                    waiting.append(made)
    assert verdicts


def forced(graph: IterationGraph, first: str, second: str) -> IterationGraph:
    """The two loops as one, whatever that does."""
    found = find_siblings(graph.statement, first, second)
    assert found is not None
    return fuse(graph, found, [0])


def test_what_breaks_a_dependence_is_seen() -> None:
    """A loop that reads what comes one iteration later, in the loop that computes it."""
    later = Case(STENCIL.text.replace("t(i+1)", "(i + 1 < N ? t(i+1) : 0) where i in 0:N"), STENCIL.sizes)
    graph = graph_of(later)
    assert [one.text for one in forbidding(graph, "i", "i2")] == ["-1"]
    assert Model(graph).broken() == []
    assert Model(forced(graph, "i", "i2")).broken() == ["t -> y: read before it is computed"]


def test_loops_at_once_and_memory_that_is_used_again_are_seen() -> None:
    """One iteration earlier is in time, but not if iterations run at once, nor if there is memory for one element."""
    earlier = Case(
        """def back(float(N) A) -> (y) {
            t(i) = 2 * A(i)
            y(i) = (i - 1 >= 0 ? t(i-1) : 0) + A(i) where i in 0:N }""",
        {"N": 7},
    )
    graph = forced(graph_of(earlier), "i", "i2")
    assert Model(graph).broken() == []
    at_once = apply_command(graph, parse_command("parallelize(i, CPUThread, NoRaces)", 0))
    assert Model(at_once).broken() == ["t -> y: i runs at once"]
    one = replace(graph.workspaces["t"], variables=(), dimensions=())
    small = replace(graph, workspaces={**graph.workspaces, "t": one})
    assert Model(small).broken() == ["t -> y: its memory gets another element before it is read"]


def test_turned_indices_are_seen() -> None:
    turned = Case("def turned(float(N,N) A) -> (y) { t(i,j) = 2 * A(i,j)  y(i,j) = t(j,i) }", {"N": 5})
    graph = graph_of(turned)
    assert not distances_are_none(graph, "i", "i2")
    assert Model(forced(graph, "i", "i2")).broken() != []
    assert distances_are_none(graph_of(SHIFTED, "reorder(h, x, w)"), "w", "w2")
