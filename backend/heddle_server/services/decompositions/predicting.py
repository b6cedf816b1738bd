"""What a decomposition will do, worked out in a compile process: the tensor is made or read, each role chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.document.canonical import algorithm_hash, to_document
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.planning.prepare import prepare
from heddle.algorithms.tensor_input import tensor_input
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle_server.http.packed_answers import Answer
from heddle_server.schema.decomposition import AlgorithmView
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.compiling.storage_worker import expected_entries
from heddle_server.services.compiling.suggestion_worker import MAX_LOOKED_AT
from heddle_server.services.data.datasets import DatasetService
from heddle_server.worker.decomposition.roles import predicted_roles, trees_of
from heddle_server.worker.decomposition.tensor import tensor_of


async def predict(compiles: CompileService, datasets: DatasetService, algorithm: Algorithm) -> Answer:
    """The JSON of an AlgorithmView, under the limits of a compile. Raises ProblemError as ``CompileService.compile``,
    and for data that is not here."""
    paths = await datasets.paths(algorithm)
    identity = algorithm_hash(algorithm)
    return await compiles.once(
        f"predict-{identity}", identity, "prediction", False, prediction_document, to_document(algorithm), paths
    )


def prediction_document(document: dict[str, Any], paths: dict[str, str]) -> bytes:
    """The AlgorithmView as JSON bytes; why nothing can be predicted is in its diagnostics. ``paths`` are the files of
    data sets by id."""
    algorithm = parse_algorithm(document)
    view: AlgorithmView
    try:
        _require_few(algorithm.inputs.get("X", {}))
        plan = prepare(algorithm, tensor_input(tensor_of(algorithm, paths)))
        rank, shape = plan.algorithm.parameters.rank, plan.tensor.shape
        view = {
            "ok": True,
            "input": {"shape": list(shape), "nnz": plan.tensor.stored, "summed": plan.tensor.summed},
            "reuse": plan.algorithm.parameters.reuse,
            "factor_bytes": 2 * 8 * rank * sum(shape),
            "roles": predicted_roles(plan),
            "trees": trees_of(plan),
            "diagnostics": [],
        }
    except CompileError as error:
        view = {
            "ok": False,
            "input": None,
            "reuse": algorithm.parameters.reuse,
            "factor_bytes": 0,
            "roles": [],
            "trees": [],
            "diagnostics": [diagnostic_view(diagnostic) for diagnostic in error.diagnostics],
        }
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def _require_few(source: Mapping[str, Any]) -> None:
    """That the tensor can be made and looked at in the time of an answer.

    Raises
    ------
    CompileError
        ``algorithm/not-predicted``.
    """
    shape = source.get("shape")
    if "generator" not in source or not isinstance(shape, list):
        return
    count = expected_entries(source, tuple(int(size) for size in shape))
    if count <= MAX_LOOKED_AT:
        return
    raise CompileError(
        Diagnostic(
            "algorithm/not-predicted",
            f"X may have {count:,} entries: up to {MAX_LOOKED_AT:,} are counted before a run. It runs all the same.",
            Location(Part.INPUT, tensor="X"),
            expected=f"at most {MAX_LOOKED_AT:,} entries",
            actual=f"{count:,}",
        )
    )
