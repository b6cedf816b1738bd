"""CP-ALS on dense arrays with NumPy alone: what the tests of Heddle's compare with. It shares no code with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LETTERS = "abcdefghi"


def mttkrp(tensor: Array, factors: Sequence[Array], mode: int) -> Array:
    letters = LETTERS[: tensor.ndim]
    others = [other for other in range(tensor.ndim) if other != mode]
    inputs = ",".join([letters, *(f"{letters[other]}z" for other in others)])
    product: Array = np.einsum(f"{inputs}->{letters[mode]}z", tensor, *(factors[o] for o in others), optimize=True)
    return product


def model(weights: Array, factors: Sequence[Array]) -> Array:
    letters = LETTERS[: len(factors)]
    inputs = ",".join(["z", *(f"{letter}z" for letter in letters)])
    dense: Array = np.einsum(f"{inputs}->{letters}", weights, *factors, optimize=True)
    return dense


def cp_als(
    tensor: Array, start: Sequence[Array], sweeps: int, update: Sequence[int] | None = None, ridge: float = 0.0
) -> tuple[Array, list[Array], list[float]]:
    """Weights, factors and the fit after each sweep, the model formed whole each time."""
    factors = [factor.copy() for factor in start]
    weights = np.ones(factors[0].shape[1])
    fits = []
    for sweep in range(sweeps):
        for mode in range(tensor.ndim) if update is None else update:
            system = np.ones((weights.size, weights.size))
            for other, factor in enumerate(factors):
                if other != mode:
                    system *= factor.T @ factor
            system += ridge * np.eye(weights.size)
            made = np.linalg.lstsq(system, mttkrp(tensor, factors, mode).T, rcond=1e-14)[0].T
            if sweep == 0:
                weights = np.linalg.norm(made, axis=0)
            else:
                weights = np.maximum(np.abs(made).max(axis=0), 1.0)
            factors[mode] = made / np.where(weights > 0, weights, 1.0)
        rest = np.linalg.norm(tensor - model(weights, factors))
        fits.append(float(1 - rest / np.linalg.norm(tensor)))
    return weights, factors, fits


def planted(
    shape: Sequence[int], rank: int, seed: int, support: float = 0.8, noise: float = 0.0
) -> tuple[Array, list[Array]]:
    """A dense array with zeros that is exactly of low rank but for its noise, which its nonzeros alone have; and its
    factors."""
    rng = np.random.default_rng(seed)
    factors = [np.where(rng.random((size, rank)) < support, rng.standard_normal((size, rank)), 0.0) for size in shape]
    tensor = model(np.ones(rank), factors)
    scale = noise * np.linalg.norm(tensor) / max(np.count_nonzero(tensor), 1) ** 0.5
    return tensor + scale * rng.standard_normal(tensor.shape) * (tensor != 0), factors


def cells(factors: list[np.ndarray]) -> np.ndarray:
    """All cells of a model whose weights are 1."""
    letters = "abcdefgh"[: len(factors)]
    made: np.ndarray = np.einsum(f"{','.join(f'{one}r' for one in letters)}->{letters}", *factors)
    return made


def cp_apr(
    tensor: np.ndarray, start: list[np.ndarray], sweeps: int, tolerance: float, inner: int = 10
) -> tuple[np.ndarray, list[np.ndarray], list[float], float]:
    """CP-APR on every cell: weights, factors whose columns have the sum 1, the violation of each sweep and the negative
    logarithm of the likelihood."""
    weights, factors = np.ones(start[0].shape[1]), []
    for factor in start:
        weights = weights * factor.sum(axis=0)
        factors.append(factor / factor.sum(axis=0))
    ratios: list[np.ndarray] = [np.zeros_like(factor) for factor in factors]
    violations: list[float] = []
    for sweep in range(sweeps):
        worst, unchanged = 0.0, True
        for mode in range(len(factors)):
            if sweep:
                factors[mode] = factors[mode] + 0.01 * ((ratios[mode] > 1) & (factors[mode] < 1e-10))
            factors[mode], weights = factors[mode] * weights, np.ones_like(weights)
            for _ in range(inner):
                share = np.where(tensor > 0, tensor / np.maximum(cells(factors), 1e-10), 0)
                ratios[mode] = mttkrp(share, factors, mode)
                violation = float(np.abs(np.minimum(factors[mode], 1 - ratios[mode])).max())
                if violation < tolerance:
                    break
                unchanged = False
                factors[mode] = factors[mode] * ratios[mode]
            weights = factors[mode].sum(axis=0)
            factors[mode] = factors[mode] / weights
            worst = max(worst, violation)
        violations.append(worst)
        if unchanged:
            break
    likely = np.maximum(cells([factors[0] * weights, *factors[1:]]), 1e-10)
    return weights, factors, violations, float(weights.sum() - (tensor * np.log(likely)).sum())
