"""``hd.cp_als`` and ``hd.run``: a tensor and parameters, or a document, in; a decomposition out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.algorithms.algorithm import Algorithm, KernelSpec, Start
from compiler.algorithms.canonical import to_document
from compiler.algorithms.choose import Choice, choices
from compiler.algorithms.cp_als import CpAls
from compiler.algorithms.history import Sweep
from compiler.algorithms.kernels import bound
from compiler.algorithms.kruskal import Kruskal
from compiler.algorithms.reader import parse_algorithm
from compiler.algorithms.resolve import modes_of, resolved_roles, tree_of
from compiler.algorithms.start import drawn, given, hash_of
from compiler.algorithms.state import State
from compiler.algorithms.tensor_input import Input, tensor_input
from compiler.algorithms.tree import BEST
from compiler.algorithms.trees.distinct import derived
from compiler.algorithms.trees.offers import offers, require_tree
from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.runtime.memory.allocation_limit import require_memory

Array = NDArray[Any]
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

    ``stop()`` ends it behind the sweep that is running; what is there is kept.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        tensor: object,
        start: Sequence[object] | None = None,
        resume: State | None = None,
    ) -> None:
        """Chooses, compiles and binds all kernels.

        Raises:
            CompileError: ``algorithm/…``, what :func:`compiler.pack` raises for the tensor, or the diagnostics of a
                pinned kernel at its place in the document.
        """
        begin = perf_counter()
        self.input = tensor if isinstance(tensor, Input) else tensor_input(tensor)
        shape, rank = self.input.shape, algorithm.parameters.rank
        algorithm = with_tree(algorithm, self.input)
        roles = resolved_roles(algorithm, len(shape))
        _require_room(shape, rank)
        if resume is not None:
            resume.require(shape, rank, self.input.hash, algorithm.algorithm)
        factors = _started(algorithm, shape, start, resume)
        tree = tree_of(algorithm, len(shape))
        own = derived(self.input, tree) if tree is not None else {}
        self.choices = choices(algorithm, roles, self.input, own)
        kernels = {
            name: KernelSpec(dict(one.kernel.formats), one.kernel.schedule) for name, one in self.choices.items()
        }
        self.algorithm = replace(algorithm, kernels=kernels)
        products = bound(self.choices, self.input, factors, own)
        modes = modes_of(algorithm, len(shape))
        self.method = CpAls(algorithm.parameters, modes, products, factors, self.input.stored)
        if resume is not None:
            self.method.resume(resume)
        self.history: list[Sweep] = []
        self.stopped: str | None = None
        self.preparation = perf_counter() - begin

    def stop(self) -> None:
        """Ends it behind the sweep that is running."""
        self.stopped = self.stopped or "asked"

    def __iter__(self) -> Iterator[Sweep]:
        parameters, begin = self.algorithm.parameters, perf_counter()
        while self.stopped is None:
            if self.method.number >= parameters.sweeps:
                self.stopped = "sweeps"
            elif parameters.seconds is not None and self.history and perf_counter() - begin >= parameters.seconds:
                self.stopped = "seconds"
            else:
                sweep = self.method.sweep()
                self.history.append(sweep)
                if sweep.change is not None and abs(sweep.change) < parameters.tolerance:
                    self.stopped = "tolerance"
                yield sweep

    def checkpoint(self) -> bytes:
        """Where it stands between two sweeps: ``State.from_bytes`` of it goes on to the same bits."""
        return self.method.state(self.input.hash).to_bytes()

    def finish(self) -> Decomposition:
        """What there is now."""
        model = Kruskal(self.method.weights.copy(), [factor.copy() for factor in self.method.factors])
        return Decomposition(
            model.arranged(self.algorithm.parameters.signs),
            list(self.history),
            self.stopped or "asked",
            to_document(self.algorithm),
            self.choices,
            self.method.state(self.input.hash),
            self.input.summed,
            self.preparation,
        )


def run_algorithm(
    algorithm: Algorithm | Mapping[str, object],
    X: object,
    start: Sequence[object] | None = None,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
) -> Decomposition:
    """Runs a document on the tensor ``X``.

    Args:
        algorithm: the document, or what :func:`parse_algorithm` made of it.
        X: what :func:`tensor_input` takes.
        start: the factors of a document whose start is ``given``.
        resume: where an earlier run stood; ``sweeps`` counts from its beginning.
        watch: called with the record of each sweep; what is true ends the run there.

    Raises:
        CompileError: as :class:`AlgorithmRun`.
    """
    parsed = algorithm if isinstance(algorithm, Algorithm) else parse_algorithm(algorithm)
    run = AlgorithmRun(parsed, X, start, resume.state if isinstance(resume, Decomposition) else resume)
    for sweep in run:
        if watch is not None and watch(sweep):
            run.stop()
    return run.finish()


def cp_als(
    X: object,
    rank: int,
    sweeps: int = 50,
    tolerance: float = 1e-4,
    start: str | Sequence[object] = "uniform",
    seed: int = 0,
    *,
    resume: State | Decomposition | None = None,
    watch: Watch | None = None,
    kernels: Mapping[str, object] | None = None,
    **parameters: object,
) -> Decomposition:
    """The canonical polyadic decomposition of a sparse tensor by alternating least squares.

    Args:
        X: a dense NumPy array, whose zeros are not stored, ``(coordinates, values, shape)``, a SciPy sparse array, an
            object with ``coords``, ``data`` and ``shape``, or a :class:`compiler.Tensor`.
        rank: how many components.
        sweeps: the most, where the change of the fit is not below ``tolerance`` before.
        start: ``"uniform"`` or ``"normal"``, drawn with ``seed``, or a list of factors, which are copied.
        resume: a decomposition or its state, which goes on from there.
        watch: called with the record of each sweep; what is true ends the run there.
        kernels: how roles are computed, as in a document: ``{"mttkrp.0": {"tensors": …, "schedule": …}}``.
        parameters: the others of :class:`compiler.algorithms.algorithm.Parameters`.

    Raises:
        CompileError: with codes ``algorithm/…``, or as :func:`compiler.pack` for a tensor that cannot be read.
    """
    arrays = None if isinstance(start, str) else [np.asarray(factor) for factor in start]
    named: object = (
        {"kind": start, "seed": _plain(seed)} if arrays is None else {"kind": "given", "hash": hash_of(arrays)}
    )
    asked = {"rank": rank, "sweeps": sweeps, "tolerance": tolerance, "start": named, **parameters}
    document = {
        "version": 1,
        "algorithm": "cp-als",
        "parameters": {name: _plain(value) for name, value in asked.items() if value is not None},
        "kernels": kernels or {},
    }
    return run_algorithm(document, X, arrays, resume, watch)


def with_tree(algorithm: Algorithm, given: Input) -> Algorithm:
    """The same with the best tree for ``given`` written out, where that is asked for.

    Raises:
        CompileError: ``algorithm/tree-memory``, ``algorithm/reuse``, ``algorithm/modes``.
    """
    parameters, order = algorithm.parameters, len(given.shape)
    if parameters.reuse == BEST:
        first = offers(given, modes_of(algorithm, order), parameters.rank, parameters.memory)[0]
        return replace(algorithm, parameters=replace(parameters, reuse=first.reuse))
    tree = tree_of(algorithm, order)
    if tree is not None:
        require_tree(tree, given, parameters.rank, parameters.memory)
    return algorithm


def _plain(value: object) -> object:
    """Numbers and arrays of NumPy as Python has them, as documents do."""
    match value:
        case np.generic() | np.ndarray():
            return value.tolist()
        case tuple() | list():
            return [_plain(one) for one in value]
        case _:
            return value


def _started(
    algorithm: Algorithm, shape: tuple[int, ...], start: Sequence[object] | None, resume: State | None
) -> list[Array]:
    asked: Start = algorithm.parameters.start
    if resume is not None:
        return given(resume.factors, shape, algorithm.parameters.rank)
    if asked.kind != "given":
        if start is None:
            return drawn(asked, shape, algorithm.parameters.rank)
        raise _no_start(f"The document draws its start ({asked.kind}), but factors are given as well.", "no factors")
    if start is None:
        raise _no_start(f"The document starts from the factors {asked.hash}, which are not given.", str(asked.hash))
    factors = given(start, shape, algorithm.parameters.rank)
    found = hash_of([np.asarray(factor) for factor in start])
    if found != asked.hash:
        raise _no_start(f"The document starts from the factors {asked.hash}; those given are {found}.", str(asked.hash))
    return factors


def _no_start(message: str, expected: str) -> CompileError:
    location = Location(Part.PLAN, path="/parameters/start")
    return CompileError(Diagnostic("algorithm/start", message, location, expected=expected))


def _require_room(shape: tuple[int, ...], rank: int) -> None:
    """Factors, and as much again for the products.

    Raises:
        CompileError: ``algorithm/too-large``.
    """
    need = 2 * 8 * rank * sum(shape)
    try:
        require_memory(need, "the factors")
    except CompileError:
        largest = _largest_rank(shape)
        raise CompileError(
            Diagnostic(
                "algorithm/too-large",
                f"The factors of rank {rank} and their products take {need:,} bytes, more than this machine has."
                + (f" Rank {largest} fits." if largest else ""),
                Location(Part.PLAN, path="/parameters/rank"),
                expected=f"a rank of at most {largest}" if largest else "a smaller tensor",
                found=str(rank),
            )
        ) from None


def _largest_rank(shape: tuple[int, ...]) -> int:
    """The largest rank whose factors fit; 0 where none does."""
    low, high = 0, 4096
    while low < high:
        middle = (low + high + 1) // 2
        try:
            require_memory(2 * 8 * middle * sum(shape), "the factors")
            low = middle
        except CompileError:
            high = middle - 1
    return low
