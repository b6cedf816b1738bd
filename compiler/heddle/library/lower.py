"""``hd.lower``: the stages of a program, without a toolchain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heddle import pipeline
from heddle.plan.arguments import resolve_plan
from heddle.result import CompileResult


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

    References
    ----------
    As of :func:`compile`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.lower("y[i] = A[i,j]").diagnostics[0].hint
    'indices go in parentheses'
    """
    plan = resolve_plan(expression_or_plan, formats, schedule, target, dtypes, shapes, fills, options, language, sizes)
    return pipeline.lower(plan)
