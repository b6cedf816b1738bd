"""A relational layer in one kernel, beside PyG's layers, and beside a kernel of ours for each relation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import heddle as hd
from benchmarks.operators.racing import Contender, Result, made, packed, race, summed_up
from benchmarks.operators.relational import EXPRESSION, Relational, by_pyg, by_relation
from heddle_server.experiments.questions.neural import RELATIONAL

GRAPHS = {"AIFB": (7_262, 48_810, 78), "MUTAG": (27_163, 148_100, 46), "BGS": (94_806, 672_884, 96)}


def relations(seconds: float) -> Iterator[Result]:
    for name, (vertices, edges, count) in GRAPHS.items():
        given = {"generator": "relations", "nnz": edges, "weighted": 0, "seed": 1}
        entries = made(given, (count, vertices, vertices), "float32")
        for features in (16, 32):
            rng = np.random.default_rng(3)
            x = rng.random((vertices, features)).astype(np.float32)
            w = rng.random((count, features, features)).astype(np.float32)
            layer = Relational(entries, x, w)
            contenders: dict[str, Contender] = {
                **{f"heddle, {series}": in_one_kernel(layer, series) for series in RELATIONAL},
                "by relation": by_relation(layer),
                **by_pyg(layer),
            }
            raced = race(contenders, layer.expected(), seconds)
            for theirs in ("pyg", "by relation"):
                if any(one.startswith(theirs) for one in contenders):
                    yield summed_up(f"{name}, {features} features, {theirs}", raced, "heddle", (theirs,))


def in_one_kernel(layer: Relational, series: str) -> Contender:
    format, parts, order, _ = RELATIONAL[series]
    features = layer.features.shape[1]
    schedule = [
        f"bound(k, kb, {features}, MaxExact)",
        f"bound(l, lb, {features}, MaxExact)",
        order,
        "precompute(A(r,i,j) * X(j,k), kb, kw, w)",
        "parallelize(lb, CPUVector, NoRaces)",
    ]
    kernel: Any = hd.compile(
        EXPRESSION, {"A": format}, [f"{parts}{command}" for command in schedule], dtypes=dict.fromkeys("AXW", "float32")
    )
    call = kernel.bind(A=packed(layer.edges, format), X=layer.features, W=layer.weights)
    return call.run, lambda: call.output.to_numpy()
