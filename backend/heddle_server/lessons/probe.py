"""Probes: data with signs, ties and zeros, with what the author's solution computes on them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.explorer.cost_report.programs import run_program
from heddle.explorer.cost_report.run import Operands, TooLong, run
from heddle.result import CompileResult
from heddle_server.lessons.arguments import Inputs, arguments_of


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """Values of ``palette`` on the data of a task, and what the author's solution computes on them. ``inputs`` say how
    the tensors of a program of patterns are made."""

    palette: tuple[float, ...]
    operands: Operands
    inputs: Inputs
    seed: int
    expected: NDArray[Any]


def difference(result: CompileResult, probes: tuple[Probe, ...]) -> str | None:
    """Where a program computes something else than the solution; None where it computes the same on all probes.

    Raises CompileError and TooLong for a program that does not run to its end.
    """
    for probe in probes:
        values, expected = compute(result, probe), probe.expected
        if values.shape != expected.shape:
            return f"the result has the shape {_shape(values)}, and that of the answer {_shape(expected)}"
        near = np.isclose(values, expected, rtol=1e-6, atol=1e-9)
        if not near.all():
            place = np.unravel_index(int(np.argmin(near)), near.shape)
            where = ", ".join(str(int(index)) for index in place)
            return (
                f"with values that have signs, ties and zeros, element ({where}) of the result is {values[place]:g}, "
                f"and {expected[place]:g} in the answer"
            )
    return None


def compute(result: CompileResult, probe: Probe) -> NDArray[Any]:
    if result.bound is not None:
        arguments = arguments_of(result, probe.inputs)
        done = run_program(
            result, {name: _repaint(argument, probe) for name, argument in arguments.items()}, traced=False
        )
    else:
        done = run(
            result, {name: _draw(name, operand, probe) for name, operand in probe.operands.items()}, traced=False
        )
    if done.result is None:
        raise TooLong
    return done.result


def _draw(name: str, array: NDArray[Any], probe: Probe) -> NDArray[Any]:
    """Other values for the entries of an operand. Whole numbers stay: they may be coordinates."""
    if array.dtype.kind != "f":
        return array
    rng = np.random.default_rng([probe.seed, zlib.crc32(name.encode())])
    return np.where(array != 0, rng.choice(probe.palette, array.shape), 0).astype(array.dtype)


def _repaint(value: Any, probe: Probe) -> Any:
    """Arguments of patterns lie in different arrays in different plans: equal values are replaced by equal ones."""
    if isinstance(value, tuple | list):
        return type(value)(_repaint(part, probe) for part in value)
    if isinstance(value, Mapping):
        return {key: _repaint(part, probe) for key, part in value.items()}
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    flat = np.asarray(value, dtype=np.float64).reshape(-1)
    numbers = [zlib.crc32(scalar.tobytes(), probe.seed) % len(probe.palette) for scalar in flat]
    return np.asarray([probe.palette[number] for number in numbers], dtype=value.dtype).reshape(value.shape)


def _shape(array: NDArray[Any]) -> str:
    return " × ".join(map(str, array.shape)) or "of a number"
