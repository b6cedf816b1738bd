"""Arguments for parameters that steps have made others of: the same data for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.patterns.derived import Derived
from heddle.runtime.packing.pack import pack
from heddle.runtime.patterns.refused import refusal
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor


def follow_steps(
    steps: tuple[Derived, ...], arguments: Mapping[str, object], sizes: tuple[str, ...]
) -> dict[str, object]:
    """``arguments`` as the program behind the steps ``steps`` takes them; those that are given for its own parameters
    stay. A matrix tells ``sizes`` that are not given.

    Raises
    ------
    CompileError
        ``runtime/argument``.
    """
    program_arguments = dict(arguments)
    for step in steps:
        if not all(source in program_arguments for source in step.sources):
            continue
        values = [program_arguments.pop(source) for source in step.sources]
        match step.how:
            case "pack":
                columns = [
                    field for name, value in zip(step.sources, values, strict=True) for field in _fields(name, value)
                ]
                program_arguments[step.parameters[0]] = tuple(columns)
            case "unpack":
                halves = _fields(step.sources[0], values[0])
                if len(halves) != 2:
                    raise refusal(
                        "argument",
                        f"{step.sources[0]} was unpacked into {' and '.join(step.parameters)}.",
                        step.sources[0],
                        expected="an array for each of them, or pairs of two fields",
                        actual=f"{len(halves)} fields",
                    )
                program_arguments.update(zip(step.parameters, halves, strict=True))
            case _:
                matrix = _matrix(step.sources[0], values[0])
                program_arguments.update(zip(step.parameters, _parts(step.how, matrix), strict=True))
                for size, extent in zip(step.shape, matrix.shape, strict=True):
                    if size in sizes:
                        program_arguments.setdefault(size, extent)
    return program_arguments


def _fields(name: str, value: object) -> list[Any]:
    """The arrays of a pair, or the one array that it is."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.names is None else [value[field] for field in value.dtype.names]
    raise refusal(
        "argument",
        f"{name} is put together with another array, or divided.",
        name,
        expected="a NumPy array, its rows one after another",
        actual=type(value).__name__,
    )


def _matrix(name: str, value: object) -> Tensor:
    """``value`` in compressed rows, each in the order of its columns and without duplicates."""
    operand = as_operand(value, name)
    if len(operand.shape) != 2 or np.dtype(operand.dtype).kind not in "biuf":
        raise refusal(
            "argument",
            f"{name} is a matrix.",
            name,
            expected="two dimensions of numbers, or a SciPy matrix",
            actual=f"{len(operand.shape)} dimensions" if len(operand.shape) != 2 else type(value).__name__,
        )
    return pack(operand, "csr", name=name)


def _parts(format: str, matrix: Tensor) -> tuple[NDArray[Any], ...]:
    """The arrays of a matrix in ``format``, in the order of its parts."""
    pos, crd = matrix.levels[1].pos, matrix.levels[1].crd
    assert pos is not None
    assert crd is not None
    lengths = np.diff(pos)
    match format:
        case "csr":
            return pos, crd, matrix.vals
        case "lil":
            return lengths, crd, matrix.vals
        case "ell":
            rows, width = matrix.shape[0], int(lengths.max(initial=0))
            columns = np.zeros((rows, width), crd.dtype)
            values = np.zeros((rows, width), matrix.vals.dtype)
            slots = np.arange(width) < lengths[:, None]
            columns[slots], values[slots] = crd, matrix.vals
            return columns, values
        case _:
            raise ValueError(f"unexpected format {format!r}")
