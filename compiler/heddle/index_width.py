"""How wide positions and coordinates are: 32 bits where they fit, which halves what sparse kernels read of them.

Every tensor has one width for all its ``pos`` and ``crd`` arrays. A kernel is lowered for given widths; the runtime
keeps one variant for each set of tensors with 64 bits that it meets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heddle.signature import Signature

NARROW, WIDE = "int32", "int64"
LARGEST_NARROW = 2**31 - 1


def needs_wide(numbers: Iterable[int]) -> bool:
    """Whether one of these sizes or counts does not fit into the narrow type."""
    return any(number > LARGEST_NARROW for number in numbers)


def index_dtype(wide: bool) -> str:
    return WIDE if wide else NARROW


def wide_tensors(shapes: Mapping[str, Iterable[int] | None], signature: Signature) -> frozenset[str]:
    """The tensors with index arrays whose ``shapes`` say already that they need 64 bits."""
    return frozenset(
        name
        for name, tensor in signature.tensors.items()
        if not tensor.format.is_dense and needs_wide(shapes.get(name) or ())
    )
