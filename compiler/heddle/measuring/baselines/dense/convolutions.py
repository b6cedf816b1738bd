"""Which product of a window and weights is a convolution, and which sum of looked-up rows a bag of embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from heddle.measuring.baselines.dense.strided_views import Affine
from heddle.measuring.contender import Problem

Arrays = Mapping[str, Any]


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


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """``compute`` makes an array, of the arrays that there are by then, whose dimensions are ``variables``."""

    variables: tuple[str, ...]
    compute: Callable[[Arrays], Any]
    source: Window | Bag | None = None


@dataclass(frozen=True, slots=True)
class Arranged:
    """A tensor with its dimensions in this ``order`` and then as an array of this ``shape``."""

    tensor: str
    order: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Convolution:
    """``image`` as (batch, groups · channels, space …) with ``weights`` as (groups · filters, channels, space …), of
    which ``size`` positions in each dimension of space are wanted, from the first on. Of (batch, groups · filters,
    space …) the result is an array of ``shape`` with its dimensions in ``order``."""

    image: Arranged
    weights: Arranged
    groups: int
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    size: tuple[int, ...]
    shape: tuple[int, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Roles:
    """Index variables by what they are of a convolution; ``outer`` and ``inner`` are those of each window."""

    batch: tuple[str, ...]
    groups: tuple[str, ...]
    channels: tuple[str, ...]
    filters: tuple[str, ...]
    outer: tuple[str, ...]
    inner: tuple[str, ...]

    @property
    def result(self) -> tuple[str, ...]:
        return (*self.batch, *self.groups, *self.filters, *self.outer)

    @property
    def weights(self) -> tuple[str, ...]:
        return (*self.groups, *self.filters, *self.channels, *self.inner)


def find_convolution(problem: Problem, factors: Sequence[Labelled], result: tuple[str, ...]) -> Convolution | None:
    """The convolution that the product of these factors is, summed over all variables but those of its ``result``."""
    for window, weights in (factors, tuple(factors)[::-1]):
        source, name = window.source, _operand_read_whole(problem, weights)
        if name is None or not isinstance(source, Window) or source.tensor not in problem.operands:
            continue
        roles = _find_roles(source.coordinates, weights.variables, result)
        if roles is not None and _is_read_whole(problem, source):
            return _arrange(problem, source, name, weights.variables, result, roles)
    return None


def _find_roles(image: tuple[Affine, ...], weights: tuple[str, ...], result: tuple[str, ...]) -> _Roles | None:
    windows = [coordinate for coordinate in image if _plain(coordinate) is None]
    outer, inner = list[str](), list[str]()
    for window in windows:
        here = [variable for variable in window.multiples if variable in result]
        there = [variable for variable in window.multiples if variable in weights and variable not in result]
        if len(here) != 1 or len(there) != 1 or not _is_window(window, here[0], there[0]):
            return None
        outer += here
        inner += there
    plain = [variable for variable in map(_plain, image) if variable is not None]
    roles = _Roles(
        tuple(variable for variable in plain if variable in result and variable not in weights),
        tuple(variable for variable in plain if variable in result and variable in weights),
        tuple(variable for variable in plain if variable not in result),
        tuple(variable for variable in weights if variable in result and variable not in (*plain, *outer)),
        tuple(outer),
        tuple(inner),
    )
    fits = sorted(roles.result) == sorted(result) and sorted(roles.weights) == sorted(weights)
    return roles if windows and fits else None


def _arrange(
    problem: Problem, image: Window, weights: str, axes: tuple[str, ...], result: tuple[str, ...], roles: _Roles
) -> Convolution:
    sizes = problem.sizes
    batch, groups, channels, filters = (
        prod(sizes[variable] for variable in variables)
        for variables in (roles.batch, roles.groups, roles.channels, roles.filters)
    )
    by_variable = {_plain(coordinate): axis for axis, coordinate in enumerate(image.coordinates)}
    windows = {
        next(v for v in coordinate.multiples if v in roles.outer): (axis, coordinate)
        for axis, coordinate in enumerate(image.coordinates)
        if _plain(coordinate) is None
    }
    space = [windows[variable] for variable in roles.outer]
    lengths = np.shape(problem.operands[image.tensor])
    leading = (by_variable[variable] for variable in (*roles.batch, *roles.groups, *roles.channels))
    return Convolution(
        Arranged(
            image.tensor,
            (*leading, *(axis for axis, _ in space)),
            (batch, groups * channels, *(lengths[axis] for axis, _ in space)),
        ),
        Arranged(
            weights,
            tuple(axes.index(variable) for variable in roles.weights),
            (groups * filters, channels, *(sizes[variable] for variable in roles.inner)),
        ),
        groups,
        tuple(coordinate.multiples[out] for out, (_, coordinate) in zip(roles.outer, space, strict=True)),
        tuple(coordinate.multiples[inner] for inner, (_, coordinate) in zip(roles.inner, space, strict=True)),
        tuple(sizes[variable] for variable in roles.outer),
        tuple(sizes[variable] for variable in roles.result),
        tuple(roles.result.index(variable) for variable in result),
    )


def _is_window(coordinate: Affine, out: str, inner: str) -> bool:
    """Whether it is a positive multiple of one variable plus a positive multiple of another."""
    multiples = coordinate.multiples
    return set(multiples) == {out, inner} and coordinate.constant == 0 and min(multiples.values()) > 0


def _plain(coordinate: Affine) -> str | None:
    """The index variable that the coordinate is."""
    alone = len(coordinate.multiples) == 1 and coordinate.constant == 0
    return next((variable for variable, multiple in coordinate.multiples.items() if alone and multiple == 1), None)


def _is_read_whole(problem: Problem, image: Window) -> bool:
    """Whether all images and channels are read: libraries convolve all that there are."""
    variables = [_plain(coordinate) for coordinate in image.coordinates]
    shape = np.shape(problem.operands[image.tensor])
    return all(v is None or problem.sizes[v] == size for v, size in zip(variables, shape, strict=True))


def _operand_read_whole(problem: Problem, factor: Labelled) -> str | None:
    """The operand that ``factor`` is, element by element."""
    source = factor.source
    if not isinstance(source, Window) or source.tensor not in problem.operands:
        return None
    plain = tuple(_plain(coordinate) for coordinate in source.coordinates)
    shape = tuple(problem.sizes[variable] for variable in factor.variables)
    whole = plain == factor.variables and np.shape(problem.operands[source.tensor]) == shape
    return source.tensor if whole else None
