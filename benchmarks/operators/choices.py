"""The format that the rules offer beside csr, both with the schedule that the rules choose: of matrices with one
structure, and of matrices whose entries have two, for which sums of parts are offered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from benchmarks.operators.racing import SPMM, SPMV, Result, automatic, made, packed, race, summed_up
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.plan import plan_from_arguments
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.tuning.search.format_offers import suggest_formats
from heddle_server.experiments.questions.choice import input_of
from heddle_server.experiments.questions.families import FAMILIES

SIDE = 4096
SCATTERED: Mapping[str, int] = {
    "blocks of 16 and scattered entries": 200_000,
    "blocks of 4 and scattered entries": 100_000,
    "25 diagonals and scattered entries": 20_000,
}
"""By matrix of two structures: how many of its entries are scattered."""


def choices(seconds: float) -> Iterator[Result]:
    for family in (*FAMILIES, *SCATTERED):
        entries = made_family(family, SIDE) if family in FAMILIES else of_two_structures(family, SIDE)
        for expression, other, shape in ((SPMV, "x", (SIDE,)), (SPMM, "B", (SIDE, 32)), (SPMM, "B", (SIDE, 128))):
            asked = plan_from_arguments(
                expression, {"A": "csr"}, dtypes=dict.fromkeys(("A", other), "float32"), shapes={other: shape}
            )
            offers = suggest_formats(asked, {"A": entries})
            name = f"{family}, {'SpMV' if expression == SPMV else f'SpMM, {shape[-1]} columns'}"
            if not offers:
                yield {"case": name, "ours": "csr", "theirs": "csr", "ratio": None, "contenders": {}}
                continue
            others = {other: np.random.default_rng(5).random(shape).astype(np.float32)}
            contenders = {
                f"{'offered' if format != 'csr' else 'plain'} {format}": automatic(
                    expression, format, packed(entries, format), others
                )
                for format in (offers[0].format, "csr")
            }
            dense = np.zeros((SIDE, SIDE))
            dense[entries.columns] = entries.values
            yield summed_up(name, race(contenders, dense @ others[other], seconds), "offered", ("plain",))


def made_family(family: str, side: int) -> Entries:
    found = generate("A", input_of(family), (side, side), "float32")
    if not isinstance(found, Entries):
        columns = np.nonzero(np.ones_like(found))
        found = Entries(found.shape, columns, found[columns])
    return sort_and_sum(found, (0, 1))


def of_two_structures(name: str, side: int) -> Entries:
    """Blocks or diagonals, and scattered entries, some of which lie in them."""
    scattered = made({"generator": "uniform", "nnz": SCATTERED[name], "seed": 2}, (side, side), "float32")
    if "diagonals" in name:
        row, offset = np.divmod(np.arange(25 * side), 25)
        column = row + 20 * (offset - 12)
        inside = (column >= 0) & (column < side)
        regular = (row[inside], column[inside])
    else:
        size, count = (16, 800) if "of 16" in name else (4, 12_000)
        given = {"generator": "pruned-blocks", "size": size, "density": count * size**2 / side**2, "seed": 1}
        regular = made(given, (side, side), "float32").columns
    columns = tuple(np.concatenate(pair) for pair in zip(regular, scattered.columns, strict=True))
    return sort_and_sum(Entries((side, side), columns, np.ones(columns[0].size, dtype=np.float32)), (0, 1))
