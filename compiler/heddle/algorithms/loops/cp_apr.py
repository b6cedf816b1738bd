"""CP-APR: factors of a tensor of counts that make them the most probable as Poisson variables, by updates that multiply
(Chi and Kolda 2012). Its kernels are the MTTKRP of CP-ALS, of the ratio of data and model, and that ratio."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import Parameters
from heddle.algorithms.dense.fit import fit_of
from heddle.algorithms.history import Event, Sweep
from heddle.algorithms.kernels import Products
from heddle.algorithms.state import State
from heddle.runtime.native.blas_threads import limit_blas_threads

Array = NDArray[Any]
KAPPA = 0.01
"""What is added to an entry that is all but zero although it should grow."""

NEARLY_ZERO = 1e-10


class CpApr:
    """One decomposition on its way: a sweep updates each mode up to ``inner`` times.

    Columns of factors have the sum 1 between two sweeps, and ``weights`` the rest. The product with X ⊘ M of each mode
    from its last update, Φ, is kept: it says which entries should not have become zero.
    """

    def __init__(
        self, parameters: Parameters, modes: tuple[int, ...], products: Products, factors: list[Array], stored: int
    ) -> None:
        self.parameters, self.modes, self.products = parameters, modes, products
        self.factors, self.stored = factors, stored
        self.number = 0
        self.fit: float | None = None
        self.weights = np.ones(parameters.rank)
        self._ratios = {mode: np.zeros_like(factors[mode]) for mode in modes}
        for mode in range(len(factors)):
            self._normalise(mode)

    def resume(self, state: State) -> None:
        state.require_remembered(self.modes, {f"ratio.{mode}": ratio.shape for mode, ratio in self._ratios.items()})
        for factor, before in zip(self.factors, state.factors, strict=True):
            factor[...] = before
        self.weights[...] = state.weights
        for mode, ratio in self._ratios.items():
            ratio[...] = state.more[f"ratio.{mode}"]
        self.number, self.fit = state.sweeps, state.fit

    def state(self, tensor: str) -> State:
        factors = tuple(factor.copy() for factor in self.factors)
        more = {f"ratio.{mode}": ratio.copy() for mode, ratio in self._ratios.items()}
        return State(self.number, self.fit or 0.0, self.weights.copy(), factors, tensor, "cp-apr", more, self.modes)

    def done(self, sweep: Sweep) -> bool:
        """The conditions of an optimum hold in all modes, each before its first update."""
        return sweep.violation is not None and sweep.violation < self.parameters.tolerance and self._unchanged

    def sweep(self) -> Sweep:
        begin = perf_counter()
        phases: dict[str, float] = {}
        events: list[Event] = []
        self._unchanged = True
        worst = 0.0
        for mode in self.modes:
            worst = max(worst, self._update(mode, phases, events))
        before = perf_counter()
        fit, resolved, objective = self._quality()
        ended = perf_counter()
        phases["fit"] = ended - before
        change = None if self.fit is None or self.number == 0 else fit - self.fit
        self.number, self.fit = self.number + 1, fit
        seconds = ended - begin
        return Sweep(self.number, fit, resolved, change, seconds, phases, {}, tuple(events), objective, worst)

    def _update(self, mode: int, phases: dict[str, float], events: list[Event]) -> float:
        """B(n) times Φ until its conditions hold, with the weights in B(n); how far they were from it."""
        factor, ratio = self.factors[mode], self._ratios[mode]
        begin = perf_counter()
        if self.number:
            stuck = (ratio > 1) & (factor < NEARLY_ZERO)
            if stuck.any():
                factor[stuck] += KAPPA
                text = f"{int(stuck.sum())} entries that were zero, but should grow, were set to {KAPPA}."
                events.append(Event("zeros", mode, text))
        np.multiply(factor, self.weights, out=factor)
        self.weights[...] = 1
        spent = {f"ratio.{mode}": 0.0, f"mttkrp.{mode}": 0.0}
        violation = 0.0
        for _ in range(self.parameters.inner):
            started = perf_counter()
            self.products.ratios[mode].run()
            divided = perf_counter()
            self.products.calls[mode].run()
            spent[f"ratio.{mode}"] += divided - started
            spent[f"mttkrp.{mode}"] += perf_counter() - divided
            np.copyto(ratio, self.products.results[mode])
            violation = float(np.abs(np.minimum(factor, 1 - ratio)).max(initial=0.0))
            if violation < self.parameters.tolerance:
                break
            self._unchanged = False
            np.multiply(factor, ratio, out=factor)
        self._normalise(mode)
        phases |= spent
        phases[f"update.{mode}"] = perf_counter() - begin - sum(spent.values())
        return violation

    def _normalise(self, mode: int) -> None:
        """Columns get the sum 1, what they had goes into the weights."""
        factor = self.factors[mode]
        sums = np.add.reduce(factor, axis=0)
        np.divide(factor, np.where(sums > 0, sums, 1.0), out=factor)
        self.weights *= sums

    def _quality(self) -> tuple[float, bool, float]:
        """The fit, whether it is resolved, and the negative logarithm of the likelihood but for a constant."""
        first = self.factors[self.modes[0]]
        saved_factor = first.copy()
        np.multiply(first, self.weights, out=first)  # what the kernels read has no weights
        inner = self.products.scalar("inner")
        objective = float(self.weights.sum()) - self.products.scalar("likelihood")
        first[...] = saved_factor
        with limit_blas_threads():
            product = np.outer(self.weights, self.weights)
            for factor in self.factors:
                product *= factor.T @ factor
        fit, resolved, _ = fit_of(self.products.norm2, float(product.sum()), inner, self.stored)
        return fit, resolved, objective
