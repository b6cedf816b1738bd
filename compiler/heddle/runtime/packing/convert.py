"""Conversion of a packed tensor into another format."""

from __future__ import annotations

from heddle.formats.format import Format
from heddle.runtime.packing.pack import pack
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import require_kind


def convert(tensor: Tensor, format: Format | str, name: str = "tensor") -> Tensor:
    """``tensor`` in another format, with the same shape, dtype and fill.

    Parameters
    ----------
    tensor
        packed, or the result of a kernel.
    format
        a :class:`Format` or its text.
    name
        what messages call the tensor.

    Returns
    -------
    Tensor
        A snapshot; the very same object when it is a snapshot in that format.

    Raises
    ------
    CompileError
        as :func:`heddle.runtime.packing.pack.pack`.
    """
    require_kind(tensor, Tensor, "what is converted", "a heddle Tensor, as hd.pack makes it")
    return pack(tensor, format, dtype=tensor.dtype, name=name)


def stored_as(tensor: Tensor, format: Format, name: str = "tensor") -> Tensor:
    """``tensor`` in ``format``. A snapshot is converted once, and the conversion is kept next to it; the values of any
    other tensor may have changed since the last time.

    Raises
    ------
    CompileError
        as :func:`convert`.
    """
    if format == tensor.format:
        return tensor
    converted = tensor.conversions.get(format)
    if converted is None:
        converted = convert(tensor.on_host(), format, name)
        if tensor.ownership is Ownership.SNAPSHOT:
            tensor.conversions[format] = converted
    return converted


def is_kept(tensor: Tensor, format: Format) -> bool:
    """Whether :func:`stored_as` has nothing to convert."""
    return format == tensor.format or format in tensor.conversions
