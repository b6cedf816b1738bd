"""What is kept for a comprehension is found under a thousand other spellings of its names, and for no other program."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.plan import Plan, TensorSpec
from heddle.tuning.known.canonical import as_written, canonical_of
from heddle.tuning.known.key import Key, key_of
from heddle.tuning.known.offers import NEARNESS, distance, known_of, offers_for
from heddle.tuning.known.resolved import resolve_sizes
from heddle.tuning.known.store import Store
from tests.compiler.comprehensions.programs import CASES, Case, operands
from tests.compiler.comprehensions.test_canonical import RENAMINGS, WITHOUT_CALLS, changed, renamed
from tests.compiler.tuning.known.test_store import tuned

MACHINE = "somebody's/2"


def plan_of(case: Case, text: str, names: dict[str, str], fixed: dict[str, int]) -> Plan:
    """With the shapes of operands, of whose names ``names`` has others."""
    shapes = {name: value.shape for name, value in operands(case, case.sizes).items() if name not in case.passed}
    tensors = {names.get(name, name): TensorSpec(shape=shape) for name, shape in shapes.items() if shape}
    return Plan(text, tensors, language="comprehension", sizes=fixed)


def kept(store: Store, plan: Plan) -> str:
    """The digest of the key under which something is kept."""
    canonical = canonical_of(plan)
    key = key_of(plan, canonical, machine=MACHINE)
    store.join(known_of(plan, key, canonical, ((plan, tuned(100.0)),)))
    return key.digest


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", CASES)
def test_every_renaming_hits(name: str, tmp_path: Path) -> None:
    case, store, rng = CASES[name], Store(tmp_path), random.Random(name)
    digest = kept(store, plan_of(case, case.text, {}, dict(case.fixed)))
    for _ in range(-(-RENAMINGS // len(CASES) // 5)):
        text, fixed, names = renamed(case, rng)
        plan = plan_of(case, text, names, fixed)
        canonical = canonical_of(plan)
        known = store.find(canonical.digest)
        assert known is not None, text
        assert [entry.digest for entry in known.entries] == [digest] == [
            key_of(plan, canonical, machine=MACHINE).digest
        ], text  # fmt: skip


@pytest.mark.combinations(4)
@pytest.mark.parametrize("name", WITHOUT_CALLS)
def test_every_other_token_misses(name: str, tmp_path: Path) -> None:
    case, store = CASES[name], Store(tmp_path)
    kept(store, plan_of(case, case.text, {}, dict(case.fixed)))
    missed = 0
    for text in changed(case, random.Random(name)):
        try:
            digest = canonical_of(Plan(text, language="comprehension", sizes=dict(case.fixed))).digest
        except CompileError:
            continue
        assert store.find(digest) is None, text
        missed += 1
    assert missed > 1


PRODUCT = "def mm(float(M,K) A, float(K,N) B) -> (C) { C(i,j) +=! A(i,k) * B(k,j) }"
SHAPES = {"A": (64, 32), "B": (32, 16)}
SIZES = {"M": 64, "K": 32, "N": 16}
BY_SIZES = Plan(PRODUCT, language="comprehension", sizes=SIZES)
BY_SHAPES = Plan(PRODUCT, {name: TensorSpec(shape=shape) for name, shape in SHAPES.items()}, language="comprehension")
BY_INPUTS = Plan(
    PRODUCT,
    language="comprehension",
    inputs={name: {"generator": "dense", "shape": list(shape)} for name, shape in SHAPES.items()},
)
WAYS = pytest.mark.parametrize("plan", [BY_SIZES, BY_SHAPES, BY_INPUTS], ids=["sizes", "shapes", "inputs"])


@WAYS
@pytest.mark.parametrize("other", [BY_SIZES, BY_SHAPES, BY_INPUTS], ids=["sizes", "shapes", "inputs"])
def test_what_is_kept_by_sizes_is_found_by_shapes_and_the_other_way(plan: Plan, other: Plan, tmp_path: Path) -> None:
    store = Store(tmp_path)
    digest = kept(store, replace(plan, schedule=("parallelize(i, CPUThread, NoRaces)",)))
    found = offers_for(other, store)
    assert key_of(other, canonical_of(other), machine=MACHINE).digest == digest
    assert [offer.plan.schedule for offer in found.offers] == [("parallelize(i, CPUThread, NoRaces)",)]
    assert found.offers[0].plan.sizes == other.sizes
    # Sizes that differ are told: the schedule is offered as one for other sizes.
    larger = offers_for(replace(BY_SIZES, sizes={**SIZES, "M": 65}), store)
    assert larger.canonical.digest == found.canonical.digest
    assert [NEARNESS[distance(key_of_here(BY_SIZES, {**SIZES, "M": 65}), larger.offers[0].entry)]] == ["other sizes"]


def key_of_here(plan: Plan, sizes: dict[str, int]) -> Key:
    changed = replace(plan, sizes=sizes)
    return key_of(changed, canonical_of(changed), machine=MACHINE)


@WAYS
def test_what_was_kept_with_sizes_as_numbers_is_found_still(plan: Plan, tmp_path: Path) -> None:
    """As it was before: the form had the numbers of the plan's sizes in its text."""
    store, old = Store(tmp_path), as_written(BY_SIZES)
    assert "float(64, 32) p0" in old.text
    key = replace(key_of(BY_SHAPES, canonical_of(BY_SHAPES)), program=old.digest)
    measured = replace(BY_SIZES, schedule=("parallelize(j, CPUVector, NoRaces)",))
    store.join(known_of(BY_SIZES, key, old, ((measured, tuned(100.0)),)))
    (offer,) = offers_for(plan, store).offers
    assert (offer.plan.schedule, NEARNESS[offer.nearness]) == (measured.schedule, "this very case")


def test_integers_and_sizes_of_part_of_an_operand_stay_what_they_are() -> None:
    text = "def up(float(N) x, int s) -> (y) { y(i) = x(i / s) where i in 0:N*s }"
    doubled, tripled = (Plan(text, language="comprehension", sizes={"N": 8, "s": s}) for s in (2, 3))
    assert canonical_of(doubled).digest != canonical_of(tripled).digest
    assert resolve_sizes(doubled).sizes == {"s": 2}
    assert resolve_sizes(doubled).shapes == {"x": (8,)}
    half = Plan(PRODUCT, language="comprehension", sizes={"M": 64})
    assert resolve_sizes(half) == half
    assert resolve_sizes(Plan("y(i) = A(i,j) * x(j)")) == Plan("y(i) = A(i,j) * x(j)")
