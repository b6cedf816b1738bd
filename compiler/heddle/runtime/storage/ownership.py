"""Who else may write the memory of a tensor: what decides whether it is shared, copied or remembered."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

import numpy as np


class Ownership(Enum):
    """Whose the arrays of a tensor are. Nobody writes index arrays through a tensor: those that it owns are
    read-only."""

    BORROWED = auto()
    """The caller's memory, whose values may change at any time: nothing that is computed of them outlives a call."""
    RESULT = auto()
    """A result's: the values belong to whoever holds the tensor, and may be written."""
    SNAPSHOT = auto()
    """Read-only, values as well: what is computed of them may be kept."""


def protect(array: Any) -> Any:
    """``array`` itself, read-only from now on. The memory of a GPU has no such flag, and stays as it is."""
    if isinstance(array, np.ndarray):
        array.setflags(write=False)
    return array
