"""What a study is made of: Plans that differ in one parameter, and schedules that are compared on each
(docs/sources.toml X1 to X4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heddle.targets import CUDA, OPENCL, C, target_named

SPMV = "y(i) = A(i,j) * x(j)"
TARGETS = (C.name, OPENCL.name, CUDA.name)

Document = dict[str, Any]
"""A Plan as JSON."""
Schedules = Mapping[str, tuple[str, ...]]
"""Commands by what the schedule is called."""


@dataclass(frozen=True, slots=True)
class Point:
    """One matrix: ``value`` is the parameter's, ``generator`` what makes the matrix of ``shape``."""

    value: float
    shape: tuple[int, int]
    generator: Mapping[str, object]

    def plan(self, target: str, schedule: Sequence[str]) -> Document:
        """SpMV of the matrix as a Plan, which the page, the shell and the service run as well."""
        rows, columns = self.shape
        return {
            "version": 2,
            "expression": SPMV,
            "tensors": {"A": {"format": "csr"}, "x": {"shape": [columns]}},
            "schedule": list(schedule),
            "target": target,
            "inputs": {
                "A": {**self.generator, "shape": [rows, columns]},
                "x": {"generator": "uniform", "shape": [columns], "seed": 2},
            },
        }


@dataclass(frozen=True, slots=True)
class Study:
    """``points(nonzeros)`` are the matrices. ``gpu`` and ``cpu`` are the schedules for GPU targets and for C, their
    first one the one that others are compared with. ``nonzeros`` are those of a full run, ``expected`` quotes
    Senanayake et al. 2020; ``conclude`` finds in the measured rows what the study asks for."""

    name: str
    title: str
    question: str
    parameter: str
    expected: str
    nonzeros: int
    points: Callable[[int], Sequence[Point]]
    gpu: Schedules
    cpu: Schedules
    conclude: Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]]

    def schedules(self, target: str) -> Schedules:
        return self.gpu if target_named(target).only_gpu else self.cpu


def even_rows(nonzeros: int, entries_of_row: Sequence[int]) -> list[Point]:
    """Square matrices with about ``nonzeros`` entries, as many in each row, their columns uniform."""
    points = []
    for entries in entries_of_row:
        size = max(entries, nonzeros // entries)
        points.append(Point(entries, (size, size), {"generator": "skew", "nnz": size * entries, "c": 1.0, "seed": 1}))
    return points


def slowdowns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """For each value of the parameter, how many times as long as the first schedule every other one takes."""
    return {
        "times_of_the_first": {
            f"{row['value']:g}": {
                name: round(schedule["median_ns"] / next(iter(row["schedules"].values()))["median_ns"], 3)
                for name, schedule in row["schedules"].items()
            }
            for row in rows
        }
    }
