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
    expression_or_plan, formats, target, dtypes, shapes, fills, language, sizes
        as for :func:`compile`.
    schedule
        as for :func:`compile`, but for ``"auto"``.
    options
        as for :func:`compile`; ``"schedule"`` is not for this function.

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
