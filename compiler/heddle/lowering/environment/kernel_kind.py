"""What a kernel computes of a sparse result: its pattern, its values, or both."""

from __future__ import annotations

from enum import Enum, auto


class KernelKind(Enum):
    """Of a kernel, or of one pass over its loops (Kjolstad et al. 2017, section 6: *assemble* and *compute*)."""

    EVALUATE = auto()
    """Find the coordinates of the result and compute its values."""
    ASSEMBLE = auto()
    """Find the coordinates alone: the first of two passes counts them."""
    COMPUTE = auto()
    """Compute values at coordinates that the result has already."""
