"""The coordinates that a part stores its entries by: (i, j) → (i, j − i) on diagonals, (i, #i) in slots
(docs/sources.toml V12; Chou et al. 2020: coordinate remapping)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.explorer.views.composition.composition_schema import RemappedView, RemappingView
from heddle.explorer.views.composition.places import Places
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_storage import OrderedBy, StoredLevel
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Target:
    """One coordinate that places are ordered by. ``level`` is the number of its level; ``{0}`` in the texts stands for
    the name of dimension 0."""

    level: int
    dimension: int
    symbol: str
    formula: str
    kind: str


def remapping_of(part: Tensor, places: Places, entries: Entries) -> RemappingView | None:
    """What ``part`` makes of the coordinates of its entries; None for levels that are in no order of their own, such as
    hashed and sorted ones."""
    targets = _targets(part.format)
    if targets is None:
        return None
    columns, numbers = _by_level(part)
    final = position_coordinates(part)
    values = [_values(target, columns, numbers, final) for target in targets]
    held, numbered = places.at, places.held
    mapped = [value[held] for value in values]
    restored = [_back(dimension, part, targets, values, columns, final)[held] for dimension in range(len(part.shape))]
    exact = all(
        bool((coordinates == column[numbered]).all())
        for coordinates, column in zip(restored, entries.columns, strict=True)
    )
    return RemappingView(
        targets=[
            RemappedView(
                symbol=target.symbol,
                formula=target.formula,
                dimension=target.dimension,
                least=int(value.min(initial=0)) if target.kind == "diagonal" else 0,
                length=_length(target, part, value),
            )
            for target, value in zip(targets, mapped, strict=True)
        ],
        inverse=[_inverse(dimension, part.format, targets) for dimension in range(len(part.shape))],
        entries=numbered.tolist(),
        coordinates=np.stack(mapped, axis=1).tolist(),
        in_order=_ascend(mapped),
        exact=exact,
    )


def _targets(format: Format) -> tuple[_Target, ...] | None:
    targets: list[_Target] = []
    slots = 0
    for number, (level, dimension) in enumerate(zip(format.levels, format.order, strict=True)):
        name = "{" + str(dimension) + "}"
        match LEVEL_KINDS[level.kind].ordered_by:
            case OrderedBy.PARENTS:
                continue
            case OrderedBy.DIAGONALS:
                rows = next(other for other in format.order if other != dimension)
                targets.append(_Target(number, dimension, "d", name + " − {" + str(rows) + "}", "diagonal"))
            case OrderedBy.SLOTS:
                symbol = "s" if slots == 0 else f"s{slots + 1}"
                slots += 1
                above = "p" if targets and targets[-1].kind == "number" else "{" + str(format.order[0]) + "}"
                targets.append(_Target(number, dimension, symbol, f"#{above}", "slot"))
            case OrderedBy.COORDINATES if _lists_pieces(format, number):
                targets.append(_Target(number, dimension, "p", "# of the piece", "number"))
            case OrderedBy.COORDINATES if level.ordered and dimension in format.cuts:
                inside = format.inside(number)
                symbol = f"{name}{'₀' if inside else '₁'}"
                targets.append(_Target(number, dimension, symbol, _cut(format, dimension, inside), "cut"))
            case OrderedBy.COORDINATES if level.ordered:
                targets.append(_Target(number, dimension, name, name, "coordinate"))
            case _:
                return None
    return tuple(targets)


def _lists_pieces(format: Format, number: int) -> bool:
    """Whether the level lists pieces: coordinates that repeat, each with so many slots below it."""
    level = format.levels[number]
    kind, below = LEVEL_KINDS[level.kind], format.levels[number + 1 : number + 2]
    return (
        kind.lists_coordinates
        and not (level.unique or kind.branchless)
        and any(LEVEL_KINDS[lower_level.kind].cuts_repeated for lower_level in below)
    )


def _cut(format: Format, dimension: int, inside: bool) -> str:
    name, cut = "{" + str(dimension) + "}", format.cuts[dimension]
    if cut.size is not None:
        return f"{name} mod {cut.size}" if inside else f"{name} ÷ {cut.size}"
    return f"{name} − start of {name}₁" if inside else f"which of {cut.parts} ranges has {name}"


def _by_level(part: Tensor) -> tuple[list[Array], list[Array]]:
    """By level, for each position of the last one: the coordinate there, and the number of its position below the one
    above; of the outermost level its position."""
    columns: list[Array] = []
    numbers: list[Array] = []
    parents, sizes = 1, part.format.level_sizes(part.shape)
    for number, (level, arrays) in enumerate(zip(part.format.levels, part.levels, strict=True)):
        block = sizes[number - 1] if number else 1
        expanded = LEVEL_KINDS[level.kind].expand(StoredLevel(arrays, sizes[number], parents, tuple(columns), block))
        count = int(expanded.coordinates.size)
        positions = np.zeros(count, dtype=np.int64)
        if expanded.parent is not None:
            columns = [column[expanded.parent] for column in columns]
            numbers = [number[expanded.parent] for number in numbers]
            first = np.searchsorted(expanded.parent, np.arange(parents))
            positions = np.arange(count) - first[expanded.parent]
        elif number == 0:
            positions = np.arange(count)
        columns.append(expanded.coordinates.astype(np.int64))
        numbers.append(positions)
        parents = count
    return columns, numbers


def _values(target: _Target, columns: Sequence[Array], numbers: Sequence[Array], final: Sequence[Array]) -> Array:
    match target.kind:
        case "coordinate" | "cut":
            return columns[target.level]
        case "slot" | "number":
            return numbers[target.level]
        case "diagonal":
            return final[1].astype(np.int64) - final[0]
        case _:
            raise InternalError(f"no value of {target.kind}")


def _back(
    dimension: int,
    part: Tensor,
    targets: Sequence[_Target],
    values: Sequence[Array],
    columns: Sequence[Array],
    final: Sequence[Array],
) -> Array:
    """Coordinates of ``dimension`` again: computed from the new ones, or looked up in the level that stores them."""
    value_by_kind = {
        target.kind: value for target, value in zip(targets, values, strict=True) if target.dimension == dimension
    }
    cut = part.format.cuts.get(dimension)
    if "diagonal" in value_by_kind:
        return np.asarray(value_by_kind["diagonal"] + final[0])
    if cut is not None and value_by_kind.keys() == {"cut"}:
        outer, inner = (
            value
            for target, value in zip(targets, values, strict=True)
            if target.dimension == dimension and target.kind == "cut"
        )
        if cut.even:
            return np.asarray(part.levels[cut.number].extra["starts"].astype(np.int64)[outer] + inner)
        length = cut.size if cut.size is not None else -(-part.shape[dimension] // (cut.parts or 1))
        return np.asarray(outer * length + inner)
    if "coordinate" in value_by_kind:
        return value_by_kind["coordinate"]
    last = max(number for number, stored in enumerate(part.format.order) if stored == dimension)
    return columns[last] if cut is None else final[dimension]


def _inverse(dimension: int, format: Format, targets: Sequence[_Target]) -> str:
    """The formula of a coordinate from the new ones."""
    name = "{" + str(dimension) + "}"
    matching = [target for target in targets if target.dimension == dimension]
    kinds = {target.kind for target in matching}
    if "diagonal" in kinds:
        rows = next(other for other in format.order if other != dimension)
        return "{" + str(rows) + "} + d"
    cut = format.cuts.get(dimension)
    if "slot" in kinds or "number" in kinds:
        symbols = [target.symbol for target in targets]
        upto = symbols if "slot" in kinds else symbols[: targets.index(matching[-1]) + 1]
        listed = f"crd[{', '.join(upto)}]"
        if cut is None or not format.inside(
            max(place for place, stored in enumerate(format.order) if stored == dimension)
        ):
            return listed
        return f"{name}₁ · {cut.size} + {listed}" if cut.size is not None else f"start of {name}₁ + {listed}"
    if cut is None:
        return name
    if cut.size is not None:
        return f"{name}₁ · {cut.size} + {name}₀"
    return f"start of {name}₁ + {name}₀"


def _length(target: _Target, part: Tensor, mapped: Array) -> int:
    """How many values there are room for."""
    match target.kind:
        case "coordinate" | "cut":
            return part.format.level_sizes(part.shape)[target.level]
        case "diagonal":
            return int(mapped.max(initial=0) - mapped.min(initial=0)) + 1
        case "slot" | "number":
            return int(mapped.max(initial=0)) + 1
        case _:
            raise InternalError(f"no length of {target.kind}")


def _ascend(mapped: Sequence[Array]) -> bool:
    """Whether the tuples, which are in the order of the places, ascend."""
    if not mapped or mapped[0].size < 2:
        return True
    later = np.zeros(mapped[0].size - 1, dtype=bool)
    for value in reversed(mapped):
        later = (value[1:] > value[:-1]) | ((value[1:] == value[:-1]) & later)
    return bool(later.all())
