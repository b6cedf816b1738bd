"""What is promised of programs of patterns, measured in one run, one command:

python benchmarks/patterns.py [--json benchmarks/results/patterns.json] [--only text,loops] [--nonzeros 100000]
                              [--runs 30] [--seconds 0.3]

How long a program takes to become C; compressed rows from types beside the kernel of index notation with the same
loops; lengths with their sums kept beside offsets; packed pairs beside two arrays; the best of some schedules beside
MKL and SciPy; work-groups of so many rows and threads; and how many lengths each strategy of sums adds up. Kernels of
the CPU run on one thread, all that are compared take turns, and every result is checked before it is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import numpy as np

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import heddle as hd
from benchmarks.suite.matrices import BY_NAME, load
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import ScalarEvent
from heddle.measuring.baselines import mkl_library
from heddle.measuring.baselines.mkl_library import NON_TRANSPOSE
from heddle.measuring.baselines.mkl_matrix import SparseMatrix
from heddle.measuring.rounds import Protocol, measure
from heddle.runtime.devices import opencl_devices
from heddle.runtime.native import toolchain
from heddle.runtime.patterns.kernel import PatternKernel
from heddle_server.engine.machine import machine_facts
from heddle_server.experiments.questions.patterns import GROUPS, HANDS, best_and_regret, in_groups, spmv
from tests.compiler.patterns.programs import CASES

GENERATED = tuple(name for name, matrix in BY_NAME.items() if not matrix.real)
WORDS = {"float32": "float", "float64": "double"}
SCHEDULES: tuple[tuple[str, ...], ...] = (
    (),
    ("mapVec(map2)",),
    ("dealReduce(reduce1, 4)",),
    ("dealReduce(reduce1, 8)",),
    ("dealReduce(reduce1, 8)", "mapLater(deal1)", "fuse(map3)", "mapVec(map3)"),
    ("partReduce(reduce1, 8)",),
    ("splitUpJoin(map1, 64)",),
    ("splitUpJoin(map1, 64)", "mapVec(map2)"),
)
"""Of compressed rows; which is best is found out for each matrix, before it is measured beside others."""


@dataclass(frozen=True, slots=True)
class Options:
    """Nonzeros of each matrix, runs of each compile, seconds of each contender."""

    nonzeros: int
    runs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Promise:
    """``found`` should be at least ``wanted``, or at most where it is a ``limit``; None where it is only told.
    ``points`` are what it was found from."""

    name: str
    unit: str
    wanted: float | None
    found: float
    points: list[dict[str, Any]]
    limit: bool = False

    @property
    def kept(self) -> bool | None:
        if self.wanted is None:
            return None
        return self.found <= self.wanted if self.limit else self.found >= self.wanted


Call = Callable[[], object]


def text(options: Options) -> list[Promise]:
    """Milliseconds from the text of each program to its C; the programs take turns."""
    samples: dict[str, list[float]] = {name: [] for name in CASES}
    for turn in range(options.runs + 1):
        for name, case in CASES.items():
            target = "opencl" if name == "P9" else "c"  # work-groups
            start = time.perf_counter()
            result = hd.lower(case.text, language="patterns", target=target)
            spent = 1e3 * (time.perf_counter() - start)
            result.raise_errors()
            assert result.source is not None
            if turn:  # the first one imports what it needs
                samples[name].append(spent)
    points = [{"program": name, "median_ms": median(found)} for name, found in samples.items()]
    every = [one for found in samples.values() for one in found]
    return [
        Promise(
            "text to C, the slowest program's median", "ms", 8, max(one["median_ms"] for one in points), points, True
        ),
        Promise("text to C, median of all", "ms", 8, median(every), [], True),
        Promise("text to C, 95th percentile of all", "ms", 30, float(np.percentile(every, 95)), [], True),
    ]


def of_patterns(
    program: str, arguments: dict[str, Any], expected: Any, schedule: tuple[str, ...] = (), target: str = "c"
) -> Call:
    """The kernel of a program, whose result is ``expected``."""
    kernel = hd.compile(program, language="patterns", schedule=list(schedule), target=target)
    assert isinstance(kernel, PatternKernel)
    call = kernel.prepare(arguments)
    call.run()
    check(call.output.to_numpy(), expected)
    return call.compute


def check(found: Any, expected: Any) -> None:
    tolerance = 2e-5 if expected.dtype == np.float32 else 1e-11
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max(initial=1))


def parts(matrix: Any, x: Any) -> dict[str, Any]:
    return {"offset": matrix.indptr, "cols": matrix.indices, "vals": matrix.data, "xs": x}


def of_notation(matrix: Any, x: Any, expected: Any) -> Call:
    dtypes = dict.fromkeys(("A", "x"), matrix.dtype.name)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, dtypes=dtypes)
    call = kernel.bind(A=hd.pack(matrix, "csr"), x=x)
    call.run()
    check(call.output.to_numpy(), expected)
    return call.timed


def of_mkl(matrix: Any, x: Any, expected: Any) -> Call:
    library = mkl_library.load(toolchain.discover().openmp)
    mkl_library.set_threads(library, 1)
    handle = SparseMatrix(library, matrix, "d" if matrix.dtype == np.float64 else "s")
    handle.hint_mv(NON_TRANSPOSE, 1000)
    handle.optimize()
    y = np.zeros(matrix.shape[0], matrix.dtype)
    call: Call = handle.mv(NON_TRANSPOSE, x, y)

    def held(kept: tuple[Any, ...] = (handle, x, y)) -> None:
        """The library knows addresses alone: what they belong to lives as long as its call."""
        call()

    held()
    check(y, expected)
    return held


def timed(contenders: dict[str, Call], seconds: float) -> dict[str, float]:
    """Medians in milliseconds of contenders that take turns."""
    protocol = Protocol(min_seconds=seconds, cap_seconds=60.0)
    timings = measure(list(contenders.values()), protocol, lambda share: None)
    return {name: float(np.median(own)) / 1e6 for name, own in zip(contenders, timings.samples, strict=True)}


def operands(name: str, options: Options, dtype: str) -> tuple[Any, Any, Any]:
    """A matrix, a vector, and their product."""
    matrix = load(BY_NAME[name], options.nonzeros, dtype)
    x = np.random.default_rng(2).random(matrix.shape[1]).astype(dtype)
    return matrix, x, matrix @ x


def over(points: list[dict[str, Any]], name: str) -> list[float]:
    return [point[name] for point in points]


def loops(options: Options) -> list[Promise]:
    """Compressed rows from types beside those of index notation: the same loops, so the same time."""
    points = []
    for name in GENERATED:
        matrix, x, expected = operands(name, options, "float64")
        contenders = {
            "patterns": of_patterns(spmv("double"), parts(matrix, x), expected),
            "notation": of_notation(matrix, x, expected),
        }
        times = timed(contenders, options.seconds)
        points.append({"matrix": name, "ms": times, "ratio": times["notation"] / times["patterns"]})
    ratios = over(points, "ratio")
    return [
        Promise("csr of index notation over csr from types", "×", 0.98, geometric_mean(ratios), points),
        Promise("the same, least of all matrices", "×", 0.98, min(ratios), []),
        Promise("the same, most of all matrices", "×", 1.02, max(ratios), [], True),
    ]


def kept(options: Options) -> list[Promise]:
    """Lengths whose sums are kept, beside offsets; what adding them up takes is not in it."""
    points = []
    for name in GENERATED:
        matrix, x, expected = operands(name, options, "float64")
        own = parts(matrix, x)
        lengths = {"lengths": np.diff(own.pop("offset")), **own}
        contenders = {
            "lengths": of_patterns(spmv("double", lengths=True), lengths, expected),
            "offsets": of_patterns(spmv("double"), parts(matrix, x), expected),
        }
        times = timed(contenders, options.seconds)
        points.append({"matrix": name, "ms": times, "ratio": times["offsets"] / times["lengths"]})
    return [Promise("offsets over kept lengths", "×", 0.95, geometric_mean(over(points, "ratio")), points)]


def packed(options: Options) -> list[Promise]:
    """Pairs of column and value in one array, beside two arrays; of doubles pairs have padding, and are only shown."""
    points = []
    for dtype, word in WORDS.items():
        for name in GENERATED:
            matrix, x, expected = operands(name, options, dtype)
            own = parts(matrix, x)
            rows = np.zeros(matrix.nnz, np.dtype([("column", np.int32), ("value", dtype)], align=True))
            rows["column"], rows["value"] = own.pop("cols"), own.pop("vals")
            contenders = {
                "pairs": of_patterns(spmv(word, packed=True), {**own, "rows": rows}, expected),
                "two arrays": of_patterns(spmv(word), parts(matrix, x), expected),
            }
            times = timed(contenders, options.seconds)
            ratio = times["two arrays"] / times["pairs"]
            points.append({"matrix": name, "dtype": dtype, "ms": times, "ratio": ratio})
    narrow = [point["ratio"] for point in points if point["dtype"] == "float32"]
    return [Promise("two arrays over pairs, float32", "×", 1, geometric_mean(narrow), points)]


def tuned(options: Options) -> list[Promise]:
    """The best of some schedules for each matrix, beside MKL's and SciPy's product."""
    points = []
    for name in GENERATED:
        matrix, x, expected = operands(name, options, "float64")
        calls = {
            "; ".join(schedule): of_patterns(spmv("double"), parts(matrix, x), expected, schedule)
            for schedule in SCHEDULES
        }
        tried = timed(calls, options.seconds / 4)
        best = min(tried, key=lambda one: tried[one])
        contenders: dict[str, Call] = {
            "patterns": calls[best],
            "mkl": of_mkl(matrix, x, expected),
            "scipy": lambda matrix=matrix, x=x: matrix @ x,  # type: ignore[misc]
        }
        times = timed(contenders, options.seconds)
        ratios = {name: times[name] / times["patterns"] for name in ("mkl", "scipy")}
        points.append({"matrix": name, "schedule": best, "ms": times, "tried_ms": tried, **ratios})
    return [
        Promise("MKL over tuned", "×", 0.9, geometric_mean(over(points, "mkl")), points),
        Promise("SciPy over tuned", "×", 1, geometric_mean(over(points, "scipy")), []),
    ]


def groups(options: Options) -> list[Promise]:
    """Rows of a work-group against threads of a row, on an OpenCL device: what the best choice for each matrix gains
    over SciPy, what one choice for all does, and what that costs. Nothing where there is no device."""
    if not opencl_devices.devices():
        print("groups: there is no OpenCL device")
        return []
    points = []
    times: dict[str, dict[str, float]] = {}
    for name in GENERATED:
        matrix, x, expected = operands(name, options, "float32")
        contenders: dict[str, Call] = {
            f"{rows} rows, {hands} threads": of_patterns(
                in_groups(rows, hands), parts(matrix, x), expected, target="opencl"
            )
            for rows in GROUPS
            for hands in HANDS
        }
        found = timed({**contenders, "scipy": lambda matrix=matrix, x=x: matrix @ x}, options.seconds / 4)  # type: ignore[misc]
        points.append({"matrix": name, "ms": dict(found)})
        scipy = found.pop("scipy")
        times[name] = {one: spent / scipy for one, spent in found.items()}
    single, regret = best_and_regret(times)
    best = [min(own.values()) for own in times.values()]
    return [
        Promise("work-groups, best of each matrix, over SciPy", "×", None, 1 / geometric_mean(best), points),
        Promise(
            f"work-groups, {single}, over SciPy",
            "×",
            None,
            1 / geometric_mean(own[single] for own in times.values()),
            [],
        ),
        Promise("one choice over the best of each", "×", None, regret, []),
    ]


def additions_of(name: str, strategy: str, rows: int) -> int:
    """How many lengths are added up for the starts of all rows of ``vals``: by the kernel, as the interpreter counts
    them, and by the runtime beforehand."""
    steps = [f"sums(vals, {strategy})", f"sums(cols, {strategy})"]
    kernel = hd.compile(CASES[name].text, language="patterns", schedule=steps, target="interpreter")
    assert isinstance(kernel, PatternKernel)
    assert kernel.result.function is not None
    arguments, _ = CASES[name].make(np.random.default_rng(5), rows)
    call = kernel.prepare(arguments)
    values = {
        parameter.name: call.arguments[parameter.tensor].item()
        if parameter.array is None
        else call.arguments[parameter.tensor].vals
        for parameter in kernel.result.function.parameters
    }
    events = interpret(kernel.result.function, values, trace=True).trace
    changes = sum(isinstance(event, ScalarEvent) and event.name.startswith("start") for event in events)
    begun = rows if strategy == "loop" else 0  # each row begins with 0
    return changes - begun + sum(len(memo) - 1 for memo in call.memos.values())


def additions(options: Options) -> list[Promise]:
    """Exactly n(n - 1)/2 in loops, n kept, and none by the formula: the difference from that is to be 0."""
    points = []
    for rows in (0, 1, 2, 9, 40):
        wanted = {"loop": rows * (rows - 1) // 2, "memo": rows, "closed": 0}
        for strategy, number in wanted.items():
            found = additions_of("P3" if strategy == "closed" else "P2", strategy, rows)
            points.append({"rows": rows, "strategy": strategy, "wanted": number, "found": found})
    wrong = sum(abs(point["wanted"] - point["found"]) for point in points)
    return [Promise("additions of lengths, away from the formulas", "", 0, wrong, points, True)]


SECTIONS = {
    "text": text,
    "loops": loops,
    "kept": kept,
    "packed": packed,
    "tuned": tuned,
    "groups": groups,
    "additions": additions,
}


def document(promises: list[Promise], options: Options, took: float, load: tuple[float, ...]) -> dict[str, Any]:
    """All that was found, with the machine; ``load`` is that of its last minutes when the run began."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_facts(None),
        "load": {"before": load, "after": os.getloadavg()},
        "threads": 1,
        "seconds": took,
        "options": asdict(options),
        "promises": [{**asdict(one), "kept": one.kept} for one in promises],
    }


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"of {', '.join(SECTIONS)}, separated by commas (default: all)")
    parser.add_argument("--nonzeros", type=int, default=100_000, help="of each matrix, about (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=30, help="of each compile (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each contender (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    chosen = parser.parse_args(arguments)
    wanted = chosen.only.split(",") if chosen.only else list(SECTIONS)
    unknown = [name for name in wanted if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no {unknown[0]}; known are {', '.join(SECTIONS)}")
    options = Options(chosen.nonzeros, chosen.runs, chosen.seconds)
    load, begun = os.getloadavg(), time.perf_counter()
    promises: list[Promise] = []
    for name in wanted:
        print(f"{name}, {time.perf_counter() - begun:.0f} s", flush=True)
        promises += SECTIONS[name](options)
    took = time.perf_counter() - begun
    for one in promises:
        bound = "" if one.wanted is None else f"{'at most' if one.limit else 'at least'} {one.wanted:g}"
        said = {True: "yes", False: "NO", None: ""}[one.kept]
        print(f"{one.name:46} {one.found:9.3g} {one.unit:3} {bound:14} {said}")
    print(f"{took:.0f} s, load {', '.join(f'{one:.1f}' for one in os.getloadavg())}, {load[0]:.1f} when it began")
    if chosen.json is not None:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(json.dumps(document(promises, options, took, load), indent=1) + "\n")
    return 1 if any(one.kept is False for one in promises) else 0


if __name__ == "__main__":
    raise SystemExit(main())
