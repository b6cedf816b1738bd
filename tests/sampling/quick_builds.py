"""Kernels of sampled tests: seven of eight are built without optimisation where only results are looked at.

gcc and zig then take less than half the time, Intel's OpenCL a quarter. The seed of the sample draws which kernels are
built as users get them (tests/sampling/combinations.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from heddle.runtime.devices.opencl_devices import OpenClDevice
from heddle.runtime.native import cache, toolchain

_OF_THE_COMPILER = (
    "algorithms",
    "comprehensions",
    "explorer",
    "iteration_graph",
    "loop_ir",
    "lowering",
    "patterns",
    "schedule",
    "tuning",
)
FOLDERS = (
    *("benchmarks", "cases", "differential", "documents", "errors", "fuzz", "golden", "peers", "regressions"),
    *(f"compiler/{folder}" for folder in _OF_THE_COMPILER),
)
"""Of tests/: those that compare results. The others look at machine code, flags or the cache as well."""

QUICK = ("gcc", "zig cc")
"""The compilers that are known to be quicker without optimisation, and as strict."""

INTEL = "Intel(R) OpenCL"
"""The platform whose builds are quick without optimisation; PoCL then takes twice as long."""

ONE_IN = 8
"""So many kernels are there to one that is built as users get it."""

Build = Callable[[str, str, toolchain.Toolchain | None], Path]


Options = Callable[[OpenClDevice, str, str], list[str]]


def only_compares(file: Path) -> bool:
    """Whether the tests of this file, relative to tests/, look at nothing but results of kernels."""
    return any(file.is_relative_to(folder) for folder in FOLDERS)


def drawn(seed: str, text: str) -> bool:
    """Whether this kernel is built as users get it."""
    return hashlib.sha256(f"{seed} {text}".encode()).digest()[0] % ONE_IN == 0


def built(
    build: Build, seed: str, text: str, generator_version: str, compiler: toolchain.Toolchain | None = None
) -> Path:
    """The library of C ``text``: as users get it where that is drawn or in the cache, else without optimisation."""
    compiler = compiler or toolchain.discover()
    if drawn(seed, text) or compiler.name not in QUICK:
        return build(text, generator_version, compiler)
    there = cache.lookup(cache.key_of(text, generator_version, compiler))
    if there is not None:
        return there
    flags = tuple("-O0" if flag == "-O3" else flag for flag in compiler.flags)
    return build(text, generator_version, replace(compiler, flags=flags))


def build_options(usual: Options, seed: str, device: OpenClDevice, text: str, standard: str) -> list[str]:
    """Those of an OpenCL program: without optimisation where that is quick and the text is not drawn."""
    quick = device.platform == INTEL and not drawn(seed, text)
    return [*usual(device, text, standard), *(["-cl-opt-disable"] if quick else [])]
