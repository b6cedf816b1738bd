"""The tensors that arguments are taken from: read or generated as a plan says, stored in their formats, and their
parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.formats.parser import parse_format
from heddle.formats.storage.level_storage import Array
from heddle.measuring.inputs.make_inputs import Operand, prepare, read_entries
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.plan import Plan, TensorSpec
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import TensorSignature

PARTS = ("pos", "crd", "vals", "lengths", "entries")


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A tensor that is there: ``operand`` by its entries, ``stored`` in its format. ``parts`` are its arrays by name;
    ``extents`` says how many coordinates there are of those that a part holds."""

    name: str
    operand: Operand
    stored: Tensor
    parts: dict[str, Array | tuple[Array, Array]]
    extents: dict[str, int] = field(default_factory=dict)


def refusal(
    code: str, message: str, name: str, expected: str, actual: str = "", hint: str | None = None
) -> CompileError:
    return CompileError(
        Diagnostic(code, message, Location(Part.INPUT, tensor=name), expected=expected, actual=actual, hint=hint)
    )


def find_source(
    plan: Plan, name: str, paths: Mapping[str, str], dtype: str, order: int | None, in_parts: bool
) -> Source | None:
    """The tensor ``name`` of ``plan``, whose values are ``dtype`` where the plan does not say; None where nothing says
    how large it is. ``order`` is None where only its data tells.

    Raises
    ------
    CompileError
        ``input/…`` for files and generators, ``format/…``, ``input/argument``.
    """
    spec, input_spec = plan.tensors.get(name, TensorSpec()), plan.inputs.get(name)
    shape = spec.shape
    if input_spec is not None and isinstance(input_spec.get("shape"), list):
        shape = tuple(int(size) for size in input_spec["shape"])  # type: ignore[attr-defined]
    from_file = input_spec is not None and "generator" not in input_spec
    if input_spec is None and (in_parts or shape is None):
        if in_parts:
            hint = f'Add "inputs": {{"{name}": {{"generator": "uniform", "shape": [4096, 4096], "nnz": 65536}}}}.'
            raise refusal(
                "input/argument", f"{name} has no data, and arguments are parts of it.", name, "data", hint=hint
            )
        return None
    if not from_file and shape is None:
        if in_parts:
            raise refusal("input/argument", f"The generator of {name} says no shape.", name, "a shape", "no shape")
        return None
    wanted = spec.dtype or dtype
    operand: Operand
    if from_file:
        assert input_spec is not None
        operand = read_entries(paths[str(input_spec.get("dataset", input_spec.get("upload")))], name, order or 0)
    else:
        assert shape is not None
        operand = generate(name, input_spec or {"generator": "dense", "seed": seed_of(name)}, shape, wanted)
    return stored_source(name, operand, spec, wanted, in_parts)


def seed_of(name: str) -> int:
    import zlib

    return zlib.crc32(name.encode()) >> 1


def stored_source(name: str, operand: Operand, spec: TensorSpec, dtype: str, in_parts: bool) -> Source:
    order = len(operand.shape)
    format_text = spec.format or ({1: "sparse", 2: "csr"}.get(order, "csf") if in_parts else "dense")
    format = parse_format(format_text, order, name)
    if not in_parts and not format.is_dense:
        raise refusal(
            "input/argument",
            f"{name} is {format_text}, and an argument is one array: take a part of it, as {name}.vals.",
            name,
            "a part: " + ", ".join(f"{name}.{part}" for part in PARTS),
            name,
        )
    indices = tuple(f"i{number}" for number in range(order))
    stored_operand = prepare(operand, TensorSignature(name, indices, format, dtype, fill=spec.fill))
    tensor = pack(stored_operand, format, dtype, name, spec.fill)
    return _with_parts(name, stored_operand, tensor)


def _with_parts(name: str, operand: Operand, tensor: Tensor) -> Source:
    """The arrays of levels by role, with the number of the level where several have one of that role."""
    parts: dict[str, Array | tuple[Array, Array]] = {"vals": _shape_values(tensor)}
    extents: dict[str, int] = {}
    arrays = {key: array for key, array in tensor.arrays().items() if key[1]}
    sizes = tensor.format.level_sizes(tensor.shape)
    for (role, level), array in arrays.items():
        alone = sum(array_role == role for array_role, _ in arrays) == 1
        for part in (role, f"{role}{level}") if alone else (f"{role}{level}",):
            parts[part] = _in_slots(tensor, _in_range(array, sizes[level - 1])) if role == "crd" else array
            if role == "crd":
                extents[part] = sizes[level - 1]
    if isinstance(parts.get("pos"), np.ndarray):
        parts["lengths"] = np.diff(parts["pos"])
    crd, vals = parts.get("crd"), parts["vals"]
    if isinstance(crd, np.ndarray) and isinstance(vals, np.ndarray) and crd.shape == vals.shape:
        parts["entries"] = (crd, vals)
        extents["entries"] = extents["crd"]
    return Source(name, operand, tensor, parts, extents)


def _shape_values(tensor: Tensor) -> Array:
    """The values: of a dense tensor by dimension, of blocks by position and inside of the block, of rows of slots by
    row."""
    sizes, levels = tensor.format.level_sizes(tensor.shape), tensor.format.levels
    last = max((number for number, level in enumerate(levels) if level.kind != "dense"), default=None)
    if last is None:
        return tensor.vals.reshape(sizes)
    inner = sizes[last + 1 :]
    return tensor.vals.reshape(-1, *inner) if inner else _in_slots(tensor, tensor.vals)


def _in_range(columns: Array, size: int) -> Array:
    """Unused slots, whose values are 0, at column 0: an argument has only columns that exist."""
    outside = columns >= size
    return np.where(outside, 0, columns).astype(columns.dtype) if outside.any() else columns


def _in_slots(tensor: Tensor, array: Array) -> Array:
    levels = tensor.format.levels
    if [level.kind for level in levels] == ["dense", "padded"]:
        rows = tensor.format.level_sizes(tensor.shape)[0]
        return array.reshape(rows, array.size // rows if rows else 0)
    return array


def part_of(source: Source, part: str, parameter: str) -> Array | tuple[Array, Array]:
    """Raises CompileError ``input/argument`` for a part that the format does not have."""
    array = source.parts.get(part)
    if array is not None:
        return array
    text = f"{source.name}.{part}"
    has = ", ".join(f"{source.name}.{part}" for part in source.parts)
    candidates = nearest(part, tuple(source.parts))
    hint = f"Did you mean {source.name}.{candidates[0]}?" if candidates else None
    raise refusal(
        "input/argument", f"{parameter} takes {text}, and {source.name} has {has}.", source.name, has, text, hint
    )
