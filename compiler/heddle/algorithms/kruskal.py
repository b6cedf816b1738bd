"""A Kruskal tensor: Σᵣ λᵣ a⁽⁰⁾ᵣ ∘ a⁽¹⁾ᵣ ∘ …, what a decomposition is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Kruskal:
    """``weights`` λ, and ``factors`` with a row for each index of a mode and a column for each component."""

    weights: Array
    factors: list[Array]

    @property
    def rank(self) -> int:
        return int(self.weights.size)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(int(factor.shape[0]) for factor in self.factors)

    def norm(self) -> float:
        """‖M‖, from the Gram matrices."""
        product = np.outer(self.weights, self.weights)
        for factor in self.factors:
            product = product * np.einsum("ir,iq->rq", factor, factor)
        return sqrt(max(float(product.sum()), 0.0))

    def to_dense(self) -> Array:
        """All of its cells, for small tensors: the memory of the whole shape."""
        cells = self.weights[None, :]
        for factor in self.factors:
            cells = (cells[:, None, :] * factor[None, :, :]).reshape(-1, self.rank)
        dense: Array = cells.sum(axis=1).reshape(self.shape)
        return dense

    def arrange(self, signs: bool = True, sums: bool = False) -> Kruskal:
        """Columns of norm 1, or (``sums``) of magnitudes with the sum 1, the largest weight first; with ``signs`` also
        :meth:`signed`. A column of zeros stays."""
        weights, factors = self.weights.copy(), []
        for factor in self.factors:
            norms = np.abs(factor).sum(axis=0) if sums else np.sqrt(np.einsum("ir,ir->r", factor, factor))
            divisor = np.where(norms > 0, norms, 1.0)
            factors.append(factor / divisor)
            weights *= np.where(norms > 0, norms, 0.0)
        order = np.argsort(-weights, kind="stable")
        kruskal = Kruskal(weights[order], [np.ascontiguousarray(factor[:, order]) for factor in factors])
        return kruskal.normalize_signs() if signs else kruskal

    def normalize_signs(self) -> Kruskal:
        """Of each component the entry of the largest magnitude made positive, in pairs of modes: the product stays."""
        factors = [factor.copy() for factor in self.factors]
        for component in range(self.rank):
            negative = [factor for factor in factors if _largest(factor[:, component]) < 0]
            for factor in negative[: len(negative) // 2 * 2]:
                factor[:, component] *= -1
        return Kruskal(self.weights, factors)

    def score(self, other: Kruskal) -> float:
        """How alike two models are, 1 for the same up to order, scale and sign of components: the mean over matched
        components of the products of their cosines, less where weights differ. Components are matched greedily; of
        models of different rank those of the smaller one count."""
        mine, theirs = self.arrange(signs=False), other.arrange(signs=False)
        alike = np.ones((mine.rank, theirs.rank))
        for factor, their in zip(mine.factors, theirs.factors, strict=True):
            alike *= np.abs(np.einsum("ir,iq->rq", factor, their))
        largest = np.maximum.outer(mine.weights, theirs.weights)
        apart = np.abs(np.subtract.outer(mine.weights, theirs.weights))
        alike *= 1 - np.divide(apart, largest, out=np.zeros_like(apart), where=largest > 0)
        total, count = 0.0, min(mine.rank, theirs.rank)
        for _ in range(count):
            row, column = np.unravel_index(int(np.argmax(alike)), alike.shape)
            total += float(alike[row, column])
            alike[row, :] = alike[:, column] = -1
        return total / count


def _largest(column: Array) -> float:
    """The entry of the largest magnitude; 0 where there is none."""
    return float(column[int(np.argmax(np.abs(column)))]) if column.size else 0.0
