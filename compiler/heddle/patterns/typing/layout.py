"""How data of a type lie in memory: how many records they are, and where each is (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.patterns.typing.types import ArrayType, Index, Pair, Scalar, Type, element_at, names_of
from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import ONE, Length, length
from heddle.symbolic.rewrite import sum_over
from heddle.symbolic.steps import Steps
from heddle.symbolic.walk import choose_unused_name


def records(type: Type, facts: Facts = NOTHING) -> Length:
    """How many scalars, or pairs that lie together, data of ``type`` have."""
    match type:
        case Scalar() | Index() | Pair():
            return ONE
        case ArrayType():
            return start_of(type, type.size, facts)
        case _:
            raise TypeError(f"unexpected type {type!r}")


def start_of(type: ArrayType, place: Length, facts: Facts = NOTHING, steps: Steps | None = None) -> Length:
    """How many records lie in front of the element at ``place``: the sum of what the elements before it have."""
    if not type.ragged:
        return place * records(type.element, facts)
    variable = choose_unused_name("k", names_of(type) | {type.variable})
    inside = facts.assume_range(variable, 0, place - 1)
    body = records(element_at(type, length(variable), inside), inside)
    return sum_over(variable, 0, place, body, facts, steps)


@dataclass(frozen=True, slots=True)
class Field:
    """A scalar of a record: ``path`` of .1 and .2 to it; element ``stride*p + offset`` of its array is that of record
    p. ``dtype`` is its own."""

    path: tuple[int, ...]
    dtype: str
    stride: int
    offset: int
    size: Length | None = None
    """Of the array that it is a position in."""


def record_of(type: Type) -> Type:
    """What an array of ``type`` is made of in the end."""
    return record_of(type.element) if isinstance(type, ArrayType) else type


def lies_together(record: Type) -> bool:
    """Whether ``record`` is made of scalars alone, so that an array of it has a place for each."""
    match record:
        case Pair(first=first, second=second):
            return lies_together(first) and lies_together(second)
        case _:
            return not isinstance(record, ArrayType)


def fields(record: Type) -> tuple[Field, ...]:
    """The fields of a record, aligned as C aligns those of a struct."""
    import numpy as np

    flat = list(_flat(record, ()))
    places: list[int] = []
    end = 0
    for _, dtype, _ in flat:
        width = np.dtype(dtype).itemsize
        end = -(-end // width) * width
        places.append(end)
        end += width
    widest = max(np.dtype(dtype).itemsize for _, dtype, _ in flat)
    whole = -(-end // widest) * widest
    widths = [np.dtype(dtype).itemsize for _, dtype, _ in flat]
    return tuple(
        Field(path, dtype, whole // width, place // width, size)
        for (path, dtype, size), place, width in zip(flat, places, widths, strict=True)
    )


def _flat(record: Type, path: tuple[int, ...]) -> list[tuple[tuple[int, ...], str, Length | None]]:
    match record:
        case Pair(first=first, second=second):
            return [*_flat(first, (*path, 1)), *_flat(second, (*path, 2))]
        case Scalar(dtype=dtype):
            return [(path, dtype, None)]
        case Index(size=size):
            return [(path, record.dtype, size)]
        case _:
            raise TypeError(f"{record!r} in a record")
