"""Spaces of programs of several statements: which share loops is a gene, every choice compiles and is right, and
every strategy searches them and replays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.pipeline import lower
from heddle.plan import Plan, to_document
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.genes.space import Space
from heddle.tuning.mapping.statements import FUSIONS
from heddle.tuning.session.driver import replay_log, search
from heddle.tuning.session.log import Budget, Line, Settings, generations_of, header, read_log, settings_of, to_text
from heddle.tuning.strategies.genetic import Parameters
from heddle.tuning.strategies.table import NAMES
from tests.compiler.comprehensions.programs import CASES
from tests.compiler.comprehensions.test_programs import check_program
from tests.compiler.tuning.search.test_session import Timer

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
PROGRAMS = ("fcrelu", "softmax", "mlp3", "kru", "2LUT", "norm", "sgemm")


def plan_of(name: str) -> Plan:
    case = CASES[name]
    return Plan(case.text, language="comprehension", sizes=case.fixed)


@pytest.fixture(scope="module")
def layer() -> Space:
    return space_of(plan_of("fcrelu"), machine=MACHINE)


def schedule(space: Space, **choice: str | int) -> tuple[str, ...]:
    return space.plan(space.genome({name.replace("_", " "): value for name, value in choice.items()})).schedule


def test_statements_and_what_their_loops_run_over_are_genes(layer: Space) -> None:
    assert [gene.name for gene in layer.genes] == [
        "start", "fusion", "tile b", "tile o", "tile i", "tiles", "points", "threads", "vectors", "copies", "unroll"
    ]  # fmt: skip
    tile = next(gene for gene in layer.genes if gene.name == "tile b")
    assert tile.meaning == "iterations of b, b2, b3 in a tile"


@pytest.mark.parametrize(
    ("fusion", "commands"),
    [
        ("none", ()),
        ("inline", ("inline(out_1)", "inline(out_2)")),
        ("together outside", ("together(b, b2)", "together(b, b3)")),
        ("together", ("together(b, b2)", "together(b, b3)", "together(o, o2)", "together(o, o3)")),
        ("inline and together", ("inline(out_1)", "inline(out_2)")),
    ],
)
def test_fusion_becomes_commands(layer: Space, fusion: str, commands: tuple[str, ...]) -> None:
    assert schedule(layer, fusion=fusion) == commands


def test_what_would_add_up_a_sum_again_and_again_is_not_inlined() -> None:
    again = Plan(
        "def f(float(M,K) A, float(M,N) B) -> (y) { s(i) +=! A(i,k)  y(i,j) = s(i) * B(i,j) }", language="comprehension"
    )
    assert schedule(space_of(again, machine=MACHINE), fusion="inline") == ()


def test_tiles_are_shared_or_apart_and_nests_parallel(layer: Space) -> None:
    shared = schedule(layer, fusion="together outside", tile_b=32, threads="outermost")
    assert shared == (
        "together(b, b2)",
        "together(b, b3)",
        "split(b, b0, b1, 32)",
        "parallelize(b0, CPUThread, NoRaces)",
    )
    sunk = schedule(layer, fusion="together outside", tile_b=32, points="apart", threads="outermost")
    assert sunk == (*shared[:3], "apart(b1)", shared[3])
    lanes = schedule(layer, fusion="together outside", vectors="results")
    assert [one for one in lanes if "CPUVector" in one] == [
        "parallelize(o, CPUVector, NoRaces)",
        "parallelize(o2, CPUVector, NoRaces)",
        "parallelize(o3, CPUVector, NoRaces)",
    ]


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(6, "name", "fusion")
@pytest.mark.parametrize("fusion", FUSIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_fusion_is_right_with_tiles_threads_and_lanes(name: str, fusion: str) -> None:
    case = CASES[name]
    space = space_of(plan_of(name), machine=MACHINE)
    for more in (
        {"vectors": "contiguous", "copies": "sums in registers"},
        {"vectors": "sums", "points": "apart"},
        {"vectors": "results", "tiles": "outside", "unroll": 2},
    ):
        tiles = {gene.name: 4 for gene in space.genes if gene.name.startswith("tile ")}
        plan = space.plan(space.genome({"fusion": fusion, "threads": "outermost", **tiles, **more}))
        kernel = hd.compile(case.text, language="comprehension", sizes=case.fixed, schedule=plan.schedule)
        check_program(case.text, case, kernel, dict(case.sizes))


@pytest.mark.combinations(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_choice_compiles(name: str) -> None:
    space = space_of(plan_of(name), machine=MACHINE)
    rng = np.random.default_rng(5)
    for _ in range(6):
        plan = space.plan([int(rng.integers(size)) for size in space.sizes])
        assert lower(plan).ok, plan.schedule
    assert len({space.plan(genome).schedule for genome in space.starts}) > 1
    assert all(space.refusal(genome) is None for genome in space.starts)


@pytest.mark.parametrize("strategy", NAMES)
def test_every_strategy_searches_it_and_its_log_replays(layer: Space, strategy: str) -> None:
    """Of exhaustive search every point is in the log, of the others what their budget allows."""
    kept = ("start", "fusion", "threads")
    small = replace(layer, genes=tuple(gene if gene.name in kept else replace(gene, values=gene.values[:1])
                                       for gene in layer.genes), starts=())  # fmt: skip
    small = replace(small, starts=(tuple([0] * len(small.genes)),))
    settings = Settings(strategy, 3, Parameters(5, 2), Budget(40, 30 if strategy == "exhaustive" else 3))
    genes = [{"name": gene.name, "values": list(gene.values), "meaning": gene.meaning} for gene in small.genes]
    lines: list[Line] = [header(settings, to_document(plan_of("fcrelu")), genes, small.starts)]
    progress = search(small, settings, Timer(), lines.append)
    again = read_log(to_text(lines))
    known = generations_of(again)
    generations = replay_log(again[0], known, settings_of(again[0]))
    drawn = [[list(one.genome) for one in generation] for generation in generations]
    assert drawn == [[line["genes"] for line in recorded.candidates] for recorded in known]
    assert progress.ranking()
    if strategy == "exhaustive":
        assert len({tuple(genome) for generation in drawn for genome in generation}) == small.points
