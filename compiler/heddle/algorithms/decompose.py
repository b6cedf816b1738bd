"""``hd.run``: a document and a tensor in, a decomposition out, sweep by sweep."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from heddle.algorithms.algorithm import Algorithm, KernelSpec
from heddle.algorithms.choose import Choice
from heddle.algorithms.dense.steps import least_squares
from heddle.algorithms.document.canonical import to_document
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.history import Sweep
from heddle.algorithms.kernels import bound
from heddle.algorithms.kruskal import Kruskal
from heddle.algorithms.loops.cp_als import CpAls
from heddle.algorithms.loops.cp_apr import CpApr
from heddle.algorithms.loops.cp_opt import CpOpt
from heddle.algorithms.loops.loop import Loop
from heddle.algorithms.planning.prepare import prepare
from heddle.algorithms.start import require_not_negative, start_factors
from heddle.algorithms.state import State
from heddle.algorithms.tensor_input import Input, tensor_input
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.runtime.checkout import PROGRAM
from heddle.runtime.extras import require_scipy
from heddle.runtime.kernels.pickling import bound_here

Array = NDArray[Any]
LOOPS: Mapping[str, Callable[..., Loop]] = {"cp-als": CpAls, "cp-apr": CpApr, "cp-opt": CpOpt}
BUILT_AHEAD: Mapping[str, Callable[[], object]] = {"cp-als": least_squares}
"""What a loop needs beside its kernels: it is built while they are chosen."""
Watch = Callable[[Sweep], object]


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
    """What CP-ALS found. ``kruskal`` is arranged: columns of norm 1, the largest weight first. ``history`` has a record
    for each sweep, ``stopped`` says why there were no more: ``tolerance``, ``sweeps``, ``seconds`` or ``asked``.
    ``document`` is the resolved document, every kernel pinned; ``choices`` say why. ``state`` is where it can go on."""

    kruskal: Kruskal
    history: list[Sweep]
    stopped: str
    document: dict[str, object]
    choices: Mapping[str, Choice]
    state: State
    summed: int
    preparation: float

    @property
    def weights(self) -> Array:
        """Of the components, float64 and of length ``rank``, the largest first."""
        return self.kruskal.weights

    @property
    def factors(self) -> list[Array]:
        """One float64 array for each mode, with the shape (size of the mode, rank); columns of norm 1."""
        return self.kruskal.factors

    @property
    def fit(self) -> float:
        """Of the last sweep."""
        return self.history[-1].fit if self.history else self.state.fit

    def score(self, other: Kruskal | Decomposition) -> float:
        """How alike this and another model are, see :meth:`Kruskal.score`."""
        return self.kruskal.score(other.kruskal if isinstance(other, Decomposition) else other)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.kruskal.shape))
        count = len(self.history)
        return f"<Decomposition of {shape}, rank {self.kruskal.rank}: fit {self.fit:.6g} after {count} sweeps>"


class AlgorithmRun:
    """A decomposition that is made sweep by sweep: iterate over it for the records, then ask for :meth:`finish`.

    ``stop()`` ends it behind the sweep that is running; what is there is kept. ``shapes`` are those of the tensor that
    each role multiplies, which in a tree is another than the input.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        tensor: object,
        start: Sequence[object] | None = None,
        resume: State | None = None,
    ) -> None:
        """Chooses, compiles and binds all kernels.

        Raises
        ------
        CompileError
            ``algorithm/…``, what :func:`heddle.pack` raises for the tensor, or the diagnostics of a pinned kernel at
            its place in the document; ``runtime/no-scipy``.
        """
        begin = perf_counter()
        require_scipy("A decomposition")
        self.input = tensor if isinstance(tensor, Input) else tensor_input(tensor)
        shape, rank = self.input.shape, algorithm.parameters.rank
        if resume is not None:
            resume.require(shape, rank, self.input.hash, algorithm.algorithm)
            resume.require_sweeps(algorithm.parameters.sweeps)
        with ThreadPoolExecutor(os.cpu_count()) as builders:
            if algorithm.algorithm in BUILT_AHEAD:
                builders.submit(BUILT_AHEAD[algorithm.algorithm])
            self.plan = prepare(algorithm, self.input)
            algorithm, self.modes, self.choices = self.plan.algorithm, self.plan.modes, self.plan.choices
            self.shapes = self.plan.shapes
            factors = start_factors(algorithm, self.input, start, resume.factors if resume is not None else None)
            if algorithm.algorithm == "cp-apr":
                require_not_negative(factors)
            kernels = {
                name: KernelSpec(dict(choice.kernel.formats), choice.kernel.schedule)
                for name, choice in self.choices.items()
            }
            self.algorithm = replace(algorithm, kernels=kernels)
            products = self.products = bound(self.choices, self.input, factors, self.plan.role_inputs, builders)
        loop = LOOPS[algorithm.algorithm]
        self.method: Loop = loop(algorithm.parameters, self.modes, products, factors, self.input.stored)
        if resume is not None:
            self.method.resume(resume)
        self.history: list[Sweep] = []
        self.stopped: str | None = None
        self.preparation = perf_counter() - begin

    def stop(self) -> None:
        """Ends it behind the sweep that is running."""
        self.stopped = self.stopped or "asked"

    def __reduce__(self) -> tuple[object, ...]:
        raise bound_here(
            "A run of a decomposition", "Send what finish() returns, or checkpoint(), from which another run goes on."
        )

    def __iter__(self) -> Iterator[Sweep]:
        """The sweeps that are still to be made, each of which is computed when it is asked for."""
        return Sweeps(self._sweeps())

    def _sweeps(self) -> Iterator[Sweep]:
        parameters, begin = self.algorithm.parameters, perf_counter()
        while self.stopped is None:
            if self.method.number >= parameters.sweeps:
                self.stopped = "sweeps"
            elif parameters.seconds is not None and self.history and perf_counter() - begin >= parameters.seconds:
                self.stopped = "seconds"
            else:
                sweep = self.method.sweep()
                self.history.append(sweep)
                if self.method.done(sweep):
                    self.stopped = "tolerance"
                yield sweep

    def checkpoint(self) -> bytes:
        """Where it stands between two sweeps: ``State.from_bytes`` of it goes on to the same bits."""
        return self.method.state(self.input.hash).to_bytes()

    def finish(self) -> Decomposition:
        """What there is now."""
        model = Kruskal(self.method.weights.copy(), [factor.copy() for factor in self.method.factors])
        return Decomposition(
            model.arrange(self.algorithm.parameters.signs, sums=self.algorithm.algorithm == "cp-apr"),
            list(self.history),
            self.stopped or "asked",
            to_document(self.algorithm),
            self.choices,
            self.method.state(self.input.hash),
            self.input.summed,
            self.preparation,
        )


