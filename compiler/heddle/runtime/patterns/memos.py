"""Arrays of the starts of rows, which the runtime adds up before the kernel runs (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.nodes import Coefficient, Length, Monomial, Sum, length, polynomial
from heddle.symbolic.printer import common_denominator
from heddle.symbolic.walk import free_names


def starts(
    whole: Length, variable: str, size: Length, sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]
) -> NDArray[Any]:
    """``whole`` for ``variable`` from 0 to ``size``: what sums up to the variable add is accumulated, not summed again
    for each value."""
    rows = int(evaluate(size, sizes, arrays))
    scale = common_denominator(whole)
    total = np.zeros(rows + 1, np.int64)
    others: list[tuple[Monomial, Coefficient]] = []
    for monomial, coefficient in whole.scale(scale).terms:
        added = _accumulate(monomial, variable)
        if added is None:
            others.append((monomial, coefficient))
            continue
        sum_atom, factors = added
        summands = evaluate(sum_atom.body, {**sizes, sum_atom.variable: np.arange(rows)}, arrays)
        factor = int(evaluate(polynomial([(factors, coefficient)]), sizes, arrays))
        total[1:] += factor * np.cumsum(np.broadcast_to(np.asarray(summands, np.int64), (rows,)))
    if others:
        total += np.asarray(evaluate(polynomial(others), {**sizes, variable: np.arange(rows + 1)}, arrays), np.int64)
    return total // scale


def _accumulate(monomial: Monomial, variable: str) -> tuple[Sum, Monomial] | None:
    """The sum from 0 to ``variable`` in ``monomial`` and what it is multiplied by, where that is always the same."""
    for atom, power in monomial:
        if isinstance(atom, Sum) and power == 1 and atom.upper == length(variable) and not atom.lower.terms:
            rest = tuple(item for item in monomial if item[0] != atom)
            if variable not in free_names(polynomial([(rest, 1)])) | free_names(atom.body):
                return atom, rest
    return None
