"""``hd.evaluate`` and ``hd.einsum``: computations on operands as they are, compiled once for each kind of operands."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from heddle.diagnostics import OperandError
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.frontends.table import DEFAULT_LANGUAGE, assignment_of
from heddle.library.einsum.diagonals import diagonal
from heddle.library.einsum.einsum_text import parse_subscripts
from heddle.library.einsum.evaluation import AUTO, Evaluation, Wishes, make_evaluation
from heddle.library.operand_kinds import cache_key, kind_of
from heddle.notation.nodes import Access, operand_accesses, statements
from heddle.plan import DTYPES
from heddle.runtime.performance_warnings import warn_performance
from heddle.runtime.tensors.operand_names import refuse_names
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import require_text, wrong_argument

__all__ = ["einsum", "evaluate"]

_REMEMBERED = 512
_OPTIONS = ("format", "dtype", "schedule", "out")


class Evaluations:
    """What was compiled for operands of which kinds. A key holds the identities of formats, so that these are kept.
    Equal formats have other identities where they were built anew, as that of a transpose is; then the numbers that
    equal formats share find the evaluation."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Evaluation, tuple[object, ...]]] = {}
        self._known_of_equal: dict[Hashable, Evaluation] = {}
        self._format_numbers: dict[Format, int] = {}
        self._numbers = count()

    def _format_number(self, format: Format) -> int:
        # A number is used once, whatever other threads do: two formats with one number would share a kernel.
        return self._format_numbers.setdefault(format, next(self._numbers))

    def _equal_key(self, expression: str, operands: Mapping[str, object], wishes: Wishes) -> Hashable:
        keys = (cache_key(operand, name, self._format_number) for name, operand in operands.items())
        return expression, wishes, *operands, *keys

    def run(self, expression: str, operands: Mapping[str, object], wishes: Wishes, out: object = None) -> Tensor:
        """The result, by an evaluation that is made where none is known."""
        key = (expression, wishes, *operands, *map(cache_key, operands.values(), operands))
        entry = self._known.get(key)
        evaluation = (
            entry[0] if entry is not None else self._known_of_equal.get(self._equal_key(expression, operands, wishes))
        )
        if evaluation is None:
            return self._make(key, expression, operands, wishes, out)
        if evaluation.warnings:
            for diagnostic in evaluation.warnings:
                warn_performance(diagnostic)
        try:
            result: Tensor = evaluation.run(operands, out)
        except OperandError:
            if wishes.schedule != AUTO:
                raise
            # The schedule was chosen for other operands of this size, and may claim what these do not keep.
            return self._make(key, expression, operands, wishes, out)
        return result

    def _make(
        self, key: tuple[Any, ...], expression: str, operands: Mapping[str, object], wishes: Wishes, out: object
    ) -> Tensor:
        kinds = {name: kind_of(operand, name) for name, operand in operands.items()}
        evaluation = make_evaluation(expression, operands, kinds, wishes)
        if len(self._known) >= _REMEMBERED:
            self.clear()
        formats = tuple(operand.format for operand in operands.values() if isinstance(operand, Tensor))
        self._known[key] = evaluation, formats
        self._known_of_equal[self._equal_key(expression, operands, wishes)] = evaluation
        for diagnostic in evaluation.warnings:
            warn_performance(diagnostic)
        result: Tensor = evaluation.run(operands, out)
        return result

    @property
    def count(self) -> int:
        """For how many kinds of operands something was compiled."""
        return len(self._known)

    def known(self) -> tuple[Evaluation, ...]:
        """What was compiled."""
        return tuple(evaluation for evaluation, _ in self._known.values())

    def clear(self) -> None:
        """Forgets every kernel."""
        self._known.clear()
        self._known_of_equal.clear()
        self._format_numbers.clear()


EVALUATIONS = Evaluations()


def evaluate(expression: str, /, **operands: Any) -> Tensor:
    """Computes ``expression``, in index notation, from its operands.

    Formats and dtypes are those of the operands. The kernel is compiled at the first call and found again for operands
    of the same formats, dtypes and sizes. A product of three or more tensors is computed in the cheapest order by what
    the operands store. Where it is divided by a dense tensor or a number, the factor with the fewest elements is. The
    logger ``heddle`` names both.

    Parameters
    ----------
    expression
        in index notation, with any number of statements.
    **operands
        whatever a kernel takes, by name. A name that the expression does not have is an option: ``format`` of the
        result, which without it is sparse where sparse operands leave all other elements at their fill (sparse ×
        sparse, sparse + sparse, sampled products), and dense where they do not (sparse × dense); ``dtype`` of the
        result and, where it is wider, of the operands, else what NumPy's promotion of the operands gives; ``schedule``,
        its commands or ``"auto"``, the default; ``out``, a dense tensor or array for the result.

    Returns
    -------
    Tensor
        A tensor of the shape of its index variables, with memory of its own; ``out`` where one is passed.

    Raises
    ------
    CompileError
        as :func:`heddle.compile` and as a call of its kernel.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.evaluate("y(i) = A(i,j) * x(j)", A=[[0.0, 2.0], [1.0, 3.0]], x=[1.0, 10.0]).to_numpy()
    array([20., 31.])
    """
    operand_names, option_names = _names(require_text(expression, "the expression"))
    options = {name: operands.pop(name) for name in option_names if name in operands}
    if operands.keys() != operand_names.keys():
        refuse_names(operands, operand_names, assignment_of(DEFAULT_LANGUAGE, expression).target)
    return _run(expression, operands, options)


