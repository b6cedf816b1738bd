"""CP-ALS: factors of a Kruskal tensor by alternating least squares, each mode in turn (Phipps and Kolda
2019). The sparse work is Heddle's kernels, the small dense work LAPACK's."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.algorithms.algorithm import Parameters
from compiler.algorithms.fit import comparable, fit_of
from compiler.algorithms.history import Event, Sweep
from compiler.algorithms.kernels import Products
from compiler.algorithms.solve import gram, solve
from compiler.algorithms.state import State
from compiler.runtime.native.blas_threads import one_blas_thread

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
        rank = parameters.rank
        self.weights = np.ones(rank)
        self.number = 0
        self.fit: float | None = None
        self._died: set[int] = set()
        self._system = np.empty((rank, rank))
        self._grams = [np.empty((rank, rank)) for _ in factors]
        self._begin()

    def resume(self, state: State) -> None:
        """Goes on from ``state``."""
        for factor, before in zip(self.factors, state.factors, strict=True):
            factor[...] = before
        self.weights = state.weights.copy()
        self.number, self.fit = state.sweeps, state.fit
        self._begin()

    def state(self, tensor: str) -> State:
        """A copy of where it stands, for the tensor of that hash."""
        factors = tuple(factor.copy() for factor in self.factors)
        return State(self.number, self.fit if self.fit is not None else 0.0, self.weights.copy(), factors, tensor)

    def _begin(self) -> None:
        with one_blas_thread():
            for factor, own in zip(self.factors, self._grams, strict=True):
                gram(factor, own)

    def sweep(self) -> Sweep:
        """Each mode once, then the fit."""
        begin = perf_counter()
        phases: dict[str, float] = {}
        conditions: dict[int, float] = {}
        events: list[Event] = []
        with one_blas_thread():
            for mode in self.modes:
                events += self._update(mode, phases, conditions)
            before = perf_counter()
            fit, resolved, more = self._fit()
            phases["fit"] = perf_counter() - before
        events += more
        change = None if self.fit is None or self.number == 0 else fit - self.fit
        self.number, self.fit = self.number + 1, fit
        seconds = perf_counter() - begin
        return Sweep(self.number, fit, resolved, change, seconds, phases, conditions, tuple(events))

    def _update(self, mode: int, phases: dict[str, float], conditions: dict[int, float]) -> Iterator[Event]:
        """A(n) = V G⁻¹ with V of the kernel, its columns scaled into the weights, and its Gram matrix."""
        factor, started = self.factors[mode], perf_counter()
        self.products.calls[mode].run()
        multiplied = perf_counter()
        np.copyto(factor, self.products.results[mode])
        system = self._system_without(mode)
        conditions[mode], fallback = solve(system.T, factor, self.parameters.solver)
        solved = perf_counter()
        died = self._scale(factor)
        gram(factor, self._grams[mode])
        phases[f"mttkrp.{mode}"] = multiplied - started
        phases[f"solve.{mode}"] = solved - multiplied
        phases[f"scale.{mode}"] = perf_counter() - solved
        if fallback is not None:
            yield Event("solver", mode, fallback)
        for component in died:
            yield Event("component", mode, f"Component {component} has become zero: the data need a lower rank.")

    def _system_without(self, mode: int) -> Array:
        """The Hadamard product of all other Gram matrices."""
        first, *others = (own for other, own in enumerate(self._grams) if other != mode)
        np.copyto(self._system, first)
        for own in others:
            np.multiply(self._system, own, out=self._system)
        if self.parameters.ridge:
            self._system.reshape(-1)[:: self.parameters.rank + 1] += self.parameters.ridge
        return self._system

    def _scale(self, factor: Array) -> list[int]:
        """Divides columns by their 2-norms in the first sweep, later by their largest magnitude where that is above 1.
        The components whose column is zero for the first time."""
        if self.number == 0:
            self.weights = np.sqrt(np.einsum("ir,ir->r", factor, factor))
            divisor = np.where(self.weights > 0, self.weights, 1.0)
        else:
            largest = np.maximum.reduce(factor, axis=0, initial=1.0)
            self.weights = divisor = np.maximum(largest, -np.minimum.reduce(factor, axis=0))
        np.divide(factor, divisor, out=factor)
        return self._newly_dead(factor)

    def _newly_dead(self, factor: Array) -> list[int]:
        if factor[0].all():
            return []
        zero = {int(component) for component in np.flatnonzero(~factor.any(axis=0))} - self._died
        self._died |= zero
        return sorted(zero)

    def _fit(self) -> tuple[float, bool, list[Event]]:
        """From inner products alone: the model is never formed."""
        last = self.modes[-1]
        weights, product = self.weights, self._grams[0].copy()
        for own in self._grams[1:]:
            product *= own
        model2 = float(np.einsum("r,rq,q->", weights, product, weights))
        along = np.einsum("ir,ir->r", self.products.results[last], self.factors[last])
        inner = float(np.einsum("r,r->", weights, along))
        fit, resolved, negative = fit_of(self.products.norm2, model2, inner, self.stored)
        events = []
        if negative:
            text = "The squared distance came out negative: the systems are nearly singular, and fits mean little."
            events.append(Event("fit", None, text))
        elif self.fit is not None and not self.parameters.ridge and self.fit - fit > comparable(fit, self.stored):
            text = f"The fit fell by {self.fit - fit:.1e}, which least squares never does: systems lost their digits."
            events.append(Event("fit", None, text))
        return fit, resolved, events
