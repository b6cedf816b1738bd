"""The compiled libraries of a saved kernel, by the C text that each was made of."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.memory.c_types import c_types
from heddle.runtime.native import threads, toolchain


def text_digest(text: str) -> str:
    """What the library of C ``text`` is called in a file."""
    return hashlib.sha256(text.encode()).hexdigest()[:40]


@dataclass(frozen=True)
class SavedLibraries:
    """``kernels`` by :func:`text_digest`; ``pool`` is the library of the threads that they are linked with, if any, and
    ``pool_name`` what they call it."""

    kernels: Mapping[str, bytes] = field(repr=False)
    pool: bytes | None = field(default=None, repr=False)
    pool_name: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return SavedLibraries, (dict(self.kernels), self.pool, self.pool_name)

    def path_of(self, text: str) -> Path | None:
        """The library of ``text`` as a file that can be loaded, its threads before it; None where it was not saved."""
        digest = text_digest(text)
        if digest not in self.kernels:
            return None
        path = self._folder / f"{digest}.so"
        if not path.exists():
            path.write_bytes(self.kernels[digest])
        return path

    @cached_property
    def _folder(self) -> Path:
        """Of this process alone, and gone with it."""
        folder = Path(tempfile.mkdtemp(prefix="heddle-saved-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        if self.pool is not None and not _has_threads(self.pool_name):
            pool = folder / f"{self.pool_name}.so"
            pool.write_bytes(self.pool)
            try:
                threads.SAVED.take(c_types().CDLL(str(pool)))
            except OSError as error:
                raise refuse_library(error) from None
        return folder


def _has_threads(name: str) -> bool:
    """Whether the threads of this process are those that a kernel asks for by ``name``: they are loaded then."""
    try:
        threads.runtime()
        return toolchain.discover().openmp == toolchain.POOL and toolchain.pool_name() == name
    except CompileError:
        return False


def refuse_library(error: OSError) -> CompileError:
    """The error where the system does not take a library of the file."""
    return CompileError(
        Diagnostic(
            code="runtime/saved-elsewhere",
            message=f"The saved kernel cannot be loaded on this system: {error}",
            expected="the C library and the OpenMP that it was linked with",
            actual="a system without them",
            hint="Save it on a system like this one, or compile its plan here: hd.compile.",
        )
    )
