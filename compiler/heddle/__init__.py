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


def lower(
    expression_or_plan: object,
    formats: Mapping[str, str] | None = None,
    schedule: str | Sequence[str] = "",
    target: str = "c",
    dtypes: Mapping[str, object] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    fills: Mapping[str, float] | None = None,
    options: Mapping[str, object] | None = None,
    language: str = "notation",
    sizes: Mapping[str, int] | None = None,
) -> CompileResult:
    """The pure part of :func:`compile`: stages, graphs, text and diagnostics, without a toolchain.

    Parameters
    ----------
    expression_or_plan
        an expression (``"y(i) = A(i,j) * x(j)"``), which the other arguments describe further; or a :class:`Plan` or
        its JSON document, for which they are ignored.
    formats
        how each tensor is stored, by name (``{"A": "csr"}``); dense where none is given.
    schedule
        the commands, in one text (lines, or separated by semicolons) or one text each.
    target
        what the kernel is made for, one of :data:`heddle.targets.TARGET_NAMES`.
    dtypes
        the type of each tensor's values, by name, as NumPy names it; float64 where none is given.
    shapes
        sizes by dimension, which operands are held to; with them the code has narrow or wide indices.
    fills
        the value of what a sparse tensor does not store, by name; 0 where none is given.
    options
        see :func:`compile`; ``"schedule"`` is not for this function.
    language
        what the expression is written in, one of :data:`heddle.frontends.table.LANGUAGES`.
    sizes
        sizes and integer parameters that are known, by the names that the expression has for them.

    Returns
    -------
    CompileResult
        All stages, or as many as could be made: a mistake in the program ends in ``result.diagnostics``.

    Raises
    ------
    CompileError
        ``plan/…``, for a document that is not a Plan, or arguments that do not make one.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.lower("y[i] = A[i,j]").diagnostics[0].hint
    'indices go in parentheses'
    """
    from heddle import pipeline

    plan = _plan(expression_or_plan, formats, schedule, target, dtypes, shapes, fills, options, language, sizes)
    return pipeline.lower(plan)


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    *,
    schedule: Literal["auto"],
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    options: Mapping[str, object] | None = ...,
    language: Literal["notation"] = ...,
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> AutomaticKernel: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    *,
    options: AutomaticSchedule,
    language: Literal["notation"] = ...,
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> AutomaticKernel: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    options: Mapping[str, object] | None = ...,
    language: Literal["notation"] = ...,
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> Kernel: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    *,
    options: AutomaticSchedule,
    language: Literal["comprehension"],
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> AutomaticKernel[Any]: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    options: Mapping[str, object] | None = ...,
    *,
    language: Literal["comprehension"],
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> Kernel[Any]: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    *,
    options: AutomaticSchedule,
    language: Literal["patterns"],
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> AutomaticPatternKernel: ...


