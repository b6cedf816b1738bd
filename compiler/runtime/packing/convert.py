"""Conversion of a packed tensor into another format."""

from __future__ import annotations

from compiler.formats.format import Format
from compiler.runtime.packing.pack import pack
from compiler.runtime.tensors.tensor import Tensor


def convert(tensor: Tensor, format: Format | str, name: str = "tensor") -> Tensor:
    """``tensor`` in ``format`` (a :class:`Format` or its text), with the same shape, dtype and fill; the very same
    object when it already is in it. ``name`` is what messages call it.

    Raises:
        CompileError: as :func:`compiler.runtime.packing.pack.pack`.
    """
    return pack(tensor, format, dtype=tensor.dtype, name=name)


def stored_as(tensor: Tensor, format: Format, name: str = "tensor") -> Tensor:
    """``tensor`` in ``format``, converted once and then kept next to it.

    Raises:
        CompileError: as :func:`convert`.
    """
    if format == tensor.format:
        return tensor
    converted = tensor.conversions.get(format)
    if converted is None:
        converted = tensor.conversions[format] = convert(tensor.on_host(), format, name)
    return converted


def is_kept(tensor: Tensor, format: Format) -> bool:
    """Whether :func:`stored_as` has nothing to convert."""
    return format == tensor.format or format in tensor.conversions
