"""``python -m benchmarks.strategies``: how good is what each strategy of the tuner finds with as many schedules? Small
spaces are measured whole, each schedule once; then every strategy searches them with several seeds, and is told these
same times (docs/sources.toml X40).

One JSON document: for each program the fastest of all, and for each strategy how many times as long its best takes
after 1, 2, … schedules, the median over the seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.comprehensions.cases import MLP, TMM
from heddle.plan import Plan, parse_plan, plan_hash
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.genes.space import Space
from heddle.tuning.session.driver import Evaluate, Outcome, search
from heddle.tuning.session.log import Budget, Line, Settings
from heddle.tuning.strategies.genetic import Parameters
from heddle_server.engine.machine import machine_facts
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.tuning.bench import bench_of

STRATEGIES = ("random", "genetic", "genetic-code", "hill", "rules")
TBMM = "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) { Z(b,n,k) +=! X(b,n,m) * Y(b,k,m) }"


@dataclass(frozen=True, slots=True)
class Program:
    """``genes`` are those of which how many values take part; all others have their first one."""

    name: str
    text: str
    shapes: Mapping[str, Sequence[int]]
    genes: Mapping[str, int]
    language: str = "comprehension"
    formats: Mapping[str, str] | None = None
    inputs: Mapping[str, Mapping[str, Any]] | None = None

    def plan(self) -> Plan:
        formats = self.formats or {}
        tensors = {name: {"shape": list(shape)} for name, shape in self.shapes.items()}
        for name, format in formats.items():
            tensors.setdefault(name, {})["format"] = format  # type: ignore[assignment]
        return parse_plan(
            {
                "version": 2,
                "language": self.language,
                "expression": self.text,
                "tensors": tensors,
                "inputs": dict(self.inputs or {}),
                "run": {"baselines": []},
            }
        )


PROGRAMS = (
    Program(
        "tmm",
        TMM,
        {"A": (128, 32), "B": (256, 32)},
        {"order": 6, "tile m": 3, "tile n": 3, "vectors": 4, "threads": 2, "unroll": 2},
    ),
    Program(
        "tbmm",
        TBMM,
        {"X": (100, 26, 72), "Y": (100, 26, 72)},
        {"order": 6, "tile n": 3, "vectors": 5, "threads": 2, "unroll": 3, "copies": 2},
    ),
    Program(
        "MLP3",
        MLP,
        {"I": (64, 64), "W2": (64, 64), "W3": (32, 64), "W4": (16, 32)},
        {"fusion": 5, "tile b": 4, "threads": 2, "vectors": 3, "copies": 2, "unroll": 2},
    ),
    Program(
        "SpMV",
        "y(i) = A(i,j) * x(j)",
        {},
        {"start": 3, "format A": 6, "tile i": 3, "threads": 3, "unroll": 2},
        language="notation",
        formats={"A": "csr"},
        inputs={"A": {"generator": "rmat", "shape": [4000, 4000], "nnz": 60000, "seed": 1}},
    ),
)


def reduced(space: Space, genes: Mapping[str, int]) -> Space:
    """The part of a space in which these genes have so many values; given are the genomes that lie in it."""
    kept = tuple(replace(gene, values=gene.values[: genes.get(gene.name, 1)]) for gene in space.genes)
    small = replace(space, genes=kept)
    inside = [one for one in space.starts if all(value < size for value, size in zip(one, small.sizes, strict=True))]
    return replace(small, starts=tuple(inside))


def remembered(measure: Evaluate) -> Evaluate:
    """Measures each plan once, whoever asks."""
    known: dict[str, Outcome] = {}

    def evaluate(plans: Sequence[Plan]) -> Iterator[Outcome]:
        new = {name: plan for plan in plans if (name := plan_hash(plan)) not in known}
        known.update(zip(new, measure(list(new.values())), strict=True))
        yield from (known[plan_hash(plan)] for plan in plans)

    return evaluate


def run(space: Space, settings: Settings, evaluate: Evaluate) -> list[float | None]:
    """The seconds of each schedule that the search timed, in its order."""
    lines: list[Line] = []
    search(space, settings, evaluate, lines.append)
    return [line["seconds"] for line in lines if line["event"] == "timed"]


def best_so_far(times: Sequence[float | None]) -> list[float]:
    best, found = float("inf"), []
    for seconds in times:
        best = min(best, float("inf") if seconds is None else seconds)
        found.append(best)
    return found


def compared(space: Space, evaluate: Evaluate, evaluations: int, seeds: int) -> dict[str, Any]:
    """What all strategies find in ``space``; see the module."""
    once = remembered(evaluate)
    whole = run(space, Settings("exhaustive", budget=Budget(10**6, 10**6), parameters=Parameters(50)), once)
    fastest = min(seconds for seconds in whole if seconds is not None)
    found: dict[str, Any] = {}
    for strategy in STRATEGIES:
        curves = []
        for seed in range(seeds):
            budget = Budget(evaluations, 100)
            curves.append(best_so_far(run(space, Settings(strategy, seed, Parameters(10, 2), budget), once)))
        length = max(map(len, curves))
        filled = [curve + curve[-1:] * (length - len(curve)) for curve in curves]
        ratios = [median(curve[place] for curve in filled) / fastest for place in range(length)]
        found[strategy] = {
            "times_the_fastest": [round(one, 4) if one < float("inf") else None for one in ratios],
            "at_the_end": round(ratios[-1], 4),
        }
    return {"points": space.points, "schedules": len(whole), "fastest_seconds": fastest, "strategies": found}


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="benchmarks.strategies", description=__doc__)
    options.add_argument("--evaluations", type=int, default=40, help="schedules for each search (default %(default)s)")
    options.add_argument("--seeds", type=int, default=5, help="searches with each strategy (default %(default)s)")
    options.add_argument("--only", default="", help="programs whose name contains this")
    options.add_argument("--output", type=Path, help="the JSON document (default: the standard output)")
    given = options.parse_args(arguments)
    before, begun, programs = os.getloadavg()[0], time.monotonic(), {}
    for program in PROGRAMS:
        if given.only not in program.name:
            continue
        plan = program.plan()
        bench = bench_of(plan, {}, QuietTime(None), lambda: float("inf"), lambda message: None, "benchmark")
        space = reduced(space_of(plan, bench.subject.sparse), program.genes)
        programs[program.name] = compared(space, bench.evaluate, given.evaluations, given.seeds)
        print(program.name, f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
    whole = {
        "machine": machine_facts(None),
        "load_before": before,
        "evaluations": given.evaluations,
        "seeds": given.seeds,
        "programs": programs,
    }
    text = json.dumps(whole, indent=1, default=str) + "\n"
    if given.output is None:
        print(text, end="")
    else:
        given.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
