"""A program of a peer's test suite as a row of a table: its text and shapes are facts, the oracle is ours."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Oracle = Callable[..., object]
"""The result of the operands, in the order of ``shapes``; a tuple where a program has several results."""


class Data(StrEnum):
    """Which values an operand's stored entries take."""

    INTEGERS = "integers"
    """Small whole numbers other than 0, as floats: sums and products of them are exact in any order."""
    FRACTIONS = "fractions"
    """Between 0.1 and 0.9."""
    DENSE = "dense"
    """As ``FRACTIONS``, and every coordinate has one: what is divided by."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that Heddle must compute, or refuse with ``refusal``.

    Attributes
    ----------
    name
        where the peer has it: a file or a function of its suite, and what tells it from its neighbours.
    text
        in Heddle's ``language``.
    shapes
        ``"A=4,5 x=5 s="``, of every operand; a result stands there that the caller passes.
    oracle
        what NumPy makes of the operands; None for a program that is refused.
    formats
        each text, as ``"A=csr C=ds"``, is a program of its own. A tensor without a format is dense.
    dtypes
        ``"A=int32"``; ``dtype`` where nothing is said.
    below
        ``"I=4"``, of operands that hold indices: whole numbers from 0 to below this.
    density
        of the coordinates of each operand, how many are stored.
    refusal
        code of the diagnostic and a piece of its message.
    tolerance
        relative; 0 asks for equality.
    """

    name: str
    text: str
    shapes: str
    oracle: Oracle | None = None
    formats: tuple[str, ...] = ("",)
    dtypes: str = ""
    dtype: str = "float64"
    below: str = ""
    data: Data = Data.INTEGERS
    density: float = 0.4
    language: str = "notation"
    options: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    fills: Mapping[str, float] = field(default_factory=dict)
    refusal: tuple[str, str] | None = None
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """A program in one of its formats. ``label`` is unique within ``peer``."""

    peer: str
    label: str
    program: Program
    formats: str


def expand(peer: str, programs: Iterable[Program]) -> Iterator[Case]:
    """A case for each program and each of its formats."""
    for program in programs:
        for formats in program.formats:
            label = f"{program.name} [{formats or 'dense'}]"
            yield Case(peer, label, program, formats)


def parse_pairs(text: str) -> dict[str, str]:
    """``"A=csr x=dense"``, where ``+`` stands for a blank within a value."""
    return {name: value.replace("+", " ") for name, _, value in (pair.partition("=") for pair in text.split())}


def parse_shapes(text: str) -> dict[str, tuple[int, ...]]:
    return {name: tuple(int(size) for size in value.split(",") if size) for name, value in parse_pairs(text).items()}


def draw_operands(case: Case) -> dict[str, Array]:
    """Operands with empty rows, by a seed that is the program's own."""
    program = case.program
    seed = int.from_bytes(hashlib.sha256(f"{case.peer} {program.name}".encode()).digest()[:4])
    rng = np.random.default_rng(seed)
    dtypes = parse_pairs(program.dtypes)
    limits = parse_pairs(program.below)
    return {
        name: _draw(rng, shape, np.dtype(dtypes.get(name, program.dtype)), program)
        if name not in limits
        else rng.integers(0, int(limits[name]), shape).astype(dtypes.get(name, "int32"))
        for name, shape in parse_shapes(program.shapes).items()
    }


def _draw(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any], program: Program) -> Array:
    match program.data:
        case Data.INTEGERS:
            values = rng.integers(1, 5, shape) * (1 if dtype.kind == "u" else rng.choice([-1, 1], shape))
        case Data.FRACTIONS | Data.DENSE:
            values = rng.integers(1, 10, shape) / 10
        case _:
            raise AssertionError(program.data)
    if dtype.kind == "c":
        values = values * (1 + 2j)
    whole = not shape or program.data is Data.DENSE
    stored = np.ones(shape, dtype=bool) if whole else rng.random(shape) < program.density
    if len(shape) > 1 and shape[0] > 2 and not whole:
        stored[0] = False
    return np.where(stored, values, 0).astype(dtype)


def einsum(subscripts: str, sizes: Mapping[str, int] | int = 4, **changes: Any) -> Program:
    """The program of ``numpy.einsum``'s string: operands are called A, B, C, … and each letter is a variable."""
    inputs, _, output = subscripts.partition("->")
    terms = inputs.split(",")
    if "->" not in subscripts:  # NumPy's implicit output: the letters that occur once, in order
        letters = "".join(terms)
        output = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    names = "ABCDEFGHIJ"[: len(terms)]
    product = " * ".join(_access(name, term) for name, term in zip(names, terms, strict=True))
    size = {letter: sizes if isinstance(sizes, int) else sizes[letter] for term in terms for letter in term}
    shapes = " ".join(
        f"{name}={','.join(str(size[letter]) for letter in term)}" for name, term in zip(names, terms, strict=True)
    )
    return replace(
        Program(
            f"einsum {subscripts}",
            f"{_access('out', output)} = {product}",
            shapes,
            lambda *operands: np.einsum(subscripts, *operands, optimize="greedy"),
        ),
        **changes,
    )


def _access(tensor: str, variables: str) -> str:
    return f"{tensor}({','.join(variables)})" if variables else tensor


def combine(alternatives: str) -> tuple[str, ...]:
    """Every choice of ``"A=ds|ss x=d|s"``, as formats of a program."""
    choices = [""]
    for name, formats in parse_pairs(alternatives).items():
        choices = [f"{chosen} {name}={format_}".strip() for chosen in choices for format_ in formats.split("|")]
    return tuple(choices)
