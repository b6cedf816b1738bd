"""Claims of a program, checked on its arguments, all positions at once; a broken one names the first that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount, repeat
from heddle.patterns.lowering.parameters import Buffer
from heddle.patterns.typing.claims import (
    AtLeastZero,
    BeginsAtZero,
    Claim,
    Divides,
    Equal,
    InRange,
    Permutation,
    Variables,
)
from heddle.runtime.patterns.refused import refusal
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.nodes import At, Length
from heddle.symbolic.printer import to_text as length_text

if TYPE_CHECKING:
    from heddle.symbolic.evaluate import Value

Arrays = Mapping[str, NDArray[Any]]
MOST_POSITIONS = 1 << 26


def check(claim: Claim, sizes: Mapping[str, int], arrays: Arrays, buffers: tuple[Buffer, ...]) -> None:
    """Raises CompileError where ``claim`` does not hold."""
    match claim:
        case AtLeastZero():
            _at_least_zero(claim, sizes, arrays)
        case Equal(left=left, right=right, variables=variables):
            names, places = _places(variables, sizes, arrays)
            left_values, other = (_values(side, names, arrays, places) for side in (left, right))
            wrong = np.flatnonzero(left_values != other)
            if wrong.size:
                at = int(wrong[0])
                raise refusal(
                    "zip-length",
                    f"zip pairs {length_text(left)} elements with {length_text(right)}{_where(names, at)}: "
                    f"{left_values[at]} and {other[at]}.",
                    _array_of(right) or _array_of(left) or "",
                    expected=str(left_values[at]),
                    actual=str(other[at]),
                )
        case Divides(divisor=divisor, length=whole, variables=variables):
            names, places = _places(variables, sizes, arrays)
            pieces, total = _values(divisor, names, arrays, places), _values(whole, names, arrays, places)
            wrong = np.flatnonzero((pieces <= 0) | (total % np.maximum(pieces, 1) != 0))
            if wrong.size:
                at = int(wrong[0])
                raise refusal(
                    "not-divisible",
                    f"Pieces of {length_text(divisor)} = {pieces[at]} do not divide {length_text(whole)} = "
                    f"{total[at]}{_where(names, at)}.",
                    _array_of(whole) or "",
                    expected=f"a multiple of {pieces[at]}",
                    actual=str(total[at]),
                    hint="splitUp has a shorter last piece, for every length.",
                )
        case InRange():
            _in_range(claim, sizes, arrays, buffers)
        case Permutation(array=array, size=size):
            values = arrays[array]
            count = int(evaluate(size, sizes, arrays))
            seen = bincount(np.clip(values, 0, max(count - 1, 0)), minlength=count) if count else np.empty(0)
            if len(values) != count or (count and (values.min() < 0 or values.max() >= count or (seen != 1).any())):
                missing = int(np.flatnonzero(seen != 1)[0]) if count and (seen != 1).any() else 0
                raise refusal(
                    "permutation",
                    f"{array} does not have each of 0 to {count - 1} once: {missing} comes "
                    f"{int(seen[missing]) if count else 0} times.",
                    array,
                    expected=f"each of 0 to {count - 1} once",
                    actual=f"{missing}, {int(seen[missing]) if count else 0} times",
                )
        case BeginsAtZero(array=array, why=why):
            first = int(arrays[array][0]) if len(arrays[array]) else 0
            if first:
                raise refusal(
                    "offsets",
                    f"{array} begins with {first}; {why}.",
                    array,
                    expected="0",
                    actual=str(first),
                    hint=f"Give {array} - {first}, or leave out the step.",
                )
        case _:
            raise TypeError(f"unexpected claim {claim!r}")


def _places(variables: Variables, sizes: Mapping[str, int], arrays: Arrays) -> tuple[dict[str, Value], int]:
    """All values of the variables at once: an array for each, of one length, and that length."""
    names: dict[str, Value] = dict(sizes)
    count = 1
    chosen: list[str] = []
    for name, size in variables:
        extents = np.broadcast_to(np.asarray(evaluate(size, names, arrays)), (count,)).astype(np.int64)
        extents = np.maximum(extents, 0)
        total = int(extents.sum())
        if total > MOST_POSITIONS:
            raise refusal("too-large", f"{total:,} positions are to be checked.", name, expected="fewer positions")
        before = repeat(np.arange(count), extents)
        starts = np.concatenate(([0], np.cumsum(extents)[:-1])) if count else np.empty(0, np.int64)
        for other in chosen:
            names[other] = names[other][before]  # type: ignore[index]
        names[name] = np.arange(total) - repeat(starts, extents)
        chosen.append(name)
        count = total
    return names, count


def _values(whole: Length, names: Mapping[str, Value], arrays: Arrays, count: int) -> NDArray[Any]:
    return np.broadcast_to(np.asarray(evaluate(whole, names, arrays)), (count,))


def _where(names: Mapping[str, Value], at: int) -> str:
    places = [f"{name} = {value[at]}" for name, value in names.items() if not isinstance(value, int)]
    return " at " + ", ".join(places) if places else ""


def _array_of(whole: Length) -> str | None:
    from heddle.symbolic.walk import arrays_of

    return min(arrays_of(whole), default=None)


def _at_least_zero(claim: AtLeastZero, sizes: Mapping[str, int], arrays: Arrays) -> None:
    names, places = _places(claim.variables, sizes, arrays)
    values = _values(claim.length, names, arrays, places)
    wrong = np.flatnonzero(values < 0)
    if not wrong.size:
        return
    at = int(wrong[0])
    array = _array_of(claim.length) or claim.array or ""
    steps = [atom for atom in claim.length.atoms() if isinstance(atom, At)]
    if len(steps) == 2 and len(claim.length.terms) == 2 and steps[0].array == steps[1].array:
        inside = {name: value if isinstance(value, int) else int(value[at]) for name, value in names.items()}
        places_ = sorted(int(evaluate(atom.index, inside, arrays)) for atom in steps)
        before, after = (int(arrays[array][place]) for place in places_)
        raise refusal(
            "offsets",
            f"{array} falls at position {places_[1]}: {before}, then {after}.",
            array,
            expected="offsets that never fall",
            actual=f"{before}, then {after}",
        )
    raise refusal(
        "negative-length",
        f"{length_text(claim.length)} is {values[at]}{_where(names, at)}; {claim.what} is at least 0.",
        array,
        expected="0 or more",
        actual=str(values[at]),
    )


def _in_range(claim: InRange, sizes: Mapping[str, int], arrays: Arrays, buffers: tuple[Buffer, ...]) -> None:
    count = int(evaluate(claim.size, sizes, arrays))
    for buffer in buffers:
        for field, field_name in buffer.fields:
            if buffer.parameter != claim.array or (*buffer.path, *field.path) != claim.path:
                continue
            values = (
                np.asarray(arrays[field_name])[field.offset :: field.stride]
                if field_name in arrays
                else np.array([sizes[field_name]])
            )
            wrong = np.flatnonzero((values < 0) | (values >= count))
            if wrong.size:
                at = int(wrong[0])
                row = _row(buffer, at, sizes, arrays)
                raise refusal(
                    "index-range",
                    f"{claim.array} has {values[at]}{row}, and {claim.of} has {count} elements.",
                    claim.array,
                    expected=f"0 to {count - 1}" if count else "no element",
                    actual=str(values[at]),
                )


def _row(buffer: Buffer, at: int, sizes: Mapping[str, int], arrays: Arrays) -> str:
    from heddle.patterns.typing.layout import start_of
    from heddle.patterns.typing.types import ArrayType
    from heddle.symbolic.nodes import length

    if not isinstance(buffer.type, ArrayType) or not isinstance(buffer.type.element, ArrayType):
        return f" at position {at}"
    starts = start_of(buffer.type, length("row'"))
    rows = int(evaluate(buffer.type.size, sizes, arrays))
    places = np.asarray(evaluate(starts, {**sizes, "row'": np.arange(rows)}, arrays))
    row = int(np.searchsorted(np.broadcast_to(places, (rows,)), at, side="right")) - 1
    return f" in row {row}, entry {at - int(np.broadcast_to(places, (rows,))[row])}"
