"""Heddle's text beside loops by hand for AVX2 and beside those that TACO prints
(docs/sources.toml A.1 and A.3), one command:

python -m benchmarks.hand_loops [--seconds 3] [--nonzeros 300000] [--json FILE]

The same compiler with the same flags builds both for x86-64-v3 (``HEDDLE_MARCH`` says another class; the loops by hand
need v3 at least). Every contender is verified first; those of a case take turns, call by call, on one thread, and the
processor's time is compared. The ratio is theirs to ours: above 1, Heddle's text is faster.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

os.environ.setdefault("HEDDLE_MARCH", "x86-64-v3")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import heddle as hd
from benchmarks.codegen import APPENDIX
from benchmarks.operators.racing import Contender, Result, race, summed_up
from benchmarks.suite.matrices import MATRICES, load
from heddle.runtime.native.toolchain import build, discover
from heddle_server.engine.machine import machine_facts

LOOPS = Path(__file__).with_name("hand_loops.c")
SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
FAMILIES = ("stencil-2d", "blocks", "uniform", "rmat", "banded")
IN_LANES = ("parallelize(j, CPUVector, ParallelReduction)",)
ROWS = ("parallelize(i, CPUThread, NoRaces)",)


def appendix(name: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in APPENDIX[name][2].split(";"))


CASES: tuple[tuple[str, int, str, tuple[str, ...] | None, int], ...] = (
    ("SpMV, four lanes by hand", 0, SPMV, IN_LANES, 1),
    ("SpMM, 32 columns by hand", 1, SPMM, None, 32),
    ("SpMM, 128 columns by hand", 1, SPMM, None, 128),
    ("A.1, SpMV as TACO prints it", 2, SPMV, appendix("A.1 SpMV"), 1),
    ("A.3, SpMM as TACO prints it, 32 columns", 3, SPMM, appendix("A.3 SpMM"), 32),
    ("SpMV, rows in parallel, as TACO prints it", 2, SPMV, ROWS, 1),
    ("SpMM, rows in parallel, as TACO prints it, 32 columns", 4, SPMM, ROWS, 32),
)
"""Title, the KIND of the loops in C, expression, our schedule (None: what the rules choose), columns."""


def loops_in_c(kind: int) -> Callable[..., None]:
    """The function of :data:`LOOPS` for one contender, built as Heddle's texts are."""
    library = build(discover(), f"#define KIND {kind}\n{LOOPS.read_text(encoding='utf-8')}")
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(library)
        file.flush()
        function: Any = ctypes.CDLL(file.name).loops
    function.restype = None
    return function  # type: ignore[no-any-return]


def by_hand(kind: int, matrix: Any, dense: Any, columns: int) -> Contender:
    result = np.empty((matrix.shape[0], columns) if columns > 1 else matrix.shape[0])
    function, arrays = loops_in_c(kind), (matrix.indptr, matrix.indices, matrix.data, dense, result)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    sizes = ctypes.c_int32(matrix.shape[0]), ctypes.c_int32(columns)
    return lambda: function(*sizes, *pointers), lambda: result


def ours(expression: str, matrix: Any, dense: Any, schedule: tuple[str, ...] | None) -> Contender:
    options = {} if schedule is not None else {"schedule": "auto"}
    kernel: Any = hd.compile(expression, {"A": "csr"}, schedule or (), options=options)
    call = kernel.bind(A=hd.pack(matrix, "csr"), **{"x" if dense.ndim == 1 else "B": dense})
    return call.run, lambda: call.output.to_numpy()


def measured(nonzeros: int, seconds: float) -> Iterator[Result]:
    chosen = [matrix for matrix in MATRICES if matrix.name in FAMILIES]
    for title, kind, expression, schedule, columns in CASES:
        for one in chosen:
            matrix = load(one, nonzeros, "float64")
            rng = np.random.default_rng(2)
            dense = rng.random((matrix.shape[1], columns) if columns > 1 else matrix.shape[1])
            contenders = {
                "heddle": ours(expression, matrix, dense, schedule),
                "loops": by_hand(kind, matrix, dense, columns),
            }
            raced = race(contenders, matrix @ dense, seconds)
            yield summed_up(f"{title}: {one.name}", raced, "heddle", ("loops",))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="at most so long a case (default: %(default)s)")
    parser.add_argument("--nonzeros", type=int, default=300_000, help="of each matrix, about (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    chosen = parser.parse_args()
    found: list[Result] = []
    for one in measured(chosen.nonzeros, chosen.seconds):
        found.append(one)
        ratio = one["ratio"]
        print(f"{one['case']:<64} {ratio['value']:6.2f}  ({ratio['low']:.2f} to {ratio['high']:.2f})", flush=True)
    for title, *_ in CASES:
        ratios = [one["ratio"]["value"] for one in found if one["case"].startswith(f"{title}:")]
        print(f"{title:<64} {float(np.exp(np.mean(np.log(ratios)))):6.2f}  geometric mean, least {min(ratios):.2f}")
    if chosen.json:
        facts = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine_facts(), "cases": found}
        chosen.json.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
