"""Conversion of a packed tensor into another format."""

from __future__ import annotations

from compiler.formats.format import Format
from compiler.runtime.packing.pack import pack
from compiler.runtime.tensors.tensor import Tensor


def convert(tensor: Tensor, format: Format | str, name: str = "tensor") -> Tensor:
    """``tensor`` in ``format`` (a :class:`Format` or its text); the very same object when it already is in it.

    Raises:
        CompileError: as :func:`compiler.runtime.packing.pack.pack`.
    """
    return pack(tensor, format, dtype=tensor.dtype, name=name)
