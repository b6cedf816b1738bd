"""The format that the rules offer beside csr, both with the schedule that the rules choose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from backend.experiments.choice import input_of
from backend.experiments.families import FAMILIES
from backend.worker.generators import generate
from benchmarks.operators.racing import SPMM, SPMV, Result, automatic, packed, race, summed_up
from compiler.plan import plan_from_arguments
from compiler.runtime.tensors.coordinates import Entries, sort_and_sum
from compiler.tuning.search.format_offers import suggest_formats


def choices(seconds: float) -> Iterator[Result]:
    side = 4096
    for family in FAMILIES:
        for expression, other, shape in ((SPMV, "x", (side,)), (SPMM, "B", (side, 128))):
            entries = made_family(family, side)
            asked = plan_from_arguments(
                expression, {"A": "csr"}, dtypes=dict.fromkeys(("A", other), "float32"), shapes={other: shape}
            )
            offers = suggest_formats(asked, {"A": entries})
            name = f"{family}, {'SpMV' if expression == SPMV else 'SpMM, 128 columns'}"
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
            dense = np.zeros((side, side))
            dense[entries.columns] = entries.values
            yield summed_up(name, race(contenders, dense @ others[other], seconds), "offered", ("plain",))


def made_family(family: str, side: int) -> Entries:
    found = generate("A", input_of(family), (side, side), "float32")
    if not isinstance(found, Entries):
        columns = np.nonzero(np.ones_like(found))
        found = Entries(found.shape, columns, found[columns])
    return sort_and_sum(found, (0, 1))
