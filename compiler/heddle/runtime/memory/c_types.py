"""Python's ctypes, imported when C is first called: programs that only interpret kernels run without it."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def c_types() -> Any:
    """The module ``ctypes``.

    Raises
    ------
    ImportError
        This Python has none. Whoever discovered a C compiler before never meets it.
    """
    import ctypes

    return ctypes
