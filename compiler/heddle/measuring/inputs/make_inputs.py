"""The operands of a run: read from files, generated, or filled because the Plan says nothing of them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.measuring.inputs.sizes import require_sizes, unknown_sizes, with_fixed_sizes
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.notation.integers import program_integer
from heddle.notation.nodes import Assignment
from heddle.plan import Plan
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.readers import read_data
from heddle.runtime.memory.buffers import aligned_copy, elements, zeros
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.shapes import result_shape, variable_sizes
from heddle.signature import Signature, TensorSignature

if TYPE_CHECKING:
    from heddle.measuring.schema import RunInput

Shape = tuple[int, ...]
Operand = Entries | NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """``operands`` by name: dense arrays in aligned memory, or sorted entries without duplicates."""

    operands: dict[str, Operand]
    sizes: dict[str, int]
    facts: list[RunInput]


def make_inputs(plan: Plan, assignment: Assignment, signature: Signature, paths: Mapping[str, str]) -> Inputs:
    """All operands of ``plan``. ``paths`` maps the data sets and uploads that it names to files.

    Raises
    ------
    CompileError
        ``input/...`` for files and generators, ``runtime/shape-mismatch``, ``input/unknown-size``.
    """
    _check_only_operands(plan, signature)
    operands = {
        tensor.name: _from_file(paths, tensor, plan.inputs[tensor.name])
        for tensor in signature.inputs
        if tensor.name in plan.inputs and "generator" not in plan.inputs[tensor.name]
    }
    declared = {name: spec.shape for name, spec in plan.tensors.items() if spec.shape is not None}
    for name, source in plan.inputs.items():
        shape = source.get("shape")
        if isinstance(shape, list):
            declared[name] = tuple(int(size) for size in shape)
    shapes = {name: operand.shape for name, operand in operands.items()}
    if assignment.program is not None:
        return of_program(plan, assignment, signature, operands, declared)
    sizes = with_fixed_sizes(plan, assignment, variable_sizes(assignment, shapes, declared))
    require_sizes(signature, sizes)
    for tensor in signature.inputs:
        if tensor.name not in operands:
            filled = {"generator": "dense", "seed": zlib.crc32(tensor.name.encode()) >> 1}
            source = plan.inputs.get(tensor.name, filled)
            shape = tuple(sizes[variable] for variable in tensor.indices)
            operands[tensor.name] = generate(tensor.name, source, shape, tensor.dtype)
    result_shape(assignment, sizes)
    final = {tensor.name: prepare(operands[tensor.name], tensor) for tensor in signature.inputs}
    facts = [facts_of(plan, name, operand) for name, operand in final.items()]
    return Inputs(final, sizes, facts)


def of_program(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    operands: dict[str, Operand],
    declared: Mapping[str, Shape],
) -> Inputs:
    """The operands of a program that names its sizes: from files and shapes to sizes, and from these to the rest.
    Indices of other tensors are drawn among those that exist."""
    program = assignment.program
    assert program is not None
    assert program.call is not None
    sizes: dict[str, int] = dict(program.fixed)
    for name, dimensions in program.operands.items():
        shape = operands[name].shape if name in operands else declared.get(name, ())
        sizes.update({size: number for size, number in zip(dimensions, shape, strict=False) if isinstance(size, str)})
    read = {name: operand for name, operand in program.operands.items() if name not in program.initial}
    unknown = {
        size: name for name, dimensions in reversed(read.items()) for size in dimensions if isinstance(size, str)
    }
    unknown = {size: name for size, name in reversed(unknown.items()) if size not in sizes}
    if unknown:
        raise unknown_sizes(unknown)
    shapes = {
        name: tuple(sizes[size] if isinstance(size, str) else size for size in dimensions)
        for name, dimensions in read.items()
    }
    limits = program.call.limits(shapes)
    for name, shape in shapes.items():
        if name in operands:
            continue
        source = plan.inputs.get(name)
        tensor = signature.tensors[name]
        seed = zlib.crc32(name.encode()) >> 1
        if source is None and name in limits:
            low, high = limits[name]
            operands[name] = np.random.default_rng(seed).integers(low, max(low + 1, high), shape).astype(tensor.dtype)
        else:
            operands[name] = generate(name, source or {"generator": "dense", "seed": seed}, shape, tensor.dtype)
    values = {name: operands[name] for name, size in program.sizes.items() if not isinstance(size, int) and size[1] < 0}
    integers = {name: int(value.item()) for name, value in values.items() if isinstance(value, np.ndarray)}
    result_shapes = program.call.shapes(shapes, integers)
    for name, base in program.initial.items():
        source = {"generator": "dense", "seed": zlib.crc32(base.encode()) >> 1}
        operands[name] = generate(name, source, result_shapes[name], signature.tensors[name].dtype)
    final = {tensor.name: prepare(operands[tensor.name], tensor) for tensor in signature.inputs}
    known = {
        **sizes,
        **integers,
        **{f"{b}.{d}": size for n, b in program.initial.items() for d, size in enumerate(result_shapes[n])},
    }
    extents = {variable: program_integer(formula, known) for variable, formula in program.extents.items()}
    return Inputs(final, extents, [facts_of(plan, name, operand) for name, operand in final.items()])


def _check_only_operands(plan: Plan, signature: Signature) -> None:
    """What the kernel makes takes no data: its entry would count as a size of the result, unseen."""
    operands = [tensor.name for tensor in signature.inputs]
    for name in plan.inputs:
        if name not in operands:
            raise CompileError(
                Diagnostic(
                    "input/not-an-operand",
                    f"{name} is computed by the kernel and takes no data, but the plan has an input for it. Remove the "
                    f"input of {name}.",
                    Location(Part.INPUT, tensor=name),
                    expected="an operand: " + ", ".join(operands),
                    actual=name,
                    candidates=tuple(operands),
                )
            )


def _from_file(paths: Mapping[str, str], tensor: TensorSignature, source: Mapping[str, object]) -> Operand:
    identity = str(source.get("dataset", source.get("upload")))
    return read_entries(paths[identity], tensor.name, tensor.order)


def read_entries(file: str, tensor: str, order: int) -> Entries:
    """The entries of a file for ``tensor``, which has ``order`` dimensions. Raises CompileError ``input/…``."""
    try:
        entries = read_data(Path(file), VERIFIED)
    except CompileError as error:
        raise CompileError(*(_place_at_input(tensor, diagnostic) for diagnostic in error.diagnostics)) from None
    if len(entries.shape) == 2 and order == 1 and 1 in entries.shape:
        # A vector is stored in a file as a matrix of one row or column.
        axis = 0 if entries.shape[1] == 1 else 1
        return Entries((entries.shape[axis],), (entries.columns[axis],), entries.values)
    return entries


def _place_at_input(tensor: str, diagnostic: Diagnostic) -> Diagnostic:
    """The same diagnostic, placed at the input of ``tensor``."""
    return Diagnostic(
        diagnostic.code,
        diagnostic.message,
        Location(Part.INPUT, tensor=tensor),
        expected=diagnostic.expected,
        actual=diagnostic.actual,
        hint=diagnostic.hint,
    )


def prepare(operand: Operand, tensor: TensorSignature) -> Operand:
    """In the tensor's type; dense arrays aligned, entries sorted and summed; dense where the format is."""
    if isinstance(operand, np.ndarray):
        return aligned_copy(operand)
    values = convert(operand.values, tensor.name, tensor.dtype)
    if tensor.format.is_dense:
        array = zeros(elements(operand.shape), tensor.dtype).reshape(operand.shape)
        np.add.at(array, operand.columns, values)
        return array
    return sort_and_sum(Entries(operand.shape, operand.columns, values), tuple(range(tensor.order)))


