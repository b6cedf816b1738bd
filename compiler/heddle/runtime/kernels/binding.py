"""From the operands that a caller names to packed tensors: names, types, formats and shapes that fit the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from types import MappingProxyType
from typing import NoReturn

import numpy as np

from heddle.conversions import Conversion
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.dtypes import same_fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.notation.nodes import Access, Assignment, operand_accesses
from heddle.runtime.kernels.bound_operands import Guard, require_in_place, require_unconverted, watched_sizes
from heddle.runtime.kernels.direct_operands import direct_operand
from heddle.runtime.packing.convert import is_kept, stored_as
from heddle.runtime.packing.pack import pack_for_call
from heddle.runtime.performance_warnings import performance_diagnostic, spell_count, warn_performance
from heddle.runtime.storage.ownership import Ownership, protect
from heddle.runtime.tensors.composite import parts_of
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.declared_types import suggest_declaration
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.interop.device_operands import not_for
from heddle.runtime.tensors.operand_names import refuse_names
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.result_tensors import empty_tensor
from heddle.runtime.tensors.shapes import Shape, order_mismatch, result_shape, spell, variable_sizes
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import Signature, TensorSignature
from heddle.targets import DEFAULT_TARGET, Feature, target_named

_NUMBERS = bool | int | float | complex | np.generic
"""What is a number that nobody can write."""
# How many shapes and formats of operands a kernel remembers as checked.
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Preparation:
    """An operand was stored otherwise for the kernel, in so many ``seconds``: 0 where it had been done before."""

    conversion: Conversion
    seconds: float


class Binding:
    """What one kernel takes. ``declared`` are the shapes that the Plan demands; what ``conversions`` name is passed as
    declared, and given to the kernel in their formats; ``parts`` are the names by which it takes the summands of an
    operand that is a sum of parts."""

    def __init__(
        self,
        signature: Signature,
        assignment: Assignment,
        declared: Mapping[str, Shape],
        conversions: tuple[Conversion, ...] = (),
        target: str = DEFAULT_TARGET,
        parts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self._conversions = conversions
        self._parts = parts
        self._target = target
        self._assignment = assignment
        self._result = signature.result.name
        self._temporaries = signature.temporaries
        self._operands = {tensor.name: tensor for tensor in signature.inputs}
        self._direct = {tensor.name: direct_operand(tensor) for tensor in signature.inputs}
        self._declared = declared
        self._shapes: dict[tuple[Shape, ...], Shape] = {}
        self._program_results: dict[tuple[object, ...], Mapping[str, Shape]] = {}
        self._fitting: dict[tuple[str, int], Format] = {}

    def packed(self, operands: Mapping[str, object], validate: bool = True) -> dict[str, Tensor]:
        """The operands as the kernel takes them; without ``validate`` the caller vouches for their index arrays."""
        operands, checked = self._options(self._resolve_names(operands))
        validate = validate and checked
        if operands.keys() != self._operands.keys():
            self.refuse_names(operands)
        return self._pack_each(self._operands, operands, validate)

    def _pack_each(
        self, signatures: Mapping[str, TensorSignature], operands: Mapping[str, object], validate: bool
    ) -> dict[str, Tensor]:
        packed: dict[str, Tensor] = {}
        for name, signature in signatures.items():
            operand = operands[name]
            if isinstance(operand, Tensor) and self._fits(operand, signature):
                if validate:
                    operand.validate(name)
                packed[name] = operand
            elif (direct := self._direct[name].take(operand, validate)) is not None:
                packed[name] = direct
                continue
            else:
                with suggest_declaration(signature, self._assignment.program is not None):
                    packed[name] = self._pack(operand, signature, validate)
            if packed[name].resident and Feature.DEVICE_OPERANDS not in target_named(self._target).features:
                raise not_for(self._target, name)
        return packed

    def _options(self, operands: Mapping[str, object]) -> tuple[Mapping[str, object], bool]:
        """The operands alone, and whether to check them: ``validate`` is an option unless an operand is called so."""
        if "validate" not in operands or "validate" in self._operands:
            return operands, True
        named = dict(operands)
        return named, bool(named.pop("validate"))

    def refuse_unnamed(self, count: int) -> OperandError:
        """The refusal of operands without names."""
        names = ", ".join(self._operands)
        return OperandError(
            Diagnostic(
                "runtime/unnamed-operand",
                f"{count} {'operand is' if count == 1 else 'operands are'} passed without a name; "
                f"{spell(self._assignment.target)} takes {names} by name.",
                Location(Part.INPUT),
                expected=names,
                actual=f"{count} without a name",
                hint=f"Write kernel({', '.join(f'{name}={name}' for name in self._operands)}).",
            )
        )

    def takes_option(self, name: str) -> bool:
        """Whether no operand is called like the option."""
        return name not in self._operands

    def packed_in_place(self, operands: Mapping[str, object]) -> dict[str, Tensor]:
        """As :meth:`packed`, for a call whose every run sees the values that the operands have by then.

        Raises
        ------
        OperandError
            ``runtime/bound-copy`` for an operand that had to be copied.
        """
        packed, operands = self.packed(operands), self._resolve_names(self._options(operands)[0])
        self._require_in_place(packed, operands)
        return packed

    def some_packed_in_place(self, operands: Mapping[str, object]) -> dict[str, Tensor] | None:
        """The same for some of the operands; None where all are there, or a name is none of an operand."""
        operands, validate = self._options(self._resolve_names(operands))
        if not operands or not operands.keys() < self._operands.keys():
            return None
        signatures = {name: signature for name, signature in self._operands.items() if name in operands}
        packed = self._pack_each(signatures, operands, validate)
        self._require_in_place(packed, operands)
        return packed

    def _require_in_place(self, packed: Mapping[str, Tensor], operands: Mapping[str, object]) -> None:
        for name, tensor in packed.items():
            require_in_place(operands[name], tensor, self._operands[name])
        for conversion in self._conversions:
            name = conversion.tensor
            if name in packed:
                require_unconverted(packed[name], format_text(conversion.format), self._operands[name])

    def watched_values(self, tensors: Mapping[str, Tensor]) -> Guard | None:
        """A look at the values of ``tensors`` that are sizes, where the caller may write them. Values that are indices
        are looked at by the kernel."""
        program = self._assignment.program
        if program is None:
            return None
        sizes = {source[0] for source in program.sizes.values() if not isinstance(source, int) and source[1] < 0}
        before = [
            (name, tensors[name], tensors[name].item())
            for name in sorted(sizes & tensors.keys())
            if tensors[name].ownership is not Ownership.SNAPSHOT
        ]
        return watched_sizes(before) if before else None

    def _resolve_names(self, operands: Mapping[str, object]) -> Mapping[str, object]:
        """The operands by the names of what the program reads. What a result holds before may be passed by that of the
        result, too."""
        program = self._assignment.program
        if program is None or not program.initial:
            return operands
        initials = {theirs: ours for ours, theirs in program.initial.items()}
        for result, initial in initials.items():
            if result in operands and initial in operands:
                raise _passed_twice(result, initial)
        return {initials.get(name, name): operand for name, operand in operands.items()}

    def prepare(self, packed: Mapping[str, Tensor]) -> tuple[dict[str, Tensor], tuple[Preparation, ...]]:
        """The tensors that the kernel reads, by its names, and what making them took."""
        tensors, done = dict(packed), []
        for tensor, parts in self._parts.items():
            tensors.update(zip(parts, parts_of(tensors.pop(tensor)), strict=True))
        for conversion in self._conversions:
            operand = packed[conversion.tensor]
            reused, start = is_kept(operand, conversion.format), perf_counter()
            tensors[conversion.name] = stored_as(operand, conversion.format, conversion.tensor)
            done.append(Preparation(conversion, 0.0 if reused else perf_counter() - start))
        return tensors, tuple(done)

    def _fits(self, tensor: Tensor, signature: TensorSignature) -> bool:
        """Whether type and format are the signature's; formats found equal are known again by their identity."""
        format = tensor.format
        if tensor.dtype != signature.dtype:
            return False
        if tensor.fill != signature.fill and not (
            signature.format.is_dense or same_fill(tensor.fill, signature.fill, tensor.dtype)
        ):
            return False
        if format is signature.format or self._fitting.get((signature.name, id(format))) is format:
            return True
        if format != signature.format:
            return False
        if len(self._fitting) >= _REMEMBERED:
            self._fitting.clear()
        self._fitting[signature.name, id(format)] = format
        return True

    def _pack(self, operand: object, signature: TensorSignature, validate: bool) -> Tensor:
        name = signature.name
        known = as_operand(operand, name, signature.dtype, validate=validate)
        if len(known.shape) != signature.order:
            raise order_mismatch(self._access(name), tuple(known.shape))
        if isinstance(known, Tensor) and known.format != signature.format:
            wanted, text = format_text(signature.format), format_text(known.format)
            raise OperandError(
                Diagnostic(
                    code="runtime/format-mismatch",
                    message=f"{name} is packed as {text}, but this kernel was compiled for {wanted}.",
                    location=Location(Part.INPUT, tensor=name),
                    expected=wanted,
                    actual=text,
                    hint=f'Convert it once with convert({name}, "{wanted}"), or compile with '
                    f'formats={{"{name}": "{text}"}}.',
                )
            )
        tensor = pack_for_call(known, signature.format, signature.dtype, name, signature.fill)
        if signature.format.is_dense and not isinstance(known, np.ndarray) and signature.order:
            _warn_densified(known, tensor, signature)
        if isinstance(operand, _NUMBERS):
            protect(tensor.vals)
            tensor.ownership = Ownership.SNAPSHOT
        return tensor

    def _access(self, name: str) -> Access:
        accesses = [*operand_accesses(self._assignment), self._assignment.target]
        unread = Access(name, self._operands[name].indices)  # an operand of which only the size is used
        return next((access for access in accesses if access.tensor == name), unread)

    def shapes_over(self, over: str, shapes: Mapping[str, Shape]) -> tuple[Shape, Shape]:
        """The shape of the operand ``over`` and that of the result, from the ``shapes`` of the others.

        Raises
        ------
        OperandError
            ``runtime/unknown-size``, ``runtime/shape-mismatch``.
        """
        sizes = variable_sizes(self._assignment, shapes, self._declared)
        access = self._access(over)
        return result_shape(replace(self._assignment, target=access), sizes), result_shape(self._assignment, sizes)

    def refuse_names(self, operands: Mapping[str, object]) -> NoReturn:
        """Says what is wrong with the names of these operands."""
        refuse_names(operands, {name: self._access(name) for name in self._operands}, self._assignment.target)

    def _program_shapes(self, tensors: Mapping[str, Tensor]) -> Mapping[str, Shape]:
        """The shapes of all results of a program, which looks at the operands itself."""
        program = self._assignment.program
        assert program is not None
        assert program.call is not None
        operand_shapes = {name: tensor.shape for name, tensor in tensors.items()}
        integers = {
            source[0]: int(tensors[source[0]].vals.item())
            for source in program.sizes.values()
            if not isinstance(source, int) and source[1] < 0
        }
        key = *operand_shapes.items(), *integers.items()
        shapes = self._program_results.get(key)
        if shapes is None:  # sizes and integers alone decide what is refused here
            for name, shape in self._declared.items():
                if name in operand_shapes and operand_shapes[name] != shape:
                    variable_sizes(self._assignment, {name: operand_shapes[name]}, {name: shape})
            shapes = program.call.shapes(operand_shapes, integers)
            if len(self._program_results) >= _REMEMBERED:
                self._program_results.clear()
            self._program_results[key] = shapes
        if indices := program.call.indices:
            program.call.check({name: tensors[name].to_numpy() for name in indices}, operand_shapes)
        return shapes

    def shown(self, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Memory for the results of a program beside its last one."""
        program = self._assignment.program
        if program is None or not program.exported:
            return {}
        shapes = self._program_shapes(tensors)
        return {name: empty_tensor(shapes[name], self._temporaries[name]) for name in program.exported}

    def result_shape(self, tensors: Mapping[str, Tensor]) -> Shape:
        key = tuple(tensor.shape for tensor in tensors.values())
        shape = self._shapes.get(key)
        if shape is None:
            program = self._assignment.program
            if program is None:
                shapes = {name: tensor.shape for name, tensor in tensors.items()}
                shape = result_shape(self._assignment, variable_sizes(self._assignment, shapes, self._declared))
            else:
                shape = self._program_shapes(tensors)[self._result]
                if program.looks_at_values:
                    return shape
            if len(self._shapes) >= _REMEMBERED:
                self._shapes.clear()
            self._shapes[key] = shape
        return shape


def _warn_densified(known: object, tensor: Tensor, signature: TensorSignature) -> None:
    """Warns of a sparse operand for which the kernel has no sparse format."""
    entries = known.values.size if isinstance(known, CompressedMatrix | Entries) else None
    if entries is None or entries >= tensor.stored:
        return
    name, format = signature.name, {1: "sparse", 2: "csr"}.get(signature.order, "csf")
    elements = spell_count(tensor.stored)
    warn_performance(
        performance_diagnostic(
            "densified",
            f"{name} is sparse with {spell_count(entries)} entries, and the kernel was compiled for a dense one: each "
            f"call makes an array of {elements} elements, and visits them all.",
            f"{elements} elements instead of {spell_count(entries)} entries",
            f'Compile with formats={{"{name}": "{format}"}} or like={{"{name}": {name}}}, or use hd.evaluate.',
            name,
        )
    )


def _passed_twice(result: str, initial: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/unknown-operand",
            message=f"{result} and {initial} are both passed, and both are what {result} holds before.",
            location=Location(Part.INPUT, tensor=initial),
            expected=f"{initial} alone",
            actual=f"{result} and {initial}",
            hint=f"Leave out {result}.",
        )
    )
