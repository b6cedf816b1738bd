"""CP-OPT: all factors at once, by the gradient of half the squared distance (Acar, Dunlavy and Kolda 2011): the MTTKRP
of every mode from the same factors, so that a tree of partial products serves all of them."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import Parameters
from heddle.algorithms.dense.fit import fit_of
from heddle.algorithms.history import Event, Sweep
from heddle.algorithms.kernels import Products
from heddle.algorithms.loops.lbfgs import direction, remember, search
from heddle.algorithms.state import State
from heddle.runtime.native.blas_threads import limit_blas_threads

Array = NDArray[Any]


class CpOpt:
    """One decomposition on its way: a sweep is a step of the limited-memory BFGS method, with as many evaluations as
    its line search takes. The weights are 1: factors have them."""

    def __init__(
        self, parameters: Parameters, modes: tuple[int, ...], products: Products, factors: list[Array], stored: int
    ) -> None:
        self.parameters, self.modes, self.products = parameters, modes, products
        self.factors, self.stored = factors, stored
        self.number = 0
        self.fit: float | None = None
        self.weights = np.ones(parameters.rank)
        self._pairs: list[tuple[Array, Array]] = []
        self._stuck = False
        self._phases: dict[str, float] = {}
        self._at: tuple[Array, float, Array] | None = None

    def resume(self, state: State) -> None:
        size, count = sum(self.factors[mode].size for mode in self.modes), len(state.more.get("steps", ()))
        state.require_remembered(self.modes, {"steps": (count, size), "changes": (count, size)})
        for factor, before in zip(self.factors, state.factors, strict=True):
            factor[...] = before
        self.number, self.fit = state.sweeps, state.fit
        self._pairs, self._at = list(zip(state.more["steps"], state.more["changes"], strict=True)), None

    def state(self, tensor: str) -> State:
        size = sum(self.factors[mode].size for mode in self.modes)
        steps, changes = (np.array([pair[which] for pair in self._pairs]).reshape(-1, size) for which in (0, 1))
        factors = tuple(factor.copy() for factor in self.factors)
        more = {"steps": steps, "changes": changes}
        return State(self.number, self.fit or 0.0, self.weights.copy(), factors, tensor, "cp-opt", more, self.modes)

    def done(self, sweep: Sweep) -> bool:
        """The fit hardly changes, or no step makes it better."""
        return self._stuck or (sweep.change is not None and abs(sweep.change) < self.parameters.tolerance)

    def sweep(self) -> Sweep:
        begin = perf_counter()
        self._phases = {}
        events: list[Event] = []
        with limit_blas_threads():
            if self._at is None:
                point = self._point()
                self._at = point, *self._evaluate(point)
            point, value, gradient = self._at
            step = self._step(point, value, gradient)
            self._stuck = step is None
            if step is None:
                events.append(Event("stuck", None, "No step makes the distance smaller: this is as near as it gets."))
                self._evaluate(point)
            else:
                self._pairs = remember(self._pairs, step[0] - point, step[2] - gradient)
                self._at = step
                self._place(step[0])
        _, value, gradient = self._at
        fit, resolved, _ = fit_of(self.products.norm2, 2 * value - self.products.norm2, 0.0, self.stored)
        change = None if self.fit is None or self.number == 0 else fit - self.fit
        self.number, self.fit = self.number + 1, fit
        seconds = perf_counter() - begin
        phases = {**self._phases, "search": seconds - sum(self._phases.values())}
        violation = float(np.abs(gradient).max(initial=0.0))
        return Sweep(self.number, fit, resolved, change, seconds, phases, {}, tuple(events), value, violation)

    def _step(self, point: Array, value: float, gradient: Array) -> tuple[Array, float, Array] | None:
        """The next point, with its value and gradient; by the gradient alone where what is remembered fails."""
        for pairs in (self._pairs, []) if self._pairs else ([],):
            along = direction(gradient, pairs)
            length = float(np.sqrt(along @ along))
            first = 1.0 if pairs else min(1.0, float(np.sqrt(point @ point)) / length) if length else 0.0
            result = search(self._evaluate, point, value, gradient, along, first) if first else None
            if result is not None:
                self._pairs = pairs
                return result
        return None

    def _point(self) -> Array:
        return np.concatenate([self.factors[mode].reshape(-1) for mode in self.modes])

    def _place(self, point: Array) -> None:
        begin = 0
        for mode in self.modes:
            factor = self.factors[mode]
            factor[...] = point[begin : begin + factor.size].reshape(factor.shape)
            begin += factor.size

    def _evaluate(self, point: Array) -> tuple[float, Array]:
        """Half the squared distance of the model at ``point``, and its gradient."""
        self._place(point)
        grams = [factor.T @ factor for factor in self.factors]
        gradients, inner = [], 0.0
        for mode in self.modes:
            started = perf_counter()
            for name, call in self.products.first[mode]:
                call.run()
                before, started = started, perf_counter()
                self._spend(name, started - before)
            self.products.calls[mode].run()
            self._spend(self.products.names[mode], perf_counter() - started)
            factor, product = self.factors[mode], self.products.results[mode]
            others = np.ones_like(grams[0])
            for other, gram in enumerate(grams):
                if other != mode:
                    others *= gram
            inner = float(np.einsum("ir,ir->", factor, product))
            gradients.append((factor @ others - product).reshape(-1))
            model2 = float((others * grams[mode]).sum())
        value = 0.5 * self.products.norm2 + 0.5 * model2 - inner
        return value, np.concatenate(gradients)

    def _spend(self, name: str, seconds: float) -> None:
        self._phases[name] = self._phases.get(name, 0.0) + seconds
