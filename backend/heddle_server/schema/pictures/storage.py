"""What a person may ask of a storage picture: a format, and the data to show it with."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, model_validator

from heddle.plan.limits import MAX_DIMENSION, MAX_ORDER

LARGEST_LIST = 4096
"""Entries that a person may write down."""

# JSON's true is not a number.
Size = Annotated[StrictInt, Field(ge=0, le=MAX_DIMENSION)]
Number = Annotated[StrictInt | StrictFloat, Field(ge=-1e300, le=1e300, allow_inf_nan=False)]
Dtype = Literal[
    "float64", "float32", "int64", "int32", "int16", "int8", "uint8", "bool", "complex128", "complex64"
]  # fmt: skip


class GivenEntries(BaseModel):
    """``coordinates`` has one row for each entry, with one coordinate for each dimension; duplicates are added up."""

    model_config = ConfigDict(extra="forbid")

    shape: list[Size] = Field(max_length=MAX_ORDER)
    coordinates: list[list[StrictInt]] = Field(max_length=LARGEST_LIST)
    values: list[Number] = Field(max_length=LARGEST_LIST)

    @model_validator(mode="after")
    def check(self) -> Self:
        if len(self.coordinates) != len(self.values):
            raise ValueError(f"{len(self.coordinates)} coordinates for {len(self.values)} values")
        for place, at in enumerate(self.coordinates):
            if len(at) != len(self.shape):
                raise ValueError(f"entry {place} has {len(at)} coordinates for {len(self.shape)} dimensions")
            if any(not 0 <= coordinate < size for coordinate, size in zip(at, self.shape, strict=True)):
                raise ValueError(f"entry {place} has coordinates {at} outside the shape {self.shape}")
        return self


class StorageRequest(BaseModel):
    """The data: ``input`` as a plan's (a dataset, an upload or a generator with a shape), ``entries``, or neither: then
    the running example of that order."""

    model_config = ConfigDict(extra="forbid")

    tensor: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    order: StrictInt = Field(ge=0, le=MAX_ORDER)
    format: str = Field(max_length=4096)
    dtype: Dtype = "float64"
    input: dict[str, Any] | None = None
    entries: GivenEntries | None = None

    @model_validator(mode="after")
    def check(self) -> Self:
        if self.input is not None and self.entries is not None:
            raise ValueError("the data is either an input or entries, found both")
        if self.entries is not None and len(self.entries.shape) != self.order:
            raise ValueError(f"a shape of {len(self.entries.shape)} sizes for a tensor of order {self.order}")
        return self
