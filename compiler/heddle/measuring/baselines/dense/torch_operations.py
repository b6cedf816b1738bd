"""What PyTorch has one function for, though a program writes it in several statements: softmax, group normalisation.

A function stands for the program where it looks like it and gives the same on the operands at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.baselines.dense.torch_arrays import TorchArrays
from heddle.measuring.contender import Problem
from heddle.notation.nodes import Assignment, Binary, Call, Expression, Literal, Reduce, Unary, statements

TOLERANCE = 1e-3
"""Relative to the largest element: the run's own verification is narrower."""


@dataclass(frozen=True, slots=True, eq=False)
class TorchOperation:
    """``name`` is that of PyTorch's function, ``run`` calls it on the operands."""

    name: str
    run: Callable[[], Any]


def find_operation(problem: Problem, library: TorchArrays, run: Callable[[], Any]) -> TorchOperation | None:
    """The function that gives what ``run``, the program statement by statement, gives."""
    candidates = [*_softmaxes(problem, library), *_group_norms(problem, library)]
    if not candidates:
        return None
    expected = np.asarray(run())
    return next((operation for operation in candidates if _agree(np.asarray(operation.run()), expected)), None)


def _agree(result: NDArray[Any], expected: NDArray[Any]) -> bool:
    largest = float(np.abs(expected).max(initial=0.0))
    return result.shape == expected.shape and np.allclose(result, expected, rtol=TOLERANCE, atol=TOLERANCE * largest)


def _softmaxes(problem: Problem, library: TorchArrays) -> Iterator[TorchOperation]:
    """Along each dimension of the only operand, where the program has a maximum, powers, their sum and a quotient."""
    parts = [part for step in statements(problem.assignment) for part in _parts(step.expression)]
    sums = [part for part in parts if isinstance(part, Reduce) and part.operator == "+"]
    largest = [part for part in parts if isinstance(part, Reduce) and part.operator == "max"]
    powers = [part for part in parts if isinstance(part, Call) and part.function == "exp"]
    shaped = _shaped_as_result(problem)
    if not (sums and largest and powers) or len(problem.operands) != 1 or len(shaped) != 1:
        return
    tensor, torch = library.array(np.asarray(problem.operands[shaped[0]])), library.torch
    for axis in range(tensor.ndim):
        yield TorchOperation("softmax", lambda axis=axis: torch.softmax(tensor, axis))  # type: ignore[misc]


def _group_norms(problem: Problem, library: TorchArrays) -> Iterator[TorchOperation]:
    """Of (batch, group, channel …), where the program has two sums for each group, a root and a small number; scaled
    and shifted by channel where there are two more operands for that."""
    steps = statements(problem.assignment)
    parts = [part for step in steps for part in _parts(step.expression)]
    roots = any(isinstance(part, Call) and part.function in ("sqrt", "pow") for part in parts)
    sums = [step for step in steps if len(step.target.indices) == 2 and _has_sum(step)]
    small = sorted({part.value for part in parts if isinstance(part, Literal) and isinstance(part.value, float)})
    if not roots or len(sums) < 2:
        return
    for name in _shaped_as_result(problem):
        others = [other for other in problem.operands if other != name]
        channels = np.shape(problem.operands[name])[1:3]
        by_channel = [other for other in others if np.shape(problem.operands[other]) == channels]
        if len(channels) < 2 or len(by_channel) < len(others) or len(others) not in (0, 2):
            continue
        for epsilon, scales in product((value for value in small if 0 < value < 1), permutations(others)):
            yield _group_norm(problem, library, name, scales, epsilon)


def _group_norm(
    problem: Problem, library: TorchArrays, name: str, scales: tuple[str, ...], epsilon: Any
) -> TorchOperation:
    tensor = library.array(np.asarray(problem.operands[name]))
    batch, groups, channels, *space = shape = tensor.shape
    by_channel = [library.array(np.asarray(problem.operands[scale])).reshape(-1) for scale in scales]

    def call() -> Any:
        flat = tensor.reshape((batch, groups * channels, *space))
        return library.torch.nn.functional.group_norm(flat, groups, *by_channel, eps=epsilon).reshape(shape)

    return TorchOperation("group_norm", call)


def _shaped_as_result(problem: Problem) -> list[str]:
    shape = tuple(problem.sizes[index] for index in problem.assignment.target.indices)
    return [name for name, operand in problem.operands.items() if np.shape(operand) == shape and shape]


def _has_sum(step: Assignment) -> bool:
    return any(isinstance(part, Reduce) and part.operator == "+" for part in _parts(step.expression))


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    match expression:
        case Unary(operand=operand) | Reduce(operand=operand):
            yield from _parts(operand)
        case Binary(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case Call(arguments=arguments):
            for argument in arguments:
                yield from _parts(argument)
        case _:
            return
