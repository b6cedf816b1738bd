"""The dense steps of a sweep, bound once to the arrays that they change: each is one call of C, which calls LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.dense.routines import routine
from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, cache, library, toolchain

Array = NDArray[Any]
_VERSION = "5"
_PARTS = 8
"""As many as ``least_squares.c`` has."""
_BLOCK = 4
"""That of ``triangular.h``."""


class Steps:
    """On ``factors``, one of float64 for each mode, and ``products``, what kernels compute for some of them.

    ``grams`` are AᵀA of each factor, ``weights`` the scales of components, ``system`` that of the last solve and
    ``condition`` its estimated condition, in place of which nothing else is put: all are changed where they are.

    Raises
    ------
    CompileError
        ``runtime/no-c-compiler``.
    """

    def __init__(
        self,
        factors: Sequence[Array],
        products: Mapping[int, Array],
        last: int,
        ridge: float = 0.0,
        worst: float = float("inf"),
    ) -> None:
        rank = int(factors[0].shape[1])
        self.weights = np.ones(rank)
        self.system = np.empty((rank, rank))
        self.grams = [np.empty((rank, rank)) for _ in factors]
        self._condition, self._inner = np.empty(1), np.empty(2)
        self._lower = np.empty((rank, rank))
        blocks = -(-rank // _BLOCK)
        self._laid = np.empty(_BLOCK * _BLOCK * blocks * (blocks + 1))
        partial_ = buffers.empty(_PARTS * (rank * rank + rank), "float64")
        self._addresses = np.array([gram.ctypes.data for gram in self.grams], np.uint64)
        self._kept = (partial_, tuple(factors), dict(products))
        multiply, order = routine("dsyrk"), len(factors)
        grams, weights, system = map(library.pointer, (self._addresses, self.weights, self.system))
        scratch = library.pointer(partial_)
        self._gram: list[Callable[[], int]] = []
        self._scale: list[tuple[Callable[[], int], Callable[[], int]]] = []
        self._solve: dict[int, Callable[[], int]] = {}
        size = library.dimension
        for mode, (factor, gram) in enumerate(zip(factors, self.grams, strict=True)):
            rows, held, gram_pointer = size(factor.shape[0]), library.pointer(factor), library.pointer(gram)
            self._gram.append(partial(_function("gram"), rows, size(rank), held, gram_pointer, scratch, multiply))
            later, first = (
                partial(
                    _function("scale"), size(norms), rows, size(rank), held, weights, gram_pointer, scratch, multiply
                )
                for norms in (0, 1)
            )
            self._scale.append((later, first))
            if mode in products:
                self._solve[mode] = partial(
                    _function("solve"), size(order), size(mode), rows, size(rank), library.scalar(ridge, "float64"),
                    library.scalar(worst, "float64"), grams, library.pointer(products[mode]), held, system,
                    library.pointer(self._lower), library.pointer(self._laid), library.pointer(self._condition),
                    routine("dpotrf"), routine("dpotrs"),
                )  # fmt: skip
        factor = factors[last]
        self._fit = partial(
            _function("inner"), size(order), size(factor.shape[0]), size(rank), grams, weights,
            library.pointer(products[last]), library.pointer(factor), system, scratch, library.pointer(self._inner),
        )  # fmt: skip

    def gram(self, mode: int) -> None:
        """The Gram matrix of a factor that was changed from outside."""
        self._gram[mode]()

    def solve(self, mode: int) -> tuple[bool, float]:
        """``V G⁻¹`` into the factor, by Cholesky, where G is definite and its condition not worse than the worst;
        whether that was so, and the estimated condition."""
        solved = self._solve[mode]() == 0
        return solved, float(self._condition[0])

    def scale(self, mode: int, norms: bool) -> int:
        """Divides the columns by their 2-norms, or by their largest magnitude where that is above 1; the weights, and
        the Gram matrix. How many columns are zero."""
        return self._scale[mode][norms]()

    def inner(self) -> tuple[float, float]:
        """‖M‖², and ⟨X, M⟩ from the last product."""
        self._fit()
        model2, inner = self._inner.tolist()
        return model2, inner


def least_squares() -> Path:
    """The library of ``least_squares.c``, built where it is not there yet."""
    return cache.shared_library(c_files.text_of("least_squares.c"), _VERSION, toolchain.discover())


def _function(name: str) -> library.Call:
    return library.load(least_squares(), name)
