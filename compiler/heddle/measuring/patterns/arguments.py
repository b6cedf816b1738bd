"""The arguments of a program of patterns in a run: taken from tensors where its plan says so, else made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.inputs.make_inputs import facts_of
from heddle.measuring.inputs.sizes import size_conflict, unknown_sizes
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.measuring.patterns.sources import Source, find_source, part_of, refusal, seed_of, stored_source
from heddle.patterns.derived import argument_of
from heddle.patterns.lowering.parameters import Buffer
from heddle.patterns.program import Lowered
from heddle.patterns.proposals import propose
from heddle.patterns.typing.claims import InRange, Permutation, arrays_asked
from heddle.patterns.typing.types import ArrayType, Type
from heddle.plan import Plan, TensorSpec
from heddle.runtime.patterns.flat import Told, flatten
from heddle.runtime.patterns.solve import solved_so_far
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.walk import arrays_of, free_names

if TYPE_CHECKING:
    from heddle.measuring.schema import RunInput


@dataclass(slots=True, eq=False)
class Arguments:
    """``values`` by parameter, as a call takes them; ``sources`` the tensors that they are taken from."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    facts: list[RunInput] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Making:
    plan: Plan
    lowered: Lowered
    paths: Mapping[str, str]
    arguments: Arguments = field(default_factory=Arguments)
    told: list[Told] = field(default_factory=list)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def buffers(self, parameter: str) -> list[Buffer]:
        return [buffer for buffer in self.lowered.buffers if buffer.parameter == parameter]

    def give(self, parameter: str, value: Any) -> None:
        """``value`` for ``parameter``, and what its shape tells."""
        self.arguments.values[parameter] = value
        for buffer in self.buffers(parameter):
            component = value
            for number in buffer.path:
                component = component[number - 1]
            flat = flatten(buffer, component)
            self.arrays.update(flat.arrays)
            self.told += flat.told
            if isinstance(flat.scalar, int):
                self.known[buffer.fields[0][1]] = flat.scalar


def make_arguments(plan: Plan, lowered: Lowered, paths: Mapping[str, str]) -> Arguments:
    """An argument for each parameter. ``paths`` maps the data sets and uploads that the plan names to files.

    Raises
    ------
    CompileError
        ``input/…`` for files, generators and parts that are not there, and for what nothing says.
    """
    making = _Making(plan, lowered, paths)
    program, derived_arrays = lowered.program, lowered.program.derivations
    argument_texts = {name: argument_of(name, plan.arguments, derived_arrays) for name, _ in lowered.program.types}
    wanted = {name: texts[0] for name, texts in argument_texts.items()}
    _check_used(plan, {**wanted, **{text: text for texts in argument_texts.values() for text in texts[1:]}})
    late: list[str] = []
    for parameter, type in program.types:
        if parameter in program.integers and parameter in plan.sizes:
            making.give(parameter, plan.sizes[parameter])
            continue
        values = [_value(making, text, parameter, type, argument_texts) for text in argument_texts[parameter]]
        if any(value is None for value in values):
            late.append(parameter)
        else:
            making.give(parameter, values[0] if len(values) == 1 else tuple(values))
    _learn_from_columns(making, wanted)
    _fix_sizes(making)
    _require_sizes(making, late)
    for parameter in late:
        _make(making, parameter, wanted[parameter])
    if any(array.shape for array in derived_arrays):  # nothing but the matrix tells how many columns it has
        making.arguments.values.update(_sizes(making))
    making.arguments.facts = [facts_of(plan, name, source.operand) for name, source in making.arguments.sources.items()]
    return making.arguments


def _check_used(plan: Plan, wanted: Mapping[str, str]) -> None:
    used = {text.partition(".")[0] for text in wanted.values()}
    for name in (*plan.inputs, *plan.tensors):
        if name not in used:
            raise refusal(
                "input/not-an-argument",
                f"The plan has data for {name}, which no parameter takes: its arguments say "
                + ", ".join(f"{parameter} = {text}" for parameter, text in wanted.items())
                + ".",
                name,
                "one of " + ", ".join(sorted(used)),
                name,
            )


def _value(
    making: _Making, text: str, parameter: str, type: Type, argument_texts: Mapping[str, tuple[str, ...]]
) -> Any:
    """What ``text`` of a plan names, None where nothing says how large it is."""
    name, _, part = text.partition(".")
    in_parts = any(text.startswith(f"{name}.") for texts in argument_texts.values() for text in texts)
    source = _source(making, name, type, in_parts)
    if source is None:
        return None
    return part_of(source, part, parameter) if part else source.parts["vals"]


def _levels(type: Type) -> list[ArrayType]:
    levels: list[ArrayType] = []
    while isinstance(type, ArrayType):
        levels.append(type)
        type = type.element
    return levels


def _source(making: _Making, name: str, type: Type, in_parts: bool) -> Source | None:
    if name in making.arguments.sources:
        return making.arguments.sources[name]
    order = 2 if in_parts else len(_levels(type))
    source = find_source(making.plan, name, making.paths, _dtype(making, name), order, in_parts)
    if source is not None:
        making.arguments.sources[name] = source
    return source


def _dtype(making: _Making, name: str) -> str:
    """Of the values of a tensor: what the parameter has that takes them."""
    for parameter, _ in making.lowered.program.types:
        texts = argument_of(parameter, making.plan.arguments, making.lowered.program.derivations)
        if any(text in (name, f"{name}.vals", f"{name}.entries") for text in texts):
            return [field for buffer in making.buffers(parameter) for field, _ in buffer.fields][-1].dtype
    return "float64"


