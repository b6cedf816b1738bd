"""Searches of real programs with times that are made up: the log, its replay, and going on where it ended."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec, plan_hash, to_document
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.genes.space import Gene, Space
from heddle.tuning.session.driver import Outcome, Progress, replay_log, search, timed_in
from heddle.tuning.session.log import (
    Budget,
    Line,
    Settings,
    generations_of,
    header,
    read_log,
    resumable,
    settings_of,
    to_text,
)
from heddle.tuning.strategies.genetic import Parameters
from tests.errors.expect import refusal

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
SPMV = Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("csr", shape=(40, 30))})
SMALL = Settings(seed=7, parameters=Parameters(8, 2), budget=Budget(40, 5))


def made_up(plan: Plan) -> Outcome:
    number = zlib.crc32(plan_hash(plan).encode()) % 1000
    return Outcome(None, reason="the worker was lost") if number % 10 == 0 else Outcome(1.0 + number, 3)


class Timer:
    """Counts what it is asked; stops after so many plans."""

    def __init__(self, most: int = 10_000) -> None:
        self.asked: list[str] = []
        self.most = most

    def __call__(self, plans: Sequence[Plan]) -> list[Outcome]:
        taken = list(plans)[: max(0, self.most - len(self.asked))]
        self.asked += [plan_hash(plan) for plan in taken]
        return [made_up(plan) for plan in taken]


@pytest.fixture(scope="module")
def space() -> Space:
    return space_of(SPMV, machine=MACHINE)


def searched(
    space: Space, settings: Settings, timer: Timer, known: Any = (), timed: Any = None
) -> tuple[list[Line], Progress]:
    genes = [{"name": gene.name, "values": list(gene.values), "meaning": gene.meaning} for gene in space.genes]
    lines = [header(settings, to_document(SPMV), genes, space.starts)]
    progress = search(space, settings, timer, lines.append, known, timed)
    return lines, progress


def test_the_same_seed_gives_the_same_log_and_no_plan_is_timed_twice(space: Space) -> None:
    first, second = Timer(), Timer()
    lines, progress = searched(space, SMALL, first)
    assert searched(space, SMALL, second)[0] == lines
    assert len(first.asked) == len(set(first.asked)) <= 40
    assert progress.generations == 5 or len(first.asked) == 40
    other, _ = searched(space, Settings(seed=8, parameters=Parameters(8, 2), budget=Budget(40, 5)), Timer())
    assert other[1:] != lines[1:]


@pytest.mark.parametrize("strategy", ["genetic", "genetic-code", "random", "hill", "rules"])
def test_a_log_replays_to_the_same_population_without_a_compile(space: Space, strategy: str) -> None:
    settings = Settings(strategy, 3, Parameters(6, 2), Budget(20, 4))
    lines, _ = searched(space, settings, Timer())
    text = to_text(lines)
    again = read_log(text)
    known = generations_of(again)
    generations = replay_log(again[0], known, settings_of(again[0]))
    assert [[list(one.genome) for one in generation] for generation in generations] == [
        [line["genes"] for line in recorded.candidates] for recorded in known
    ]
    assert known


def test_a_search_goes_on_where_its_log_ends(space: Space) -> None:
    whole, finished = searched(space, SMALL, Timer())
    cut = next(at for at, line in enumerate(whole) if line["event"] == "generation" and line["number"] == 1)
    lines = read_log(to_text(whole[: cut + 4])[:-20])
    assert len(lines) == cut + 3
    lines = resumable(lines)
    known, timed = generations_of(lines), timed_in(lines)
    assert len(known) == 2
    timer = Timer()
    rest, progress = searched(space, SMALL, timer, known, timed)
    assert [*lines, *rest[1:]] == whole
    assert progress.ranking() == finished.ranking()
    assert not set(timer.asked) & set(timed)


def test_a_search_that_is_stopped_ends_with_what_it_has(space: Space) -> None:
    lines, progress = searched(space, SMALL, Timer(5))
    assert progress.stopped
    assert [line["event"] for line in lines] == ["header", *["timed"] * 5]
    assert len(progress.outcomes) == 5
    again, _ = searched(space, SMALL, Timer(), timed=timed_in(lines))
    whole, _ = searched(space, SMALL, Timer())
    assert [*lines, *again[1:]] == whole


def test_what_is_lost_is_no_parent(space: Space) -> None:
    lines, _ = searched(space, SMALL, Timer())
    candidates = [line for line in lines if line["event"] == "candidate"]
    lost = {line["id"] for line in candidates if line["seconds"] is None}
    assert lost
    assert not lost & {parent for line in candidates for parent in line["parents"]}


def test_generations_count_why_candidates_are_refused(space: Space) -> None:
    lines, _ = searched(space, SMALL, Timer())
    refused = [line["refused"] for line in lines if line["event"] == "generation"]
    answers = [line["answers"] for line in lines if line["event"] == "generation"]
    assert [sum(one.values()) for one in refused] == [one.count("0") for one in answers]
    assert any("/" in code for one in refused for code in one)


def test_a_space_in_which_nothing_compiles_is_refused(space: Space) -> None:
    broken = Space(
        (Gene("order", ("a", "b"), "loops"),), lambda choice: Plan(SPMV.expression, SPMV.tensors, ("no(i)",))
    )
    diagnostic = refusal(lambda: searched(broken, SMALL, Timer()))
    assert diagnostic.code == "tune/no-legal-point"
    assert diagnostic.message == (
        "None of the candidates that were drawn compiles (schedule/unknown-command); the space has 2 points."
    )


def test_a_log_of_another_seed_is_not_replayed(space: Space) -> None:
    lines, _ = searched(space, SMALL, Timer())
    changed = {**lines[0], "seed": 8}
    diagnostic = refusal(lambda: replay_log(changed, generations_of(lines), settings_of(changed)))
    assert diagnostic.code == "tune/replay"
    assert diagnostic.message.startswith("This log cannot be replayed: it ")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "tune/log", "line 1 should be a header, and is nothing."),
        ("{}\n", "tune/log", "line 1 should be a header, and is {}."),
        ("what\n", "tune/log", "line 1 should be a line of JSON, and is what."),
        ('{"event":"header","version":7}\n', "tune/log-version", "line 1 should be version 1, and is version 7."),
    ],
)
def test_what_is_no_log_is_said_with_its_line(text: str, code: str, said: str) -> None:
    diagnostic = refusal(lambda: read_log(text))
    assert (diagnostic.code, diagnostic.message) == (code, f"This is not the log of a search: {said}")


def test_the_space_begins_with_the_rules_and_the_loops_as_they_come(space: Space) -> None:
    schedules = [space.plan(genome).schedule for genome in space.starts]
    assert all(space.refusal(genome) is None for genome in space.starts)
    assert () in schedules
    assert any(schedule for schedule in schedules)
    assert space.choice(space.starts[-1])["start"] == "free loops"


def test_formats_are_genes_of_sparse_operands(space: Space) -> None:
    gene = next(gene for gene in space.genes if gene.name == "format A")
    assert gene.values[0] == "csr"
    genome = space.genome({"format A": "bcsr(8)", "start": "first rule"})
    plan = space.plan(genome)
    assert plan.tensors["A"].format == "bcsr(8)"
    assert plan.tensors["A"].shape == (40, 30)
    assert lower(plan).ok


@pytest.mark.parametrize(
    ("choice", "schedule"),
    [
        ({"tile i": 8, "threads": "i"}, ("split(i, i0, i1, 8)", "parallelize(i0, CPUThread, NoRaces)")),
        (
            {"threads": "i by A", "parts": 16},
            ("balance(i, ip, ir, A, 16)", "parallelize(ip, CPUThread, NoRaces)"),
        ),
        ({"vectors": "j", "unroll": 2}, ("parallelize(j, CPUVector, ParallelReduction)", "unroll(i, 2)")),
        ({"order": "j i"}, ("reorder(j, i)",)),
        (
            {"tile i": 8, "tile j": 4, "tiles": "outside"},
            ("split(i, i0, i1, 8)", "split(j, j0, j1, 4)", "reorder(i0, j0, i1, j1)"),
        ),
    ],
)
def test_genes_become_commands(space: Space, choice: dict[str, str | int], schedule: tuple[str, ...]) -> None:
    assert space.plan(space.genome(choice)).schedule == schedule


def test_genes_replace_the_numbers_of_rules() -> None:
    spmm = Plan("C(i,k) = A(i,j) * B(j,k)", {"A": TensorSpec("csr"), "B": TensorSpec(shape=(300, 640))})
    found = space_of(spmm, machine=MACHINE)
    plain = found.plan(found.genome({"start": "first rule"})).schedule
    assert "split(k, k0, k1, 32)" in plain
    changed = found.plan(found.genome({"start": "first rule", "tile k": 16, "parts": 8})).schedule
    assert "split(k, k0, k1, 16)" in changed
    assert any(command.startswith("balance(") and command.endswith(" 8)") for command in changed)


def test_what_has_no_loops_is_refused() -> None:
    diagnostic = refusal(lambda: space_of(Plan("s = a * b"), machine=MACHINE))
    assert diagnostic.code == "tune/no-loops"
    assert diagnostic.message == "A search needs loops to change, and this program has none."


@pytest.mark.parametrize("target", ["cuda", "interpreter"])
def test_targets_without_genes_are_refused(target: str) -> None:
    diagnostic = refusal(lambda: space_of(Plan("y(i) = x(i)", target=target), machine=MACHINE))
    assert diagnostic.code == "tune/target"
    assert diagnostic.message == f"A search changes loops for the threads and vectors of a CPU, not for {target}."
