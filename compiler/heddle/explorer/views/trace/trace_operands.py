"""Small operands for a trace: what the person gives, and for the rest the running example or fixed random values."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.trace.program_operands import LARGEST_DECLARED, program_operands, program_shapes
from heddle.notation.nodes import Assignment, accesses, index_variables, statements
from heddle.plan import Plan
from heddle.runtime.memory.buffers import elements
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.shapes import Shape, result_shape, variable_sizes
from heddle.signature import Signature, TensorSignature

Origin = Literal["given", "example", "random"]

TOO_LARGE = "trace/too-large"
PASS_SMALLER = "Pass smaller operands, or none: Heddle makes small ones. A schedule behaves the same way on a few rows."


class TraceSizeError(CompileError):
    """A run that is too long to be followed, or operands that are: smaller ones may do."""


MAX_ELEMENTS = 4096
"""Elements of one tensor, the zeros included."""

SIZES, SMALLEST = (4, 5, 3), 2
DENSITY = 0.5
MOST_NONZEROS = 32
"""Of an operand that is made here, so that tensors of four and more dimensions can be followed, too."""
SEED = 4
EXAMPLE = ((6, 0, 9, 0, 0, 0), (0, 0, 0, 0, 0, 0), (5, 0, 0, 7, 0, 1), (0, 2, 0, 0, 8, 0))
"""The running example: row 1 is empty, the rows have 2, 0, 3 and 2 nonzeros."""


@dataclass(frozen=True, slots=True)
class ExampleSizes:
    """How large the running example is where nobody says it: the first ``usual`` index variables have ``SIZES`` in
    turn (None: all of them), those behind them ``SMALLEST``. Shapes of the plan up to ``largest_declared`` are kept."""

    usual: int | None = None
    largest_declared: int = LARGEST_DECLARED

    def size(self, number: int) -> int:
        """The size of the index variable ``number``, counted from 0."""
        return SIZES[number % len(SIZES)] if self.usual is None or number < self.usual else SMALLEST


SHRINKING = (
    *(ExampleSizes(usual) for usual in (None, 3, 2, 1, 0)),
    ExampleSizes(0, SMALLEST),
)
"""The sizes that are tried in turn until a run is short enough to be followed."""


@dataclass(frozen=True, slots=True, eq=False)
class TraceOperands:
    operands: dict[str, Any]
    origins: dict[str, Origin]
    result_shape: Shape


def trace_operands(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    inputs: Mapping[str, object],
    example_sizes: ExampleSizes = SHRINKING[0],
) -> TraceOperands:
    """All operands by name; nothing is made before every size is known to be small.

    Raises
    ------
    CompileError
        ``trace/too-large``, ``runtime/shape-mismatch``, ``runtime/order-mismatch``, ``runtime/unsupported-operand``.
    """
    # What is no operand stays as it is, for the kernel to refuse with the names that it takes.
    operands: dict[str, Any] = dict(inputs)
    known = {
        tensor.name: as_operand(inputs[tensor.name], tensor.name)
        for tensor in signature.inputs
        if tensor.name in inputs
    }
    shapes = {name: tuple(int(size) for size in operand.shape) for name, operand in known.items()}
    for name, shape in shapes.items():
        _check_size(name, shape)
    for name, operand in known.items():
        operands[name] = _convert(operand, signature.tensors[name])
    origins: dict[str, Origin] = dict.fromkeys(known, "given")
    program = assignment.program
    if program is not None and program.call is not None:
        all_shapes = program_shapes(
            plan,
            program,
            shapes,
            tuple(example_sizes.size(number) for number in range(len(SIZES))),
            example_sizes.largest_declared,
        )
        for name, shape in all_shapes.items():
            _check_size(name, shape)
        generated, shape_of_result = program_operands(program, signature, all_shapes, operands, _random)
        return TraceOperands(
            {**operands, **generated}, {**origins, **dict.fromkeys(generated, "random")}, shape_of_result
        )
    sizes = _sizes(plan, assignment, signature, shapes, example_sizes)
    shape_of_result = result_shape(assignment, sizes)
    _check_size(signature.result.name, shape_of_result)
    missing = [tensor for tensor in signature.inputs if tensor.name not in known]
    for tensor in missing:
        _check_size(tensor.name, _shape(tensor, sizes))
    example = _example_operand(signature)
    for tensor in missing:
        shape = _shape(tensor, sizes)
        if tensor is example and shape == np.shape(EXAMPLE):
            operands[tensor.name], origins[tensor.name] = np.array(EXAMPLE, dtype=tensor.dtype), "example"
        else:
            operands[tensor.name], origins[tensor.name] = _random(tensor, shape), "random"
    return TraceOperands(operands, origins, shape_of_result)


def _sizes(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    shapes: Mapping[str, Shape],
    example_sizes: ExampleSizes,
) -> dict[str, int]:
    """The size of every index variable. Variables that one dimension of a tensor ties together have one size."""
    declared = {name: spec.shape for name, spec in plan.tensors.items() if spec.shape is not None}
    known = variable_sizes(assignment, shapes, declared)
    if not shapes:
        known = {variable: size for variable, size in known.items() if size <= example_sizes.largest_declared}
    tied = {variable: variable for variable in index_variables(assignment)}
    all_accesses = [
        access for statement in statements(assignment) for access in (statement.target, *accesses(statement.expression))
    ]
    for left, other in combinations(all_accesses, 2):
        if left.tensor == other.tensor:
            for first, second in zip(left.indices, other.indices, strict=True):
                old, new = tied[second], tied[first]
                tied = {variable: new if group == old else group for variable, group in tied.items()}
    groups = {tied[variable]: size for variable, size in known.items()}
    example = _example_operand(signature)
    if example is not None and example_sizes.usual != 0:
        rows, columns = (tied[variable] for variable in example.indices)
        height, width = np.shape(EXAMPLE)
        if rows != columns and groups.get(rows, height) == height and groups.get(columns, width) == width:
            groups.update({rows: height, columns: width})
    for number, group in enumerate(dict.fromkeys(tied.values())):
        groups.setdefault(group, example_sizes.size(number))
    return {variable: groups[group] for variable, group in tied.items()}


def _example_operand(signature: Signature) -> TensorSignature | None:
    """The first sparse matrix, else the first matrix."""
    matrices = [tensor for tensor in signature.inputs if tensor.order == 2]
    return next((tensor for tensor in matrices if not tensor.format.is_dense), matrices[0] if matrices else None)


def _shape(tensor: TensorSignature, sizes: Mapping[str, int]) -> Shape:
    return tuple(sizes[variable] for variable in tensor.indices)


def _random(tensor: TensorSignature, shape: Shape) -> NDArray[Any]:
    """Whole numbers from 1 to 9, the same for the same name and shape; half of a sparse tensor or more is zeros."""
    generator = np.random.default_rng([SEED, zlib.crc32(tensor.name.encode())])
    values = np.asarray(generator.integers(1, 10, shape))
    if not tensor.format.is_dense:
        zeros = max(int(values.size * (1 - DENSITY)), values.size - MOST_NONZEROS)
        values.reshape(-1)[generator.permutation(values.size)[:zeros]] = 0
    return values.astype(tensor.dtype)


def _convert(operand: Any, tensor: TensorSignature) -> Any:
    """Numbers from JSON have no type of their own: they take the tensor's, when that can hold them."""
    if not isinstance(operand, np.ndarray) or operand.dtype == tensor.dtype:
        return operand
    with np.errstate(all="ignore"):
        converted = operand.astype(tensor.dtype)
    if operand.dtype.kind == "c" or (converted.dtype.kind == "i" and not np.array_equal(converted, operand)):
        return operand  # Packing says what is lost.
    return converted


def _check_size(name: str, shape: Shape) -> None:
    if elements(shape) > MAX_ELEMENTS:
        raise TraceSizeError(
            Diagnostic(
                TOO_LARGE,
                f"{name} has {elements(shape)} elements, too many to follow step by step.",
                Location(Part.INPUT, tensor=name),
                expected=f"at most {MAX_ELEMENTS} elements",
                actual=f"the shape {' × '.join(map(str, shape))}",
                hint=PASS_SMALLER,
            )
        )