def _learn_from_columns(making: _Making, wanted: Mapping[str, str]) -> None:
    """What is indexed by the columns of a matrix has as many elements as the matrix has columns, unless something else
    says how many."""
    for claim in making.lowered.claims:
        if isinstance(claim, InRange):
            name, _, part = wanted.get(claim.array, "").partition(".")
            source = making.arguments.sources.get(name)
            extent = source.extents.get(part) if source is not None else None
            if extent is not None:
                making.told.append(Told(claim.size, extent, claim.array, "columns"))


def _sizes(making: _Making) -> dict[str, int]:
    return {**solved_so_far(making.lowered.program.sizes, making.known, making.told), **making.known}


def _fix_sizes(making: _Making) -> None:
    """The sizes that the plan fixes. A size that an argument has is that of the argument and no other."""
    told = _sizes(making)
    for name in making.lowered.program.sizes:
        fixed = making.plan.sizes.get(name)
        if fixed is None:
            continue
        if told.get(name, fixed) != fixed:
            raise size_conflict(name, fixed, told[name])
        making.known[name] = fixed
        making.arguments.values[name] = fixed


def _require_sizes(making: _Making, late: Sequence[str]) -> None:
    """Every size that the arguments still to be made need, all that are unknown in one answer."""
    sizes, program = _sizes(making), making.lowered.program
    unknown = {parameter: parameter for parameter in late if parameter in program.integers}
    for parameter in late:
        for buffer in making.buffers(parameter):
            for name in sorted(free_names(buffer.records) & set(program.numbers) - sizes.keys()):
                unknown.setdefault(name, parameter)
    of_matrix = next((parameter for parameter in late if _decides_lengths(making, parameter)), None)
    if unknown and of_matrix is not None:
        raise _untold(making, of_matrix, f"nothing says how much {next(iter(unknown))} is")
    if unknown:
        raise unknown_sizes({name: unknown[name] for name in program.numbers if name in unknown})


def _make(making: _Making, parameter: str, source: str) -> None:
    """An argument that nothing says the size of but the others."""
    type = dict(making.lowered.program.types)[parameter]
    sizes = _sizes(making)
    buffers = making.buffers(parameter)
    if len(buffers) > 1:
        raise _untold(making, parameter, "it is a pair of arrays")
    (buffer,) = buffers
    dtypes = [field.dtype for field, _ in buffer.fields]
    shape = _shape(making, buffer, type, sizes)
    if source in making.plan.inputs:
        operand: Any = generate(source, making.plan.inputs[source], shape, dtypes[0])
    elif len(dtypes) > 1 or _decides_lengths(making, parameter):
        raise _untold(making, parameter, "nothing says what its numbers are")
    else:
        operand = _positions(making, parameter, shape, sizes)
        if operand is None:
            operand = generate(source, {"generator": "dense", "seed": seed_of(source)}, shape, dtypes[0])
        else:
            operand = operand.astype(dtypes[0])
    spec = making.plan.tensors.get(source, TensorSpec())
    tensor_source = stored_source(source, operand, spec, spec.dtype or dtypes[0], False)
    making.arguments.sources[source] = tensor_source
    making.give(parameter, tensor_source.parts["vals"])


def _decides_lengths(making: _Making, parameter: str) -> bool:
    """Whether lengths are made of its elements, so that any numbers will not do."""
    lowered = making.lowered
    asked = {name for claim in lowered.claims for name in arrays_asked(claim)}
    asked |= {name for buffer in lowered.buffers for name in arrays_of(buffer.records)}
    return any(name in asked for buffer in making.buffers(parameter) for _, name in buffer.fields)


def _positions(
    making: _Making, parameter: str, shape: tuple[int, ...], sizes: Mapping[str, int]
) -> NDArray[np.int64] | None:
    """Elements of a parameter of positions, drawn from those that there are; None where it holds other numbers."""
    random = np.random.default_rng(seed_of(parameter))
    claims = [
        claim
        for claim in making.lowered.claims
        if isinstance(claim, InRange | Permutation)
        and claim.array == parameter
        and free_names(claim.size) <= sizes.keys()
        and arrays_of(claim.size) <= making.arrays.keys()
    ]
    if any(isinstance(claim, Permutation) for claim in claims):
        return random.permutation(math.prod(shape)).reshape(shape)
    bounds = [int(evaluate(claim.size, sizes, making.arrays)) for claim in claims if not getattr(claim, "path", ())]
    return random.integers(0, max(min(bounds), 1), shape) if bounds else None


def _shape(making: _Making, buffer: Buffer, type: Type, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Of a flat array where its rows have different lengths."""
    levels = _levels(type)
    lengths = [buffer.records] if any(level.ragged for level in levels) else [level.size for level in levels]
    for length in lengths:
        missing = (free_names(length) - sizes.keys()) | (arrays_of(length) - making.arrays.keys())
        if missing:
            raise _untold(making, buffer.parameter, f"nothing says how much {min(missing)} is")
    return tuple(int(evaluate(length, sizes, making.arrays)) for length in lengths)


def _untold(making: _Making, parameter: str, why: str) -> Exception:
    parts = {name: text for name, text in propose(making.lowered.program).items() if name != text}
    said = ", ".join(f"{name} = {text}" for name, text in parts.items())
    return refusal(
        "input/no-argument",
        f"{parameter} has no argument: {why}.",
        parameter,
        f"an input for {parameter}, or a part of a matrix",
        hint=f"Take the arguments from a matrix (on the page, or as arguments of a plan): {said}."
        if parts
        else f"Choose an input for {parameter}.",
    )
