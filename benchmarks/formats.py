"""SpMV with the matrix in other formats than CSR: what a format gains over Heddle's own CSR, what making it costs, and
after how many products it has paid for itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.opponents import Made, Opponent

MOST_PADDING = 3.0
"""Places for each entry beyond which a format is left out: what is padded is read, too."""


def formatted(kernel: Any, dtype: str, packed: Mapping[str, Any]) -> Made:
    """Heddle's kernel for each format that holds the matrix without too much padding, else the reason."""
    import compiler as hd

    if kernel.name != "spmv":
        return []
    matrix, height, made = packed["A"], 8 if dtype == "float64" else 16, list[Opponent | tuple[str, str]]()
    for stem in ("sell", "dia"):
        format, padding = f"{stem}({height})", padding_of(matrix, stem, height)
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


def padding_of(matrix: Any, stem: str, height: int) -> float:
    """The places for each entry of a matrix in CSR, in sliced ELL (``sell``) or on whole diagonals (``dia``)."""
    pos, crd = matrix.levels[1].pos, matrix.levels[1].crd
    lengths, rows = np.diff(pos), matrix.shape[0]
    if stem == "sell":
        starts = np.arange(0, rows, height)
        slots = int(np.maximum.reduceat(lengths, starts).sum()) if rows else 0
    else:
        distances = crd.astype(np.int64) - np.repeat(np.arange(rows), lengths) + rows
        slots = int(np.count_nonzero(np.bincount(distances))) * -(-rows // height)
    return slots * height / max(crd.size, 1)


def repaid_after(prepared_ms: float, plain_ns: float, formatted_ns: float) -> int | None:
    """Products after which the conversion is paid for by what each one saves; None where nothing is saved."""
    saved = plain_ns - formatted_ns
    return int(np.ceil(prepared_ms * 1e6 / saved)) if saved > 0 else None
