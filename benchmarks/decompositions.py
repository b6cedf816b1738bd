"""Sweeps of CP-ALS beside other programs, and with partial products that modes share, one command:

python benchmarks/decompositions.py [--rank 16] [--nonzeros 1000000] [--sweeps 6] [--tensors uniform-4,zipf-5]

All start from the same factors, and take turns sweep by sweep in one process, so that the load of the machine meets all
of them alike. pyttb and pygenten (``.venv/bin/pip install pyttb``, ``pip install --no-deps pygenten``) run whole
decompositions: of three sweeps, less one of a single sweep. OMP_NUM_THREADS says on how many threads.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

import numpy as np

from backend.worker.generators import generate
from compiler.algorithms.decompose import AlgorithmRun
from compiler.algorithms.document.reader import parse_algorithm
from compiler.algorithms.history import Sweep
from compiler.algorithms.start import hash_of
from compiler.algorithms.tensor_input import Input, tensor_input
from compiler.algorithms.trees.offers import offers

TENSORS: dict[str, tuple[str, tuple[int, ...], dict[str, float]]] = {
    "uniform-3": ("uniform", (3000, 4000, 5000), {}),
    "uniform-4": ("uniform", (300, 400, 200, 100), {}),
    "uniform-5": ("uniform", (100, 200, 100, 60, 50), {}),
    "zipf-3": ("zipf", (10_000, 5000, 2000), {"exponent": 1.0}),
    "zipf-4": ("zipf", (2000, 3000, 1000, 200), {"exponent": 1.0}),
    "zipf-5": ("zipf", (1000, 2000, 1000, 200, 100), {"exponent": 1.0}),
}


def pyttb(given: Input, start: list[Any]) -> Callable[[int], object]:
    """Raises ImportError where it is not installed."""
    import pyttb as ttb

    places = np.column_stack(given.entries.columns)
    tensor = ttb.sptensor(places, given.entries.values[:, None], given.shape)

    def run(sweeps: int) -> object:
        init = ttb.ktensor([factor.copy() for factor in start], np.ones(start[0].shape[1]))
        return ttb.cp_als(tensor, start[0].shape[1], stoptol=0, maxiters=sweeps, init=init, printitn=0)

    return run


def pygenten(given: Input, start: list[Any]) -> Callable[[int], object]:
    """Raises ImportError where it is not installed."""
    import pygenten as genten

    subscripts = np.column_stack(given.entries.columns).astype(np.uint64)
    tensor = genten.Sptensor(given.shape, subscripts, given.entries.values)

    def run(sweeps: int) -> object:
        init = genten.Ktensor(np.ones(start[0].shape[1]), [factor.copy() for factor in start])
        return genten.cp_als(tensor, rank=start[0].shape[1], maxiters=sweeps, tol=0.0, init=init, printitn=0)

    return run


OPPONENTS = {"pygenten": pygenten, "pyttb": pyttb}


def measured(given: Input, rank: int, sweeps: int) -> Iterator[tuple[str, float, str]]:
    """Of each contender the median seconds of a sweep, and a remark; less than 0 where it does not take part."""
    rng = np.random.default_rng(0)
    start = [rng.random((size, rank)) for size in given.shape]
    known = offers(given, tuple(range(len(given.shape))), rank)
    runs = {offer.reuse: (offer, _sweeps(given, rank, start, offer.reuse)) for offer in known}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(sweeps + 1):
        for name, (_, steps) in runs.items():
            times[name].append(next(steps).seconds)
    for name, (offer, _) in runs.items():
        remark = f"predicted {1e3 * offer.seconds:.0f} ms on one thread, partial products {offer.bytes / 1e6:.1f} MB"
        yield f"heddle, reuse {name}", median(times[name][1:]), remark
    for name, prepare in OPPONENTS.items():
        try:
            run = prepare(given, start)
            one, several = (_timed(run, count) for count in (1, 3))
        except (ImportError, RuntimeError, TypeError, ValueError) as error:
            yield name, -1.0, f"left out: {type(error).__name__}: {str(error).splitlines()[0]}"
        else:
            yield name, (several - one) / 2, "of sweeps 2 and 3"


def _sweeps(given: Input, rank: int, start: list[Any], reuse: str) -> Iterator[Sweep]:
    named = {"kind": "given", "hash": hash_of(start)}
    parameters = {"rank": rank, "sweeps": 10_000, "tolerance": 0, "reuse": reuse, "start": named}
    return iter(AlgorithmRun(parse_algorithm({"algorithm": "cp-als", "parameters": parameters}), given, start))


def _timed(run: Callable[[int], object], sweeps: int) -> float:
    with _quiet():
        begin = perf_counter()
        run(sweeps)
        return perf_counter() - begin


@contextmanager
def _quiet() -> Iterator[None]:
    """What GenTen prints, from C++, goes nowhere."""
    sys.stdout.flush()
    kept = [(stream, os.dup(stream)) for stream in (1, 2)]
    with open(os.devnull, "wb") as nowhere:
        for stream, _ in kept:
            os.dup2(nowhere.fileno(), stream)
    try:
        yield
    finally:
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rank", type=int, default=16, help="default: 16")
    parser.add_argument("--nonzeros", type=int, default=1_000_000, help="default: 1000000")
    parser.add_argument("--sweeps", type=int, default=6, help="timed for each of ours, beside a first (default: 6)")
    parser.add_argument("--tensors", default=",".join(TENSORS), help=f"of {', '.join(TENSORS)}")
    options = parser.parse_args()
    for name in options.tensors.split(","):
        generator, shape, more = TENSORS[name]
        asked = {"generator": generator, "nnz": options.nonzeros, "seed": 1, "shape": list(shape), **more}
        given = tensor_input(generate("X", asked, shape, "float64"))
        print(f"{name}: {' x '.join(map(str, shape))}, {given.stored} entries, rank {options.rank}")
        rows = list(measured(given, options.rank, options.sweeps))
        plain = next(seconds for title, seconds, _ in rows if title == "heddle, reuse none")
        for title, seconds, remark in rows:
            figures = f"{1e3 * seconds:10.1f} ms  {plain / seconds:6.3f} x none" if seconds >= 0 else " " * 25
            print(f"  {title:36} {figures}  {remark}", flush=True)
    print(f"load: {', '.join(f'{one:.1f}' for one in os.getloadavg())}", flush=True)
    if "pygenten" in sys.modules:
        os._exit(0)  # Kokkos aborts where Python ends before it does


if __name__ == "__main__":
    main()
