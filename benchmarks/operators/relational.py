"""A relational layer computed by PyG, and by a kernel of ours for each relation: opponents of one kernel for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

import heddle as hd
from heddle.measuring.baselines import pyg
from heddle.measuring.contender import Problem, Unavailable
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from heddle.runtime.packing.pack import pack_operands
from heddle.runtime.tensors.coordinates import Entries

EXPRESSION = "Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)"
LARGEST_GATHER = 1 << 29
"""Bytes of weights that PyG's faster layer copies, one matrix for each edge, up to which it takes part."""


@dataclass(frozen=True, slots=True, eq=False)
class Relational:
    """``edges`` (relation, row, column), sorted, count 1 each; features by column, weights by relation."""

    edges: Entries
    features: Any
    weights: Any

    def of(self, relation: int) -> tuple[Any, Any]:
        """The rows that have edges of a relation, and the matrix of these rows alone."""
        start, end = np.searchsorted(self.edges.columns[0], [relation, relation + 1])
        rows, columns = (column[start:end] for column in self.edges.columns[1:])
        used, place = np.unique(rows, return_inverse=True)
        coo: Any = scipy.sparse.coo_array
        values = self.edges.values[start:end]
        return used, coo((values, (place, columns)), shape=(used.size, self.edges.shape[2])).tocsr()

    def expected(self) -> Any:
        """In double precision."""
        found = np.zeros((self.edges.shape[1], self.weights.shape[2]))
        for relation in range(self.edges.shape[0]):
            rows, matrix = self.of(relation)
            found[rows] += (matrix.astype(float) @ self.features) @ self.weights[relation].astype(float)
        return found


def by_relation(layer: Relational) -> tuple[Callable[[], object], Callable[[], Any]]:
    """One kernel for each relation, over the rows that have edges of it; what it computed is added to these rows."""
    features = layer.features.shape[1]
    kernel: Any = hd.compile(
        "T(i,l) = A(i,j) * X(j,k) * W(k,l)",
        {"A": "csr"},
        [
            f"bound(k, kb, {features}, MaxExact)",
            f"bound(l, lb, {features}, MaxExact)",
            "reorder(i, j, kb, lb)",
            "precompute(A(i,j) * X(j,k), kb, kw, w)",
            "parallelize(lb, CPUVector, NoRaces)",
        ],
        dtypes=dict.fromkeys("AXW", "float32"),
    )
    bound = []
    for relation in range(layer.edges.shape[0]):
        rows, matrix = layer.of(relation)
        if rows.size:
            bound.append(
                (
                    rows,
                    kernel.bind(
                        **pack_operands(
                            {"A": matrix, "X": layer.features, "W": layer.weights[relation]}, kernel.signature
                        )
                    ),
                )
            )
    result = np.zeros((layer.edges.shape[1], layer.weights.shape[2]), dtype=np.float32)
    shape = result.shape[1]
    each = [(rows, call.run, call.output.vals.reshape(rows.size, shape)) for rows, call in bound]

    def compute() -> None:
        result[...] = 0
        for rows, run, own in each:
            run()
            result[rows] += own

    return compute, lambda: result


def by_pyg(layer: Relational) -> dict[str, tuple[Callable[[], object], Callable[[], Any]]]:
    """PyG's layers by name; none where it is not installed."""
    signature = lower(plan_from_arguments(EXPRESSION, {"A": "csf"}, dtypes=dict.fromkeys("AXWY", "float32"))).signature
    assert signature is not None
    operands = {"A": layer.edges, "X": layer.features, "W": layer.weights}
    count, rows, columns = layer.edges.shape
    _, old, new = layer.weights.shape
    sizes = {"r": count, "i": rows, "j": columns, "k": old, "l": new}
    usual = pyg.prepare(Problem(parse(EXPRESSION), signature, operands, sizes, 1, None))
    if isinstance(usual, Unavailable):
        return {}
    found = {"pyg RGCNConv": (usual.call, usual.result)}
    if layer.edges.values.size * old * new * 4 <= LARGEST_GATHER:
        found["pyg FastRGCNConv"] = _gathering(layer)
    return found


def _gathering(layer: Relational) -> tuple[Callable[[], object], Callable[[], Any]]:
    """PyG's layer that multiplies the features of every edge by a copy of its relation's weights."""
    from importlib import import_module

    torch, convolutions = import_module("torch"), import_module("torch_geometric.nn")
    count, old, new = layer.weights.shape
    made: Any = convolutions.FastRGCNConv(old, new, num_relations=count, aggr="add", root_weight=False, bias=False)
    made.weight = torch.nn.Parameter(torch.from_numpy(layer.weights), requires_grad=False)
    kinds, rows, columns = (torch.from_numpy(column.astype(np.int64)) for column in layer.edges.columns)
    edges, features = torch.stack([columns, rows]), torch.from_numpy(layer.features)
    size = torch.empty((layer.edges.shape[1], 0))
    last: list[Any] = [None]

    def call() -> None:
        with torch.no_grad():
            last[0] = made((features, size), edges, kinds)

    return call, lambda: np.asarray(last[0])
