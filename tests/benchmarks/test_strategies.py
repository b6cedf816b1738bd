"""The comparison of strategies on made-up times: each schedule is measured once, and regret is that of the times."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from benchmarks.strategies import PROGRAMS, STRATEGIES, best_so_far, compared, reduced, remembered
from heddle.plan import Plan, plan_hash
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.session.driver import Outcome

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
SMALL = {"MLP3": {"fusion": 5, "threads": 2}, "tmm": {"order": 3, "threads": 2}}


def made_up(asked: Counter[str]) -> object:
    def evaluate(plans: Sequence[Plan]) -> Iterator[Outcome]:
        for plan in plans:
            name = plan_hash(plan)
            asked[name] += 1
            yield Outcome(1.0 + zlib.crc32(name.encode()) % 100, 3)

    return evaluate


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", SMALL)
def test_every_strategy_is_compared_with_the_whole_space(name: str) -> None:
    program = next(one for one in PROGRAMS if one.name == name)
    space = reduced(space_of(program.plan(), machine=MACHINE), SMALL[name])
    asked: Counter[str] = Counter()
    found = compared(space, made_up(asked), 4, 2)  # type: ignore[arg-type]
    assert set(found["strategies"]) == set(STRATEGIES)
    assert found["schedules"] == len(asked)
    assert set(asked.values()) == {1}
    for one in found["strategies"].values():
        curve = one["times_the_fastest"]
        assert curve == sorted(curve, reverse=True)
        assert one["at_the_end"] == curve[-1] >= 1


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_spaces_of_all_programs_have_their_genes(program: object) -> None:
    assert program in PROGRAMS
    for one in PROGRAMS:
        if one is program and one.language == "comprehension":
            assert set(one.genes) <= {gene.name for gene in space_of(one.plan(), machine=MACHINE).genes}


def test_the_fastest_so_far_never_rises_and_each_plan_is_asked_for_once() -> None:
    assert best_so_far([None, 3.0, 4.0, 2.0]) == [float("inf"), 3.0, 3.0, 2.0]
    asked: Counter[str] = Counter()
    evaluate = remembered(made_up(asked))  # type: ignore[arg-type]
    plan = Plan("y(i) = x(i)")
    assert list(evaluate([plan, plan])) == 2 * list(evaluate([plan]))
    assert asked == {plan_hash(plan): 1}
