"""Spaces of programs in patterns: how rows are found and sums are cut are genes, what compiles is right, and a search
replays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.plan import Plan, to_document
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.genes.space import Space
from heddle.tuning.session.driver import replay_log, search
from heddle.tuning.session.log import Budget, Line, Settings, generations_of, header
from heddle.tuning.strategies.genetic import Parameters
from tests.compiler.tuning.search.test_session import Timer
from tests.errors.expect import refusal

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
ROWS = """nFun(n => nFun(m => fun(len: [int]_n =>
fun(cols: [i -> [int]_{toNat(len@i)}]_n => fun(vals: [i -> [double]_{toNat(len@i)}]_n => fun(xs: [double]_m =>
  zip(cols, vals) :>> map(fun(row =>
    zip(row.1, row.2) :>> map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))))"""


def space_in(text: str, *schedule: str, threads: int = 2) -> Space:
    machine = Machine(threads, 64, 32, 32 << 20, True, 1 << 20)
    return space_of(Plan(text, language="patterns", schedule=schedule), machine=machine)


@pytest.fixture(scope="module")
def rows() -> Space:
    return space_in(ROWS)


def steps(space: Space, **choice: str | int) -> tuple[str, ...]:
    genome = space.genome({name.replace("_", " "): value for name, value in choice.items()})
    return space.plan(genome).schedule


def test_sums_of_rows_and_cuts_are_genes(rows: Space) -> None:
    assert [gene.name for gene in rows.genes] == [
        "sums cols", "sums vals", "pieces map1", "pieces map2", "cut reduce1", "threads", "vectors", "unroll"
    ]  # fmt: skip
    assert rows.genes[0].values == ("auto", "closed", "memo", "loop")
    assert "threads" not in [gene.name for gene in space_in(ROWS, threads=1).genes]
    assert [rows.plan(genome).schedule for genome in rows.starts] == [("mapPar(map1)",), ()]


@pytest.mark.parametrize(
    ("choice", "schedule"),
    [
        ({}, ()),
        ({"sums_vals": "memo", "sums_cols": "loop"}, ("sums(cols, loop)", "sums(vals, memo)")),
        ({"cut_reduce1": "in parts of 16"}, ("partReduce(reduce1, 16)",)),
        ({"pieces_map1": 64, "threads": "map1"}, ("splitUpJoin(map1, 64)", "mapPar(map3)")),
        (
            {"cut_reduce1": "dealt 8", "vectors": "reduce1"},
            ("dealReduce(reduce1, 8)", "mapLater(deal1)", "fuse(map3)", "mapVec(map3)"),
        ),
        ({"cut_reduce1": "dealt 4", "unroll": "reduce1"}, ("dealReduce(reduce1, 4)", "reduceUnroll(reduce2)")),
        ({"vectors": "map2"}, ("mapVec(map2)",)),
    ],
)
def test_a_choice_becomes_steps(rows: Space, choice: dict[str, Any], schedule: tuple[str, ...]) -> None:
    assert steps(rows, **choice) == schedule


def test_a_reduction_in_order_is_not_cut() -> None:
    ordered = "nFun(n => fun(xs: [double]_n => xs :>> reduceSeq(fun(a => fun(x => a - x)), 0)))"
    assert [gene.name for gene in space_in(ordered).genes] == ["vectors", "unroll"]


def test_steps_that_make_the_parameters_stay() -> None:
    space = space_in(ROWS, "pack(cols, vals)", "mapPar(map1)")
    assert all(space.plan(genome).schedule[0] == "pack(cols, vals)" for genome in space.starts)
    assert [gene.name for gene in space.genes if gene.name.startswith("sums")] == ["sums cols_vals"]


@pytest.mark.parametrize(
    "choice",
    [
        {"sums_vals": "memo", "sums_cols": "loop", "threads": "map1"},
        {"sums_vals": "closed", "cut_reduce1": "in parts of 8", "pieces_map1": 8, "unroll": "reduce1"},
        {"cut_reduce1": "dealt 8", "vectors": "reduce1", "pieces_map1": 16, "threads": "map1"},
        {"cut_reduce1": "dealt 4", "unroll": "reduce1", "sums_vals": "loop"},
    ],
)
def test_what_compiles_is_right(rows: Space, choice: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    lengths = rng.integers(0, 40, 9).astype("int32")
    count = int(lengths.sum())
    cols, vals, xs = rng.integers(0, 7, count).astype("int32"), rng.random(count), rng.random(7)
    ends = np.cumsum(lengths)
    expected = [float(vals[e - n : e] @ xs[cols[e - n : e]]) for e, n in zip(ends, lengths, strict=True)]
    genome = rows.genome({name.replace("_", " "): value for name, value in choice.items()})
    assert rows.refusal(genome) is None
    kernel: Any = hd.compile(ROWS, language="patterns", schedule=list(rows.plan(genome).schedule))
    found = kernel(len=lengths, cols=cols, vals=vals, xs=xs).to_numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_what_the_program_does_not_allow_is_left_out(rows: Space) -> None:
    """Threads do not share an inner loop of lanes, and rows that are joined again have no pieces."""
    assert steps(rows, vectors="map1", threads="map2") == ("mapVec(map1)",)
    assert steps(rows, cut_reduce1="in parts of 8", pieces_map2=8) == ("partReduce(reduce1, 8)",)


def test_a_search_replays(rows: Space) -> None:
    settings = Settings("random", 3, Parameters(3, 1), Budget(3, 2))
    genes = [{"name": gene.name, "values": list(gene.values), "meaning": gene.meaning} for gene in rows.genes]
    lines: list[Line] = [header(settings, to_document(Plan(ROWS, language="patterns")), genes, rows.starts)]
    search(rows, settings, Timer(), lines.append)
    candidates = sum(line["event"] == "candidate" for line in lines)
    assert candidates == 3
    assert sum(map(len, replay_log(lines[0], generations_of(lines), settings))) == candidates
    assert [line["refused"] for line in lines if line["event"] == "generation"] == [{}]


def test_a_program_without_patterns_to_change_is_refused() -> None:
    diagnostic = refusal(lambda: space_in("nFun(n => fun(xs: [double]_n => xs :>> reverse))"))
    assert diagnostic.code == "tune/no-patterns"
    assert diagnostic.expected == "a program with map, reduce or rows of different lengths"
