"""Kernels of sampled tests: three of four are built without optimisation, in half the time, where only their results
are looked at. Which ones the seed of the sample draws (tests/combinations.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from compiler.runtime.native import cache, toolchain

FOLDERS = ("cases", "differential", "errors", "fuzz", "golden", "regressions")
"""Of tests/: those that compare results. The others look at machine code, flags, times or the cache as well."""

Build = Callable[[str, str, toolchain.Toolchain | None], Path]


def built(
    build: Build, seed: str, text: str, generator_version: str, compiler: toolchain.Toolchain | None = None
) -> Path:
    """The library of C ``text``: as users get it where that is drawn or in the cache, else without optimisation."""
    compiler = compiler or toolchain.discover()
    drawn = hashlib.sha256(f"{seed} {text}".encode()).digest()[0] % 4 == 0
    if drawn or compiler.name != "gcc":
        return build(text, generator_version, compiler)
    there = cache.lookup(cache.key_of(text, generator_version, compiler))
    if there is not None:
        return there
    flags = tuple("-O0" if flag == "-O3" else flag for flag in compiler.flags)
    return build(text, generator_version, replace(compiler, flags=flags))
