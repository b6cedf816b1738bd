"""The patterns as functions of Python lists, every position checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class MeaninglessError(ValueError):
    """The arguments break what the program says of them."""


class UntoldError(ValueError):
    """Lists do not tell what the program means: those without elements have no length of elements."""


def element(array: list[Any], place: int) -> Any:
    if not 0 <= place < len(array):
        raise MeaninglessError(f"position {place} of {len(array)}")
    return array[place]


def _curry(count: int, function: Callable[..., Any]) -> Any:
    """``function`` of ``count`` arguments, taken one at a time."""

    def take(operands: tuple[Any, ...]) -> Any:
        return function(*operands) if len(operands) == count else lambda value: take((*operands, value))

    return take(())


def _zip(left: list[Any], right: list[Any]) -> list[Any]:
    if len(left) != len(right):
        raise MeaninglessError(f"zip of {len(left)} and {len(right)} elements")
    return list(zip(left, right, strict=True))


def _reduce(function: Any, start: Any, array: list[Any]) -> Any:
    for element in array:
        start = function(start)(element)
    return start


def _scan(function: Any, start: Any, array: list[Any]) -> list[Any]:
    states = []
    for element in array:
        start = function(start)(element)
        states.append(start)
    return states


def _split(size: int, array: list[Any]) -> list[Any]:
    if size <= 0 or len(array) % size:
        raise MeaninglessError(f"{size} does not divide {len(array)}")
    return _pieces(size, array)


def _pieces(size: int, array: list[Any]) -> list[Any]:
    if size <= 0:
        raise MeaninglessError("pieces without elements")
    return [array[start : start + size] for start in range(0, len(array), size)]


def _deal(hands: int, array: list[Any]) -> list[Any]:
    if hands <= 0:
        raise MeaninglessError("no hands")
    return [array[hand::hands] for hand in range(hands)]


def _take(count: int, array: list[Any]) -> list[Any]:
    if not 0 <= count <= len(array):
        raise MeaninglessError(f"{count} of {len(array)} elements")
    return array[:count]


def _drop(count: int, array: list[Any]) -> list[Any]:
    return array[len(_take(count, array)) :]


def _scatter(indices: list[int], array: list[Any]) -> list[Any]:
    if sorted(indices) != list(range(len(array))):
        raise MeaninglessError("no permutation")
    permuted = [None] * len(array)
    for index, element in zip(indices, array, strict=True):
        permuted[index] = element
    return permuted


def _slide(size: int, step: int, array: list[Any]) -> list[Any]:
    if size <= 0 or step <= 0 or (len(array) - size) % step:
        raise MeaninglessError("windows that do not fit")
    return [array[start : start + size] for start in range(0, len(array) - size + 1, step)]


def _pad(left: int, right: int, mode: Any, array: list[Any]) -> list[Any]:
    size = len(array)
    places = range(-left, size + right)
    if mode == "clamp" and not size:
        return [0.0] * len(places)
    if mode == "clamp":
        return [array[max(0, min(place, size - 1))] for place in places]
    if mode == "wrap":
        if not size and places:
            raise MeaninglessError("nothing is wrapped")
        return [array[place % size] for place in places]
    return [array[place] if 0 <= place < size else mode for place in places]


def _transpose(rows: list[Any]) -> list[Any]:
    if not rows:
        raise UntoldError("no row tells how many columns there are")
    if len({len(row) for row in rows}) > 1:
        raise MeaninglessError("rows of different lengths")
    return [list(column) for column in zip(*rows, strict=True)]


def _iterate(count: int, function: Any, value: Any) -> Any:
    for _ in range(count):
        value = function(value)
    return value


def _map(function: Any, array: list[Any]) -> list[Any]:
    return [function(element) for element in array]


_ARITY: dict[str, tuple[int, Callable[..., Any]]] = {
    **dict.fromkeys(
        (
            "map",
            "mapSeq",
            "mapUnroll",
            "mapPar",
            "mapVec",
            "mapGlobal",
            "mapGlb",
            "mapWorkgroup",
            "mapWrg",
            "mapLocal",
            "mapLcl",
            "mapWarp",
            "mapLane",
        ),
        (2, _map),
    ),
    "mapi": (2, lambda function, array: [function(place)(element) for place, element in enumerate(array)]),
    "reduce": (3, _reduce),
    "reduceSeq": (3, _reduce),
    "reduceUnroll": (3, _reduce),
    "scan": (3, _scan),
    "zip": (2, _zip),
    "unzip": (1, lambda array: ([pair[0] for pair in array], [pair[1] for pair in array])),
    "split": (2, _split),
    "splitUp": (2, _pieces),
    "deal": (2, _deal),
    "join": (1, lambda rows: [element for row in rows for element in row]),
    "transpose": (1, _transpose),
    "concat": (2, lambda left, right: left + right),
    "take": (2, _take),
    "drop": (2, _drop),
    "reverse": (1, lambda array: array[::-1]),
    "gather": (2, lambda indices, array: [element(array, place) for place in indices]),
    "scatter": (2, _scatter),
    "slide": (3, _slide),
    "pad": (4, _pad),
    "iota": (1, lambda count: list(range(count))),
    "generate": (2, lambda count, function: [function(place) for place in range(count)]),
    "zeros": (1, lambda count: [0.0] * count),
    "iterate": (3, _iterate),
    **dict.fromkeys(("toGlobal", "toLocal", "toPrivate", "toNat"), (1, lambda value: value)),
}
PATTERNS: dict[str, Any] = {name: _curry(count, function) for name, (count, function) in _ARITY.items()}
