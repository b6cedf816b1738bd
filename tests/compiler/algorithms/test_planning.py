"""What is said of a decomposition before it runs is what it then does."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.algorithms.contention import atomic_updates
from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.methods import BY_NAME
from heddle.algorithms.planning.predict import costs, entries_of, methods_for, rows_of
from heddle.algorithms.planning.prepare import Prepared, prepare
from heddle.algorithms.tensor_input import Input, tensor_input
from heddle.algorithms.trees.offers import offers
from heddle.plan import plan_hash
from heddle.runtime.packing.pack import pack


def tensor() -> Input:
    rng = np.random.default_rng(3)
    made = rng.random((5, 6, 4, 3))
    made[rng.random(made.shape) < 0.5] = 0
    return tensor_input(made)


def planned(given: Input, **parameters: object) -> Prepared:
    return prepare(parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 3, **parameters}}), given)


@pytest.mark.parametrize("reuse", ["none", "((0 1) (2 3))", "best"])
def test_the_kernels_are_those_that_run(reuse: str) -> None:
    given = tensor()
    plan = planned(given, reuse=reuse)
    run = AlgorithmRun(plan.algorithm, given)
    assert list(run.choices) == list(plan.choices)
    for name, choice in plan.choices.items():
        assert plan_hash(run.choices[name].result.plan) == plan_hash(choice.result.plan)
    for modes, rows in run.method.products.nodes.items():
        assert rows_of(plan, f"tree.{'-'.join(map(str, modes))}") == rows.shape[0]


@pytest.mark.parametrize("reuse", ["none", "((0 1) (2 3))", "(((0 1) 2) 3)"])
def test_the_parts_of_a_sweep_add_up_to_what_its_tree_offers(reuse: str) -> None:
    given = tensor()
    plan = planned(given, reuse=reuse)
    offered = {one.reuse: one for one in offers(given, (0, 1, 2, 3), 3)}
    found = costs(plan)
    if reuse in offered:
        assert sum(one.work for one in found.values()) == offered[reuse].work
        assert sum(one.seconds for one in found.values()) == pytest.approx(offered[reuse].seconds, rel=1e-12)
    for name, cost in found.items():
        role = plan.choices[name].role
        read = len(role.operands) + (role.source is not None)
        assert cost.work == entries_of(plan, name) * 3 * (read + 1)


def test_every_method_has_its_bytes_and_its_atomic_updates() -> None:
    given = tensor()
    plan = planned(given)
    for mode in range(4):
        choice = plan.choices[f"mttkrp.{mode}"]
        listed = {one.name: one for one in methods_for(plan, choice.role)}
        assert list(listed) == list(BY_NAME)
        assert choice.method is not None
        assert listed[choice.method].bytes == choice.bytes
        for name, one in listed.items():
            assert one.atomics == atomic_updates(BY_NAME[name], given.entries, mode, 3)
            assert one.allowed is BY_NAME[name].reproducible
        columns = (given.entries.columns, given.entries.values, given.shape)
        level = pack(columns, BY_NAME["rows"].format(4, mode), "float64", "X").levels[1]
        assert level.pos is not None
        assert listed["rows"].bytes == level.pos.nbytes + level.extra["perm"].nbytes
    assert methods_for(plan, plan.choices["tensor-norm"].role) == ()
    anyhow = planned(given, reproducible=False)
    assert all(one.allowed for one in methods_for(anyhow, anyhow.choices["mttkrp.0"].role))
