"""Calls of the library as nobody should write them: every argument may be of a wrong type, empty, huge or nested.

Each answer is right or an exception of Heddle's; Python's own TypeError is for what is no call at all, a keyword that
a function does not have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import heddle as hd

MATRIX = np.array([[1.0, 0, 2], [0, 3, 0]])
TEXTS = (
    "",
    " ",
    "y",
    "csr",
    "A(i,j)",
    "é∀i",
    "\0",
    "(" * 300,
    "1" * 5000,
    "csr(" * 50,
    "dense" + ",dense" * 40,
    "\ud800",
)
NUMBERS = (0, -1, 1, 2**31, 2**63, 2**64, -(2**70), 10**400, 1.5, float("nan"), float("inf"), -0.0, 1j, True)


class Unprintable:
    """Whose text raises, as that of an object which somebody else has broken."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


def deep(levels: int) -> list[Any]:
    """A list in a list in a list."""
    nested: list[Any] = [1.0]
    for _ in range(levels):
        nested = [nested]
    return nested


def odd_values(folder: Path) -> tuple[Any, ...]:
    """What is passed where something else is expected."""
    arrays = (
        np.zeros((0, 3)),
        np.zeros((2, 0)),
        np.float16([1]),
        np.array(["a"]),
        np.array([None, 1], dtype=object),
        np.array(["2020"], dtype="datetime64[D]"),
        np.zeros((1,) * 12),
        np.zeros(3, dtype=[("a", "f8")]),
        np.array(5),
        np.float32(2),
        MATRIX[::-1],
        np.dtype("float32"),
        np.float64,
    )
    nested = (None, ..., [], (), {}, set(), [[1], [1, 2]], deep(40), deep(2000), {"A": None}, {1: 2}, [None], object())
    others = (
        b"bytes",
        bytearray(b"x"),
        range(3),
        folder,
        folder / "missing.mtx",
        lambda: 1,
        Unprintable(),
        hd,
        hd.pack,
    )
    packed = (hd.pack(MATRIX, "csr"), hd.pack(MATRIX, "coo"), hd.pack(MATRIX, "hyb(1,3)"))
    tuples = (
        (([0], [0]), [1.0], (2, 3)),
        (([0], [5]), [1.0], (2, 3)),
        (([0],), [1.0], (2, 3)),
        (([0], [0]), [1.0], (-2, 3)),
        (([0], [0]), [1.0], (2**70, 3)),
        (([0.5], [0]), [1.0], (2, 3)),
        ((["a"], [0]), [1.0], (2, 3)),
        (([2**64], [0]), [1.0], (2, 3)),
        ((None, None), None, (2, 3)),
        (([[0]], [0]), [1.0], (2, 3)),
        ((0, 0), 1.0, (2, 3)),
        ((), [], ()),
    )
    return (*TEXTS, *NUMBERS, *arrays, *nested, *others, *packed, *tuples)


def odd_calls(seed: int, count: int, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """``count`` calls drawn with ``seed``, each with the text that says what it is."""
    draw = random.Random(seed)
    values = odd_values(folder)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, "", "interpreter")
    packed = hd.pack(MATRIX, "csr")
    for number in range(count):
        name = draw.choice(tuple(CALLS))
        arguments = [draw.choice(values) for _ in range(4)]
        call = CALLS[name]
        yield f"{seed}/{number} {name}", lambda call=call, rest=arguments: call(kernel, packed, draw, rest)


def _compile(_: object, __: object, draw: random.Random, rest: list[Any]) -> object:
    """One argument of a compile is odd."""
    key = draw.choice(("formats", "schedule", "target", "dtypes", "shapes", "fills", "options", "language", "sizes"))
    value = draw.choice(
        (rest[0], {"A": rest[0]}, {"A": [rest[0], rest[1]]}, [rest[0]], {rest[0]: 1} if _hashable(rest[0]) else {})
    )
    return draw.choice((hd.lower, hd.compile))("y(i) = A(i,j) * x(j)", **{"target": "interpreter", key: value})


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _operand(kernel: Any, packed: object, draw: random.Random, rest: list[Any]) -> object:
    operands = {"A": draw.choice((packed, rest[0])), "x": draw.choice((np.ones(3), rest[1]))}
    if draw.random() < 0.2:
        operands[draw.choice(("B", "y", "é"))] = rest[2]
    return draw.choice((kernel, kernel.bind, kernel.assemble))(**operands)


def _decomposition(_: object, __: object, draw: random.Random, rest: list[Any]) -> object:
    tensor = np.arange(24.0).reshape(2, 3, 4)
    keyword = draw.choice(({}, {"seed": rest[1]}, {"sweeps": rest[1]}, {"start": rest[1]}, {"tolerance": rest[1]}))
    return draw.choice((hd.cp_als, hd.cp_apr, hd.cp_opt))(
        draw.choice((tensor, rest[0])), draw.choice((2, rest[2])), **keyword
    )


Call = Callable[[Any, Any, random.Random, list[Any]], object]


def _read(_: object, __: object, draw: random.Random, rest: list[Any]) -> object:
    return hd.read(rest[0], draw.choice((None, rest[1])), draw.choice((None, rest[2])))


def _convert(_: object, packed: Any, draw: random.Random, rest: list[Any]) -> object:
    return hd.convert(draw.choice((packed, rest[0])), draw.choice(("coo", rest[1])))


def _format(_: object, __: object, draw: random.Random, rest: list[Any]) -> object:
    return hd.pack(draw.choice((MATRIX, rest[1])), rest[0])


CALLS: dict[str, Call] = {
    "lower": lambda _kernel, _packed, _draw, rest: hd.lower(rest[0]),
    "compile": _compile,
    "pack": lambda _kernel, _packed, _draw, rest: hd.pack(rest[0], "csr"),
    "pack format": _format,
    "pack dtype": lambda _kernel, _packed, _draw, rest: hd.pack(MATRIX, "csr", dtype=rest[0]),
    "pack fill": lambda _kernel, _packed, _draw, rest: hd.pack(MATRIX, "csr", fill=rest[0]),
    "pack name": lambda _kernel, _packed, _draw, rest: hd.pack(MATRIX, "compressed, padded(1)", name=rest[0]),
    "convert": _convert,
    "validate": lambda _kernel, _packed, _draw, rest: hd.validate(rest[0]),
    "read": _read,
    "legal": lambda _kernel, _packed, _draw, rest: hd.legal(rest[0]),
    "run": lambda _kernel, _packed, _draw, rest: hd.run(rest[0]),
    "kernel": _operand,
    "decomposition": _decomposition,
}
