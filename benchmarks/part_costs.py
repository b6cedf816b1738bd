"""What the parts of a sum cost on this machine: the constants of ``compiler/heddle/tuning/facts/part_costs.py``.

``python -m benchmarks.part_costs`` times small matrices of one structure each on one thread, in cache, and fits by
least squares what a row, an entry, a block, a place and a piece take. Take them over on a quiet machine, with the date.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import numpy as np

os.environ["OMP_NUM_THREADS"] = "1"
SIDE = 2048
ROUNDS = 60
COLUMNS = 64
UNIFORM = tuple({"generator": "uniform", "nnz": SIDE * mean} for mean in (2, 8, 24, 48))
KINDS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "rows": tuple(("csr", given) for given in UNIFORM),
    "again": tuple(("csr", {"generator": "banded", "bandwidth": width}) for width in (4, 8, 16, 32)),
    "blocks": tuple(("bcsr(4)", {"generator": "block", "size": 4, "blocks": SIDE * share}) for share in (1, 2, 3, 4)),
    "diagonals": tuple(("dia(32)", {"generator": "banded", "bandwidth": width}) for width in (1, 4, 8, 16)),
    "pieces": tuple((f"pieces({width})", given) for width in (1, 4, 16) for given in UNIFORM),
}
"""By kind of part, formats and structures that suit them."""


def counts(kind: str, matrix: Any) -> tuple[float, float]:
    """How often what the two constants of ``kind`` stand for occurs."""
    rows = matrix.shape[0]
    if kind == "blocks":
        return rows / 4, matrix.nnz / 4
    visited = np.count_nonzero(np.diff(matrix.indptr)) if kind == "pieces" else rows
    return float(visited), float(matrix.nnz)


def main() -> int:
    from heddle.runtime.native import machine_class

    found: dict[str, dict[str, tuple[float, float]]] = {}
    for columns in (1, COLUMNS):
        found[f"{columns} columns"] = {kind: _fitted(kind, columns) for kind in KINDS}
    print(json.dumps({"class": machine_class.in_force().name, "load": os.getloadavg()[0], "nanoseconds": found}))
    return 0


def _fitted(kind: str, columns: int) -> tuple[float, float]:
    import scipy.sparse

    from heddle.measuring.inputs.synthetic.generators import generate
    from heddle.runtime.tensors.coordinates import Entries

    occurring, times = [], []
    for format, given in KINDS[kind]:
        entries = generate("A", given, (SIDE, SIDE), "float32")
        assert isinstance(entries, Entries)
        made: Any = scipy.sparse.coo_array((entries.values, entries.columns), shape=entries.shape)
        matrix = made.tocsr()
        occurring.append(counts(kind, matrix))
        times.append(_seconds(matrix, format, columns) * 1e9)
    # Relative errors count alike in small and large matrices.
    weights = 1 / np.array(times)
    solved = np.linalg.lstsq(np.array(occurring) * weights[:, None], np.ones(len(times)), rcond=None)[0]
    return round(float(solved[0]), 3), round(float(solved[1]), 3)


def _seconds(matrix: Any, format: str, columns: int) -> float:
    """The shortest of many calls."""
    import heddle as hd

    rng = np.random.default_rng(1)
    name, expression = ("x", "y(i) = A(i,j) * x(j)") if columns == 1 else ("B", "C(i,k) = A(i,j) * B(j,k)")
    dense = rng.random((SIDE, columns)[: 1 if columns == 1 else 2]).astype("float32")
    kernel: Any = hd.compile(
        expression, {"A": format}, dtypes={"A": "float32", name: "float32"}, options={"schedule": "auto"}
    )
    call, best = kernel.bind(A=hd.pack(matrix, format), **{name: dense}), float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call.run()
        best = min(best, time.perf_counter() - start)
    return best


if __name__ == "__main__":
    sys.exit(main())
