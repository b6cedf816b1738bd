"""What a person may ask of a trace: a plan, and small operands for it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from heddle.plan.limits import MAX_ORDER, MAX_TENSORS
from heddle_server.schema.plan import PlanBody


def nested_numbers(value: object) -> object:
    """A number, or lists of numbers as deep as a tensor may be; their lengths are the compiler's to check."""
    level = [value]
    for _ in range(MAX_ORDER + 1):
        wrong = next(
            (item for item in level if isinstance(item, bool) or not isinstance(item, int | float | list)), None
        )
        if wrong is not None or None in level:
            raise ValueError("expected a number or nested lists of numbers")
        level = [inner for item in level if isinstance(item, list) for inner in item]
        if not level:
            return value
    raise ValueError(f"expected at most {MAX_ORDER} levels of lists")


NestedNumbers = Annotated[
    Any,
    AfterValidator(nested_numbers),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "array", "items": {}}], "title": "NestedNumbers"}),
]


class TraceRequest(BaseModel):
    """``operands`` maps tensors to numbers or nested lists; those that are left out are made."""

    model_config = ConfigDict(extra="forbid")

    plan: PlanBody
    operands: dict[str, NestedNumbers] = Field(default_factory=dict, max_length=MAX_TENSORS)


class WhatIfRequest(TraceRequest):
    """``line`` is the 1-based line of a guard, in the C text or in that of the loops (structured and flat alike)."""

    line: int = Field(ge=1)
    text: Literal["c", "loops"] = "c"
