"""Partial products that modes share: the same decomposition, the memory that was predicted, and the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.start import hash_of
from heddle.algorithms.tensor_input import tensor_input
from heddle.algorithms.tree import contiguous, parse_tree
from heddle.algorithms.trees.distinct import Coordinates, counts
from heddle.algorithms.trees.offers import offers
from tests.compiler.algorithms import oracle

SHAPES = {3: (6, 5, 7), 4: (4, 5, 6, 3), 5: (3, 4, 5, 2, 3)}
TREES = [(order, str(tree)) for order in SHAPES for tree in contiguous(tuple(range(order)), order)]


def tensor_of(order: int) -> np.ndarray:
    rng = np.random.default_rng(order)
    tensor = rng.random(SHAPES[order])
    tensor[rng.random(SHAPES[order]) < 0.6] = 0
    return tensor


@pytest.mark.combinations(12, "order")
@pytest.mark.parametrize(("order", "tree"), TREES)
def test_every_contiguous_tree_is_plain_als(order: int, tree: str) -> None:
    tensor = tensor_of(order)
    rng = np.random.default_rng(1)
    start = [rng.random((size, 3)) for size in SHAPES[order]]
    found = hd.cp_als(tensor, 3, sweeps=4, tolerance=0, start=start, reuse=tree)
    _, _, fits = oracle.cp_als(tensor, start, 4)
    assert np.allclose([sweep.fit for sweep in found.history], fits, rtol=1e-9, atol=1e-9)
    parameters = found.document["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["reuse"] == tree


def test_modes_in_another_order_and_some_alone() -> None:
    tensor = tensor_of(4)
    for parameters in ({"order": [2, 0, 3, 1], "reuse": "((2 0) (3 1))"}, {"update": [0, 1, 3], "reuse": "((0 1) 3)"}):
        plain = hd.cp_als(tensor, 3, sweeps=4, tolerance=0, **{**parameters, "reuse": "none"})
        found = hd.cp_als(tensor, 3, sweeps=4, tolerance=0, **parameters)
        for own, other in zip(found.state.factors, plain.state.factors, strict=True):
            assert np.allclose(own, other, rtol=0, atol=1e-9)


def test_the_phases_are_those_of_the_tree() -> None:
    (sweep,) = hd.cp_als(tensor_of(4), 2, sweeps=1, reuse="(((0 1) 2) 3)").history
    products = [name for name in sweep.phases if not name.startswith(("solve", "scale", "fit"))]
    assert products == ["tree.0-1-2", "tree.0-1", "leaf.0", "leaf.1", "leaf.2", "mttkrp.3"]


def test_roles_of_a_tree_open_as_plans() -> None:
    found = hd.cp_als(tensor_of(4), 2, sweeps=1, reuse="(((0 1) 2) 3)")
    expressions = {name: choice.result.plan.expression for name, choice in found.choices.items()}
    assert expressions == {
        "tree.0-1-2": "V(t,r) = X(t,l) * D(l,r)",
        "tree.0-1": "V(t,r) = X(t,k,s) * C(k,r) * P(s,r)",
        "leaf.0": "V(i,r) = X(i,j,s) * B(j,r) * P(s,r)",
        "leaf.1": "V(j,r) = X(j,i,s) * A(i,r) * P(s,r)",
        "leaf.2": "V(k,r) = X(k,i,j,s) * A(i,r) * B(j,r) * P(s,r)",
        "mttkrp.3": "V(l,r) = X(i,j,k,l) * A(i,r) * B(j,r) * C(k,r)",
        "tensor-norm": "v = X(i,j,k,l) * X(i,j,k,l)",
    }


@pytest.mark.combinations(2)
@pytest.mark.parametrize("order", [4, 5])
def test_what_is_predicted_is_what_is_allocated(order: int) -> None:
    given = tensor_input(tensor_of(order))
    tensor, modes = tensor_of(order), tuple(range(order))
    for length in range(2, order + 1):
        for begin in range(order - length + 1):
            run = modes[begin : begin + length]
            others = tuple(mode for mode in modes if mode not in run)
            assert counts(given, modes)[run] == np.count_nonzero((tensor != 0).any(axis=others))
    for offer in offers(given, modes, 5):
        algorithm = parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 5, "reuse": offer.reuse}})
        made = AlgorithmRun(algorithm, given).method.products.nodes
        assert sum(own.nbytes for own in made.values()) == offer.bytes
        assert sum(own.shape[0] for own in made.values()) == offer.rows


def test_the_best_is_written_out() -> None:
    rng = np.random.default_rng(0)
    shape, count = (20, 20, 20, 20), 20_000
    given = tensor_input((tuple(rng.integers(0, size, count) for size in shape), rng.random(count), shape))
    found = hd.cp_als((given.entries.columns, given.entries.values, shape), 8, sweeps=2, tolerance=0, reuse="best")
    first, *others = offers(given, (0, 1, 2, 3), 8)
    assert len(others) == 3
    assert first.reuse == "((0 1) (2 3))"
    parameters = found.document["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["reuse"] == first.reuse
    assert [one.reuse for one in offers(given, (0, 1, 2, 3), 8, memory=0)] == ["none"]


def test_resumed_and_replayed_to_the_same_bits() -> None:
    tensor = tensor_of(5)
    tree = "((0 1) ((2 3) 4))"
    whole = hd.cp_als(tensor, 4, sweeps=4, tolerance=0, reuse=tree)
    part = hd.cp_als(tensor, 4, sweeps=2, tolerance=0, reuse=tree)
    resumed = hd.cp_als(tensor, 4, sweeps=4, tolerance=0, reuse=tree, resume=part)
    replayed = hd.run(whole.document, tensor)
    assert hash_of(resumed.factors) == hash_of(replayed.factors) == hash_of(whole.factors)


def test_coordinates_of_modes_too_long_for_one_number() -> None:
    shape = (2**40, 2**40, 2**40)
    columns = {mode: np.array([5, 2**39, 5, 7]) for mode in range(3)}
    distinct, number = Coordinates(columns).project((0, 1, 2), shape)
    assert distinct.columns[2].tolist() == [5, 7, 2**39]
    assert number.tolist() == [0, 2, 0, 1]


def test_texts_of_trees_come_back() -> None:
    for _, text in TREES:
        assert str(parse_tree(f" {text.replace(' ', '  ')} ")) == text