def einsum(
    subscripts: str,
    /,
    *operands: object,
    format: str | Format | None = None,
    dtype: object = None,
    schedule: str | Sequence[str] = AUTO,
    out: Any = None,
) -> Tensor:
    """The sum of products that NumPy's ``einsum`` computes, of sparse and dense operands.

    Takes NumPy's and opt_einsum's strings: with and without ``->``, with ``...``, with indices that repeat inside an
    operand (its diagonal). Everything else is as in :func:`evaluate`, which computes other expressions.

    Parameters
    ----------
    subscripts
        a letter for each dimension of each operand.
    *operands
        whatever a kernel takes, in the order of the subscripts.
    format
        of the result, as for :func:`evaluate`.
    dtype
        of the result, as for :func:`evaluate`: products are computed in it where it is wider.
    schedule
        as for :func:`evaluate`.
    out
        as for :func:`evaluate`.

    Returns
    -------
    Tensor
        A tensor of the shape of its indices, also of a sum over everything: its ``item()`` is the number.

    Raises
    ------
    OperandError
        ``einsum/…`` for subscripts that do not fit the operands; else as :func:`evaluate`.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.einsum("ij,j->i", [[0.0, 2.0], [1.0, 3.0]], [1.0, 10.0]).to_numpy()
    array([20., 31.])
    """
    if not isinstance(subscripts, str):
        raise wrong_argument("the subscripts", 'a text such as "ij,jk->ik"', subscripts)
    parsed = _parsed(subscripts, tuple(_order(operand, number) for number, operand in enumerate(operands)))
    names = parsed.names
    factors = dict(zip(names, operands, strict=True))
    if parsed.repeats:
        for name, variables in zip(names, parsed.operands, strict=True):
            if len(set(variables)) < len(variables):
                factors[name] = diagonal(factors[name], variables, name)
    options = {"format": format, "dtype": dtype, "schedule": schedule, "out": out}
    return _run(parsed.expression, factors, options)


_parsed = lru_cache(maxsize=_REMEMBERED)(parse_subscripts)


@lru_cache(maxsize=_REMEMBERED)
def _names(expression: str) -> tuple[Mapping[str, Access], tuple[str, ...]]:
    """The operands of the expression, each as it is first read, and the options that no tensor of it is called like."""
    assignment = assignment_of(DEFAULT_LANGUAGE, expression)
    operands: dict[str, Access] = {}
    for access in operand_accesses(assignment):
        operands.setdefault(access.tensor, access)
    if assignment.operator != "=":
        operands[assignment.target.tensor] = assignment.target
    tensors = {*operands, *(statement.target.tensor for statement in statements(assignment))}
    return operands, tuple(name for name in _OPTIONS if name not in tensors)


def _run(expression: str, operands: Mapping[str, object], options: Mapping[str, Any]) -> Tensor:
    format, dtype, schedule = options.get("format"), options.get("dtype"), options.get("schedule", AUTO)
    wishes = _AUTOMATIC
    if format is not None or dtype is not None or schedule != AUTO:
        wishes = _wishes(format, dtype, schedule)
    return EVALUATIONS.run(expression, operands, wishes, options.get("out"))


_AUTOMATIC = Wishes()


def _wishes(format: object, dtype: object, schedule: object) -> Wishes:
    if isinstance(format, Format):
        format = format_text(format)
    if not isinstance(format, str | None):
        raise wrong_argument("the format", "a text or a Format", format)
    if not isinstance(schedule, str | Sequence) or not all(isinstance(command, str) for command in schedule):
        raise wrong_argument("the schedule", '"auto", or commands in a text or one text each', schedule)
    try:
        name = None if dtype is None else np.dtype(dtype).name  # type: ignore[call-overload]
    except (TypeError, ValueError, SyntaxError, RuntimeError):  # NumPy evaluates texts, and asks objects for theirs
        raise wrong_argument("the dtype", f"one of {', '.join(DTYPES)}", dtype) from None
    return Wishes(format, name, schedule if isinstance(schedule, str) else tuple(schedule))


def _order(operand: Any, number: int) -> int:
    order = getattr(operand, "ndim", None)
    return order if isinstance(order, int) else len(kind_of(operand, f"operand {number}").shape)
