"""Whether a program of patterns and a statement of index notation mean the same on random data: each is evaluated by
the meaning of its own language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.translation.bridged import no_bridge
from heddle.frontends.table import front_end_of
from heddle.notation.nodes import Assignment, accesses, index_variables
from heddle.notation.printer import to_text
from heddle.patterns.meaning import MeaninglessError, evaluate
from heddle.patterns.program import Lowered
from heddle.runtime.patterns.flat import flatten
from heddle.runtime.patterns.solve import solved_so_far

DRAWS, SMALL, LARGE = 3, (5, 4, 3, 6, 2), 64
"""How often is drawn, and how far the variables run: where pieces of a fixed size must divide that, all as far as
``LARGE``."""


def check_agreement(lowered: Lowered, assignment: Assignment, tensor_parts: Mapping[str, str]) -> None:
    """``tensor_parts`` says which tensor, or part of one, each parameter of the program is.

    Raises
    ------
    CompileError
        ``bridge/none`` where the results differ.
    """
    variables = index_variables(assignment)
    try:
        for seed in range(DRAWS):
            extents = {name: SMALL[(place + seed) % len(SMALL)] for place, name in enumerate(variables)}
            _check(lowered, assignment, tensor_parts, extents, np.random.default_rng(seed))
    except MeaninglessError:
        _check(lowered, assignment, tensor_parts, dict.fromkeys(variables, LARGE), np.random.default_rng(0))


def _check(
    lowered: Lowered,
    assignment: Assignment,
    tensor_parts: Mapping[str, str],
    extents: Mapping[str, int],
    random: np.random.Generator,
) -> None:
    owners = {text.partition(".")[0] for text in tensor_parts.values() if "." in text}
    tensors: dict[str, NDArray[Any]] = {}
    for access in accesses(assignment.expression):
        shape = tuple(extents[index] for index in access.indices)
        tensors[access.tensor] = random.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 4.0], shape)
    for tensor in owners:
        values = tensors[tensor]
        values[random.random(values.shape) < 0.5] = 0
    by_rows = {text.partition(".")[0] for text in tensor_parts.values() if text.endswith((".pos", ".lengths"))}
    parts = {name: store_by_rows(tensors[name]) if name in by_rows else slots(tensors[name]) for name in owners}
    arguments = {name: _argument(text, tensors, parts) for name, text in tensor_parts.items()}
    told = [fact for buffer in lowered.buffers for fact in flatten(buffer, arguments[buffer.parameter]).told]
    sizes = solved_so_far(lowered.program.sizes, {}, told)
    for step in lowered.program.derivations:  # nothing but the matrix tells how many columns it has
        if step.shape:
            matrix = tensors[tensor_parts[step.parameters[0]].partition(".")[0]]
            sizes.update({name: extent for name, extent in zip(step.shape, matrix.shape, strict=True) if name})
    actual = np.asarray(evaluate(lowered.program.term, arguments, sizes), np.float64)
    notation = front_end_of("notation")
    meant = notation.reference(notation.read(to_text(assignment)), tensors, {})[assignment.target.tensor]
    if not np.allclose(actual.reshape(-1), np.asarray(meant, np.float64).reshape(-1)):
        raise no_bridge(
            f"{to_text(assignment)} gives another result on random data.", "the same result", to_text(assignment)
        )


def store_by_rows(matrix: NDArray[Any]) -> dict[str, Any]:
    """The parts of ``matrix`` by name, stored by rows of entries."""
    rows, columns = np.nonzero(matrix)
    lengths = bincount(rows, minlength=len(matrix))
    values = matrix[rows, columns]
    return {
        "pos": np.concatenate(([0], np.cumsum(lengths))),
        "lengths": lengths,
        "crd": columns,
        "vals": values,
        "entries": (columns, values),
    }


def slots(matrix: NDArray[Any]) -> dict[str, Any]:
    """The parts of ``matrix`` where each row has as many slots as the fullest one."""
    lengths = np.count_nonzero(matrix, axis=1)
    used = np.arange(int(lengths.max(initial=0))) < lengths[:, None]
    columns, values = np.zeros(used.shape, np.int64), np.zeros(used.shape)
    columns[used], values[used] = np.nonzero(matrix)[1], matrix[matrix != 0]
    return {"crd": columns, "vals": values}


def _argument(text: str, tensors: Mapping[str, NDArray[Any]], parts: Mapping[str, dict[str, Any]]) -> Any:
    name, _, part = text.partition(".")
    return parts[name][part] if part else tensors[name]
