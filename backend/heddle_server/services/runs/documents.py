"""What a run is of: the plan of one kernel, or the algorithm that calls several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.document import canonical
from heddle.algorithms.document.reader import parse_algorithm
from heddle.plan import Plan, parse_plan, plan_hash, to_document
from heddle.targets import DEFAULT_TARGET
from heddle_server.schema.decomposition import CUT_SHORT

Document = Plan | Algorithm


def is_algorithm(document: object) -> bool:
    return isinstance(document, Mapping) and "algorithm" in document


def parse_document(document: object) -> Document:
    """Raises CompileError with every problem of the document."""
    return parse_algorithm(document) if is_algorithm(document) else parse_plan(document)


def hash_of(document: Document) -> str:
    return plan_hash(document) if isinstance(document, Plan) else canonical.algorithm_hash(document)


def json_of(document: Document) -> dict[str, Any]:
    """The canonical document."""
    return cast(
        dict[str, Any], to_document(document) if isinstance(document, Plan) else canonical.to_document(document)
    )


def target_of_document(document: Document) -> str:
    return document.target if isinstance(document, Plan) else DEFAULT_TARGET


def is_whole(result: Mapping[str, Any] | None) -> bool:
    """Whether a result is what its document asks for, and may answer everybody who asks for it."""
    return result is not None and result.get("stopped") not in CUT_SHORT