@overload
def compile(
    expression_or_plan: str,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    options: Mapping[str, object] | None = ...,
    *,
    language: Literal["patterns"],
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> PatternKernel: ...


@overload
def compile(
    expression_or_plan: Plan | Mapping[str, object],
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    *,
    options: AutomaticSchedule,
    language: str = ...,
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> AutomaticKernel[Any] | AutomaticPatternKernel: ...


@overload
def compile(
    expression_or_plan: object,
    formats: Mapping[str, str] | None = ...,
    schedule: str | Sequence[str] = ...,
    target: str = ...,
    dtypes: Mapping[str, object] | None = ...,
    shapes: Mapping[str, Sequence[int]] | None = ...,
    fills: Mapping[str, float] | None = ...,
    options: Mapping[str, object] | None = ...,
    language: str = ...,
    sizes: Mapping[str, int] | None = ...,
    like: Mapping[str, object] | None = ...,
) -> Kernel[Any] | PatternKernel: ...


def compile(
    expression_or_plan: object,
    formats: Mapping[str, str] | None = None,
    schedule: str | Sequence[str] = "",
    target: str = "c",
    dtypes: Mapping[str, object] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    fills: Mapping[str, float] | None = None,
    options: Mapping[str, object] | None = None,
    language: str = "notation",
    sizes: Mapping[str, int] | None = None,
    like: Mapping[str, object] | None = None,
) -> Kernel[Any] | PatternKernel:
    """A kernel that computes a program, ready to be called with its operands by name.

    Parameters
    ----------
    expression_or_plan, formats, target, dtypes, shapes, fills, language, sizes
        as for :func:`lower`.
    schedule
        as for :func:`lower`; ``"auto"``, or ``options={"schedule": "auto"}``, leaves it to rules that look at the
        operands of each call.
    like
        operands by name, whose formats, dtypes and fills the kernel is compiled for where the other arguments say none;
        the result is then sparse or dense as :func:`evaluate` chooses it. They are not kept.
    options
        ``{"deterministic": True}`` has sums of floats in the same order in each run: schedules without atomic updates
        are chosen, and one with them is refused (``schedule/sum-order``). ``{"convert": "automatic"}`` stores operands
        in the order that the loops need, once for each packed operand, where they would otherwise be refused
        (``format/conflicting-orders``, ``schedule/storage-order``).

    Returns
    -------
    Kernel[Any] | PatternKernel
        A :class:`Kernel`, or of a program in patterns a :class:`PatternKernel`. An automatic one has the ``schedule``
        and its ``reasons`` as ``suggestion``.

    Raises
    ------
    CompileError
        with every diagnostic of the program (``expression/…``, ``format/…``, ``schedule/…``), ``plan/…``, or
        ``runtime/no-c-compiler``, ``runtime/no-cuda``, ``runtime/no-opencl`` where the target cannot run here.

    Examples
    --------
    >>> import heddle as hd
    >>> A = hd.pack([[0.0, 2.0], [1.0, 3.0]], "csr")
    >>> kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule="unroll(j, 2)")
    >>> kernel(A=A, x=[1.0, 10.0]).to_numpy()
    array([20., 31.])
    >>> automatic = hd.compile("y(i) = A(i,j) * x(j)", like={"A": A}, schedule="auto")
    >>> automatic(A=A, x=[1.0, 10.0]).to_numpy()
    array([20., 31.])
    """
    from heddle.library.compile_plan import compile_plan
    from heddle.plan.options import chooses_schedule, is_deterministic, plan_options

    automatic = schedule == "auto" or chooses_schedule(options, schedule)
    commands, settings = () if automatic else schedule, plan_options(options)
    plan = _plan(expression_or_plan, formats, commands, target, dtypes, shapes, fills, settings, language, sizes)
    return compile_plan(plan, like, automatic=automatic, fixed_order=is_deterministic(options))


def legal(result_or_graph: CompileResult | IterationGraph | Kernel[Any] | PatternKernel) -> LegalCommands:
    """Every schedule command with what may come next, and with the reason why something may not.

    Parameters
    ----------
    result_or_graph
        what :func:`lower` gives, or its ``graph``. What may come next comes behind the commands that it has. A result
        knows its target; for a graph alone commands for every target are listed. A kernel stands for its ``result``,
        which has the commands that were chosen where a schedule is.

    Returns
    -------
    LegalCommands
        A tuple: for each command its name and its ``candidates``. A candidate has a ``text`` to add to the schedule,
        the loops that it names as ``variables``, and ``why_not``: None where the longer schedule compiles, else the
        diagnostic with which the compile refuses it; ``instead`` is then the closest one that compiles. ``remark`` is
        the warning of a command that compiles and changes nothing. There is none for a program that is refused before
        there are loops.

    Raises
    ------
    OperandError
        ``runtime/argument`` for anything else.
    """
    from heddle.legal_commands import legal_commands
    from heddle.runtime.kernels.pickling import Travelling
    from heddle.schedule.legal import LegalCommands

    program = result_or_graph.result if isinstance(result_or_graph, Travelling) else result_or_graph
    return LegalCommands(legal_commands(program).commands)


def _plan(
    expression_or_plan: object,
    formats: Mapping[str, str] | None,
    schedule: str | Sequence[str],
    target: str,
    dtypes: Mapping[str, object] | None,
    shapes: Mapping[str, Sequence[int]] | None,
    fills: Mapping[str, float] | None,
    options: Mapping[str, object] | None,
    language: str,
    sizes: Mapping[str, int] | None,
) -> Plan:
    from heddle.plan import Plan, parse_plan, plan_from_arguments

    match expression_or_plan:
        case str():
            return plan_from_arguments(
                expression_or_plan, formats, schedule, target, dtypes, shapes, fills, options, language, sizes
            )
        case Plan():
            return expression_or_plan
        case _:
            return parse_plan(expression_or_plan)
