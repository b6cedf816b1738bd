"""The Plan document and what one compile is, typed for the API description.

The document itself is validated by ``heddle.plan.parse_plan``, whose messages are better than a schema's.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter, with_config
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from heddle.formats.limits import MAX_LENGTH as MAX_FORMAT_LENGTH
from heddle.frontends.table import LanguageName
from heddle.plan import DTYPES, VERSIONS, limits
from heddle.plan.inputs import SOURCES
from heddle.plan.parameters import ARGUMENT
from heddle.plan.parser import BASELINE, TENSOR_NAME
from heddle.targets import TargetName

CLOSED = ConfigDict(extra="forbid")
OF_TENSORS = Field(
    max_length=limits.MAX_TENSORS, json_schema_extra={"propertyNames": {"pattern": f"^{TENSOR_NAME.pattern}$"}}
)
ONE_SOURCE = Field(
    max_length=limits.MAX_PARAMETERS, json_schema_extra={"oneOf": [{"required": [source]} for source in SOURCES]}
)
ComplexNumber = Annotated[str, Field(max_length=64, pattern="j$")]
"""As Python writes it: 1+2j."""
Size = Annotated[int, Field(ge=0, le=limits.MAX_DIMENSION)]
Parameter = Annotated[int, Field(ge=-limits.MAX_DIMENSION, le=limits.MAX_DIMENSION)]


@with_config(CLOSED)
class TensorDocument(TypedDict):
    format: NotRequired[Annotated[str, Field(max_length=MAX_FORMAT_LENGTH)] | None]
    dtype: NotRequired[Annotated[str, Field(pattern=f"^({'|'.join(DTYPES)})$")] | None]
    shape: NotRequired[Annotated[list[Size], Field(max_length=limits.MAX_ORDER)] | None]
    fill: NotRequired[float | bool | Literal["inf", "-inf", "nan"] | ComplexNumber]


@with_config(CLOSED)
class RunDocument(TypedDict):
    baselines: NotRequired[
        Annotated[list[Annotated[str, Field(pattern=f"^{BASELINE.pattern}$")]], Field(max_length=limits.MAX_BASELINES)]
    ]
    threads: NotRequired[Annotated[int, Field(ge=1, le=limits.MAX_THREADS)] | None]


@with_config(CLOSED)
class OptionsDocument(TypedDict):
    convert: NotRequired[Literal["never", "automatic"]]


@with_config(CLOSED)
class PlanDocument(TypedDict):
    """``version`` says in what order the loops run that no command moves: 1, which is meant where it is left out, with
    the result first and sums inside; 2, where memory is walked in order."""

    version: NotRequired[Annotated[int, Field(ge=VERSIONS[0], le=VERSIONS[-1])]]
    expression: str
    language: NotRequired[LanguageName]
    sizes: NotRequired[Annotated[dict[str, Parameter], Field(max_length=limits.MAX_TENSORS)]]
    arguments: NotRequired[Annotated[dict[str, Annotated[str, Field(pattern=f"^{ARGUMENT.pattern}$")]], OF_TENSORS]]
    tensors: NotRequired[Annotated[dict[str, TensorDocument], OF_TENSORS]]
    schedule: NotRequired[list[str] | str]
    target: NotRequired[TargetName]
    inputs: NotRequired[Annotated[dict[str, Annotated[dict[str, Any], ONE_SOURCE]], OF_TENSORS]]
    run: NotRequired[RunDocument]
    options: NotRequired[OptionsDocument]


class PaperView(TypedDict):
    """``name`` is what its readers call it; ``words`` are those of its title and its field."""

    name: str
    cited: str
    words: str


class MentionView(TypedDict):
    """``term`` is the name of a program, in its ``paper`` where one prints it, at its ``place``; ``words`` are
    what else it is known by."""

    paper: PaperView | None
    term: str
    place: str
    words: str


class ExampleView(TypedDict):
    id: str
    title: str
    topic: str
    summary: str
    mention: MentionView
    plan: PlanDocument


class BaselineView(TypedDict):
    """A library that a run may be compared with. ``name`` is that of the plan's ``run.baselines``; ``computes`` says in
    words which expressions it can. It runs on machines with the ``resource``. ``missing`` says why the machine of the
    service does not have it; whether another one does, a run there says."""

    name: str
    title: str
    computes: str
    resource: str
    missing: str | None


class DescribedAsPlan:
    """Described as a plan, and taken as plain JSON all the same."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(PlanDocument).core_schema)


PlanBody = Annotated[dict[str, Any], DescribedAsPlan()]
"""A plan inside of a request."""

PLAN_SCHEMA: dict[str, Any] = {"$ref": "#/components/schemas/PlanDocument"}


def wrapped_or_alone(schema: dict[str, Any]) -> dict[str, Any]:
    """The description of a body: ``{"plan": …}``, as everywhere, or the document alone."""
    wrapped = {"type": "object", "properties": {"plan": schema}, "required": ["plan"], "additionalProperties": False}
    return {"anyOf": [wrapped, schema]}


# The body is taken as plain JSON and validated by the compiler, so the description is given by hand.
PLAN_BODY: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": wrapped_or_alone(PLAN_SCHEMA)}}}
}
