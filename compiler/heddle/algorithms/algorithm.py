"""The Algorithm: the document of a computation that calls several kernels in a cycle, as a Plan is that of one."""

from __future__ import annotations

from dataclasses import dataclass, field

VERSION = 1
"""Of the documents that are read and written."""

ALGORITHMS = ("cp-als", "cp-apr", "cp-opt")
"""What a document may name: alternating least squares, counts as Poisson variables, and gradients of all factors."""

OWN_PARAMETERS = {
    "inner": ("cp-apr",),
    "reuse": ("cp-als", "cp-opt"),
    "ridge": ("cp-als",),
    "solver": ("cp-als",),
}
"""Parameters that not every algorithm has."""

STARTS = ("uniform", "normal", "nvecs", "given")
"""Where factors start: drawn from U(0, 1) or N(0, 1), the leading eigenvectors of each mode, or handed over beside the
document, which has their hash."""

SOLVERS = ("cholesky", "minimum-norm")
"""``cholesky`` falls back to an indefinite factorisation and then to the minimum norm where it has to."""

OPPONENTS = ("pyttb", "genten")
"""Programs that a run may be compared with, where they are installed: from the same start, for as many sweeps."""

MAX_RANK = 4096
MAX_SWEEPS = 10_000
LEAST_ORDER, MAX_ORDER = 2, 9
MAX_REUSE = 256
"""Characters of a tree."""


@dataclass(frozen=True, slots=True)
class Start:
    """``kind`` is one of :data:`STARTS`; ``seed`` is for draws, ``hash`` names factors that are given."""

    kind: str = "uniform"
    seed: int = 0
    hash: str | None = None


@dataclass(frozen=True, slots=True)
class Parameters:
    """What is asked of an algorithm.

    ``sweeps`` and ``seconds`` are the most that it may take, ``tolerance`` the change of the fit below which it ends;
    for CP-APR how far the conditions of an optimum may be from holding, and ``inner`` how often a mode is updated in a
    sweep at most.
    ``order`` and ``update`` are modes: in which order they are visited (None: ascending), and which change (None: all).
    ``ridge`` is added to the diagonal of each system. ``reproducible``: only schedules whose results have the same bits
    for any number of threads. ``signs``: the largest entries of factors are made positive in pairs of modes.
    ``memory`` is the most bytes of all stored copies of the tensor (None: four times its coordinates and values).
    """

    rank: int
    sweeps: int = 50
    tolerance: float = 1e-4
    seconds: float | None = None
    start: Start = field(default_factory=Start)
    order: tuple[int, ...] | None = None
    update: tuple[int, ...] | None = None
    solver: str = "cholesky"
    ridge: float = 0
    reuse: str = "none"
    reproducible: bool = True
    signs: bool = True
    memory: int | None = None
    inner: int = 10


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """How a role is computed: the ``formats`` of its operands by name, and the ``schedule``; or the name of a
    ``method``, which gives both once the tensor is known."""

    formats: dict[str, str] = field(default_factory=dict)
    schedule: tuple[str, ...] = ()
    method: str | None = None


@dataclass(frozen=True, slots=True)
class Algorithm:
    """``algorithm`` names one of :data:`ALGORITHMS`. ``inputs`` says where the tensor X comes from, as in a Plan, or is
    empty where it is handed over. ``kernels`` has the roles that are pinned; rules choose for the others. ``baselines``
    are of :data:`OPPONENTS`."""

    algorithm: str
    parameters: Parameters
    inputs: dict[str, dict[str, object]] = field(default_factory=dict)
    kernels: dict[str, KernelSpec] = field(default_factory=dict)
    threads: int | None = None
    baselines: tuple[str, ...] = ()
    version: int = VERSION