def convert(values: NDArray[Any], tensor: str, dtype: str) -> NDArray[Any]:
    """The Plan's type decides; only digits of fractions may be rounded, never whole values lost.

    Raises CompileError ``input/not-whole`` or ``input/complex-values``.
    """
    if values.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        raise CompileError(
            Diagnostic(
                code="input/complex-values",
                message=f"{tensor} is {dtype}, but its input holds complex values.",
                location=Location(Part.INPUT, tensor=tensor),
                expected=f"values of type {dtype}",
                actual=values.dtype.name,
                hint=f"Use complex128 for {tensor}, or another input.",
            )
        )
    with np.errstate(all="ignore"):
        converted = values.astype(dtype)
    if np.dtype(dtype).kind in "iub" and not np.array_equal(converted, values):
        raise CompileError(
            Diagnostic(
                code="input/not-whole",
                message=f"{tensor} is {dtype}, but its input has values that this type cannot hold.",
                location=Location(Part.INPUT, tensor=tensor),
                expected=f"values of type {dtype}",
                actual=values.dtype.name,
                hint=f"Use float64 for {tensor}, or another input.",
            )
        )
    return converted


def facts_of(plan: Plan, name: str, operand: Operand) -> RunInput:
    source = plan.inputs.get(name, {})
    arrays = [operand] if isinstance(operand, np.ndarray) else [*operand.columns, operand.values]
    digest = hashlib.sha256(repr(operand.shape).encode())
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    nnz = int(np.count_nonzero(operand)) if isinstance(operand, np.ndarray) else int(operand.values.size)
    return {
        "tensor": name,
        "source": _source(source),
        "shape": list(operand.shape),
        "nnz": nnz,
        "sha256": digest.hexdigest(),
    }


def _source(source: Mapping[str, object]) -> str:
    """Where it came from, for a person."""
    if "dataset" in source:
        return f"dataset {source['dataset']}"
    if "upload" in source:
        return f"upload {str(source['upload'])[:15]}…"
    if "generator" in source:
        rest = ", ".join(f"{key} {value}" for key, value in source.items() if key not in ("generator", "shape"))
        return f"generator {source['generator']}" + (f" ({rest})" if rest else "")
    return "random dense values"
