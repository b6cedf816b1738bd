"""Examples with threads have enough to do: waking a thread costs more than a few microseconds of work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from heddle.plan import Plan, TensorSpec, parse_plan
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import program_of
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.rules.sparse_product import SCATTERED
from heddle_server.services.catalogue import EXAMPLES, read_example
from heddle_server.services.compiling.suggestion_worker import looked_at

A_MILLISECOND = 1_800_000
"""Products, or vectors of them, that a fast core does in no less than a millisecond where each loads a coordinate."""

TRACKED = 2.0
"""Cost of a product whose row is found while positions advance, and which may end it."""

LANES = 4
"""Doubles in a vector of most processors."""

IN_NOTATION = "y(i) = A(i,j) * x(j)"

MACHINE = Machine(threads=2, vector_bytes=32, registers=16, cache_bytes=32 << 20)


def has_threads(path: Path) -> bool:
    return any("CPUThread" in command or "mapPar" in command for command in plan_of(path).schedule)


def plan_of(path: Path) -> Plan:
    return parse_plan(read_example(path)["plan"])


def work_of(plan: Plan) -> float:
    """Products of numbers, or of vectors where a loop has lanes, as the rules of the tuner estimate them."""
    if plan.language == "patterns":
        (only,) = looked_at(Plan(IN_NOTATION, {"A": TensorSpec("csr")}, inputs=plan.inputs), {})[0].values()
        return float(only[0].values.size)
    entries, unseen = looked_at(plan, {"bcsstk13": str(EXAMPLES.parent / "datasets" / "bcsstk13.mtx")})
    assert unseen == []
    program = program_of(plan, {name: statistics_of(*each) for name, each in entries.items()}, MACHINE)
    work = max(work for access in program.sparse if (work := program.work(access)) is not None)
    return work * cost_of(" ".join(plan.schedule))


def cost_of(schedule: str) -> float:
    if "CPUVector" in schedule:
        return 1 / LANES
    if "assemble" in schedule:
        return SCATTERED
    return TRACKED if "pos(" in schedule else 1.0


WITH_THREADS = [path for path in sorted(EXAMPLES.glob("*.json")) if has_threads(path)]


@pytest.mark.parametrize("path", WITH_THREADS, ids=lambda path: path.stem)
def test_a_schedule_with_threads_has_a_millisecond_of_work(path: Path) -> None:
    """Of 84 thousand nonzeros, two threads measured little but that they had to be woken."""
    assert work_of(plan_of(path)) >= A_MILLISECOND


def test_less_work_is_noticed() -> None:
    plan = plan_of(EXAMPLES / "01-spmv-csr.json")
    assert work_of(replace(plan, inputs={"A": {"dataset": "bcsstk13"}})) == 83_883
    assert len(WITH_THREADS) >= 17
