"""Small operands for a program that names its sizes: from the shapes that are given to sizes, and from these to the
rest."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.notation.program import Program
from heddle.plan import Plan
from heddle.runtime.tensors.program_sizes import extents, named_sizes, read_integers
from heddle.runtime.tensors.shapes import Shape
from heddle.signature import Signature, TensorSignature

SIZES, SMALLER, INTEGER = (4, 5, 3), 2, 1
"""Sizes where nothing says one: a window is smaller than what it slides over. And the value of integer parameters."""
LARGEST_DECLARED = 16
"""Shapes of a Plan up to this size are kept for operands that are made here; larger ones are for real data."""


def program_shapes(
    plan: Plan,
    program: Program,
    known_shapes: Mapping[str, Shape],
    usual: tuple[int, ...] = SIZES,
    largest_declared: int = LARGEST_DECLARED,
) -> dict[str, Shape]:
    """The shape of every operand that the caller passes by its own name. Without a shape that is ``known_shapes``,
    those of the plan up to ``largest_declared`` are kept; sizes that nothing says are ``usual`` in turn."""
    declared = {name: spec.shape for name, spec in plan.tensors.items() if spec.shape is not None}
    if not known_shapes:
        declared = {name: shape for name, shape in declared.items() if max(shape, default=0) <= largest_declared}
    sizes = named_sizes(program, {**declared, **known_shapes})
    passed = [operand for name, operand in program.operands.items() if name not in program.initial]
    free = [size for shape in passed for size in shape if isinstance(size, str) and size not in sizes]
    sizes |= _free(program, tuple(dict.fromkeys(free)), sizes, usual)
    return {
        name: known_shapes.get(name, tuple(size if isinstance(size, int) else sizes[size] for size in operand))
        for name, operand in program.operands.items()
        if name not in program.initial
    }


def _free(program: Program, names: tuple[str, ...], known: Mapping[str, int], usual: tuple[int, ...]) -> dict[str, int]:
    """Numbers for ``names``: smaller ones for those that make a loop shorter when they grow."""
    integers = dict.fromkeys(read_integers(program), INTEGER)

    def loops(sizes: Mapping[str, int]) -> dict[str, int]:
        shapes = {
            name: tuple(size if isinstance(size, int) else {**known, **sizes}.get(size, usual[0]) for size in operand)
            for name, operand in program.operands.items()
        }
        return extents(program, shapes, integers)

    usually = {name: usual[number % len(usual)] for number, name in enumerate(names)}
    before = loops(usually)
    return {
        name: SMALLER if any(loops({**usually, name: 2 * size})[loop] < before[loop] for loop in before) else size
        for name, size in usually.items()
    }


def program_operands(
    program: Program,
    signature: Signature,
    shapes: Mapping[str, Shape],
    inputs: Mapping[str, Any],
    make: Callable[[TensorSignature, Shape], NDArray[Any]],
) -> tuple[dict[str, NDArray[Any]], Shape]:
    """What is not given of the operands, and the shape of the result. Indices of other tensors are drawn among those
    that exist.

    Raises
    ------
    CompileError
        for sizes that do not fit together.
    """
    assert program.call is not None
    limits = program.call.limits(shapes)
    operands: dict[str, NDArray[Any]] = {}
    integers: dict[str, int] = {}
    for name in read_integers(program):
        integers[name] = int(np.asarray(inputs.get(name, INTEGER)).item())
    for name, shape in shapes.items():
        tensor = signature.tensors.get(name)
        if tensor is None or name in inputs:
            continue
        if name in integers:
            operands[name] = np.asarray(integers[name], tensor.dtype)
        elif name in limits:
            low, high = limits[name]
            rng = np.random.default_rng(zlib.crc32(name.encode()))
            operands[name] = rng.integers(low, max(low + 1, high), shape).astype(tensor.dtype)
        else:
            operands[name] = make(tensor, shape)
    results = program.call.shapes(shapes, integers)
    for name, base in program.initial.items():
        if name not in inputs and base not in inputs:
            operands[name] = make(signature.tensors[name], results[base])
    return operands, tuple(results[signature.result.name])
