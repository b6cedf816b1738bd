"""A library of kernels that a test built itself, in the place of those that the cache builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from heddle.runtime.native import cache
from heddle.runtime.native.toolchain import Toolchain


def kernels_in(library: Path) -> Callable[[str, str, Toolchain | None], Path]:
    """A stand-in for ``cache.shared_library``: every kernel is in ``library``. The runtime's own C, which says its
    compiler, is built as usual."""
    build_helper = cache.shared_library

    def find_library(text: str, version: str, compiler: Toolchain | None = None) -> Path:
        return library if compiler is None else build_helper(text, version, compiler)

    return find_library
