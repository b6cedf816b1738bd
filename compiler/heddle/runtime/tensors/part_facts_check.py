"""What kernels know of the parts of a tensor before they see it, asked of arrays that were made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heddle.decomposition.facts import deciding_dimensions, has_unique_rows
from heddle.formats.parts import Composition
from heddle.formats.storage.level_check import malformed_error
from heddle.runtime.storage.stored_tensor import StoredTensor


def check_facts(whole: StoredTensor, composition: Composition, parts: Sequence[StoredTensor], name: str) -> None:
    """Refuses what would let two workers meet: rows that are listed without an entry, which may have their entries in
    another part; rows that come twice where the tests leave room for one; ranges that differ from part to part.

    Raises
    ------
    CompileError
        ``runtime/malformed-tensor``.
    """
    dimensions = deciding_dimensions(composition, len(whole.shape))
    for number, part in enumerate(parts):
        called = f"{name} in its part {composition.parts[number].name}"
        for dimension in dimensions:
            _check_listed(part, dimension, called)
        if has_unique_rows(composition, number):
            rows = part.levels[0].crd
            if rows is not None and np.unique(rows).size < rows.size:
                raise malformed_error(called, "a row has two pieces", "one piece for each row, as its test says")
    _check_starts(parts, name)


def _check_listed(part: StoredTensor, dimension: int, called: str) -> None:
    """Every coordinate of ``dimension`` that a level lists has an entry."""
    level = max(number for number, stored in enumerate(part.format.order) if stored == dimension)
    if level + 1 == len(part.levels) or part.levels[level].crd is None:
        return
    below, kind = part.levels[level + 1], part.format.levels[level + 1]
    empty = np.zeros(0, dtype=bool)
    if below.pos is not None:
        empty = below.pos[1:] == below.pos[:-1]
    elif below.crd is not None and kind.parameter is not None and kind.stored is not None and kind.stored.cuts_repeated:
        size = part.format.level_sizes(part.shape)[level + 1]
        empty = below.crd.reshape(-1, kind.parameter)[:, 0] == size
    if empty.any():
        position = int(np.flatnonzero(empty)[0])
        raise malformed_error(
            called, f"position {position} of level {level + 1} has no entry", "an entry for each of them"
        )


def _check_starts(parts: Sequence[StoredTensor], name: str) -> None:
    """Parts that are cut into ranges of one dimension are cut at the same places."""
    known: dict[tuple[int, int | None], np.ndarray] = {}
    for part in parts:
        for level, stored, dimension in zip(part.levels, part.format.levels, part.format.order, strict=True):
            starts = level.extra.get("starts")
            if starts is None:
                continue
            first = known.setdefault((dimension, stored.parameter), starts)
            if not np.array_equal(first, starts):
                raise malformed_error(
                    name,
                    f"its parts are cut at different places of dimension {dimension + 1}",
                    "the same ranges in all",
                )
