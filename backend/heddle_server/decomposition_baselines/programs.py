"""pyttb and GenTen: a sweep of CP-ALS by each, from any factors, with the fit that it ends with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Sweep = Callable[[list[Array]], tuple[list[Array], float]]
"""Factors before, to factors behind it and the fit."""


@dataclass(frozen=True, slots=True)
class Program:
    """``module`` is what Python imports, ``package`` what people install. ``prepare`` takes coordinates, one array for
    each mode, values and the shape."""

    name: Literal["pyttb", "genten"]
    label: str
    module: str
    package: str
    prepare: Callable[[Sequence[Array], Array, tuple[int, ...]], Sweep]


def _pyttb(columns: Sequence[Array], values: Array, shape: tuple[int, ...]) -> Sweep:
    ttb: Any = import_module("pyttb")
    tensor = ttb.sptensor(np.column_stack(columns), values[:, None], shape)

    def sweep(factors: list[Array]) -> tuple[list[Array], float]:
        rank = int(factors[0].shape[1])
        init = ttb.ktensor([factor.copy() for factor in factors], np.ones(rank))
        model, _, report = ttb.cp_als(tensor, rank, stoptol=0, maxiters=1, init=init, printitn=0)
        return list(model.factor_matrices), float(report["fit"])

    return sweep


def _genten(columns: Sequence[Array], values: Array, shape: tuple[int, ...]) -> Sweep:
    genten: Any = import_module("pygenten")
    tensor = genten.Sptensor(shape, np.ascontiguousarray(np.column_stack(columns), dtype=np.uint64), values)

    def sweep(factors: list[Array]) -> tuple[list[Array], float]:
        rank = int(factors[0].shape[1])
        init = genten.Ktensor(np.ones(rank), [factor.copy() for factor in factors])
        model, _, report = genten.cp_als(tensor, rank=rank, maxiters=1, tol=0.0, init=init, printitn=0)
        return [np.array(factor) for factor in model.factor_matrices], float(report.lastEntry().fit)

    return sweep


PROGRAMS: Mapping[str, Program] = {
    program.name: program
    for program in (
        Program("pyttb", "pyttb", "pyttb", "pyttb", _pyttb),
        Program("genten", "GenTen", "pygenten", "pygenten", _genten),
    )
}


def missing(program: Program, error: Exception) -> str:
    """Why there is none, as a sentence for the page."""
    if isinstance(error, ModuleNotFoundError) and error.name == program.module:
        advice = f"It is optional; install {program.package} beside Heddle to compare with it."
        return f"{program.label} is not installed. {advice}"
    return f"{program.label} is installed, but does not load: {error}."