class Sweeps(Iterator[Sweep]):
    """What iterates over a run."""

    __slots__ = ("_sweeps",)

    def __init__(self, sweeps: Iterator[Sweep]) -> None:
        self._sweeps = sweeps

    def __next__(self) -> Sweep:
        return next(self._sweeps)

    def __reduce__(self) -> tuple[object, ...]:
        raise bound_here("An iterator over sweeps", "Send the checkpoint() of its run, from which another run goes on.")


def run_algorithm(
    algorithm: Algorithm | Mapping[str, object],
    X: object = None,
    start: Sequence[object] | None = None,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
) -> Decomposition:
    """Runs a document on the tensor ``X``.

    Parameters
    ----------
    algorithm
        the document, or what :func:`parse_algorithm` made of it.
    X
        of the shape and dtype that :func:`heddle.cp_als` takes.
    start
        the factors of a document whose start is ``given``, one of the shape (size of the mode, rank) for each mode.
    resume
        where an earlier run stood; ``sweeps`` counts from its beginning.
    watch
        called with the record of each sweep; what is true ends the run there.

    Returns
    -------
    Decomposition
        As of :func:`heddle.cp_als`.

    Raises
    ------
    CompileError
        ``algorithm/no-tensor`` without ``X``; and as :class:`AlgorithmRun`.
    """
    if X is None:
        raise CompileError(_no_tensor())
    parsed = algorithm if isinstance(algorithm, Algorithm) else parse_algorithm(algorithm)
    run = AlgorithmRun(parsed, X, start, resume.state if isinstance(resume, Decomposition) else resume)
    for sweep in run:
        if watch is not None and watch(sweep):
            run.stop()
    return run.finish()


def _no_tensor() -> Diagnostic:
    return Diagnostic(
        "algorithm/no-tensor",
        "The tensor is missing: a document may name one, but does not hold it.",
        Location(Part.PLAN, path="/inputs/X"),
        expected="the document and a tensor: hd.run(document, X)",
        actual="the document alone",
        hint=f"`{PROGRAM} run algorithm.json` reads or makes what the inputs of the document name.",
    )
