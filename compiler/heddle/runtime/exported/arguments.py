"""The arguments of an exported function: how C declares them, and what each is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heddle.codegen.support import C_TYPES
from heddle.formats.printer import format_text
from heddle.loop_ir.dtypes import COMPLEX
from heddle.loop_ir.nodes import Function, Parameter, ParameterKind
from heddle.runtime.exported.sample import ConvertedFormats
from heddle.signature import TensorSignature

_ROLES = {
    "pos": "where the entries of each position above begin, and where the last ones end",
    "crd": "the coordinate of each position",
    "mask": "a byte for each coordinate, 1 where an entry is stored",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """``declaration`` is what stands in the C text, with ``restrict``; ``name`` the last word of it."""

    parameter: Parameter
    declaration: str

    @property
    def name(self) -> str:
        """What the argument is called in C."""
        return self.declaration.split()[-1]

    @property
    def c_type(self) -> str:
        """The type of one element, or of the value."""
        parameter = self.parameter
        return C_TYPES[parameter.array.dtype if parameter.array is not None else parameter.dtype]

    @property
    def prototype(self) -> str:
        """The declaration for C and C++."""
        plain = self.declaration.replace(" restrict", "")
        dtype = self.parameter.dtype if self.parameter.array is None else self.parameter.array.dtype
        return plain.replace(C_TYPES[dtype], f"heddle_{dtype}") if dtype in COMPLEX else plain


def read_arguments(function: Function, text: str) -> tuple[Argument, ...]:
    """The arguments in the order of the call, from the C ``text`` of ``function``."""
    start = text.rindex(f"int32_t {function.name}(") + len(f"int32_t {function.name}(")
    declarations = [" ".join(part.split()) for part in text[start : text.index(") {", start)].split(",")]
    return tuple(Argument(*pair) for pair in zip(function.parameters, declarations, strict=bool(function.parameters)))


def describe_arguments(
    arguments: Sequence[Argument], tensors: Sequence[TensorSignature], converted: ConvertedFormats
) -> Iterator[str]:
    """One line for each argument."""
    by_name = {tensor.name: tensor for tensor in tensors}
    width = max((len(argument.name) for argument in arguments), default=0)
    for argument in arguments:
        yield f"{argument.name:<{width}}  {_describe(argument.parameter, by_name, converted)}"


def _describe(parameter: Parameter, tensors: dict[str, TensorSignature], converted: ConvertedFormats) -> str:
    name = parameter.tensor
    tensor = tensors.get(name)
    stored = converted.get(name) or (None if tensor is None else format_text(tensor.format))
    match parameter.kind:
        case ParameterKind.DIMENSION:
            assert parameter.dimension is not None
            index = ""
            if tensor is not None and parameter.dimension < len(tensor.indices):
                index = f", which {tensor.indices[parameter.dimension]} counts"
            return f"size of dimension {parameter.dimension + 1} of {name}{index}"
        case ParameterKind.SCALAR:
            return f"the value of {name}"
        case ParameterKind.ARRAY:
            assert parameter.array is not None
            role = parameter.array.role.value
            what = f"{name} ({stored})" if stored else name
            if role == "vals":
                text = f"{what}: values in storage order"
            else:
                text = f"{what}, level {parameter.array.level}: {_ROLES.get(role, role)}"
            if parameter.allocated:
                return f"{text}; set to memory for the caller to free()"
            return f"{text}; written" if parameter.output else text
        case _:
            raise TypeError(f"unexpected parameter {parameter!r}")
