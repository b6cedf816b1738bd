"""NumPy with the convolutions of ``scipy.signal``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.baselines.dense.array_libraries import LibraryCall, NumpyArrays
from heddle.measuring.baselines.dense.convolutions import Convolution
from heddle.measuring.baselines.dense.programs import DenseProgram, UntranslatedError, translate
from heddle.measuring.contender import Problem

CORRELATE = "scipy.signal.correlate"
MOST_PRODUCTS = 1 << 30
"""Of a convolution: it takes a second or so."""


class SignalArrays(NumpyArrays):
    def convolution(self, convolution: Convolution) -> LibraryCall | None:
        """``correlate`` of each image with each filter, by the method that SciPy expects to be the fastest. All
        positions are computed, also where a stride leaves most of them out; a dilated filter has zeros in it."""
        images = prod(convolution.image.shape[:1]) * convolution.weights.shape[0]
        space = convolution.image.shape[2:]
        products = images * prod(space) * prod(convolution.weights.shape[1:])
        if products > MOST_PRODUCTS:
            raise UntranslatedError(f"a convolution of {products:,} products")
        return LibraryCall(CORRELATE, _Correlate(convolution))


class _Correlate:
    """The method is chosen in the first call, which is not timed by a run."""

    def __init__(self, convolution: Convolution) -> None:
        self._convolution = convolution
        self._signal: Any = import_module("scipy.signal")  # where there is a convolution alone: it takes a moment
        self._method: str | None = None

    def __call__(self, image: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
        of = self._convolution
        batch, wide, *space = of.image.shape
        images = np.transpose(image, of.image.order).reshape(batch, of.groups, wide // of.groups, *space)
        many, channels, *kernel = of.weights.shape
        shape = (of.groups, many // of.groups, channels, *kernel)
        filters = _dilate(np.transpose(weights, of.weights.order).reshape(shape), of.dilation)
        if self._method is None:
            self._method = self._signal.choose_conv_method(images[0, 0], filters[0, 0], "valid")
        result = np.empty((batch, *shape[:2], *of.size), np.result_type(images, filters))
        cut = (0, *(slice(0, size * step, step) for size, step in zip(of.size, of.stride, strict=True)))
        for n, g, f in product(range(batch), range(of.groups), range(shape[1])):
            result[n, g, f] = self._signal.correlate(images[n, g], filters[g, f], "valid", self._method)[cut]
        return result.reshape(of.shape).transpose(of.order)


def _dilate(filters: NDArray[Any], dilation: Sequence[int]) -> NDArray[Any]:
    """With zeros between the elements of each filter."""
    if max(dilation) == 1:
        return filters
    lead, kernel = filters.shape[:3], filters.shape[3:]
    reach = tuple((size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True))
    dilated = np.zeros((*lead, *reach), filters.dtype)
    places: Any = (..., *(slice(None, None, step) for step in dilation))
    dilated[places] = filters
    return dilated


def translate_convolution(problem: Problem) -> DenseProgram | None:
    """The program with ``scipy.signal``, where a convolution is in it.

    Raises
    ------
    UntranslatedError
        something in it is not written with array libraries here.
    """
    if problem.assignment.program is None:
        return None
    program = translate(problem, SignalArrays())
    return program if CORRELATE in program.calls else None
