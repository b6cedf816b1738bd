"""A decomposition as one JSON text, in pieces, so that large factors are never in memory as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from heddle.algorithms.kruskal import Kruskal

FOR_THE_SERVICE = ("sandbox", "state", "strips")
"""Of a result: what goes on with it or draws it, and says nothing of what was found."""
PIECE = 1 << 14
"""Numbers that a piece has at most, but for rows that have more."""


def report(result: Mapping[str, Any], model: Kruskal) -> Iterator[str]:
    """The result of a run, with ``factors`` behind all else: for each mode its rows, numbers to the last bit."""
    head = {name: value for name, value in result.items() if name not in FOR_THE_SERVICE}
    yield f'{_text(head)[:-1]}, "factors": ['
    rows = max(1, PIECE // model.rank)
    for mode, factor in enumerate(model.factors):
        yield ", [" if mode else "["
        for begin in range(0, factor.shape[0], rows):
            yield (", " if begin else "") + _text(factor[begin : begin + rows].tolist())[1:-1]
        yield "]"
    yield "]}\n"


def _text(value: object) -> str:
    return json.dumps(value, allow_nan=False)
