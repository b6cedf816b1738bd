"""What is promised of decompositions, measured in one run, one command:

python benchmarks/decompositions.py [--json benchmarks/results/decompositions.json] [--only sweeps,trees] [--nonzeros N]

Sweeps of CP-ALS beside pygenten and pyttb where they are installed (``pip install pyttb``, ``pip install --no-deps
pygenten``), with partial products that modes share, by entries that all modes share beside sorted copies, with atomic
updates; sorting beside a sweep; the driver alone; and the first sweep that a page sees. All that are compared start
from the same factors and take turns (benchmarks/baselines/contenders.py).
OMP_NUM_THREADS says on how many threads.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from benchmarks.baselines.contenders import Spec, Turn, rounds
from benchmarks.first_sweep import first_sweep
from heddle_server.engine.machine import machine_facts

ORDERS: Mapping[int, tuple[int, ...]] = {3: (3000, 4000, 5000), 4: (300, 400, 200, 100), 5: (100, 200, 100, 60, 50)}
RANKS = (16, 32, 64)
PRODUCTS = ("mttkrp", "tree", "leaf")


@dataclass(frozen=True, slots=True)
class Options:
    """``nonzeros`` of most tensors, ``sorted`` of the one that is sorted, those for ``pyttb``, which is slow; ``count``
    rounds of ``sweeps`` each."""

    nonzeros: int
    sorted: int
    pyttb: int
    count: int
    sweeps: int


@dataclass(frozen=True, slots=True)
class Number:
    """A promise: ``found`` should be at least ``wanted``, or at most where it is a ``limit``; None where nothing was
    measured, for the ``reason``. ``points`` are what it was found from."""

    name: str
    unit: str
    wanted: float
    found: float | None
    points: list[dict[str, Any]]
    limit: bool = False
    reason: str = ""

    @property
    def kept(self) -> bool | None:
        if self.found is None:
            return None
        return self.found <= self.wanted if self.limit else self.found >= self.wanted


def uniform(order: int, nonzeros: int) -> dict[str, Any]:
    return {"generator": "uniform", "shape": list(ORDERS[order]), "nnz": nonzeros, "seed": 1}


def seconds_of(turns: list[Turn]) -> float | None:
    """The median of all sweeps."""
    found = [one for turn in turns for one in turn.seconds]
    return median(found) if found else None


def in_products(turns: list[Turn]) -> float:
    """The median share of a sweep that is in products of the tensor."""
    return median(
        sum(spent for name, spent in phases.items() if name.startswith(PRODUCTS)) / seconds
        for turn in turns
        for seconds, phases in zip(turn.seconds, turn.phases, strict=True)
    )


def product_seconds(turns: list[Turn], phase: str) -> float:
    return median(phases[phase] for turn in turns for phases in turn.phases)


def ratio(top: float | None, bottom: float | None) -> float | None:
    return None if top is None or bottom is None else top / bottom


def sweeps(options: Options) -> list[Number]:
    """Whole sweeps beside pygenten, with the best tree beside none, and the share of other phases."""
    points: list[dict[str, Any]] = []
    why = ""
    for order in ORDERS:
        for rank in RANKS:
            tensor = uniform(order, options.nonzeros)
            specs = {
                "none": Spec("heddle", tensor, rank),
                "best": Spec("heddle", tensor, rank, {"reuse": "best"}),
                "pygenten": Spec("pygenten", tensor, rank),
            }
            turns, ended = rounds(specs, options.sweeps, options.count)
            why = ended["pygenten"].reason or why
            times = {name: seconds_of(found) for name, found in turns.items()}
            points.append(
                {
                    "order": order,
                    "rank": rank,
                    "nonzeros": ended["none"].facts["stored"],
                    "seconds": times,
                    "reuse": ended["best"].facts["reuse"],
                    "genten": ratio(times["pygenten"], times["none"]),
                    "genten_best": ratio(times["pygenten"], times["best"]),
                    "tree": ratio(times["none"], times["best"]),
                    "other": 1 - in_products(turns["none"]),
                }
            )
            said(points[-1])
    over = [point["genten"] for point in points if point["genten"] is not None]
    trees = {order: [point["tree"] for point in points if point["order"] == order] for order in (4, 5)}
    return [
        Number("sweep, pygenten over ours", "×", 3, geometric_mean(over) if over else None, points, reason=why),
        Number("sweep, pygenten over ours, least", "×", 1.5, min(over, default=None), [], reason=why),
        Number("best tree over none, order 4", "×", 1.5, geometric_mean(trees[4]), []),
        Number("best tree over none, order 5", "×", 1.9, geometric_mean(trees[5]), []),
        Number("phases other than MTTKRP, most", "%", 15, 100 * max(point["other"] for point in points), [], True),
    ]


def pyttb(options: Options) -> list[Number]:
    points: list[dict[str, Any]] = []
    why = ""
    for order in ORDERS:
        tensor = uniform(order, options.pyttb)
        turns, ended = rounds({name: Spec(name, tensor, RANKS[0]) for name in ("heddle", "pyttb")}, 3, 1)
        why = ended["pyttb"].reason or why
        times = {name: seconds_of(found) for name, found in turns.items()}
        over = ratio(times["pyttb"], times["heddle"])
        points.append({"order": order, "nonzeros": options.pyttb, "seconds": times, "pyttb": over})
        said(points[-1])
    found = [point["pyttb"] for point in points if point["pyttb"] is not None]
    return [Number("sweep, pyttb over ours", "×", 50, geometric_mean(found) if found else None, points, reason=why)]


def shared(options: Options) -> list[Number]:
    """Whole rows of entries that all modes share, beside copies that are sorted for each mode."""
    points = []
    for rank in RANKS[:2]:
        tensor = uniform(3, options.nonzeros)
        kernels = {name: {f"mttkrp.{mode}": {"method": name} for mode in range(3)} for name in ("rows", "sorted")}
        specs = {name: Spec("heddle", tensor, rank, kernels=own) for name, own in kernels.items()}
        turns, ended = rounds(specs, options.sweeps, options.count)
        times = {name: [product_seconds(found, f"mttkrp.{mode}") for mode in range(3)] for name, found in turns.items()}
        each = [theirs / own for own, theirs in zip(times["rows"], times["sorted"], strict=True)]
        points.append(
            {
                "rank": rank,
                "seconds": times,
                "ratio": each,
                "index_bytes": {name: one.facts["index_bytes"] for name, one in ended.items()},
                "bytes": {name: one.facts["bytes"] for name, one in ended.items()},
            }
        )
        said(points[-1])
    slowest = [sum(point["seconds"]["sorted"]) / sum(point["seconds"]["rows"]) for point in points]
    memory = [point["index_bytes"]["sorted"] / point["index_bytes"]["rows"] for point in points]
    whole = [point["bytes"]["sorted"] / point["bytes"]["rows"] for point in points]
    return [
        Number("rows of shared entries over sorted copies", "×", 0.7, geometric_mean(slowest), points),
        # Each of d copies has d - 1 coordinates; shared are d, and d modes have numbers: (d - 1) / 2 is all there is.
        Number("index memory of sorted copies over shared", "×", 3, min(memory), []),
        Number("memory of sorted copies over shared", "×", 1, min(whole), []),
    ]


def atomic(options: Options) -> list[Number]:
    """C, the permuted method, beside A, an atomic update for each entry, in a mode of 100 rows."""
    tensor = {"generator": "uniform", "shape": [20_000, 20_000, 100], "nnz": options.nonzeros, "seed": 1}
    more = {"reproducible": False, "update": [2]}
    specs = {
        name: Spec("heddle", tensor, RANKS[0], more, {"mttkrp.2": {"method": name}})
        for name in ("atomic", "permuted", "rows")
    }
    turns, _ = rounds(specs, options.sweeps, options.count)
    times = {name: product_seconds(found, "mttkrp.2") for name, found in turns.items()}
    point = {"seconds": times}
    said(point)
    return [Number("A over C, 100 rows", "×", 10, times["atomic"] / times["permuted"], [point])]


def sorting(options: Options) -> list[Number]:
    """Numbers of entries for all modes, in sweeps of rank 16."""
    tensor = uniform(3, options.sorted)
    methods = {f"mttkrp.{mode}": {"method": "rows"} for mode in range(3)}
    turns, ended = rounds({"rows": Spec("heddle", tensor, 16, kernels=methods)}, 2, 1)
    sweep = seconds_of(turns["rows"])
    packing = ended["rows"].facts["packing"]
    point = {"nonzeros": options.sorted, "packing": packing, "sweep": sweep}
    said(point)
    return [Number("sorting for all modes over a sweep", "×", 1, ratio(packing, sweep), [point], True)]


def driver(options: Options) -> list[Number]:
    """What Python adds to a sweep: one of a tensor of 16 entries, less its calls of kernels, C and LAPACK alone."""
    import numpy as np

    from heddle.algorithms.decompose import AlgorithmRun
    from heddle.algorithms.document.reader import parse_algorithm
    from heddle.algorithms.loops.cp_als import CpAls
    from heddle.runtime.native.blas_threads import limit_blas_threads

    parameters = {"rank": 2, "sweeps": 10_000, "tolerance": 0}
    cells = np.random.default_rng(0).random((4, 4, 4))
    run = AlgorithmRun(parse_algorithm({"algorithm": "cp-als", "parameters": parameters}), cells * (cells > 0.75))
    method = run.method
    assert isinstance(method, CpAls)
    steps, products = method._steps, method.products
    native = [
        call for mode in method.modes for call in (products.calls[mode].run, steps._solve[mode], steps._scale[mode][0])
    ]
    native.append(steps._fit)
    whole, alone = [], []
    for _ in range(40):
        begin = time.perf_counter()
        for _ in range(100):
            method.sweep()
        middle = time.perf_counter()
        with limit_blas_threads():
            for _ in range(100):
                for call in native:
                    call()
        whole.append(middle - begin)
        alone.append(time.perf_counter() - middle)
    microseconds = [1e4 * (one - other) for one, other in zip(whole, alone, strict=True)]
    point = {"sweep": 1e4 * median(whole), "calls": 1e4 * median(alone)}
    said(point)
    return [Number("driver, a sweep", "µs", 50, median(microseconds), [point], True)]


def page(options: Options) -> list[Number]:
    """From a click on Run to the first sweep, nothing compiled before."""
    points = [{"seconds": first_sweep(options.nonzeros)}]
    said(points[0])
    return [Number("first sweep after Run", "s", 3, points[0]["seconds"], points, True)]


SECTIONS: Mapping[str, Callable[[Options], list[Number]]] = {
    one.__name__: one for one in (sweeps, shared, atomic, driver, sorting, pyttb, page)
}


def said(point: Mapping[str, Any]) -> None:
    """On the way, so that a run that is broken off leaves something."""
    print(f"  {json.dumps(point, default=str)}", flush=True)


def document(numbers: list[Number], options: Options, took: float) -> dict[str, Any]:
    return {
        "numbers": [
            {
                "name": one.name,
                "unit": one.unit,
                "wanted": one.wanted,
                "limit": one.limit,
                "found": one.found,
                "kept": one.kept,
                "reason": one.reason,
                "points": one.points,
            }
            for one in numbers
        ],
        "nonzeros": options.nonzeros,
        "machine": machine_facts(),
        "load": list(os.getloadavg()),
        "seconds": round(took, 1),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write everything to this file")
    parser.add_argument("--only", default=",".join(SECTIONS), help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--nonzeros", type=int, default=1_000_000, help="default: 1000000")
    parser.add_argument("--sorted", type=int, default=10_000_000, help="entries that are sorted (default: 10000000)")
    parser.add_argument("--pyttb", type=int, default=1_000_000, help="entries for pyttb (default: 1000000)")
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    parser.add_argument("--sweeps", type=int, default=2, help="of each in a round (default: 2)")
    given = parser.parse_args()
    options = Options(given.nonzeros, given.sorted, given.pyttb, given.rounds, given.sweeps)
    begin, numbers = time.perf_counter(), []
    for name in given.only.split(","):
        print(f"{name}, {time.perf_counter() - begin:.0f} s", flush=True)
        numbers += SECTIONS[name](options)
    took = time.perf_counter() - begin
    for one in numbers:
        found = f"{one.found:9.3g} {one.unit}" if one.found is not None else f"not measured: {one.reason}"
        bound = f"{'at most' if one.limit else 'at least'} {one.wanted:g}"
        print(f"{one.name:44} {found:12}  {bound:14} {'' if one.kept is None else 'yes' if one.kept else 'NO'}")
    print(f"{took:.0f} s, load {', '.join(f'{one:.1f}' for one in os.getloadavg())}")
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(document(numbers, options, took), indent=1) + "\n")


if __name__ == "__main__":
    main()
