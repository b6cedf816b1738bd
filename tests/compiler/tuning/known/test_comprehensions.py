"""What is kept for a comprehension is found under a thousand other spellings of its names, and for no other program."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.plan import Plan, TensorSpec
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.key import key_of
from heddle.tuning.known.offers import known_of
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


@pytest.mark.combinations(12, "name")
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


@pytest.mark.combinations(12, "name")
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
