"""PyG's layer for relational graphs on the CPU, where somebody installed it beside Heddle. It is no dependency."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from heddle.measuring.baselines.patterns import RelationalProduct, recognise
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable
from heddle.runtime.tensors.coordinates import Entries

LABEL = "PyG"


def prepare(problem: Problem) -> Contender | Unavailable:
    """``RGCNConv``: for each relation the features of neighbours are added up and multiplied by its weights."""
    layer = _layer(problem)
    if isinstance(layer, str):
        return Unavailable("pyg", LABEL, layer)
    try:
        torch: Any = import_module("torch")
        geometric: Any = import_module("torch_geometric")
        convolution: Any = import_module("torch_geometric.nn").RGCNConv
    except (ImportError, OSError) as error:
        return Unavailable("pyg", LABEL, missing(error))
    torch.set_num_threads(problem.threads)
    watch = Stopwatch()
    edges, kinds, features, weights = watch.step("convert", lambda: _tensors(torch, problem, layer))
    rows = torch.empty((problem.sizes[problem.assignment.target.indices[0]], 0))
    module = convolution(*weights.shape[1:], num_relations=weights.shape[0], aggr="add", root_weight=False, bias=False)
    module.weight = torch.nn.Parameter(weights, requires_grad=False)
    last: list[Any] = [None]

    def call() -> None:
        with torch.no_grad():
            last[0] = module((features, rows), edges, kinds)

    versions = f"PyG {geometric.__version__} with torch {torch.__version__}"
    note = f"RGCNConv of {versions}, {problem.threads} threads; every edge counts 1, results allocated by each call."
    return Contender("pyg", LABEL, call, lambda: np.asarray(last[0]), watch.steps, note, problem.threads)


def missing(error: Exception) -> str:
    """Why there is none, as a sentence for the page."""
    if isinstance(error, ModuleNotFoundError) and error.name in ("torch", "torch_geometric"):
        return (
            "PyG is not installed. It is optional; install torch and torch_geometric beside Heddle to compare with it."
        )
    return f"PyG is installed, but does not load: {error}."


def _layer(problem: Problem) -> RelationalProduct | str:
    """What the layer computes here, or why it does not."""
    pattern = recognise(problem.assignment)
    if not isinstance(pattern, RelationalProduct):
        return (
            "PyG has a layer for relational graphs, Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l); its sparse products are "
            "PyTorch's."
        )
    names = (pattern.edges.tensor, pattern.features.tensor, pattern.weights.tensor)
    types = {problem.dtype, *(problem.signature.tensors[name].dtype for name in names)}
    if types != {"float32"}:
        return f"RGCNConv adds up float32; this program uses {', '.join(sorted(types))}."
    edges, features, weights = (problem.operands[name] for name in names)
    if not isinstance(edges, Entries):
        return f"{names[0]} is dense; RGCNConv needs a list of edges."
    for name, operand in zip(names[1:], (features, weights), strict=True):
        if isinstance(operand, Entries):
            return f"{name} is sparse; RGCNConv needs it to be dense."
    if not (edges.values == 1).all():
        return f"RGCNConv has no values of edges; {names[0]} has others than 1."
    if 0 in problem.sizes.values():
        return "RGCNConv does not take empty graphs."
    return pattern


def _tensors(torch: Any, problem: Problem, layer: RelationalProduct) -> tuple[Any, ...]:
    """(column, row) of every edge, its relation, the features by column, the weights by relation."""
    edges = problem.operands[layer.edges.tensor]
    assert isinstance(edges, Entries)
    kinds, rows, columns = (edges.columns[axis].astype(np.int64) for axis in layer.edges.axes)
    dense = (
        np.ascontiguousarray(np.transpose(problem.operands[operand.tensor], operand.axes))  # type: ignore[arg-type]
        for operand in (layer.features, layer.weights)
    )
    return (torch.from_numpy(np.stack([columns, rows])), torch.from_numpy(kinds), *map(torch.from_numpy, dense))
