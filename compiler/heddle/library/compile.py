"""``hd.compile``: a kernel from an expression, formats and a schedule, and its type by what is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from heddle.library.compile_plan import compile_plan
from heddle.plan import Plan
from heddle.plan.arguments import resolve_plan
from heddle.plan.options import AutomaticSchedule, chooses_schedule, is_deterministic, plan_options
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.tuning.search.automatic import AutomaticKernel, AutomaticPatternKernel


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
    expression_or_plan
        an expression (``"y(i) = A(i,j) * x(j)"``), which the other arguments describe further; or a :class:`Plan` or
        its JSON document, for which they are ignored.
    formats
        how each tensor is stored, by name (``{"A": "csr"}``); dense where none is given.
    schedule
        the commands, in one text (lines, or separated by semicolons) or one text each; ``"auto"``, or
        ``options={"schedule": "auto"}``, leaves it to rules that look at the operands of each call.
    target
        what the kernel is made for, one of :data:`heddle.targets.TARGET_NAMES`.
    dtypes
        the type of each tensor's values, by name, as NumPy names it; float64 where none is given.
    shapes
        the size of each dimension, by name of the tensor, which operands are held to; with them the code has indices of
        32 or 64 bits as they need.
    fills
        the value of what a sparse tensor does not store, by name; 0 where none is given.
    options
        ``{"deterministic": True}`` has sums of floats in the same order in each run: schedules without atomic updates
        are chosen, and one with them is refused (``schedule/sum-order``).
        ``{"convert": "automatic"}`` stores operands in the order that the loops need, once for each packed operand,
        where they would otherwise be refused (``format/conflicting-orders``, ``schedule/storage-order``).
    language
        what the expression is written in, one of :data:`heddle.frontends.table.LANGUAGES`.
    sizes
        sizes and integer parameters that are known, by the names that the expression has for them.
    like
        operands by name, whose formats, dtypes and fills the kernel is compiled for where the other arguments say none;
        the result is then sparse or dense as :func:`evaluate` chooses it. They are not kept.

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

    References
    ----------
    The language is index notation (Kjolstad et al. 2017), formats are lists of levels (Chou et al. 2018), and commands
    are those of Senanayake et al. 2020. docs/references.bib has all three.

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
    automatic = schedule == "auto" or chooses_schedule(options, schedule)
    commands, settings = () if automatic else schedule, plan_options(options)
    plan = resolve_plan(expression_or_plan, formats, commands, target, dtypes, shapes, fills, settings, language, sizes)
    return compile_plan(plan, like, automatic=automatic, fixed_order=is_deterministic(options))
