"""SpMV, SpMM and MTTKRP with the sparse operand in other formats: what a format gains over Heddle's own CSR or CSF,
what making it costs, and after how many products it has paid for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.baselines.opponents import Made, Opponent
from benchmarks.suite.kernels import multiplies_vectors
from heddle.plan import plan_from_arguments
from heddle.runtime.native.machine_class import CLASSES, in_force
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.padding import padding_of, places_in_blocks, places_sorted
from heddle.tuning.search.format_offers import WINDOW, suggest_formats

MOST_PADDING = 3.0
"""The padding ratio beyond which a format is left out: padding is read, too."""

_VECTORS = 4
"""Of rows side by side where columns follow one another, for each of the heights that are tried."""

_FEWEST_ROWS, _WIDEST = 4, max(one.vector_bytes for one in CLASSES)

REUSED = "heddle-reused"
"""The contender that keeps the coordinates of its result, in the same formats."""


def is_other_format(contender: str) -> bool:
    """Whether a contender is Heddle with the sparse operand in another format."""
    return contender.startswith("heddle-") and contender != REUSED


def has_other_formats(kernel: str) -> bool:
    """Whether a kernel is measured with the sparse operand in other formats."""
    return multiplies_vectors(kernel) or kernel.startswith("mttkrp")


SUMS = ("hyb(1,2)", "hyb(1,5)", "hyb(1,3,whole)", "hyb(4,5)", "bcsr(4) where tile(4,1) >= 3 + csr")
"""Sums of parts that graphs are measured in."""


def summed(kernel: Any, dtype: str, packed: Mapping[str, Any]) -> Made:
    """Heddle's kernel for each sum of parts, by the schedule that the rules choose."""
    return [_with_format(kernel, dtype, packed, format) for format in SUMS]


def formatted(kernel: Any, dtype: str, packed: Mapping[str, Any]) -> Made:
    """Heddle's kernel for each format that holds the matrix without too much padding, else the reason."""
    if kernel.name == "spmv":
        made: Made = []
        for format, padding in _padding(packed["A"], _heights(dtype)).items():
            if padding > MOST_PADDING:
                made.append((f"heddle-{format}", f"would store {padding:.1f} places for each entry"))
            else:
                made.append(_with_format(kernel, dtype, packed, format))
        return made
    if has_other_formats(kernel.name):
        shapes = {name: operand.shape for name, operand in packed.items()}
        plan = plan_from_arguments(
            kernel.expression, kernel.formats, dtypes=dict.fromkeys(packed, dtype), shapes=shapes
        )
        offers = suggest_formats(
            plan, {kernel.sparse: Entries(packed[kernel.sparse].shape, *packed[kernel.sparse].to_coo())}
        )
        return [_with_format(kernel, dtype, packed, offer.format) for offer in offers]
    return []


def _with_format(kernel: Any, dtype: str, packed: Mapping[str, Any], format: str) -> Opponent:
    import heddle as hd

    start = time.perf_counter()
    converted = hd.convert(packed[kernel.sparse], format)
    prepared = (time.perf_counter() - start) * 1e3
    automatic: Any = hd.compile(
        kernel.expression, {kernel.sparse: format}, dtypes=dict.fromkeys(packed, dtype), options={"schedule": "auto"}
    )
    call = automatic.bind(**{**packed, kernel.sparse: converted})
    return Opponent(f"heddle-{format.replace(' ', '')}", call.run, lambda: call.output, prepared)


def _heights(dtype: str) -> tuple[int, ...]:
    """Rows of a block, as many as one vector of the machine class in force holds, and as the widest of any does."""
    size = np.dtype(dtype).itemsize
    own, widest = (max(_FEWEST_ROWS, width // size) for width in (in_force().vector_bytes, _WIDEST))
    return tuple(dict.fromkeys((own, widest)))


def _padding(matrix: Any, heights: tuple[int, ...]) -> Mapping[str, float]:
    """The padding ratios of a matrix in CSR, by format, for each of the heights of a block."""
    pos, crd = matrix.levels[1].pos, matrix.levels[1].crd
    rows, count = np.repeat(np.arange(matrix.shape[0]), np.diff(pos)), matrix.shape[0]
    made: dict[str, float] = {}
    for height in heights:
        tall = _VECTORS * height
        found = padding_of(rows, crd, matrix.shape, tall)
        for low in (max(_FEWEST_ROWS, height // 2), height):
            made[f"bcsr({low})"] = places_in_blocks(rows, crd, low)
        made[f"sell({height})"] = places_sorted(rows, count, height, height)
        made[f"sell({height},{WINDOW})"] = places_sorted(rows, count, height, WINDOW)
        made[f"sell-runs({tall})"] = found.sliced
        made[f"dia({tall})"] = found.diagonal
    return made


def repaid_after(prepared_ms: float, plain_ns: float, formatted_ns: float) -> int | None:
    """Products after which the conversion is paid for by what each one saves; None where nothing is saved."""
    saved = plain_ns - formatted_ns
    return int(np.ceil(prepared_ms * 1e6 / saved)) if saved > 0 else None
