"""SpMV with the matrix in other formats than CSR: what a format gains over Heddle's own CSR, what making it costs, and
after how many products it has paid for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.opponents import Made, Opponent
from compiler.tuning.formats import VECTORS, WINDOW
from compiler.tuning.padding import padding_of, places_in_blocks, places_sorted

MOST_PADDING = 3.0
"""Places for each entry beyond which a format is left out: what is padded is read, too."""


def is_other_format(contender: str) -> bool:
    """Whether a contender is Heddle with the matrix in one of these formats."""
    return contender.startswith(("heddle-sell", "heddle-dia", "heddle-bcsr"))


def formatted(kernel: Any, dtype: str, packed: Mapping[str, Any]) -> Made:
    """Heddle's kernel for each format that holds the matrix without too much padding, else the reason."""
    import compiler as hd

    if kernel.name != "spmv":
        return []
    matrix, height, made = packed["A"], 8 if dtype == "float64" else 16, list[Opponent | tuple[str, str]]()
    for format, padding in _padding(matrix, height).items():
        if padding > MOST_PADDING:
            made.append((f"heddle-{format}", f"would store {padding:.1f} places for each entry"))
            continue
        start = time.perf_counter()
        converted = hd.convert(matrix, format)
        prepared = (time.perf_counter() - start) * 1e3
        automatic: Any = hd.compile(
            kernel.expression, {"A": format}, dtypes=dict.fromkeys(packed, dtype), options={"schedule": "auto"}
        )
        call = automatic.bind(**{**packed, "A": converted})
        made.append(Opponent(f"heddle-{format}", call.run, lambda call=call: call.output, prepared))  # type: ignore[misc]
    return made


def _padding(matrix: Any, height: int) -> Mapping[str, float]:
    """The places for each entry of a matrix in CSR, by format; ``height`` is that of one vector."""
    pos, crd = matrix.levels[1].pos, matrix.levels[1].crd
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(pos))
    count, tall = matrix.shape[0], VECTORS * height
    found = padding_of(rows, crd, matrix.shape, tall)
    return {
        f"bcsr({height // 2})": places_in_blocks(rows, crd, height // 2),
        f"bcsr({height})": places_in_blocks(rows, crd, height),
        f"sell({height})": places_sorted(rows, count, height, height),
        f"sell({height},{WINDOW})": places_sorted(rows, count, height, WINDOW),
        f"sell-runs({tall})": found.sliced,
        f"dia({tall})": found.diagonal,
    }


def repaid_after(prepared_ms: float, plain_ns: float, formatted_ns: float) -> int | None:
    """Products after which the conversion is paid for by what each one saves; None where nothing is saved."""
    saved = plain_ns - formatted_ns
    return int(np.ceil(prepared_ms * 1e6 / saved)) if saved > 0 else None
