"""Which product of a window and weights is a convolution, and which sum of looked-up rows a bag of embeddings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from backend.baselines.contender import Problem
from backend.baselines.dense.strided_views import Affine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.baselines.dense.programs import Labelled


@dataclass(frozen=True, slots=True)
class Window:
    """An operand that is read at ``coordinates``, one for each of its dimensions."""

    tensor: str
    coordinates: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Bag:
    """The rows of the matrix ``rows`` at the values of the matrix ``indices``."""

    rows: str
    indices: str


@dataclass(frozen=True, slots=True)
class Convolution:
    """``image`` (batch, channel, space …) with ``weights`` (filter, channel, space …), of which ``size`` positions in
    each dimension of space are wanted, from the first on."""

    image: str
    weights: str
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    size: tuple[int, ...]


def find_convolution(problem: Problem, factors: Sequence[Labelled], result: tuple[str, ...]) -> Convolution | None:
    """The convolution that the product of these factors is, summed over all variables but those of its ``result``."""
    for window, weights in (factors, tuple(factors)[::-1]):
        source = window.source
        if not isinstance(source, Window) or len(source.coordinates) != len(result) or len(result) < 3:
            continue
        name = _operand_read_whole(problem, weights)
        batch, channel = (_plain(coordinate) for coordinate in source.coordinates[:2])
        filters, *space = result[1:]
        kernel = weights.variables[2:]
        if name is None or batch != result[0] or weights.variables[:2] != (filters, channel):
            continue
        if len(kernel) != len(space) or channel in result:
            continue
        pairs = list(zip(source.coordinates[2:], space, kernel, strict=True))
        if not all(_is_window(coordinate, out, inner) for coordinate, out, inner in pairs):
            continue
        # Libraries convolve all images and channels that there are.
        part = tuple(problem.sizes[variable] for variable in (result[0], weights.variables[1]))
        if np.shape(problem.operands[source.tensor])[:2] != part:
            continue
        return Convolution(
            source.tensor,
            name,
            tuple(c.multiples[out] for c, out, _ in pairs),
            tuple(c.multiples[inner] for c, _, inner in pairs),
            tuple(problem.sizes[out] for out in space),
        )
    return None


def _is_window(coordinate: Affine, out: str, inner: str) -> bool:
    """Whether it is a positive multiple of one variable plus a positive multiple of another."""
    multiples = coordinate.multiples
    return set(multiples) == {out, inner} and coordinate.constant == 0 and min(multiples.values()) > 0


def _plain(coordinate: Affine) -> str | None:
    """The index variable that the coordinate is."""
    return next(iter(coordinate.multiples)) if (*coordinate.multiples.values(), coordinate.constant) == (1, 0) else None


def _operand_read_whole(problem: Problem, factor: Labelled) -> str | None:
    """The operand that ``factor`` is, element by element."""
    source = factor.source
    if not isinstance(source, Window) or source.tensor not in problem.operands:
        return None
    plain = tuple(_plain(coordinate) for coordinate in source.coordinates)
    shape = tuple(problem.sizes[variable] for variable in factor.variables)
    whole = plain == factor.variables and np.shape(problem.operands[source.tensor]) == shape
    return source.tensor if whole else None
