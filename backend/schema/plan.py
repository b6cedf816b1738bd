"""The Plan document and what one compile is, typed for the API description.

The document itself is validated by ``compiler.plan.parse_plan``, whose messages are better than a schema's.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from compiler.frontends.table import LanguageName
from compiler.targets import TargetName


class TensorDocument(TypedDict):
    format: NotRequired[str]
    dtype: NotRequired[str]
    shape: NotRequired[list[int]]
    fill: NotRequired[float | bool | Literal["inf", "-inf"]]


class RunDocument(TypedDict):
    baselines: NotRequired[list[str]]
    threads: NotRequired[int]


class OptionsDocument(TypedDict):
    convert: NotRequired[Literal["never", "automatic"]]


class PlanDocument(TypedDict):
    """``version`` says in what order the loops run that no command moves: 1, which is meant where it is left out, with
    the result first and sums inside; 2, where memory is walked in order."""

    version: NotRequired[int]
    expression: str
    language: NotRequired[LanguageName]
    tensors: NotRequired[dict[str, TensorDocument]]
    schedule: NotRequired[list[str]]
    target: NotRequired[TargetName]
    inputs: NotRequired[dict[str, dict[str, Any]]]
    run: NotRequired[RunDocument]
    options: NotRequired[OptionsDocument]


class ExampleView(TypedDict):
    id: str
    title: str
    topic: str
    summary: str
    plan: PlanDocument


class BaselineView(TypedDict):
    """A library that a run may be compared with. ``name`` is that of the plan's ``run.baselines``; ``computes`` says in
    words which expressions it can. Whether a machine has the library, a run on that machine says."""

    name: str
    title: str
    computes: str


# The body is taken as plain JSON and validated by the compiler, so the description is given by hand.
PLAN_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PlanDocument"}}},
    }
}
