"""Decompositions that take turns: each is a process of its own, which waits while another is timed, so that the load of
the machine meets all of them alike and no two OpenMP runtimes share a process."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any

import numpy as np

SECONDS = 300.0
"""After which a program that does not answer is given up."""


@dataclass(frozen=True, slots=True)
class Spec:
    """``program`` is ``heddle``, ``pygenten`` or ``pyttb``; ``tensor`` what a generator takes, with its ``shape``.
    ``parameters`` and ``kernels`` are Heddle's, as in a document."""

    program: str
    tensor: Mapping[str, Any]
    rank: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    kernels: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """Of one turn: ``seconds`` of each sweep, and of its ``phases`` where they are known."""

    seconds: list[float]
    phases: list[dict[str, float]] = field(default_factory=list)


class Contender:
    """A program in its process. ``facts`` are what it said of its problem; with a ``reason`` it takes no part."""

    def __init__(self, spec: Spec) -> None:
        context = get_context("spawn")
        self._own, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(spec, theirs), daemon=True)
        self._process.start()
        theirs.close()
        told = self._answer()
        self.facts: dict[str, Any] = told if isinstance(told, dict) else {}
        self.reason: str | None = None if isinstance(told, dict) else str(told)

    def turn(self, sweeps: int) -> Turn | None:
        """So many sweeps; None where it takes no part any more."""
        if self.reason is not None:
            return None
        self._own.send(sweeps)
        told = self._answer()
        if isinstance(told, Turn):
            return told
        self.reason = str(told)
        return None

    def end(self) -> None:
        self._own.close()
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _answer(self) -> object:
        try:
            if self._own.poll(SECONDS):
                return self._own.recv()
        except (EOFError, OSError):
            self._process.join(5)
            return f"its process ended with {self._process.exitcode}"
        self._process.kill()
        return f"no answer within {SECONDS:.0f} s"


def rounds(specs: Mapping[str, Spec], sweeps: int, count: int) -> tuple[dict[str, list[Turn]], dict[str, Contender]]:
    """All of them, ``count`` times one after the other, each time in another order; and the contenders, which have
    ended. A first turn of each warms up and is left out."""
    contenders = {name: Contender(spec) for name, spec in specs.items()}
    turns: dict[str, list[Turn]] = {name: [] for name in specs}
    rng = np.random.default_rng(0)
    try:
        for contender in contenders.values():
            contender.turn(1)
        for _ in range(count):
            for place in rng.permutation(len(specs)):
                name = list(specs)[place]
                turn = contenders[name].turn(sweeps)
                turns[name] += [turn] if turn is not None else []
    finally:
        for contender in contenders.values():
            contender.end()
    return turns, contenders


def start_of(shape: Sequence[int], rank: int) -> list[Any]:
    rng = np.random.default_rng(0)
    return [rng.random((size, rank)) for size in shape]


def _serve(spec: Spec, pipe: Connection) -> None:
    """Answers a number of sweeps by a Turn, until the other end closes."""
    try:
        facts, take = _PREPARE[spec.program](spec)
        pipe.send(facts)
        while True:
            pipe.send(take(pipe.recv()))
    except (EOFError, BrokenPipeError):
        pass
    except Exception as error:  # whatever it is, it is why this program takes no part
        pipe.send(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")
    os._exit(0)  # Kokkos aborts where Python ends before it does.


def _given(spec: Spec) -> Any:
    from heddle.algorithms.tensor_input import tensor_input
    from heddle.measuring.inputs.synthetic.generators import generate

    return tensor_input(generate("X", spec.tensor, tuple(spec.tensor["shape"]), "float64"))


def _heddle(spec: Spec) -> Any:
    from heddle.algorithms.decompose import AlgorithmRun
    from heddle.algorithms.document.reader import parse_algorithm
    from heddle.algorithms.start import hash_of

    given = _given(spec)
    start = start_of(given.shape, spec.rank)
    named = {"kind": "given", "hash": hash_of(start)}
    parameters = {"rank": spec.rank, "sweeps": 10_000, "tolerance": 0, "start": named, **spec.parameters}
    document = {"algorithm": "cp-als", "parameters": parameters, "kernels": dict(spec.kernels)}
    run = AlgorithmRun(parse_algorithm(document), given, start)
    steps = iter(run)
    stored = {
        int(array.ctypes.data): int(array.nbytes)
        for call in run.products.calls.values()
        for level in call.operands["X"].levels
        for array in (level.pos, level.crd, *level.extra.values())
        if array is not None
    }
    values = {
        int(call.operands["X"].vals.ctypes.data): int(call.operands["X"].vals.nbytes)
        for call in run.products.calls.values()
    }
    facts = {
        "stored": given.stored,
        "packing": run.products.packing,
        "index_bytes": sum(stored.values()),
        "bytes": sum(stored.values()) + sum(values.values()),
        "reuse": run.algorithm.parameters.reuse,
        "methods": {name: choice.method for name, choice in run.choices.items()},
    }

    def take(sweeps: int) -> Turn:
        found = [next(steps) for _ in range(sweeps)]
        return Turn([one.seconds for one in found], [dict(one.phases) for one in found])

    return facts, take


def _pygenten(spec: Spec) -> Any:
    genten: Any = importlib.import_module("pygenten")
    given = _given(spec)
    start = start_of(given.shape, spec.rank)
    subscripts = np.column_stack(given.entries.columns).astype(np.uint64)
    tensor = genten.Sptensor(given.shape, subscripts, given.entries.values)

    def run(sweeps: int) -> object:
        init = genten.Ktensor(np.ones(spec.rank), [factor.copy() for factor in start])
        return genten.cp_als(tensor, rank=spec.rank, maxiters=sweeps, tol=0.0, init=init, printitn=0)

    return {"stored": given.stored}, _difference(run)


def _pyttb(spec: Spec) -> Any:
    ttb: Any = importlib.import_module("pyttb")
    given = _given(spec)
    start = start_of(given.shape, spec.rank)
    tensor = ttb.sptensor(np.column_stack(given.entries.columns), given.entries.values[:, None], given.shape)

    def run(sweeps: int) -> object:
        init = ttb.ktensor([factor.copy() for factor in start], np.ones(spec.rank))
        return ttb.cp_als(tensor, spec.rank, stoptol=0, maxiters=sweeps, init=init, printitn=0)

    return {"stored": given.stored}, _difference(run)


def _difference(run: Any) -> Any:
    """These run whole decompositions: one of some sweeps more, less one of a single sweep."""

    def take(sweeps: int) -> Turn:
        with _quiet():
            begin = perf_counter()
            run(1)
            single = perf_counter()
            run(1 + sweeps)
            return Turn([(perf_counter() - single - (single - begin)) / sweeps] * sweeps)

    return take


@contextmanager
def _quiet() -> Any:
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


_PREPARE = {"heddle": _heddle, "pygenten": _pygenten, "pyttb": _pyttb}
