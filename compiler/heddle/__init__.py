"""Heddle's compiler: sparse tensor algebra from index notation, formats and a schedule to checked, fast kernels.

``import heddle as hd``::

    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule="split(i, i0, i1, 32)")
    y = kernel(A=matrix, x=vector).to_numpy()

Everything heavy (NumPy, SciPy, the grammar, the toolchain) is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heddle.algorithms.calls import cp_als, cp_apr, cp_opt
    from heddle.algorithms.decompose import Decomposition
    from heddle.algorithms.decompose import run_algorithm as run
    from heddle.diagnostics import (
        CompileError,
        Diagnostic,
        HeddleError,
        InternalError,
        OperandError,
        PerformanceWarning,
    )
    from heddle.library import cache as cache
    from heddle.library.arrays.reductions import topk
    from heddle.library.arrays.shapes import broadcast_to, concatenate, reshape, stack, transpose
    from heddle.library.asarray import asarray
    from heddle.library.benchmarks.benchmark import benchmark
    from heddle.library.benchmarks.records import Benchmark
    from heddle.library.benchmarks.sweep import sweep
    from heddle.library.benchmarks.sweep_result import Sweep
    from heddle.library.compile import compile
    from heddle.library.einsum.evaluate import einsum, evaluate
    from heddle.library.legal import legal
    from heddle.library.load import load
    from heddle.library.lower import lower
    from heddle.library.refill import refill
    from heddle.library.sharing import embed_html, share
    from heddle.library.suggestion import suggest
    from heddle.plan import Plan
    from heddle.result import CompileResult
    from heddle.runtime.data_files.read import read
    from heddle.runtime.data_files.write import write
    from heddle.runtime.kernels.kept_coordinates import Stationary
    from heddle.runtime.kernels.kernel import Kernel
    from heddle.runtime.native.threads import get_num_threads, set_num_threads, threads
    from heddle.runtime.packing.convert import convert
    from heddle.runtime.packing.pack import pack
    from heddle.runtime.patterns.kernel import PatternKernel
    from heddle.runtime.tensors.composite import validate
    from heddle.runtime.tensors.tensor import Tensor

    __version__: str


__all__ = [
    "Benchmark",
    "CompileError",
    "CompileResult",
    "Decomposition",
    "Diagnostic",
    "HeddleError",
    "InternalError",
    "Kernel",
    "OperandError",
    "PatternKernel",
    "PerformanceWarning",
    "Plan",
    "Stationary",
    "Sweep",
    "Tensor",
    "asarray",
    "benchmark",
    "broadcast_to",
    "compile",
    "concatenate",
    "convert",
    "cp_als",
    "cp_apr",
    "cp_opt",
    "einsum",
    "embed_html",
    "evaluate",
    "legal",
    "load",
    "get_num_threads",
    "lower",
    "pack",
    "read",
    "refill",
    "reshape",
    "run",
    "set_num_threads",
    "share",
    "stack",
    "suggest",
    "sweep",
    "threads",
    "topk",
    "transpose",
    "validate",
    "write",
    "__version__",
]

_HOMES = {
    "__version__": "heddle.version:VERSION",
    "CompileError": "heddle.diagnostics",
    "Diagnostic": "heddle.diagnostics",
    "HeddleError": "heddle.diagnostics",
    "InternalError": "heddle.diagnostics",
    "OperandError": "heddle.diagnostics",
    "PerformanceWarning": "heddle.diagnostics",
    "asarray": "heddle.library.asarray",
    "Benchmark": "heddle.library.benchmarks.records",
    "benchmark": "heddle.library.benchmarks.benchmark",
    "cache": "heddle.library.cache:",
    "broadcast_to": "heddle.library.arrays.shapes",
    "concatenate": "heddle.library.arrays.shapes",
    "compile": "heddle.library.compile",
    "einsum": "heddle.library.einsum.evaluate",
    "embed_html": "heddle.library.sharing",
    "share": "heddle.library.sharing",
    "evaluate": "heddle.library.einsum.evaluate",
    "PatternKernel": "heddle.runtime.patterns.kernel",
    "Plan": "heddle.plan",
    "CompileResult": "heddle.result",
    "legal": "heddle.library.legal",
    "load": "heddle.library.load",
    "lower": "heddle.library.lower",
    "Kernel": "heddle.runtime.kernels.kernel",
    "Tensor": "heddle.runtime.tensors.tensor",
    "Stationary": "heddle.runtime.kernels.kept_coordinates",
    "pack": "heddle.runtime.packing.pack",
    "refill": "heddle.library.refill",
    "reshape": "heddle.library.arrays.shapes",
    "stack": "heddle.library.arrays.shapes",
    "suggest": "heddle.library.suggestion",
    "Sweep": "heddle.library.benchmarks.sweep_result",
    "sweep": "heddle.library.benchmarks.sweep",
    "topk": "heddle.library.arrays.reductions",
    "transpose": "heddle.library.arrays.shapes",
    "read": "heddle.runtime.data_files.read",
    "write": "heddle.runtime.data_files.write",
    "convert": "heddle.runtime.packing.convert",
    "get_num_threads": "heddle.runtime.native.threads",
    "set_num_threads": "heddle.runtime.native.threads",
    "threads": "heddle.runtime.native.threads",
    "validate": "heddle.runtime.tensors.composite",
    "Decomposition": "heddle.algorithms.decompose",
    "cp_als": "heddle.algorithms.calls",
    "cp_apr": "heddle.algorithms.calls",
    "cp_opt": "heddle.algorithms.calls",
    "run": "heddle.algorithms.decompose:run_algorithm",
}


def __getattr__(name: str) -> object:
    """Imports the public names on their first use, so that ``import heddle`` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'heddle' has no attribute {name!r}")
    from importlib import import_module

    home, colon, attribute = _HOMES[name].partition(":")
    module = import_module(home)
    value: object = module if colon and not attribute else getattr(module, attribute or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Also the names that are not imported yet, for whoever looks around in a notebook."""
    return sorted({*globals(), *__all__, *_HOMES})
