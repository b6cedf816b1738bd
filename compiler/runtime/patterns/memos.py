"""Arrays of the starts of rows, which the runtime adds up before the kernel runs (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.lengths.evaluate import evaluate
from compiler.lengths.nodes import Name, Sum
from compiler.patterns.lowering.memory import Memo


def starts(memo: Memo, sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """``size + 1`` starts: 0, and what each row adds."""
    rows = int(evaluate(memo.size, sizes, arrays))
    total = np.zeros(rows + 1, np.int64)
    place = Name(memo.variable)
    for monomial, coefficient in memo.starts.terms:
        sums = [atom for atom, _ in monomial if isinstance(atom, Sum)]
        whole = type(memo.starts)(((monomial, coefficient),))
        if len(monomial) == 1 and sums and sums[0].upper.atom == place and not sums[0].lower.terms:
            added = evaluate(sums[0].body, {**sizes, sums[0].variable: np.arange(rows)}, arrays)
            total[1:] += int(coefficient) * np.cumsum(np.broadcast_to(np.asarray(added, np.int64), (rows,)))
        else:
            total += np.asarray(evaluate(whole, {**sizes, memo.variable: np.arange(rows + 1)}, arrays), np.int64)
    return total
