"""CP-ALS: factors of a Kruskal tensor by alternating least squares, each mode in turn (Phipps and Kolda
2019). The sparse work is Heddle's kernels, the small dense work LAPACK's."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import Parameters
from heddle.algorithms.dense.fit import comparable, fit_of
from heddle.algorithms.dense.solve import WORST_CONDITION, solve
from heddle.algorithms.dense.steps import Steps
from heddle.algorithms.history import Event, Sweep
from heddle.algorithms.kernels import Products
from heddle.algorithms.state import State
from heddle.runtime.native.blas_threads import limit_blas_threads

Array = NDArray[Any]


class CpAls:
    """One decomposition on its way: ``sweep()`` takes the next step, in the memory of ``factors``.

    Between two sweeps ``weights``, ``factors``, ``number`` and ``fit`` are all that there is: :meth:`state`.
    """

    def __init__(
        self, parameters: Parameters, modes: tuple[int, ...], products: Products, factors: list[Array], stored: int
    ) -> None:
        self.parameters, self.modes, self.products = parameters, modes, products
        self.factors, self.stored = factors, stored
        self.number = 0
        self.fit: float | None = None
        self._died: set[int] = set()
        worst = WORST_CONDITION if parameters.solver == "cholesky" else -1.0  # no condition is so good
        self._steps = Steps(factors, products.results, modes[-1], parameters.ridge, worst)
        self._names = {mode: (products.names[mode], f"solve.{mode}", f"scale.{mode}") for mode in modes}
        self._begin()

    @property
    def weights(self) -> Array:
        return self._steps.weights

    def resume(self, state: State) -> None:
        """Goes on from ``state``."""
        for factor, before in zip(self.factors, state.factors, strict=True):
            factor[...] = before
        self.weights[...] = state.weights
        self.number, self.fit = state.sweeps, state.fit
        self._begin()

    def state(self, tensor: str) -> State:
        """A copy of where it stands, for the tensor of that hash."""
        factors = tuple(factor.copy() for factor in self.factors)
        fit = self.fit if self.fit is not None else 0.0
        return State(self.number, fit, self.weights.copy(), factors, tensor, modes=self.modes)

    def done(self, sweep: Sweep) -> bool:
        """The fit hardly changes any more."""
        return sweep.change is not None and abs(sweep.change) < self.parameters.tolerance

    def _begin(self) -> None:
        with limit_blas_threads():
            for mode in range(len(self.factors)):
                self._steps.gram(mode)

    def sweep(self) -> Sweep:
        """Each mode once, then the fit."""
        begin = perf_counter()
        phases: dict[str, float] = {}
        conditions: dict[int, float] = {}
        events: list[Event] = []
        with limit_blas_threads():
            for mode in self.modes:
                self._update(mode, phases, conditions, events)
            before = perf_counter()
            fit, resolved = self._fit(events)
        ended = perf_counter()
        phases["fit"] = ended - before
        change = None if self.fit is None or self.number == 0 else fit - self.fit
        self.number, self.fit = self.number + 1, fit
        return Sweep(self.number, fit, resolved, change, ended - begin, phases, conditions, tuple(events))

    def _update(self, mode: int, phases: dict[str, float], conditions: dict[int, float], events: list[Event]) -> None:
        """A(n) = V G⁻¹ with V of the kernel, its columns scaled into the weights, and its Gram matrix."""
        multiply, solve_, scale = self._names[mode]
        started = perf_counter()
        for name, call in self.products.first[mode]:
            call.run()
            before, started = started, perf_counter()
            phases[name] = started - before
        self.products.calls[mode].run()
        multiplied = perf_counter()
        solved, conditions[mode] = self._steps.solve(mode)
        if not solved:
            conditions[mode] = self._otherwise(mode, events)
        ready = perf_counter()
        # In the first sweep columns get the norm 1, later none an entry above 1: the system takes the rest.
        if self._steps.scale(mode, norms=self.number == 0):
            self._note_dead(mode, events)
        phases[multiply], phases[solve_], phases[scale] = (
            multiplied - started,
            ready - multiplied,
            perf_counter() - ready,
        )

    def _otherwise(self, mode: int, events: list[Event]) -> float:
        """Where Cholesky cannot solve the system, or should not; its condition."""
        factor = self.factors[mode]
        np.copyto(factor, self.products.results[mode])
        condition, fallback = solve(self._steps.system.T, factor, self.parameters.solver)
        if fallback is not None:
            events.append(Event("solver", mode, fallback))
        return condition

    def _note_dead(self, mode: int, events: list[Event]) -> None:
        """Components whose column is zero for the first time."""
        zero = {int(component) for component in np.flatnonzero(~self.factors[mode].any(axis=0))} - self._died
        self._died |= zero
        for component in sorted(zero):
            text = f"Component {component} has become zero: the data need a lower rank."
            events.append(Event("component", mode, text))

    def _fit(self, events: list[Event]) -> tuple[float, bool]:
        """From inner products alone: the model is never formed."""
        model2, inner = self._steps.inner()
        fit, resolved, negative = fit_of(self.products.norm2, model2, inner, self.stored)
        if negative:
            text = "The squared distance came out negative: the systems are nearly singular, and fits mean little."
            events.append(Event("fit", None, text))
        elif self._fell(fit):
            fall = (self.fit or 0.0) - fit
            text = f"The fit fell by {fall:.1e}, which least squares never does: systems lost their digits."
            events.append(Event("fit", None, text))
        return fit, resolved

    def _fell(self, fit: float) -> bool:
        """Whether the fit is worse than before beyond rounding."""
        if self.fit is None or self.fit <= fit or self.parameters.ridge:
            return False
        return self.fit - fit > comparable(fit, self.stored)
